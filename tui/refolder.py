"""Brings back the details of retired rounds from their hub: for late events, and for the round that is opened."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from ..core.hub import HubError
from ..core.hub.kept_history import MOST_ROUNDS, History, HistoryTooLarge
from ..core.rounds import Event
from ..core.rounds.events import ThreadSupervised
from .feed import FeedState
from .history_needs import HistoryState
from .refolding import Refolded, refold
from .source import Remembering, Source
from .watched import Watched
from .watched_hub import WatchedHub

log = logging.getLogger(__name__)

MOST_LINES = 20_000
"""Event lines of a round that are put back as they came; with more, the inspector says that it has none."""
AT_ONCE = 20
"""Rounds with late events that one connection asks for."""
SETTLE_S = 0.15
"""Late events come in bursts, and an operator passes many rounds on the way to one."""


class Refolder:
    """One history at a time from one hub; ``wake`` starts the next one where there is need. Its owner stops it."""

    def __init__(
        self,
        source: Source,
        watched: Watched,
        hub: WatchedHub,
        changed: Callable[[], None],
        monotonic: Callable[[], float],
    ) -> None:
        """Ask ``source`` for rounds of ``hub`` and call ``changed`` when something has become of it."""
        self._source = source
        self._watched = watched
        self._hub = hub
        self._changed = changed
        self._monotonic = monotonic
        self._task: asyncio.Task[None] | None = None
        self._was_live = False

    def wake(self) -> None:
        """Note what is wanted now; costs nothing while nothing is."""
        self._note_opened()
        is_live = self._hub.feed.state is FeedState.LIVE
        if is_live and not self._was_live:
            self._hub.needs.try_again()
        self._was_live = is_live
        if self._task is not None and not self._task.done():
            return
        wanted = self._hub.needs.next(AT_ONCE)
        if not wanted:
            return
        if not isinstance(self._source, Remembering):
            self._settle(wanted, HistoryState.NOT_OFFERED)
        elif is_live:
            self._task = asyncio.create_task(self._run(self._source), name="refolder")
        elif (opened := self._hub.needs.opened) is not None:
            self._hub.needs.states[opened] = HistoryState.WAITS

    async def stop(self) -> None:
        """End what is under way."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def _note_opened(self) -> None:
        """The round on screen is wanted with its details, if it is this hub's and has none."""
        key = self._watched.position.selected
        hub, id_ = self._watched.place(key) if key is not None else (None, "")
        is_ours = hub is self._hub and id_ in self._hub.ledger.retired
        self._hub.needs.open(id_ if is_ours else None)

    async def _run(self, source: Remembering) -> None:
        await asyncio.sleep(SETTLE_S)
        needs = self._hub.needs
        wanted = needs.next(AT_ONCE)
        if not wanted:
            return
        needs.begin(wanted)
        self._changed()
        try:
            await self._bring_back(source, wanted)
        except HistoryTooLarge:
            if len(wanted) == 1:
                self._settle(wanted, HistoryState.TOO_LARGE)
            else:
                await self._one_by_one(source, wanted)
        except HubError as error:
            log.info("a history cannot be read: %s", error)
            self._failed(wanted)
        except Exception:  # the outer rim: whatever comes of it, the screen stays and says that it failed
            log.exception("a history could not be folded")
            self._failed(wanted)
        finally:
            needs.end()
            self._changed()

    async def _one_by_one(self, source: Remembering, wanted: list[str]) -> None:
        for round_ in wanted:
            try:
                await self._bring_back(source, [round_])
            except HistoryTooLarge:
                self._settle([round_], HistoryState.TOO_LARGE)
            except HubError as error:
                log.info("a history cannot be read: %s", error)
                self._failed([round_])

    async def _bring_back(self, source: Remembering, wanted: list[str]) -> None:
        hub = self._hub
        threads = self._threads_of(wanted)
        history = await source.history([*wanted, *self._children_of(wanted)], threads)
        if history.stream != hub.feed.stream:
            self._settle(wanted, HistoryState.GONE)  # the hub keeps another stream now
            return
        late = {id_: seq for id_ in wanted if (seq := hub.needs.first_late(id_)) is not None}
        found = await refold(history, wanted, late, self._monotonic)
        if hub.needs.has_overflowed:
            self._failed(wanted)
            return
        for id_ in wanted:
            if id_ in found:
                self._take(found[id_], history, with_thread=hub.ledger.retired[id_].thread in threads)
            else:
                self._settle([id_], HistoryState.GONE)

    def _take(self, found: Refolded, history: History, *, with_thread: bool) -> None:
        """Put a round back, then what came of it meanwhile; no other task runs in between."""
        hub, id_ = self._hub, found.round.id
        if hub.needs.opened == id_:  # somebody looks at it: what came is wanted, too
            own = [(event, history.lines.get(seq, "")) for seq, event in history.events if _round_of(event) == id_]
            hub.raws.put_back(own if len(own) <= MOST_LINES else ())
        held = hub.needs.held(id_, history.through, with_thread=with_thread)
        hub.needs.came_back(id_, history.through, with_thread=with_thread)
        hub.late_events.pop(id_, None)
        self._watched.came_back(hub, found.round, found.measured, self._monotonic())
        for seq, event in held:
            hub.again(event, seq, self._monotonic(), self._watched)

    def _threads_of(self, wanted: list[str]) -> list[str]:
        """Return the threads of the rounds that a supervisor spoke about."""
        spoken = (self._hub.ledger.retired[id_].thread for id_ in wanted if id_ in self._hub.supervised)
        return list(dict.fromkeys(thread for thread in spoken if thread))

    def _children_of(self, wanted: list[str]) -> list[str]:
        """Return retired sub-rounds, which a round's notes speak of; with very many, the notes know of fewer."""
        keys = [key for id_ in wanted for key in self._watched.tree.children_of(self._hub.key(id_))]
        found = [id_ for id_ in map(self._watched.id_of, keys) if id_ not in wanted]
        return found[: MOST_ROUNDS - len(wanted)]

    def _settle(self, rounds: list[str], state: HistoryState) -> None:
        for round_ in rounds:
            self._hub.needs.settle(round_, state)

    def _failed(self, rounds: list[str]) -> None:
        for round_ in rounds:
            self._hub.needs.failed(round_)


def _round_of(event: Event) -> str | None:
    return None if isinstance(event, ThreadSupervised) else event.round
