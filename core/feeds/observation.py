"""The side of a recording that the traffic sees: it only queues, and is read a batch at a time."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Protocol

from ..rounds.events import Event
from .exchange import Ending, Traffic
from .recording import Recording

log = logging.getLogger(__name__)

FAULT = "roundwatch failed to read the call; how it ended is not known"
TOO_SLOW = "roundwatch could not keep up; how the call ended is not known"

HELD_BYTES = 4096
"""What one exchange takes besides its bodies, measured: heads, times, the steps that wait."""

_Work = Callable[[], Iterable[Sequence[Event]]]


class Observing(Protocol):
    """The observer, as its observations see it."""

    def elapsed_ms(self, since_s: float) -> float:
        """Return the milliseconds since a moment of the observer's clock."""
        ...

    def keep(self, size: int) -> bool:
        """Make room for so many bytes; False when too much waits already."""
        ...

    def schedule(self, observation: Observation, *, soon: bool) -> None:
        """See that what waits in an observation is read, soon or with more that will come."""

    def over(self, observation: Observation) -> None:
        """Take note that nothing more comes of an exchange."""

    def taken(self, size: int) -> None:
        """Take note that so many bytes wait no longer."""

    def ended(self, observation: Observation) -> None:
        """Take note that the end of an exchange was read."""


class Observation:
    """Takes note of one exchange; see ``Traffic``."""

    def __init__(self, observer: Observing, recording: Recording) -> None:
        """Queue for ``observer`` what ``recording`` will read."""
        self._observer, self.recording = observer, recording
        self._work: list[_Work] = []
        self._pieces: list[tuple[bytes, float]] = []
        """Of the response's body, with their times, behind all work."""
        self._size = HELD_BYTES  # the observer made room for it
        self._closing: _Work | None = None
        self._is_over = False
        self.places = False
        """The request's end waits to be read: it looks for its round among all others."""
        self.lost: str | None = None
        """Why the call was given up; its end says so."""
        self.due: int | None = None
        """See ``Dated``."""

    def request_body(self, data: bytes) -> None:
        """See ``Traffic``."""
        if self._admit(len(data)):
            self.recording.request_body(data)  # it only keeps it

    def request_end(self) -> None:
        """See ``Traffic``."""
        if self._admit(0):
            self.places = True
            self._add(lambda: (self.recording.request_end(),))

    def response(self, status: int, headers: Sequence[tuple[bytes, bytes]]) -> None:
        """See ``Traffic``."""
        if self._admit(0):
            self._add(lambda: (self.recording.response(status, headers),))

    def response_body(self, data: bytes) -> None:
        """See ``Traffic``."""
        if self._admit(len(data)):
            self._pieces.append((data, self._at_ms()))
            if self.due is None or not self.recording.has_begun:
                self._observer.schedule(self, soon=not self.recording.has_begun)

    def end(self, ending: Ending, reason: str | None = None) -> None:
        """See ``Traffic``."""
        if self._is_over:
            return
        self._is_over = True
        self._seal()
        self._closing = partial(self._end, ending, reason, self._at_ms())
        self._observer.over(self)
        self._observer.schedule(self, soon=True)

    def take(self) -> Iterator[Sequence[Event]]:
        """Read what waits, a bounded part at a time, and yield its events; the traffic may have its turn in between.

        Nothing but the end is told of a call that was given up. What comes meanwhile waits for the next time.
        """
        self._seal()
        work, self._work = self._work, []
        closing, self._closing = self._closing, None
        size, self._size = self._size, 0
        self.places = False
        try:
            for step in work:
                if self.lost is None:
                    yield from self._run(step)
        finally:
            self._observer.taken(size)
        if closing is not None:
            told = list(self._run(closing))
            yield from told or closing()  # the fault is told by the second attempt
            self._observer.ended(self)

    def _run(self, step: _Work) -> Iterator[Sequence[Event]]:
        try:
            yield from step()
        except Exception:  # a fault in here must reach neither the traffic nor anybody else's call
            log.exception("a model call cannot be observed any further")
            self.lost = self.lost or FAULT

    def _admit(self, size: int) -> bool:
        if self._is_over or self.lost is not None:
            return False
        if size and not self._observer.keep(size):
            self.lost = TOO_SLOW
            return False
        self._size += size
        return True

    def _add(self, step: _Work) -> None:
        self._seal()
        self._work.append(step)
        self._observer.schedule(self, soon=True)

    def _seal(self) -> None:
        if self._pieces:
            self._work.append(partial(self.recording.response_body, self._pieces))
            self._pieces = []

    def _end(self, ending: Ending, reason: str | None, at_ms: float) -> Iterable[Sequence[Event]]:
        return (self.recording.end(ending, reason, at_ms, self.lost),)

    def _at_ms(self) -> float:
        return self._observer.elapsed_ms(self.recording.sent.at_s)


class _Unnoted:
    """Takes note of nothing: more waits to be read than there is room for."""

    def request_body(self, data: bytes) -> None:
        """See ``Traffic``."""

    def request_end(self) -> None:
        """See ``Traffic``."""

    def response(self, status: int, headers: Sequence[tuple[bytes, bytes]]) -> None:
        """See ``Traffic``."""

    def response_body(self, data: bytes) -> None:
        """See ``Traffic``."""

    def end(self, ending: Ending, reason: str | None = None) -> None:
        """See ``Traffic``."""


UNNOTED: Traffic = _Unnoted()
