from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roundwatch.core.rounds import Call, Ledger, Round, parse_event
from roundwatch.tui.raw_log import LINE_OVERHEAD, RawLog, RawOf

from tests.scenes import Lines, answer, cap_cut, event, tool_round


def told(lines: Lines, log: RawLog | None = None) -> tuple[RawLog, Round]:
    """The lines in a log, and the round they make."""
    log, ledger = log or RawLog(), Ledger()
    for line in lines:
        parsed = parse_event(line)
        ledger.apply(parsed)
        log.take(parsed, as_sent(line))
    return log, ledger.rounds[lines[0]["round"]]


def as_sent(line: dict[str, object]) -> str:
    return json.dumps(line, separators=(" ,", ":  "))  # not as any serialiser of ours would write it


def test_lines_of_a_call_come_back_as_they_came_and_in_order() -> None:
    log, round_ = told(tool_round())
    raw = log.of_call(round_.id, round_.calls[0])
    assert raw is not None
    own = [line for line in tool_round() if line.get("call") == "c1" or line.get("tool_call") in ("t1", "t2")]
    assert raw.lines == tuple(map(as_sent, own))
    assert raw.text == "".join(f"{as_sent(line)}\n" for line in own)
    assert raw.dropped == 0


def test_a_tool_call_has_its_own_lines_whether_they_name_its_call_or_not() -> None:
    log, round_ = told(cap_cut())
    raw = log.of_tool(round_.id, round_.tool_calls["c2", "w1"])
    assert raw is not None
    assert [json.loads(line)["type"] for line in raw.lines] == ["tool.requested", "tool.refused"]


def test_what_belongs_to_no_call_or_has_no_text_is_not_kept() -> None:
    log, ledger = RawLog(), Ledger()
    for line in answer():
        ledger.apply(parse_event(line))
        log.take(parse_event(line), "")
    log.take(parse_event(event("round.finished", "233a0419", 9)[0]), "{}")
    call = ledger.rounds["233a0419"].calls[0]
    assert RawOf(log, "233a0419", call).read() is None


def test_two_rounds_may_call_their_calls_the_same() -> None:
    log, round_ = told(cap_cut())
    _, other = told(answer(), log)
    raw = log.of_call(other.id, other.calls[0])
    assert raw is not None
    assert all(json.loads(line)["round"] == other.id for line in raw.lines)
    assert len(raw.lines) == 3
    assert log.of_call(round_.id, round_.calls[0]) is not None


def test_the_oldest_lines_go_first_and_are_counted() -> None:
    lines = [event("call.output", "r", n, call="c", kind="text", text=f"{n:03}")[0] for n in range(20)]
    size = len(as_sent(lines[0])) + LINE_OVERHEAD
    log, round_ = told(lines, RawLog(5 * size + 20))
    raw = log.of_call("r", round_.calls[0])
    assert raw is not None
    assert [json.loads(line)["text"] for line in raw.lines] == ["015", "016", "017", "018", "019"]
    assert raw.dropped == 15


def test_a_call_whose_lines_are_all_gone_is_not_in_memory() -> None:
    first, second = (event("call.output", "r", 0, call=name, kind="text", text="x" * 900) for name in ("a", "b"))
    log, round_ = told([*first, *second], RawLog(1500))
    assert log.of_call("r", round_.calls[0]) is None
    assert log.of_call("r", round_.calls[1]) is not None


def test_a_history_that_was_read_again_takes_the_place_of_what_was_left() -> None:
    lines = [event("call.output", "r", n, call="c", kind="text", text=f"{n:03}")[0] for n in range(20)]
    log, round_ = told(lines, RawLog(9 * 440))
    before = log.of_call("r", round_.calls[0])
    assert before is not None
    assert before.dropped > 0
    kept, since = lines[11:18], lines[18:]
    log.put_back((parse_event(line), as_sent(line)) for line in kept)
    after = log.of_call("r", round_.calls[0])
    assert after is not None
    assert (after.lines, after.dropped) == (tuple(map(as_sent, [*kept, *since])), 0)
    for line in lines:
        log.take(parse_event(line), as_sent(line))
    full = log.of_call("r", round_.calls[0])
    assert full is not None
    assert len(full.lines) + full.dropped == 29


def test_of_more_emptied_calls_than_are_remembered_a_late_line_is_not_taken_for_the_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("roundwatch.tui.raw_log.MOST_EMPTIED", 1)
    sent = [event("call.output", "r", 0, call=name, kind="text", text="x" * 900)[0] for name in "abca"]
    log, round_ = told(sent, RawLog(1500))
    raw = log.of_call("r", round_.calls_by_id["a"])
    assert raw is not None
    assert (len(raw.lines), raw.is_whole) == (1, False)
    (begun,) = event("call.started", "r", 9, call="d")
    log.take(parse_event(begun), as_sent(begun))
    new = log.of_call("r", Call(id="d"))
    assert new is not None
    assert new.is_whole


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 400)), max_size=60), st.integers(0, 3000))
def test_no_more_is_kept_than_allowed_and_none_is_lost_uncounted(sent: list[tuple[str, int]], most: int) -> None:
    log, ledger = RawLog(most), Ledger()
    for name, size in sent:
        line = event("call.output", "r", 0, call=name, kind="text", text="x" * size)[0]
        ledger.apply(parse_event(line))
        log.take(parse_event(line), as_sent(line))
    kept = 0
    for call in ledger.rounds["r"].calls if sent else ():
        raw = log.of_call("r", call)
        came = sum(1 for name, _ in sent if name == call.id)
        assert raw is None or len(raw.lines) + raw.dropped == came
        kept += sum(len(line) + LINE_OVERHEAD for line in raw.lines) if raw is not None else 0
    assert kept <= most
