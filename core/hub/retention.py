"""How much a store keeps: the same three bounds for every engine, and what they mean at one moment."""

from __future__ import annotations

from dataclasses import dataclass

DAY_S = 86_400.0
GIB = 1024**3


@dataclass(frozen=True, slots=True)
class Retention:
    """Bounds of what is kept; None is no bound. Whatever exceeds one goes, oldest first.

    Only the order of ``seq`` counts, not the rounds: a round that still runs loses its beginning like any other, since
    one that never ends would otherwise keep everything after it. Watchers are told (``feed.gap``), and such a round
    has the doubt *feed gap*. The newest event always stays, and so do the producers' numbers: what was settled once
    stays settled, so that nothing that was trimmed is stored a second time.
    """

    events: int | None = None
    days: float | None = None
    """Age since the store took the event, by the hub's clock; a clock that is set back keeps events longer."""
    size: int | None = None
    """Bytes of the store's file, without its log; engines without a file count what they hold."""

    @property
    def is_bounded(self) -> bool:
        """Return whether anything ever has to go."""
        return not (self.events is None and self.days is None and self.size is None)

    def cutoff(self, now_s: float) -> float | None:
        """Return the moment (seconds since 1970) before which events are too old, or None without that bound."""
        return None if self.days is None else now_s - self.days * DAY_S


KEEP_ALL = Retention()
