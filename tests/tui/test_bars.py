from __future__ import annotations

import pytest
from roundwatch.core.hub import Unreadable
from roundwatch.tui.bars import counts_line, feed_line
from roundwatch.tui.feed import Feed, FeedState
from roundwatch.tui.watched import Watched

from tests.scenes import everything, live
from tests.tui.lines import DE, EN, text


@pytest.mark.parametrize(
    ("feed", "shown"),
    [
        (Feed(), "○ connecting"),
        (Feed(FeedState.CATCHING_UP, first=1, last=4_000, seq=1_000), "◔ catching up: 1,000 of 4,000"),
        (Feed(FeedState.CATCHING_UP), "◔ catching up"),
        (Feed(FeedState.REPLAYING, speed=50.0), "◔ replay, 50×"),
        (Feed(FeedState.REPLAYING, speed=0.0), "◔ catching up"),
        (Feed(FeedState.LIVE, heard=95.0), "● live"),
        (Feed(FeedState.LIVE, heard=30.0), "● live, nothing new for 1 min 10 s"),
        (Feed(FeedState.RECONNECTING, retry_at=103.2), "↻ reconnecting in 4 s"),
        (Feed(FeedState.RECONNECTING, retry_at=99.0), "↻ connecting"),
        (Feed(FeedState.REFUSED, "HTTP 401"), "✕ not authorised"),
        (Feed(FeedState.FAILED, "KeyError"), "‼ the feed failed"),
        (Feed(FeedState.ENDED), "■ replay ended"),
        (Feed(FeedState.LIVE, missing=1), "● live  ◐ partial view: 1 event missing"),
        (Feed(FeedState.LIVE, missing=1, missing_unknown=True), "● live  ◐ partial view: events missing"),
    ],
)
def test_the_feed_is_told_in_words(feed: Feed, shown: str) -> None:
    assert text(feed_line(feed, EN, 100.0)) == shown


def test_a_quiet_agent_and_a_dead_link_are_two_different_things() -> None:
    quiet = text(feed_line(Feed(FeedState.LIVE, heard=0.0), DE, 100.0))
    dead = text(feed_line(Feed(FeedState.RECONNECTING, retry_at=103.0), DE, 100.0))
    assert quiet.startswith("● live")
    assert dead.startswith("↻ neuer Versuch")


def test_counts_are_told_in_full_and_in_short() -> None:
    watched = Watched()
    for item in live(everything()):
        watched.take(item, 0.0)
    assert text(counts_line(watched, EN)) == "1 running   4 answers   7 problems"
    assert text(counts_line(watched, EN, short=True)) == "▶ 1  ✓ 4  ✗ 7"
    watched.take(Unreadable("frame 1", "x"), 0.0)
    assert text(counts_line(watched, DE)).endswith("1 unlesbar")
