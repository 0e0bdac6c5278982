"""Watching without a screen: one report per round once it has ended, and again when late news change it."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Collection

from ...core.hub.errors import HubError
from ...core.rounds import Event, Ledger, Outcome, classify
from ...core.texts.durations import span
from ..source import Ended, Gap, Hello, Link, LinkState, Live, Received, Source, SourceItem, State, Unreadable
from .context import Context
from .event_lines import MOST_TOLD
from .exit_codes import exit_code
from .failure import CommandFailed
from .report import print_report

SETTLE_S = 0.3  # the end of a round is often two events (stopped, then finished): told as one
KEPT_ROUNDS = 1000  # ended rounds whose details stay in memory for late events
QUEUED_ITEMS = 1000
END_OF_FEED = "the feed ended"


async def follow(
    source: Source,
    context: Context,
    *,
    seconds: float | None = None,
    ended: asyncio.Event | None = None,
    hub: str | None = None,
) -> list[Outcome]:
    """Report every round as it ends, until the source does; return all outcomes told.

    Args:
        seconds: end after so long.
        ended: set by somebody who knows that nothing more will come; what is on its way is still told.
        hub: stands before every line, where there are several.

    Raises:
        CommandFailed: the source refuses us for good.
    """
    teller = Teller(context, hub)
    queue: asyncio.Queue[SourceItem | None] = asyncio.Queue(QUEUED_ITEMS)
    reader = asyncio.create_task(_read(source, queue), name="plain feed")
    try:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await _drain(queue, teller, ended)
        if reader.done() and (error := reader.exception()) is not None:
            if not isinstance(error, HubError | OSError):
                raise error
            raise CommandFailed("cli.watch.refused", why=error) from error
    finally:
        reader.cancel()
        await asyncio.gather(reader, return_exceptions=True)
        teller.tell()
    return teller.close()


async def report_kept(source: Source, context: Context, producers: Collection[str]) -> list[Outcome]:
    """Report each round that the hub keeps now of these producers, and return the outcomes.

    Raises:
        CommandFailed: the source refuses us for good.
    """
    teller = Teller(context)
    try:
        async with contextlib.aclosing(source.items()) as items:
            async for item in items:
                if isinstance(item, Live | Ended):
                    break  # all that was kept has come
                if not isinstance(item, Received) or _is_of(item.event, producers):
                    teller.take(item)
    except (HubError, OSError) as error:
        raise CommandFailed("cli.watch.refused", why=error) from error
    return teller.close()


def _is_of(event: Event, producers: Collection[str]) -> bool:
    """Say whether one of these sent an event; what the end of a file concludes has a part more in its name."""
    producer = (event.id or "").rpartition(":")[0]
    return producer in producers or producer.rpartition(".")[0] in producers


async def _read(source: Source, queue: asyncio.Queue[SourceItem | None]) -> None:
    """Hand over all items, then None, also before whatever the source raises."""
    try:
        async with contextlib.aclosing(source.items()) as items:
            async for item in items:
                await queue.put(item)
    except Exception:  # told again by whoever awaits this task; first the reader must learn that nothing comes
        await queue.put(None)
        raise
    await queue.put(None)  # waits for room: without the None the other side would wait for ever


async def _drain(queue: asyncio.Queue[SourceItem | None], teller: Teller, ended: asyncio.Event | None) -> None:
    while True:
        try:
            async with asyncio.timeout(SETTLE_S if teller.has_news or ended is not None else None):
                item = await queue.get()
        except TimeoutError:
            teller.tell()
            if ended is not None and ended.is_set():
                return
            continue
        if item is None:
            return
        teller.take(item)


class Teller:
    """Folds items and says what is new; holds a bounded number of ended rounds."""

    def __init__(self, context: Context, hub: str | None = None) -> None:
        self._context = context
        self._before = f"[{hub}] " if hub is not None else ""
        self._ledger = Ledger()
        self._fresh: dict[str, None] = {}
        self._told: dict[str, Outcome] = {}
        self._past: dict[int, Outcome] = {}
        """Of the rounds let go, the last one of each exit code: all that the command's own code needs."""
        self._ended: deque[str] = deque()
        self._unreadable = 0
        self._first = 0
        self._begun = False
        self._is_troubled = False

    def _note(self, key: str, **values: str | int | float | Exception | None) -> None:
        self._context.output.note(self._before + self._context.put(key, values))

    @property
    def has_news(self) -> bool:
        """Something ended or changed and has not been told."""
        return bool(self._fresh)

    def take(self, item: SourceItem) -> None:
        """Fold one item in."""
        match item:
            case Hello():
                self._first = item.first
            case Received():
                if not self._begun and item.seq > max(1, self._first):
                    self._ledger.gap()  # we came in the middle: what ran before is not seen whole
                self._begun = True
                self._event(item.event)
            case Gap():
                self._ledger.gap()
                self._note("cli.watch.gap", why=item.why, n=_missing(item))
            case Unreadable():
                self._unreadable += 1
                if item.round is not None:
                    self._ledger.gap(item.round)
                if self._unreadable <= MOST_TOLD:
                    self._note("cli.watch.unreadable", where=item.where, why=item.error or item.why)
            case Link(state=LinkState.RECONNECTING):
                pause = span(item.delay_s, self._context.texts)
                self._note("cli.watch.reconnecting", why=item.fault or item.reason, span=pause)
            case Link(state=LinkState.LIVE):
                self._note("cli.watch.live")
            case State():
                self._store(item)
            case Ended():
                for id_ in list(self._ledger.rounds):
                    self._ledger.close(id_, END_OF_FEED)
                    self._fresh[id_] = None
            case _:
                pass

    def _store(self, state: State) -> None:
        if state.why is not None:
            self._note("cli.watch.store_trouble", why=state.why)
        elif self._is_troubled:
            self._note("cli.watch.store_well")
        self._is_troubled = state.why is not None

    def tell(self) -> None:
        """Report what ended, and what changed since it was reported."""
        for id_ in self._fresh:
            round_ = self._ledger.rounds[id_]
            outcome, before = classify(round_), self._told.get(id_)
            if before is not None and _same(outcome, before):
                continue
            if before is not None:
                self._note("cli.watch.corrected", round=id_)
            else:
                self._ended.append(id_)
            self._told[id_] = outcome
            print_report(round_, outcome, self._context.texts, self._context.output, self._before)
        self._fresh.clear()
        self._context.output.flush()
        while len(self._ended) > KEPT_ROUNDS:
            id_ = self._ended.popleft()
            self._ledger.retire(id_)
            outcome = self._told.pop(id_)
            self._past[exit_code([outcome])] = outcome

    def close(self) -> list[Outcome]:
        """Tell what is left and return the outcomes told; of those let go, one of each exit code."""
        self.tell()
        if self._unreadable > MOST_TOLD:
            self._note("cli.watch.more_unreadable", n=self._unreadable - MOST_TOLD)
        return [*self._past.values(), *self._told.values()]

    def _event(self, event: Event) -> None:
        applied = self._ledger.apply(event)
        if applied.needs_history:
            self._note("cli.watch.too_late", round=applied.round)
        elif applied.round is not None and self._ledger.rounds[applied.round].is_over:
            self._fresh[applied.round] = None


def _same(one: Outcome, other: Outcome) -> bool:
    """Say whether two outcomes read the same in what matters."""
    return (one.verdict, one.evidence, one.contradicts_claim) == (
        other.verdict,
        other.evidence,
        other.contradicts_claim,
    )


def _missing(gap: Gap) -> int | None:
    return None if gap.to is None else gap.to - gap.from_ + 1
