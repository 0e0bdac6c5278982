"""A hub, its store, watchers and publishers under random faults: whatever happens, all agree in the end."""

from __future__ import annotations

import asyncio
import json
import shutil
import tempfile
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule
from roundwatch.core.hub import (
    Access,
    Gap,
    Hub,
    Publisher,
    Received,
    Retention,
    SqliteStore,
    StoredEvent,
    StoreListener,
    Synchronous,
    Unreadable,
    WatcherLimits,
    watch,
)
from roundwatch.core.hub.limits import CLOSE_TAKEN_OVER, Limits
from roundwatch.core.hub.lines import with_seq
from roundwatch.core.rounds import Ledger, classify, parse_event
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from tests.core.hub.peers import PATIENCE_S, event, heard
from tests.soak.relay import Relay

T = TypeVar("T")
PUBLISHED = Subprotocol("roundwatch.v1")
KEPT = 60  # events: trimming is part of the game
NAMES: tuple[str, ...] = ("a", "b")
LIMITS = Limits(watcher=WatcherLimits(queued_events=30))


class RecordedStore(SqliteStore):
    """The real store; what it says it has committed is written down."""

    def __init__(self, path: Path, told: dict[int, bytes]) -> None:
        super().__init__(path, retention=Retention(events=KEPT), synchronous=Synchronous.NORMAL)
        self._told = told

    async def open(self, listener: StoreListener) -> None:
        def committed(events: Sequence[StoredEvent]) -> None:
            for each in events:
                assert each.seq not in self._told
                self._told[each.seq] = each.line
            listener.committed(events)

        await super().open(StoreListener(committed, listener.health, listener.restarted))


@dataclass
class Follower:
    """A watcher and what it got."""

    lines: dict[int, bytes] = field(default_factory=dict[int, bytes])
    missing: set[int] = field(default_factory=set[int])
    newest: int = 0
    ledger: Ledger = field(default_factory=Ledger)

    async def run(self, url: str) -> None:
        async with watch(url, token="none", after="begin", rand=lambda: 0.0) as feed:
            async for item in feed:
                assert not isinstance(item, Unreadable)
                if isinstance(item, Gap):
                    assert item.to is not None
                    self.missing |= set(range(item.from_, item.to + 1))
                    self.newest = item.to
                elif isinstance(item, Received):
                    assert item.seq == self.newest + 1
                    self.newest = item.seq
                    self.lines[item.seq] = item.raw.encode()
                    self.ledger.apply(item.event)


def outcomes(ledger: Ledger) -> dict[str, object]:
    return {round_.id: (classify(round_), round_.text) for round_ in ledger.rounds.values()}


