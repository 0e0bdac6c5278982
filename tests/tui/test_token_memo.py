from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from roundwatch.core.rounds import Ledger, parse_event, token_sums
from roundwatch.tui.token_memo import TokenMemo

from tests.scenes import event

COUNT = st.none() | st.integers(-1, 50)


@given(st.lists(st.tuples(st.sampled_from("abc"), COUNT, COUNT, COUNT, st.sampled_from(["anthropic", "openai-chat"]))))
def test_kept_sums_are_those_counted_anew(reports: list[tuple[str, int | None, int | None, int | None, str]]) -> None:
    ledger, memo = Ledger(), TokenMemo()
    for call, input_, output, cached, wire in reports:
        usage = {"input_tokens": input_, "output_tokens": output, "cache_read_tokens": cached}
        for line in (
            *event("call.started", "r", 0, call=call, wire=wire),
            *event("call.usage", "r", 1, call=call, usage=usage),
        ):
            ledger.apply(told := parse_event(line))
            memo.note(told)
        assert memo.sums(ledger.rounds["r"]) == token_sums(ledger.rounds["r"])
