"""Where a round's events go: into the runner's own ledger, and out to whoever watches."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping

from ..rounds.events import CancelRequested, Event, RoundWarning
from ..rounds.ledger import Ledger
from ..rounds.round import Round
from .cancel import Cancellation

log = logging.getLogger(__name__)

Publish = Callable[[Event], Awaitable[None]]
"""Takes one event on its way out; may wait, must not drop."""
Observe = Callable[[Event], None]


class Recorder:
    """Folds and publishes the events of one round, in order.

    The ledger is what the loop itself reads: no second account of the same calls.
    """

    def __init__(self, round_: str, publish: Publish, ledger: Ledger, observe: Observe | None = None) -> None:
        """
        Args:
            observe: sees every event of the round before it is published.
        """
        self.id = round_
        self.ledger = ledger
        self._publish = publish
        self._observe = observe
        self._cancel_told = False

    @property
    def round(self) -> Round:
        """The round as recorded so far."""
        return self.ledger.rounds[self.id]

    async def put(self, *events: Event) -> None:
        """Record and publish events."""
        for event in events:
            self.ledger.apply(event)
            if self._observe is not None:
                self._observe(event)
            await self._publish(event)

    async def warn(self, code: str, message: str, facts: Mapping[str, object]) -> None:
        """Publish an operator warning and log it, once each."""
        log.warning("round %s: %s", self.id, message)
        await self.put(RoundWarning(round=self.id, code=code, message=message, facts=dict(facts)))

    async def tell_cancel(self, cancel: Cancellation) -> None:
        """Publish who asked to stop, once."""
        if cancel.by is not None and not self._cancel_told:
            self._cancel_told = True
            await self.put(CancelRequested(round=self.id, by=cancel.by, limit_s=cancel.limit_s))
