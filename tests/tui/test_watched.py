from __future__ import annotations

from datetime import timedelta

from roundwatch.core.hub import Gap, Link, LinkState, Unreadable
from roundwatch.core.rounds import Doubt
from roundwatch.tui.source import Ended
from roundwatch.tui.watched import FeedState, Standing, Watched

from tests.scenes import DAY, NOW, Lines, answer, call, end, event, everything, live, received, start


def watching(lines: Lines, *, is_recording: bool = False) -> Watched:
    watched = Watched(is_recording)
    for item in live(lines):
        watched.take(item, 1.0)
    return watched


def rows(watched: Watched) -> list[tuple[str, int]]:
    return [(row.id, row.depth) for row in map(watched.tree.at, range(len(watched.tree)))]


def test_rounds_are_counted_by_how_they_stand() -> None:
    counts = watching(everything()).counts
    assert counts == {Standing.RUNNING: 1, Standing.ANSWER: 4, Standing.NOT_ANSWER: 7}


def test_a_completed_round_that_nothing_confirms_is_unsure() -> None:
    lines = [*start("r", 0), *call("r", "c", 0, first=1, total=2, finish=None, text="x"), *end("r", 3)]
    assert watching(lines).counts[Standing.UNSURE] == 1


def test_a_late_event_counts_the_round_anew() -> None:
    watched = watching([*start("r", 0), *call("r", "c", 0, first=1, total=2, text="x"), *end("r", 3)])
    for item in received(event("round.cancel_requested", "r", 3, by="user"), 50):
        watched.take(item, 1.0)
    assert watched.counts[Standing.ANSWER] == 0
    assert watched.counts[Standing.NOT_ANSWER] == 1
    assert watched.tree.problem_count == 1


def test_sub_rounds_stand_under_their_parent_even_when_they_came_first() -> None:
    child = start("child", 1, parent={"round": "parent"})
    assert rows(watching([*start("parent", 0), *child])) == [("parent", 0), ("child", 1)]
    assert rows(watching([*child, *start("other", 2), *start("parent", 3)])) == [
        ("parent", 0),
        ("child", 1),
        ("other", 0),
    ]
    assert rows(watching(child)) == [("child", 0)]


def test_a_gap_marks_open_rounds_where_it_fell_and_counts_what_is_missing() -> None:
    watched = watching([*answer(), *start("r", 10), *event("call.started", "r", 11, call="c1")])
    watched.take(Gap.model_validate({"from": 20, "to": 29, "why": "trimmed"}), 1.0)
    assert watched.feed.missing == 10
    assert [(gap.place, gap.missing) for gap in watched.gaps["r"]] == [(1, 10)]
    assert list(watched.gaps) == ["r"]
    assert Doubt.FEED_GAP in watched.ledger.rounds["r"].doubts


def test_a_changed_stream_leaves_the_number_of_missing_events_open() -> None:
    watched = watching(start("r", 10))
    watched.take(Gap.model_validate({"from": 20, "to": None, "why": "stream_changed"}), 1.0)
    assert watched.feed.missing_unknown
    assert watched.feed.is_partial


def test_the_link_says_when_it_tries_again() -> None:
    watched = watching([])
    watched.take(Link(LinkState.RECONNECTING, "reset", 4.0), 10.0)
    assert (watched.feed.state, watched.feed.reason, watched.feed.retry_at) == (FeedState.RECONNECTING, "reset", 14.0)
    watched.take(Link(LinkState.LIVE), 15.0)
    assert (watched.feed.state, watched.feed.retry_at) == (FeedState.LIVE, None)


def test_what_is_no_event_is_counted_and_the_last_one_kept() -> None:
    watched = watching([])
    watched.take(Unreadable("frame 3", "not JSON"), 1.0)
    assert (watched.feed.unreadable, watched.feed.last_unreadable) == (1, Unreadable("frame 3", "not JSON"))


def test_now_is_the_wall_clock_for_a_hub_and_a_recorded_moment_for_a_recording() -> None:
    lines = start("r", 10)
    assert watching(lines).now(NOW, 1.0) == NOW
    recorded = watching(lines, is_recording=True)
    assert recorded.now(NOW, 3.5) == DAY + timedelta(seconds=12.5)
    recorded.take(Ended(), 4.0)
    assert recorded.now(NOW, 99.0) == DAY + timedelta(seconds=10)
    assert recorded.feed.state is FeedState.ENDED


def test_tokens_are_those_of_the_ledger_and_follow_late_reports() -> None:
    watched = watching([*start("r", 0), *call("r", "c", 0, first=1, total=2, usage=(10, 5))])
    round_ = watched.ledger.rounds["r"]
    assert watched.tokens(round_) == (10, 5)
    late = event("call.usage", "r", 3, call="c", usage={"output_tokens": 7})
    for item in received(late, 50):
        watched.take(item, 1.0)
    assert watched.tokens(round_) == (10, 7)
