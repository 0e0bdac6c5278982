from __future__ import annotations

import json

from roundwatch.core.rounds import Ledger, classify, parse_event
from roundwatch.tui.round_json import round_json

from tests.scenes import cap_cut, everything
from tests.tui.lines import round_of


def test_a_round_tells_everything_and_null_for_what_is_not_known() -> None:
    round_ = round_of(cap_cut())
    tree = json.loads(round_json(round_, classify(round_)))
    assert tree["round"] == "271046c3"
    assert tree["outcome"]["verdict"] == "stream_ended_without_finish"
    calls = [entry for entry in tree["entries"] if entry["entry"] == "call"]
    assert [call["finish_reason"] for call in calls] == ["tool_use", "max_tokens", None]
    assert calls[0]["usage"]["reasoning_tokens"] is None
    assert calls[1]["tool_calls"][0]["state"] == "refused"
    assert any(entry["entry"] == "event" and entry["type"] == "round.warning" for entry in tree["entries"])


def test_every_kind_of_round_can_be_written() -> None:
    ledger = Ledger()
    ledger.apply_all(parse_event(line) for line in everything())
    for round_ in ledger.rounds.values():
        assert json.loads(round_json(round_, classify(round_)))["round"] == round_.id