class HubMachine(RuleBasedStateMachine):
    """Raw publishers ``a`` and ``b``, one of our own with a spool, and watchers behind a relay."""

    def __init__(self) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.folder = Path(tempfile.mkdtemp())
        self.told: dict[int, bytes] = {}
        self.settled = dict.fromkeys(NAMES, 0)
        self.rejected: dict[str, set[int]] = {name: set() for name in NAMES}
        self.links: dict[str, ClientConnection] = {}
        self.stuck: list[ClientConnection] = []
        self.followers: list[Follower] = []
        self.following: list[asyncio.Task[None]] = []
        self.published = 0

    def does(self, work: Coroutine[Any, Any, T]) -> T:
        async def within() -> T:
            async with asyncio.timeout(PATIENCE_S * 2):
                return await work

        return self.loop.run_until_complete(within())

    @initialize()
    def begin(self) -> None:
        self.does(self._begin())

    async def _begin(self) -> None:
        self.port = 0
        await self._start_hub()
        self.relay = await Relay(self.port).__aenter__()
        self.publisher = Publisher(self.hub.url, token="none", folder=self.folder / "spool", producer="own")
        await self.publisher.__aenter__()
        self._follow()

    async def _start_hub(self) -> None:
        self.store = RecordedStore(self.folder / "s.db", self.told)
        self.hub = Hub(self.store, port=self.port, access=Access.anyone(), limits=LIMITS)
        await self.hub.start()
        self.port = int(self.hub.url.rpartition(":")[2])

    def _follow(self) -> None:
        follower = Follower()
        self.followers.append(follower)
        self.following.append(self.loop.create_task(follower.run(self.relay.url)))

    @rule(name=st.sampled_from(NAMES), count=st.integers(1, 40))
    def publish(self, name: str, count: int) -> None:
        first = self.settled[name] + 1
        answers = self.does(self._say(name, self._events(name, first, count)))
        assert answers == [{"v": 1, "type": "feed.ack", "id": f"{name}:{first + count - 1}"}]
        self.settled[name] += count

    @rule(name=st.sampled_from(NAMES), back=st.integers(0, 5), count=st.integers(1, 5))
    def publish_again(self, name: str, back: int, count: int) -> None:
        first = max(1, self.settled[name] - back)
        last = first + count - 1
        self.settled[name] = max(self.settled[name], last)
        answers = self.does(self._say(name, self._events(name, first, count)))
        assert answers == [{"v": 1, "type": "feed.ack", "id": f"{name}:{self.settled[name]}"}]

    @rule(name=st.sampled_from(NAMES))
    def skip_a_number(self, name: str) -> None:
        (answer,) = self.does(self._say(name, self._events(name, self.settled[name] + 2, 1)))
        assert (answer["why"], answer["expected"]) == ("gap", self.settled[name] + 1)

    @rule(name=st.sampled_from(NAMES))
    def publish_a_bad_event(self, name: str) -> None:
        self.settled[name] += 1
        self.rejected[name].add(self.settled[name])
        bad = {"type": "round.output", "id": f"{name}:{self.settled[name]}"}
        answers = self.does(self._say(name, [bad]))
        assert [answer["type"] for answer in answers] == ["feed.reject", "feed.ack"]

    @rule(name=st.sampled_from(NAMES))
    def send_what_is_no_json(self, name: str) -> None:
        (answer,) = self.does(self._say(name, "{"))
        assert answer["type"] == "feed.reject"

    @precondition(lambda self: self.links)
    @rule(data=st.data())
    def take_a_name_over(self, data: st.DataObject) -> None:
        name = data.draw(st.sampled_from(sorted(self.links)))
        self.publish_again(name, 0, 1)  # the older one has to be known by the name, after a restart too
        before = self.links.pop(name)
        self.publish_again(name, 0, 1)
        self.does(before.wait_closed())
        assert before.close_code in (CLOSE_TAKEN_OVER, 1001, 1006)

    @precondition(lambda self: self.links)
    @rule(data=st.data())
    def cut_a_publisher(self, data: st.DataObject) -> None:
        self.links.pop(data.draw(st.sampled_from(sorted(self.links)))).transport.abort()

    @rule(count=st.integers(1, 30))
    def publish_with_a_spool(self, count: int) -> None:
        for _ in range(count):
            self.published += 1
            round_ = f"own-{self.published // 7}"
            fields = {"type": "round.output", "round": round_, "kind": "text", "text": f"{self.published}"}
            self.does(self.publisher.publish(fields))

    @rule()
    def cut_the_watchers(self) -> None:
        self.relay.cut_all()
        self.does(asyncio.sleep(0))

    @precondition(lambda self: len(self.followers) < 4)
    @rule()
    def watch_too(self) -> None:
        self._follow()

    @precondition(lambda self: len(self.stuck) < 3)
    @rule()
    def watch_and_read_nothing(self) -> None:
        self.stuck.append(self.does(self._dial("/v1/rounds", max_queue=1)))

    @rule()
    def trim(self) -> None:
        self.does(self.store.trim())

    @rule()
    def restart_the_hub(self) -> None:
        self.does(self._restart())

    async def _restart(self) -> None:
        await asyncio.sleep(0.05)
        await self.hub.stop()
        await self._start_hub()

    @rule()
    def agree(self) -> None:
        self.does(self._agree())

    async def _agree(self) -> None:
        """Let everything arrive, then compare all with all."""
        await self.publisher.flush()
        last = self.store.last
        while any(each.newest < last for each in self.followers):
            for task in self.following:
                if task.done():
                    task.result()
            await asyncio.sleep(0.01)
        assert sorted(self.told) == list(range(1, last + 1))
        self._check_producers()
        whole = Ledger()
        for seq in range(1, last + 1):
            whole.apply(parse_event(self.told[seq]))
        for follower in self.followers:
            assert follower.lines == {
                seq: with_seq(line, seq) for seq, line in self.told.items() if seq not in follower.missing
            }
            if not follower.missing:
                assert outcomes(follower.ledger) == outcomes(whole)
        page = await self.store.read(self.store.first - 1)
        assert list(page.wires) == [with_seq(self.told[seq], seq) for seq in range(self.store.first, page.through + 1)]

    def _check_producers(self) -> None:
        ids = [str(json.loads(self.told[seq])["id"]).rpartition(":") for seq in sorted(self.told)]
        for name in NAMES:
            stored = [int(n) for producer, _, n in ids if producer == name]
            assert stored == [n for n in range(1, self.settled[name] + 1) if n not in self.rejected[name]]
        texts = [json.loads(line)["text"] for _, line in sorted(self.told.items()) if b'"round":"own-' in line]
        assert texts == [str(number) for number in range(1, self.published + 1)]

    def _events(self, name: str, first: int, count: int) -> list[dict[str, object]]:
        return [event(n, name, round=f"{name}-{n // 7}") for n in range(first, first + count)]

    async def _dial(self, path: str, **changes: Any) -> ClientConnection:
        return await connect(self.hub.url + path, subprotocols=[PUBLISHED], proxy=None, compression=None, **changes)

    async def _say(self, name: str, what: Sequence[object] | str) -> list[dict[str, Any]]:
        """Send one frame and return the answers; on a new connection where the old one ended."""
        text = what if isinstance(what, str) else json.dumps(what)
        while True:
            if name not in self.links:
                self.links[name] = await self._dial("/v1/publish")
            try:
                await self.links[name].send(text)
                return await heard(self.links[name])
            except ConnectionClosed:  # the hub was restarted
                del self.links[name]

    def teardown(self) -> None:
        if self.followers:
            self.does(self._end())
        self.loop.run_until_complete(self.loop.shutdown_default_executor())
        self.loop.close()
        shutil.rmtree(self.folder)

    async def _end(self) -> None:
        try:
            await self._agree()
        finally:
            await self.publisher.__aexit__(None, None, None)
            for task in self.following:
                task.cancel()
            await asyncio.gather(*self.following, return_exceptions=True)
            for link in (*self.links.values(), *self.stuck):
                link.transport.abort()
                await link.wait_closed()
            await self.relay.__aexit__(None, None, None)
            await asyncio.sleep(0.05)  # what was aborted is closed by the loop, at the hub's end too
            await self.hub.stop()
            await asyncio.sleep(0.05)


TestHubMachine = HubMachine.TestCase
TestHubMachine.settings = settings(
    max_examples=8, stateful_step_count=25, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
