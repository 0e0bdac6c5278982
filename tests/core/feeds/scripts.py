"""The same little stories for every wire, in each wire's own words."""

from __future__ import annotations

from roundwatch.core.runner.script import BodyError, Counts, Ending, Finish, Reasoning, Reply, Script, Text, ToolUse

SAID = "It lies east of the mill."
WORDS = {
    "openai-chat": ("stop", "tool_calls", "length"),
    "openai-responses": ("completed", "completed", "incomplete"),
    "anthropic": ("end_turn", "tool_use", "max_tokens"),
    "gemini": ("STOP", "STOP", "MAX_TOKENS"),
    "ollama": ("stop", "stop", "length"),
}
"""How an answer, a wish for tools and a cut at the output cap are called."""
CUT_DETAIL = {"openai-responses": "max_output_tokens"}


def _story(*steps: object, counts: Counts | None = None, ending: Ending = Ending.DONE) -> Reply:
    return Reply(steps=steps, counts=counts, ending=ending)  # type: ignore[arg-type]  # any mix of steps


def scripts(wire: str) -> dict[str, Script]:
    """Return every story as ``wire`` tells it."""
    end, tool, cap = WORDS[wire]
    answer = _story(Reasoning("Let me see. "), Text(SAID), Finish(end), counts=Counts(21, 9, 3))
    look = ToolUse("look", '{"at": "east"}', id="t1")
    return {
        "answer": Script((answer,), repeat_last=True),
        "tool": Script((_story(look, Finish(tool), counts=Counts(21, 9)), answer), repeat_last=True),
        "cap": Script((_story(Text("It lies"), Finish(cap, detail=CUT_DETAIL.get(wire)), counts=Counts(21, 9)),)),
        "no-finish": Script((_story(Text("It lies"), ending=Ending.EOF),)),
        "error": Script((_story(Text("It lies"), BodyError("overloaded", "Overloaded", "503"), ending=Ending.EOF),)),
        "reset": Script((_story(Text("It lies"), ending=Ending.RESET),)),
    }
