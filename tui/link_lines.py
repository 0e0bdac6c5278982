"""How it stands with the links to the hubs, in as many words as there is room for; the worst is never left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil

from ..core.rounds.faults import CodedError
from ..core.texts import Texts, span
from .feed import Feed, FeedState
from .safe_text import Line, Span, Tone, cut, joined, line_cells
from .watched_hub import WatchedHub

FEED_LOOKS: Mapping[FeedState, tuple[str, Tone]] = {
    FeedState.CONNECTING: ("○", Tone.INFO),
    FeedState.CATCHING_UP: ("◔", Tone.INFO),
    FeedState.REPLAYING: ("◔", Tone.INFO),
    FeedState.LIVE: ("●", Tone.GOOD),
    FeedState.RECONNECTING: ("↻", Tone.WARN),
    FeedState.REFUSED: ("✕", Tone.BAD),
    FeedState.FAILED: ("‼", Tone.BAD),
    FeedState.ENDED: ("■", Tone.INFO),
}

QUIET_S = 30.0
"""Three missed signs of life are a matter of the link; a feed that lives and says nothing for this long is told."""

WORST_FIRST = (
    FeedState.FAILED,
    FeedState.REFUSED,
    FeedState.RECONNECTING,
    FeedState.CONNECTING,
    FeedState.CATCHING_UP,
    FeedState.REPLAYING,
    FeedState.ENDED,
    FeedState.LIVE,
)
TAG_CELLS = 12
WRONG_TOKEN = "hub_token"


def by_trouble(hubs: Sequence[WatchedHub]) -> list[WatchedHub]:
    """Return the hubs, the one that is worst off first."""
    return sorted(
        hubs, key=lambda hub: (WORST_FIRST.index(hub.feed.state), not (hub.feed.trouble or hub.feed.is_partial))
    )


def link_wordings(hubs: Sequence[WatchedHub], texts: Texts, heard: float) -> list[Line]:
    """Return ever shorter ways to say how it stands with the hubs; the first says all, the last the worst.

    Args:
        heard: the viewer's monotonic clock, seconds.
    """
    return _shrinking(_one(hubs, texts, heard) if len(hubs) == 1 else _several(hubs, texts, heard))


def _shrinking(lines: Sequence[Line]) -> list[Line]:
    """Leave out what is no shorter than something fuller."""
    kept: list[Line] = []
    for line in lines:
        if not kept or line_cells(line) < line_cells(kept[-1]):
            kept.append(line)
    return kept


def _one(hubs: Sequence[WatchedHub], texts: Texts, heard: float) -> list[Line]:
    feed = hubs[0].feed
    return [feed_line(feed, texts, heard), _short_line(feed, texts, heard), _short_line(feed, texts, heard, "")]


def _several(hubs: Sequence[WatchedHub], texts: Texts, heard: float) -> list[Line]:
    worst, *others = by_trouble(hubs)
    every = [_named(hub, feed_line(hub.feed, texts, heard)) for hub in (worst, *others)]
    if all(_is_well(hub.feed) for hub in hubs):
        glyph, tone = FEED_LOOKS[FeedState.LIVE]
        told = [Span(f"{glyph} {texts(f'tui.links.{form}', n=len(hubs))}", tone) for form in ("live", "live_short")]
        return [joined(every), *((each,) for each in told)]
    return [
        joined(every),
        joined((_named(worst, feed_line(worst.feed, texts, heard)), _impaired(hubs, texts, "impaired")), "  "),
        joined((_named(worst, _short_line(worst.feed, texts, heard)), _impaired(hubs, texts, "impaired_short")), "  "),
        joined((_short_line(worst.feed, texts, heard, ""), _impaired(hubs, texts, "impaired_short")), " "),
    ]


def _is_well(feed: Feed) -> bool:
    return feed.state is FeedState.LIVE and not feed.is_partial and feed.trouble is None


def _named(hub: WatchedHub, line: Line) -> Line:
    return (Span(f"{cut(hub.tag, TAG_CELLS)} ", Tone.STRONG), *line)


def _impaired(hubs: Sequence[WatchedHub], texts: Texts, form: str) -> Line:
    """Return how many hubs are not live, or miss something."""
    n = sum(1 for hub in hubs if not _is_well(hub.feed))
    return (Span(texts(f"tui.links.{form}", n=n, total=len(hubs)), Tone.WARN),)


def feed_line(feed: Feed, texts: Texts, heard: float) -> Line:
    """Return how it stands with the source: its state, then what is missing from the view."""
    glyph, tone = FEED_LOOKS[feed.state]
    if feed.state is FeedState.RECONNECTING and feed.retry_at is not None:
        left = max(0, ceil(feed.retry_at - heard))
        said = texts("link.reconnecting", span=span(left, texts)) if left else texts("link.connecting")
    else:
        said = _state_words(feed, texts, heard)
    parts = [(Span(f"{glyph} {said}", tone),)]
    if feed.is_partial:
        known = texts("link.partial", n=feed.missing)
        missing = texts("link.partial_unknown") if feed.missing_unknown else known
        parts.append((Span(f"◐ {missing}", Tone.WARN),))
    return joined((*parts, *_trouble(feed, texts)), "  ")


def _trouble(feed: Feed, texts: Texts) -> tuple[Line, ...]:
    """Return what keeps the hub from storing: the picture is whole and nothing new will come."""
    return () if feed.trouble is None else ((Span(f"‼ {texts(f'link.store_{feed.trouble}')}", Tone.BAD),),)


def _short_line(feed: Feed, texts: Texts, heard: float, gap: str = " ") -> Line:
    """Return the same in the fewest words; without ``gap`` the state is its glyph, where that says enough."""
    glyph, tone = FEED_LOOKS[feed.state]
    said = _short_words(feed, texts, heard)
    bare = not gap and feed.state in (FeedState.LIVE, FeedState.CATCHING_UP) and feed.is_partial
    parts = [(Span(glyph if bare else f"{glyph} {said}", tone),)]
    if feed.is_partial:
        key = "tui.links.missing_unknown" if feed.missing_unknown else "tui.links.missing"
        parts.append((Span(f"◐ {texts(key, n=feed.missing)}", Tone.WARN),))
    return joined((*parts, *_trouble(feed, texts)), " ")


def _short_words(feed: Feed, texts: Texts, heard: float) -> str:
    match feed.state:
        case FeedState.RECONNECTING if feed.retry_at is not None and feed.retry_at > heard:
            return texts("tui.links.reconnecting", span=span(ceil(feed.retry_at - heard), texts))
        case FeedState.RECONNECTING:
            return texts("link.connecting")
        case FeedState.LIVE | FeedState.CONNECTING:
            return texts(f"link.{feed.state}")
        case FeedState.ENDED:
            return texts("link.replay_ended")
        case FeedState.REPLAYING | FeedState.CATCHING_UP:
            return texts("tui.feed.catching_up")
        case FeedState.REFUSED:
            return texts("tui.links.wrong_token" if _wants_token(feed) else "tui.feed.refused")
        case FeedState.FAILED:
            return texts("tui.links.failed")


def _wants_token(feed: Feed) -> bool:
    return isinstance(feed.fault, CodedError) and feed.fault.code == WRONG_TOKEN


def _state_words(feed: Feed, texts: Texts, heard: float) -> str:
    match feed.state:
        case FeedState.LIVE if feed.heard is not None and heard - feed.heard >= QUIET_S:
            return texts("link.quiet", span=span(int(heard - feed.heard), texts))
        case FeedState.CATCHING_UP if feed.last is not None and feed.last >= feed.first:
            done = max(0, min(feed.seq, feed.last) - feed.first + 1)
            return texts("link.catching_up", done=done, total=feed.last - feed.first + 1)
        case FeedState.REPLAYING if feed.speed > 0:
            return texts("link.replaying", speed=feed.speed)
        case FeedState.REPLAYING:
            return texts("tui.feed.catching_up")
        case FeedState.LIVE | FeedState.CONNECTING:
            return texts(f"link.{feed.state}")
        case FeedState.ENDED:
            return texts("link.replay_ended")
        case FeedState.REFUSED if _wants_token(feed):
            return texts("tui.feed.refused_token")
        case _:
            return texts(f"tui.feed.{feed.state}")
