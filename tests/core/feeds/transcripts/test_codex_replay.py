from __future__ import annotations

from datetime import UTC, datetime, timedelta

from roundwatch.core.feeds.transcripts.codex_replay import Replay

BEGAN = datetime(2026, 2, 23, 11, 40, 23, tzinfo=UTC)
OLD_TURN = "019c8a4c-0330-7aa2-b22b-785a3a27ed20"
OWN_TURN = "019c8a4d-0330-71a2-b22b-785a3a27ed20"
MS = timedelta(milliseconds=1)


def forked(**meta: str) -> Replay:
    replay = Replay()
    assert replay.meta({"id": "b", "timestamp": BEGAN.isoformat(), **meta}, BEGAN)
    return replay


def test_a_session_of_its_own_copies_nothing() -> None:
    replay = forked()
    assert not replay.is_copy({}, BEGAN + MS, begins_turn=False)
    assert not replay.is_copy({"turn_id": OLD_TURN}, BEGAN + MS, begins_turn=True)
    assert not replay.meta({"id": "b"}, BEGAN + MS)
    assert not replay.is_copy({}, BEGAN + MS, begins_turn=False)


def test_turns_that_are_older_than_the_session_were_copied() -> None:
    replay = forked(forked_from_id="a")
    copied = [replay.is_copy({"turn_id": id_}, BEGAN + MS, begins_turn=True) for id_ in (OLD_TURN, OWN_TURN, OLD_TURN)]
    assert copied == [True, False, False]


def test_the_parents_own_description_begins_a_copy() -> None:
    replay = forked()
    replay.meta({"id": "a"}, BEGAN + MS)
    assert replay.is_copy({}, BEGAN + 2 * MS, begins_turn=False)
    assert replay.is_copy({"turn_id": "t1"}, BEGAN + 3 * MS, begins_turn=True)
    assert replay.is_copy({}, BEGAN + 4 * MS, begins_turn=False)
    assert not replay.is_copy({"turn_id": "t9"}, BEGAN + 500 * MS, begins_turn=True)
    assert not replay.is_copy({}, BEGAN + 501 * MS, begins_turn=False)


def test_a_fork_that_copied_nothing_begins_with_its_own_turn() -> None:
    assert not forked(forked_from_id="a").is_copy({"turn_id": "t1"}, BEGAN + MS, begins_turn=True)


def test_records_without_times_do_not_end_the_view() -> None:
    replay = Replay()
    replay.meta({"id": "b", "forked_from_id": "a"}, None)
    replay.meta({"id": "a"}, None)
    assert not replay.is_copy({"turn_id": "ffffffff-ffff-7fff-bfff-ffffffffffff"}, None, begins_turn=True)
