"""Watchers of a run under faults, and how what they saw is compared with what is stored."""

from __future__ import annotations

import asyncio
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from roundwatch.core.hub import Gap, GapWhy, Hello, Received, Unreadable, watch
from roundwatch.core.rounds import Event, Ledger, classify, parse_event

PATIENCE_S = 120.0


@dataclass
class Followed:
    """What a watcher got of the newest stream."""

    ledger: Ledger = field(default_factory=Ledger)
    seqs: int = 0
    streams: list[str] = field(default_factory=list[str])
    told_losses: int = 0
    faults: list[str] = field(default_factory=list[str])
    unreadable: list[str] = field(default_factory=list[str])

    def take(self, event: Event, seq: int) -> None:
        if seq != self.seqs + 1:
            self.faults.append(f"seq {seq} after {self.seqs}")
        self.seqs = seq
        self.ledger.apply(event)

    def enter(self, stream: str) -> None:
        """Begin anew where the numbering is another one."""
        if self.streams and self.streams[-1] == stream:
            return
        self.streams.append(stream)
        self.ledger, self.seqs = Ledger(), 0


async def follow(url: str, followed: Followed) -> None:
    """Watch from the beginning until cancelled."""
    async with watch(url, after="begin", rand=lambda: 0.05) as feed:
        async for item in feed:
            match item:
                case Hello():
                    followed.enter(item.stream)
                case Received():
                    followed.take(item.event, item.seq)
                case Gap() if item.why == GapWhy.STREAM_CHANGED:
                    followed.told_losses += 1
                case Gap():
                    followed.faults.append(repr(item))
                case Unreadable():
                    followed.unreadable.append(repr(item))
                case _:
                    pass


async def caught_up(followers: Iterable[Followed], last: int) -> None:
    """Wait until everybody has got up to ``last``."""
    async with asyncio.timeout(PATIENCE_S):
        while any(each.seqs < last for each in followers):  # noqa: ASYNC110
            await asyncio.sleep(0.05)


def differences(
    lines: Iterable[str | bytes],
    sent: Mapping[str, int],
    followers: Iterable[Followed],
    *,
    may_lack: bool = False,
    is_garbled: bool = False,
) -> list[str]:
    """Return where store, senders and watchers differ.

    Args:
        lines: all that is stored, in order.
        sent: how many events each sender had acknowledged.
        followers: everybody who has caught up.
        may_lack: some were lost, which was said: what is there has to be in order and once all the same.
        is_garbled: bytes were put into the middle of a link. A frame that they spoil is said and comes again.
    """
    numbers: defaultdict[str, list[int]] = defaultdict(list)
    ledger = Ledger()
    for line in lines:
        fields = json.loads(line)
        if "sender" in fields:
            numbers[fields["sender"]].append(fields["k"])
        ledger.apply(parse_event(line))
    faults: list[str] = []
    for sender, count in sent.items():
        found = numbers[sender]
        if found != (sorted(set(found)) if may_lack else list(range(count))):
            faults.append(f"{sender}: {count} sent, {len(found)} stored, not exactly these, once and in order")
    ours = _outcomes(ledger)
    for number, followed in enumerate(followers):
        faults += followed.faults + ([] if is_garbled else followed.unreadable)
        if ours != _outcomes(followed.ledger):
            faults.append(f"the ledger of watcher {number} differs from the store's")
    return faults


def _outcomes(ledger: Ledger) -> dict[str, object]:
    return {
        round_.id: (classify(round_), round_.calls[:1] and round_.calls[0].text) for round_ in ledger.rounds.values()
    }
