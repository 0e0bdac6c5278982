from __future__ import annotations

from roundwatch.core.rounds import Call, CallOutcome, OutputKind, StopReason, Usage
from roundwatch.core.rounds.events import CallFinished, CallOutput
from roundwatch.core.runner.response import Response


def call(id: str, text: str, finish: str | None, usage: Usage) -> Call:
    found = Call(id)
    found.stream(CallOutput(round="r", call=id, kind=OutputKind.TEXT, text=text))
    found.finish(CallFinished(round="r", call=id, outcome=CallOutcome.COMPLETED, finish_reason=finish, usage=usage))
    return found


def test_a_cut_call_and_its_continuation_are_one_response() -> None:
    first = call("c1", "It li", "length", Usage(input_tokens=10, output_tokens=50))
    second = call("c2", "es east.", "stop", Usage(input_tokens=60))
    response = Response("c1", (first, second))
    assert (response.message_id, response.text) == ("c1", "It lies east.")
    assert response.usage == Usage(input_tokens=70, output_tokens=50)
    assert response.merged.usage_partial
    assert (response.stop_reason, response.is_cut, response.outcome) == (StopReason.END, False, CallOutcome.COMPLETED)


def test_what_is_still_cut_at_the_end_is_cut() -> None:
    cut = call("c1", "It li", "length", Usage())
    assert Response("c1", (cut, cut)).is_cut
