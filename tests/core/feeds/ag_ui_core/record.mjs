// Writes runs whose events @ag-ui/core itself has checked, one JSON object a line: {"run": name, "event": event}.
// To write events.jsonl anew: npm install --no-package-lock && node record.mjs > events.jsonl
import { EventType } from "@ag-ui/core";
import { EventSchema } from "@ag-ui/core/schemas";

const T = EventType;
const text = (messageId, ...pieces) => [
  { type: T.TEXT_MESSAGE_START, messageId, role: "assistant" },
  ...pieces.map((delta) => ({ type: T.TEXT_MESSAGE_CONTENT, messageId, delta })),
  { type: T.TEXT_MESSAGE_END, messageId },
];
const call = (toolCallId, toolCallName, ...pieces) => [
  { type: T.TOOL_CALL_START, toolCallId, toolCallName },
  ...pieces.map((delta) => ({ type: T.TOOL_CALL_ARGS, toolCallId, delta })),
  { type: T.TOOL_CALL_END, toolCallId },
];
const result = (toolCallId, content, more = {}) => ({
  type: T.TOOL_CALL_RESULT, messageId: `m-${toolCallId}`, toolCallId, content, role: "tool", ...more,
});
const run = (runId, between, finished) => [
  { type: T.RUN_STARTED, threadId: "harbour", runId, timestamp: 1790000000000, protocolVersion: "1.0" },
  ...between,
  ...(finished === undefined ? [] : [{ type: T.RUN_FINISHED, threadId: "harbour", runId, ...finished }]),
];
const helper = (subagentRunId, more = {}) => ({ type: T.SUBAGENT_STARTED, subagentRunId, name: "pilot", ...more });
const snapshot = (...messages) => ({ type: T.MESSAGES_SNAPSHOT, messages });

const runs = {
  absent: run("absent", text("m1", "The tide turns ", "at noon. \u{1F6A2}"), {}),
  success: run("success", text("m1", "Done."), { outcome: { type: "success" } }),
  cancelled: run("cancelled", text("m1", "I will beg"), { outcome: { type: "cancelled" } }),
  interrupt: run("interrupt", call("t1", "sail", "{}"), {
    outcome: { type: "interrupt", interrupts: [{ id: "i1", reason: "tool_call", message: "Cast off?", toolCallId: "t1" }] },
  }),
  pending: run("pending", call("t1", "show_map", "{}"), { outcome: { type: "success", pendingToolCallIds: ["t1"] } }),
  error: [...run("error", text("m1", "Let me ")), { type: T.RUN_ERROR, message: "the chart is gone", code: "E_CHART" }],
  tools: run("tools", [
    ...call("t1", "depth", '{"at":', '"quay"}'),
    result("t1", [{ type: "text", text: "4 fathoms" }]),
    { type: T.TOOL_CALL_CHUNK, toolCallId: "t2", toolCallName: "wind", delta: '{"at"' },
    { type: T.TOOL_CALL_CHUNK, delta: ":1}" },
    result("t2", "force 3"),
    ...call("t3", "moor", "{}"),
    ...text("m2", "Deep enough."),
  ], {}),
  quiet: run("quiet", [
    { type: T.STEP_STARTED, stepName: "look" },
    { type: T.STATE_SNAPSHOT, snapshot: { knots: 0 } },
    { type: T.STATE_DELTA, delta: [{ op: "replace", path: "/knots", value: 3 }] },
    { type: T.REASONING_START, messageId: "r1" },
    { type: T.REASONING_MESSAGE_START, messageId: "r1", role: "reasoning" },
    { type: T.REASONING_MESSAGE_CONTENT, messageId: "r1", delta: "Low water…" },
    { type: T.REASONING_MESSAGE_END, messageId: "r1" },
    { type: T.REASONING_END, messageId: "r1" },
    { type: T.REASONING_MESSAGE_CHUNK, messageId: "r2", delta: "so wait" },
    { type: T.ACTIVITY_SNAPSHOT, messageId: "a1", activityType: "plan", content: { steps: [] }, replace: true },
    { type: T.CUSTOM, name: "weather", value: 1 },
    { type: T.RAW, event: { any: "thing" } },
    { type: T.STEP_FINISHED, stepName: "look" },
    { type: T.TEXT_MESSAGE_CHUNK, messageId: "m1", role: "assistant", delta: "Wait " },
    { type: T.TEXT_MESSAGE_CHUNK, messageId: "m1", delta: "an hour." },
  ], {
    usage: [
      { model: "a", inputTokens: 100, outputTokens: 20, cachedInputTokens: 80, reasoningTokens: 5 },
      { model: "b", inputTokens: 7, outputTokens: 3, cachedInputTokens: 0, reasoningTokens: 0 },
    ],
  }),
  snapshot: run("snapshot", [
    snapshot(
      { id: "u0", role: "user", content: "And before?" },
      { id: "m0", role: "assistant", content: "That was yesterday." },
      { id: "u1", role: "user", content: "How deep is it?" },
      {
        id: "m1", role: "assistant",
        toolCalls: [{ id: "t1", type: "function", function: { name: "depth", arguments: '{"at":"quay"}' } }],
      },
      { id: "m2", role: "tool", toolCallId: "t1", content: "", error: "no lead line" },
      { id: "m3", role: "assistant", content: "I could not measure it." },
    ),
  ], {}),
  agents: run("agents", [
    ...call("t1", "ask_pilot", "{}"),
    helper("s1", { parentToolCallId: "t1", description: "Knows the channel" }),
    { type: T.TEXT_MESSAGE_START, messageId: "p1", role: "assistant", subagentRunId: "s1" },
    { type: T.TEXT_MESSAGE_CONTENT, messageId: "p1", delta: "Keep left.", subagentRunId: "s1" },
    { type: T.TEXT_MESSAGE_END, messageId: "p1", subagentRunId: "s1" },
    { type: T.SUBAGENT_FINISHED, subagentRunId: "s1", outcome: { type: "success" } },
    helper("s2"),
    { type: T.SUBAGENT_ERROR, subagentRunId: "s2", message: "fog" },
    helper("s3", { parentSubagentRunId: "s1" }),
    result("t1", "left"),
    ...text("m1", "Left it is."),
  ], {}),
};

for (const [name, events] of Object.entries(runs))
  for (const event of events) console.log(JSON.stringify({ run: name, event: EventSchema.parse(event) }));
