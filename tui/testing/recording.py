"""Recorded events as a test gives them: a file, or events written out in the test itself."""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any, Self

from ...core.hub import Unreadable
from ...core.rounds import Event, Ledger, Outcome, Round, classify, parse_event
from ...core.rounds.parse import EventError

WITHOUT_A_MOMENT = datetime(2026, 1, 1, 12, 0, 0, tzinfo=UTC)
"""The viewer's clock before events that name no moment."""
MOST_TOLD = 5
"""Unreadable lines that an error tells one by one."""

Recorded = Event | Mapping[str, Any] | str
"""One event: parsed, as its fields, or as a line of JSON."""


class RecordingError(ValueError):
    """A recording cannot be used; the message names the file or list, the line and the reason."""


@dataclass(frozen=True)
class Recording:
    """Events in their order, and the rounds that they make."""

    items: tuple[Event | Unreadable, ...]
    name: str = "events"
    """What an error calls it."""

    @classmethod
    def read(cls, file: Path | str, *, allow_unreadable: bool = False) -> Self:
        """Return the recording in ``file``, one event a line; blank lines do not count.

        Args:
            allow_unreadable: show lines that are no events as the screen shows them, instead of failing.

        Raises:
            OSError: the file cannot be read.
            RecordingError: a line is no event, or there is none at all.
        """
        path = Path(file)
        lines = path.read_bytes().removeprefix(codecs.BOM_UTF8).split(b"\n")
        numbered = ((number, line) for number, line in enumerate(lines, start=1) if line.strip())
        return cls._of(numbered, str(path), "line", allow_unreadable=allow_unreadable)

    @classmethod
    def of(cls, events: Iterable[Recorded], *, allow_unreadable: bool = False) -> Self:
        """Return a recording of events that are written out.

        Raises:
            RecordingError: one of them is no event, or there is none at all.
        """
        return cls._of(enumerate(events, start=1), "the events", "event", allow_unreadable=allow_unreadable)

    @classmethod
    def _of(
        cls, numbered: Iterable[tuple[int, Recorded | bytes]], name: str, unit: str, *, allow_unreadable: bool
    ) -> Self:
        items = tuple(_parsed(item, f"{unit} {number}") for number, item in numbered)
        bad = [item for item in items if isinstance(item, Unreadable)]
        if not items:
            raise RecordingError(f"{name}: no event in it")
        if bad and not allow_unreadable:
            told = "; ".join(f"{each.where}: {each.why}" for each in bad[:MOST_TOLD])
            more = f"; {len(bad) - MOST_TOLD} more" if len(bad) > MOST_TOLD else ""
            raise RecordingError(f"{name}: {told}{more}")
        return cls(items, name)

    @property
    def events(self) -> tuple[Event, ...]:
        """What could be read."""
        return tuple(item for item in self.items if not isinstance(item, Unreadable))

    @cached_property
    def ledger(self) -> Ledger:
        """Every round that the events make; one that has lost an event to an unreadable line is marked so."""
        ledger = Ledger()
        for item in self.items:
            if not isinstance(item, Unreadable):
                ledger.apply(item)
            elif item.round is not None:
                ledger.gap(item.round)
        return ledger

    @cached_property
    def now(self) -> datetime:
        """The latest moment that an event names: where the viewer's clock stands, so that no picture ages."""
        return max((event.at for event in self.events if event.at is not None), default=WITHOUT_A_MOMENT)

    def round(self, id_: str | None = None) -> Round:
        """Return the round of that id, or the first one.

        Raises:
            RecordingError: there is no such round; the message names those there are.
        """
        rounds = self.ledger.rounds
        if id_ is None and rounds:
            return next(iter(rounds.values()))
        if id_ is None or id_ not in rounds:
            asked = "no round in it" if id_ is None else f"no round {id_!r} in it"
            raise RecordingError(f"{self.name}: {asked}; rounds: {', '.join(map(repr, rounds)) or 'none'}")
        return rounds[id_]

    def outcome(self, id_: str | None = None) -> Outcome:
        """Return how that round, or the first one, stands.

        Raises:
            RecordingError: there is no such round.
        """
        return classify(self.round(id_), now=self.now)


def _parsed(item: Recorded | bytes, where: str) -> Event | Unreadable:
    if not isinstance(item, str | bytes | Mapping):
        return item
    try:
        return parse_event(item)
    except EventError as error:
        return Unreadable(where, str(error), round=error.round)
