from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

import pytest
from roundwatch.core.hub import HubRefused
from roundwatch.tui.feed import Feed, FeedState
from roundwatch.tui.link_lines import by_trouble, feed_line, link_wordings
from roundwatch.tui.safe_text import line_cells
from roundwatch.tui.watched_hub import WatchedHub

from tests.tui.lines import DE, EN, text

REFUSED = Feed(FeedState.REFUSED, fault=HubRefused("no", code="hub_token"))
LOST = Feed(FeedState.RECONNECTING, retry_at=104.0)
PARTIAL = Feed(FeedState.LIVE, missing=479)
LIVE = Feed(FeedState.LIVE)


def hubs(*feeds: Feed) -> list[WatchedHub]:
    names = ("work", "lab", "ws://127.0.0.1:7433", "ws://far.example:80")
    return [
        WatchedHub(name, f"{number}:", feed=feed) for number, (name, feed) in enumerate(zip(names, feeds, strict=False))
    ]


def told(feeds: Iterable[Feed], locale: object = EN) -> list[str]:
    texts = DE if locale is DE else EN
    return [text(line) for line in link_wordings(hubs(*feeds), texts, 100.0)]


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
        (Feed(FeedState.REFUSED, "HTTP 403"), "✕ refused"),
        (Feed(FeedState.REFUSED, fault=HubRefused("no", code="hub_token")), "✕ refused: wrong token"),
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


@pytest.mark.parametrize(
    ("feed", "shortest"),
    [
        (LIVE, "● live"),
        (PARTIAL, "● ◐ 479 missing"),
        (Feed(FeedState.LIVE, missing_unknown=True), "● ◐ events missing"),
        (Feed(FeedState.RECONNECTING, retry_at=104.0, missing=479), "↻ in 4 s ◐ 479 missing"),
        (Feed(FeedState.RECONNECTING, retry_at=99.0), "↻ connecting"),
        (REFUSED, "✕ wrong token"),
        (Feed(FeedState.REFUSED), "✕ refused"),
        (Feed(FeedState.FAILED), "‼ failed"),
        (Feed(FeedState.ENDED), "■ replay ended"),
        (Feed(FeedState.CATCHING_UP, last=10, seq=2), "◔ catching up"),
    ],
)
def test_in_the_fewest_words_the_link_still_says_what_is_wrong(feed: Feed, shortest: str) -> None:
    assert told([feed])[-1] == shortest
    assert line_cells(link_wordings(hubs(feed), DE, 100.0)[-1]) <= 26


def test_of_several_hubs_the_worst_stands_first_and_each_is_named() -> None:
    found = told([LIVE, LOST, PARTIAL, REFUSED])
    assert found[0] == (
        "far.example… ✕ refused: wrong token   lab ↻ reconnecting in 4 s   "
        ":7433 ● live  ◐ partial view: 479 events missing   work ● live"
    )
    assert found[1:] == [
        "far.example… ✕ refused: wrong token  3 of 4 hubs not live or not whole",
        "far.example… ✕ wrong token  3 of 4 impaired",
        "✕ wrong token 3 of 4 impaired",
    ]


def test_one_hub_that_is_not_well_does_not_hide_that_the_others_are() -> None:
    assert told([LIVE, LOST]) == [
        "lab ↻ reconnecting in 4 s   work ● live",
        "lab ↻ in 4 s  1 of 2 impaired",
        "↻ in 4 s 1 of 2 impaired",
    ]
    assert told([LIVE, LIVE, LIVE, LOST], DE)[1] == "far.example… ↻ in 4 s  1 von 4 gestört"


def test_hubs_that_are_all_well_are_a_number_where_there_is_no_room_for_names() -> None:
    assert told([LIVE, LIVE]) == ["work ● live   lab ● live", "● 2 hubs live", "● 2 live"]


def test_a_partial_view_of_one_live_hub_is_trouble_too() -> None:
    assert [hub.name for hub in by_trouble(hubs(LIVE, PARTIAL, LOST))] == ["ws://127.0.0.1:7433", "lab", "work"]


@pytest.mark.parametrize("feeds", [[LIVE], [PARTIAL], [LIVE, LOST], [REFUSED, LOST, PARTIAL], [LIVE, LIVE, LIVE]])
def test_each_wording_is_shorter_than_the_one_before(feeds: list[Feed]) -> None:
    for texts in (EN, DE):
        cells = [line_cells(line) for line in link_wordings(hubs(*feeds), texts, 100.0)]
        assert all(shorter < longer for longer, shorter in pairwise(cells))


def test_a_hostile_name_stays_a_short_name() -> None:
    hub = WatchedHub("\x1b]0;x\x07" + "y" * 300, "0:", feed=LOST)
    assert line_cells(link_wordings([hub, WatchedHub("b", "1:", feed=LIVE)], EN, 100.0)[2]) < 40


@pytest.mark.parametrize(
    ("name", "tag"),
    [
        ("work", "work"),
        ("ws://127.0.0.1:7433", ":7433"),
        ("ws://localhost:1", ":1"),
        ("wss://[::1]:5", ":5"),
        ("wss://hub.example:443", "hub.example:443"),
        ("wss://hub.example", "hub.example"),
        ("ws://127.0.0.1", "127.0.0.1"),
    ],
)
def test_an_address_is_told_by_what_differs(name: str, tag: str) -> None:
    assert WatchedHub(name).tag == tag


@pytest.mark.parametrize("trouble", ["full", "read_only", "failing", "damaged"])
@pytest.mark.parametrize("locale", [EN, DE])
def test_a_hub_that_cannot_store_is_said_at_every_width(trouble: str, locale: object) -> None:
    said = told([Feed(FeedState.LIVE, trouble=trouble)], locale)
    assert all("‼" in line for line in said)
    assert "‼" in told([LIVE, Feed(FeedState.LIVE, trouble=trouble)], locale)[0]


def test_a_hub_that_cannot_store_is_worse_off_than_one_that_is_well() -> None:
    assert by_trouble(hubs(LIVE, Feed(FeedState.LIVE, trouble="full")))[0].feed.trouble == "full"
