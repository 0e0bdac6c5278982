from __future__ import annotations

from datetime import timedelta

from roundwatch.core.hub import Gap, Link, LinkState, State, Unreadable
from roundwatch.core.rounds import Doubt, RoundSummary
from roundwatch.tui.feed import FeedState
from roundwatch.tui.source import Ended
from roundwatch.tui.standing import Standing
from roundwatch.tui.watched import Watched

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


def test_what_keeps_the_hub_from_storing_is_known_until_it_is_over() -> None:
    watched = watching([])
    for writing, checking, trouble in (
        ("full", "not_needed", "full"),
        ("ok", "sound", None),
        ("failing", "damaged", "damaged"),
        ("something_new", "unknown", None),
    ):
        watched.take(State(writing=writing, checking=checking), 1.0)
        assert watched.feed.trouble == trouble


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


def many(count: int) -> Lines:
    lines: Lines = []
    for number in range(count):
        name = f"r{number}"
        lines += [*start(name, number), *call(name, "c", number, first=0.1, total=0.5, usage=(10, 1), text="x")]
        lines += end(name, number + 0.6)
    return lines


def few_kept(lines: Lines, kept: int) -> Watched:
    watched = Watched(kept=kept)
    for item in live(lines):
        watched.take(item, 1.0)
    return watched


def test_of_the_longest_ended_rounds_only_a_summary_stays_and_every_row_and_count() -> None:
    watched = few_kept(many(20), 5)
    assert len(watched.ledger.rounds) == 5
    assert len(watched.ledger.retired) == 15
    assert len(watched.tree) == watched.counts[Standing.ANSWER] == 20
    watched.position.select(19, 10)
    assert isinstance(watched.selected, RoundSummary)


def test_the_round_on_screen_and_the_sub_rounds_of_an_open_one_keep_their_details() -> None:
    watched = few_kept(many(3), 5)
    watched.position.select(2, 10)
    children = [line for line in many(10) if line["type"] != "round.started"]
    opened = [*start("p", 50), *[e for n in range(10) for e in start(f"k{n}", 50, parent={"round": "p"})]]
    kept = [{**line, "round": line["round"].replace("r", "k")} for line in children]
    for item in received([*opened, *kept], 100):
        watched.take(item, 1.0)
    assert "r0" in watched.ledger.rounds
    assert {f"k{n}" for n in range(10)} <= set(watched.ledger.rounds)


def test_a_late_event_of_a_round_without_details_is_counted_and_changes_no_verdict() -> None:
    watched = few_kept(many(20), 5)
    for item in received(event("round.cancel_requested", "r0", 90, by="user"), 500):
        watched.take(item, 1.0)
    assert watched.late_events["r0"] == 1
    assert watched.ledger.retired["r0"].outcome.is_answer
    assert "r0" not in watched.ledger.rounds
