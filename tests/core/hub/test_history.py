from __future__ import annotations

from pathlib import Path

import pytest
from roundwatch.core.hub import Hub, HubRefused, SqliteStore, ensure_token
from roundwatch.core.hub.history import fetch_history
from roundwatch.core.hub.kept_history import HistoryTooLarge, HistoryUnavailable
from roundwatch.core.hub.retention import Retention
from roundwatch.core.rounds.events import RoundOutput

from tests.core.hub.peers import event, publish


async def test_only_the_named_rounds_come_with_their_places_in_the_stream(hub: Hub) -> None:
    await publish(hub, event(1), event(2, round="other"), event(3))
    found = await fetch_history(hub.url, rounds=["r1"])
    assert [(seq, isinstance(item, RoundOutput) and item.text) for seq, item in found.events] == [(1, "t1"), (3, "t3")]
    assert (found.through, found.is_trimmed, found.damaged) == (3, False, frozenset())


async def test_a_round_that_the_hub_never_had_has_an_empty_history(hub: Hub) -> None:
    found = await fetch_history(hub.url, rounds=["never"])
    assert (list(found.events), found.through) == ([], 0)


async def test_more_than_the_bound_is_refused_and_not_read_on(hub: Hub) -> None:
    await publish(hub, *(event(n) for n in range(1, 20)))
    with pytest.raises(HistoryTooLarge):
        await fetch_history(hub.url, rounds=["r1"], most_events=5)
    with pytest.raises(HistoryTooLarge):
        await fetch_history(hub.url, rounds=["r1"], most_chars=200)


async def test_a_hub_that_is_away_is_asked_once() -> None:
    ensure_token()
    with pytest.raises(HistoryUnavailable, match="nobody listens there"):
        await fetch_history("ws://127.0.0.1:9", rounds=["r1"])


async def test_a_wrong_token_is_a_refusal(hub: Hub) -> None:
    with pytest.raises(HubRefused):
        await fetch_history(hub.url, token="wrong", rounds=["r1"])


async def test_what_is_trimmed_is_said(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "s.sqlite3", retention=Retention(events=2))
    async with Hub(store, port=0) as hub:
        for n in range(1, 200):
            await publish(hub, event(n))
        while await store.trim():
            pass
        found = await fetch_history(hub.url, rounds=["r1"])
    assert found.is_trimmed
