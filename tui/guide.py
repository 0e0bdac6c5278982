"""What stands where rounds will be: how to feed a hub that has none, or why none come and what to do about it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ..core.texts import Texts, clean, wrap
from ..core.texts.faults import fault_text
from .feed import FeedState
from .link_lines import by_trouble
from .safe_text import BLANK, Line, Span, Tone
from .watched import Watched
from .watched_hub import WatchedHub

ROOMY_FROM = 44
"""Cells from which paragraphs stand apart; narrower screens are low, too."""
MOST_REASON = 400
"""Characters of a reason, which may quote whoever answered."""

REMEDY = "--token-file"
"""A reason that names it needs no remedy of ours."""


class Guide:
    """The words for an empty screen; they follow the feed's state and the language."""

    def __init__(self, watched: Watched, source_name: str, texts: Callable[[], Texts]) -> None:
        """Tell of ``watched``.

        Args:
            source_name: a hub's address, or the name of a recording.
        """
        self._watched = watched
        self._source_name = source_name
        self._texts = texts

    def headline(self) -> str:
        """Return in a few words why there is nothing to see."""
        texts, feed = self._texts(), self._hub.feed
        if feed.state in (FeedState.REFUSED, FeedState.FAILED):
            return texts(f"tui.feed.{feed.state}")
        return texts("tui.rounds.empty")

    def in_a_sentence(self) -> str:
        """Return the same in one run of words, for a screen that shows rounds."""
        return self.of_hub(self._hub)

    def of_hub(self, hub: WatchedHub) -> str:
        """Return in one run of words how it stands with a hub."""
        return " ".join(said for said, _ in self._paragraphs(hub))

    @property
    def _hub(self) -> WatchedHub:
        """The one that is worst off: with several, the header tells of the others."""
        return by_trouble(self._watched.hubs)[0]

    def lines(self, width: int) -> list[Line]:
        """Return all there is to say, in lines of at most ``width`` cells."""
        told: list[Line] = []
        for number, (said, tone) in enumerate(self._paragraphs(self._hub)):
            if number and width >= ROOMY_FROM:
                told.append(BLANK)
            told += [(Span(line, tone),) for line in wrap(said, max(1, width))]
        return told

    def _paragraphs(self, hub: WatchedHub) -> Iterator[tuple[str, Tone]]:
        texts, feed = self._texts(), hub.feed
        url = hub.name if self._watched.has_several else clean(self._source_name)
        said = fault_text(feed.fault, texts) if feed.fault is not None else feed.reason
        reason = clean(said or "", limit=MOST_REASON)
        match feed.state:
            case FeedState.REFUSED | FeedState.FAILED | FeedState.RECONNECTING:
                yield texts(f"tui.guide.{feed.state}", url=url), Tone.STRONG
                if REMEDY not in reason:
                    yield texts(f"tui.guide.{feed.state}_remedy"), Tone.PLAIN
                if reason:
                    yield reason, Tone.DIM
            case FeedState.CONNECTING | FeedState.CATCHING_UP:
                yield texts(f"tui.guide.{feed.state}", url=url), Tone.DIM
            case FeedState.LIVE if not self._watched.is_recording:
                yield texts("ui.no_rounds", url=url), Tone.PLAIN
                yield texts("tui.guide.publish"), Tone.DIM
                yield f"roundwatch publish --to {url} FILE", Tone.KEY
            case _:
                yield texts("tui.rounds.empty"), Tone.DIM
