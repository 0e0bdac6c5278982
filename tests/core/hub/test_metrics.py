from __future__ import annotations

from dataclasses import fields

from roundwatch.core.hub.metrics import HELP, Counters, exposition


def test_every_counter_is_told_with_its_kind_and_no_label() -> None:
    text = exposition(Counters(stored=3, watchers=2), [("store_last_seq", "newest event", 7)])
    assert "# TYPE roundwatch_stored_total counter\nroundwatch_stored_total 3\n" in text
    assert "# TYPE roundwatch_watchers gauge\nroundwatch_watchers 2\n" in text
    assert text.endswith("roundwatch_store_last_seq 7\n")
    assert "{" not in text
    assert set(HELP) == {field.name for field in fields(Counters)}
