from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from roundwatch.core.hub import HubRefused, Received
from roundwatch.core.rounds import parse_event
from roundwatch.tui.cli.failure import CommandFailed
from roundwatch.tui.cli.plain_hubs import follow_all
from roundwatch.tui.source import NamedSource, SourceItem

from tests.tui.cli.command import PATIENCE_S, read_until, run, running_hub, start, write_lines
from tests.tui.cli.recorded import answer, cut
from tests.tui.cli.surroundings import Surroundings


class Told:
    is_recording = False

    def __init__(self, items: Sequence[SourceItem], end: Exception | None = None) -> None:
        self._items, self._end = items, end

    async def items(self) -> AsyncGenerator[SourceItem, None]:
        for item in self._items:
            yield item
        await asyncio.sleep(0)
        if self._end is not None:
            raise self._end


def received(lines: Iterable[Mapping[str, Any]]) -> list[SourceItem]:
    return [Received(parse_event(line), "", number) for number, line in enumerate(lines, start=1)]


async def test_rounds_of_one_id_in_two_hubs_are_two_rounds_and_each_line_names_its_hub() -> None:
    around = Surroundings()
    sources = [NamedSource("work", Told(received(answer("r")))), NamedSource("lab", Told(received(cut("r"))))]
    outcomes = await follow_all(sources, around.context)
    assert sorted(outcome.is_answer for outcome in outcomes) == [False, True]
    assert "[work] ✓ r" in around.out
    assert "[lab] ✂ r" in around.out


async def test_a_hub_that_refuses_does_not_disturb_the_others() -> None:
    around = Surroundings(locale="de")
    refused = Told([], HubRefused("no", code="hub_token"))
    outcomes = await follow_all([NamedSource("a", refused), NamedSource("b", Told(received(answer())))], around.context)
    assert len(outcomes) == 1
    assert "[a] Beobachten nicht möglich: nicht zugelassen" in around.err


async def test_when_every_hub_refuses_the_command_ends() -> None:
    refused = [NamedSource(name, Told([], HubRefused("no", code="hub_token"))) for name in ("a", "b")]
    with pytest.raises(CommandFailed):
        await follow_all(refused, Surroundings().context)


def test_a_hub_that_dies_and_comes_back_does_not_disturb_another(tmp_path: Path) -> None:
    first, second = tmp_path / "1.sqlite3", tmp_path / "2.sqlite3"
    with running_hub(first) as (one, _), running_hub(second) as (two, dying), start("watch", one, two) as watching:
        for _ in (one, two):
            read_until(watching.stderr, "] live")
        dying.kill()
        dying.wait(PATIENCE_S)
        assert f"[{two}] connection lost" in read_until(watching.stderr, "connection lost")
        run("publish", write_lines(tmp_path / "a.jsonl", answer("while-away")), "--to", one)
        assert f"[{one}] " in read_until(watching.stdout, "while-away").splitlines()[-1]
        port = two.rpartition(":")[2]
        with start("hub", "--port", port, "--store", second) as back:
            read_until(watching.stderr, f"[{two}] live")
            run("publish", write_lines(tmp_path / "b.jsonl", cut("back-again")), "--to", two)
            assert f"[{two}] ✂ back-again" in read_until(watching.stdout, "back-again")
            watching.send_signal(signal.SIGINT)
            assert watching.wait(PATIENCE_S) == 130
            back.terminate()
