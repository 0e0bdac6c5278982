"""A loop that somebody else wrote, and four rules of the policies around it. No runner, no hub, no network."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from roundwatch.core.policies import RequestedCall, StalledIterationGuard, parse_args, refuse
from roundwatch.core.rounds import stop_reason
from roundwatch.core.rounds.verdicts import TRUNCATION_MARKER

Json = dict[str, Any]


def answer(ask: Callable[[list[Json]], Json], run_tool: Callable[[str, Json], str], messages: list[Json]) -> str:
    """Ask until the model answers. ``ask`` returns a choice as OpenAI's chat wire sends it."""
    guard = StalledIterationGuard()  # 1. three iterations in which every call failed are enough
    while True:
        choice = ask(messages)
        reason, message = stop_reason(choice.get("finish_reason")), choice["message"]
        calls: list[Json] = message.get("tool_calls") or []
        if not calls:  # 2. a cut answer is handed over, and never without saying so
            return (message.get("content") or "") + (TRUNCATION_MARKER if reason == "output_cap" else "")
        refused = refuse(reason, [RequestedCall(call["id"], call["function"]["name"]) for call in calls])
        results: list[tuple[str, bool]] = []
        for number, call in enumerate(calls):
            wanted = parse_args([call["function"]["arguments"]])
            if refused is not None:  # 3. no call of a cut response is run, and each is answered
                results.append((refused.calls[number].message, True))
            elif wanted.model_text is not None:  # 4. arguments that are no JSON are told, not guessed
                results.append((wanted.model_text, True))
            else:
                results.append((run_tool(call["function"]["name"], wanted.args), False))
            if results[-1][1]:
                call["function"]["arguments"] = "{}"  # half JSON is never sent back
        answers = zip(calls, results, strict=True)
        messages += [message, *({"role": "tool", "tool_call_id": c["id"], "content": t} for c, (t, _) in answers)]
        if stop := guard.record([failed for _, failed in results], refused=refused is not None):
            raise RuntimeError(stop.message)
