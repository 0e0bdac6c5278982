"""Changes in the rounds list: a million rounds against a thousand, and a DataTable of ten thousand rows as the peer."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Generator
from contextlib import contextmanager

from roundwatch.tui.main_screen import MainScreen
from roundwatch.tui.testing.stage import still_app
from roundwatch.tui.watched import Watched
from textual.app import App, ComposeResult
from textual.widgets import DataTable

from tests.benchmarks.many_rounds import take, with_ended
from tests.benchmarks.painting import Painted, painted, run_while  # first: it sets Textual's clock
from tests.benchmarks.spread import told, told_alone
from tests.rounds import call, event, start

MANY, FEW, PEER = 1_000_000, 1_000, 10_000
CALLS_MANY, CALLS_FEW = 10_000, 100
SESSIONS = 5
CHANGES = 20
"""Of each kind, a session."""
TARGET = 1.3
CHANGED, SCROLLED, APPENDED = "one changed row", "one scrolled line", "one appended row"

Times = dict[str, list[Painted]]


async def _changes(kinds: dict[str, Callable[[int], None]]) -> Times:
    """Make each kind of change many times, one after the other."""
    times: Times = {}
    for name, change in kinds.items():
        for number in range(CHANGES + 1):
            took = await painted(lambda change=change, number=number: change(number))  # type: ignore[misc]
            if number:  # the first one fills caches
                times.setdefault(name, []).append(took)
    return times


async def our_list(watched: Watched) -> Times:
    """Change, scroll and append in our list over this state, as events and keys do."""
    found: Times = {}
    app = still_app(())
    app.watched = watched
    running = [f"running-{len(watched.tree)}-{number}" for number in range(3)]
    for name in running:
        take(watched, name, start(agent="worker", title="Runs"))

    def changes(number: int) -> None:
        take(watched, running[0], event("call.started", call=f"c{number}"))
        app.repaint()

    def scrolls(number: int) -> None:
        watched.position.scroll(1 if number else 50, 20)
        app.repaint()

    def appends(number: int) -> None:
        if not number:
            watched.position.follow()
        take(watched, f"new-{len(watched.tree)}", start(agent="worker", title="New"))
        app.repaint()

    async def use() -> None:
        assert isinstance(app.screen, MainScreen)
        found.update(await _changes({CHANGED: changes, SCROLLED: scrolls, APPENDED: appends}))

    await run_while(app, use)
    return found


class Peer(App[None]):
    """A DataTable as full as our list."""

    def compose(self) -> ComposeResult:
        """Yield the table alone."""
        self.table = DataTable[str](cursor_type="row")
        yield self.table

    def on_mount(self) -> None:
        """Fill it."""
        table = self.table
        table.add_columns("Started", "Agent", "Title", "Calls", "First", "Total", "In", "Out", "State", "Round")
        for number in range(PEER):
            table.add_row(*_cells(number), key=str(number))


def _cells(number: int) -> tuple[str, ...]:
    return (
        "12:00:00",
        "worker",
        "Fix it",
        "1",
        "0.3 s",
        f"{number / 10:.1f} s",
        "900",
        "400",
        "Answer",
        f"round-{number}",
    )


async def the_peer() -> Times:
    """Make the same changes in a DataTable."""
    app = Peer()
    found: Times = {}

    async def use() -> None:
        table = app.table
        columns = list(table.columns)

        def changes(number: int) -> None:
            table.update_cell("3", columns[3], str(number + 2))

        def scrolls(number: int) -> None:
            table.scroll_to(y=number + 1, animate=False)

        def appends(number: int) -> None:
            if not number:
                table.scroll_to(y=0, animate=False)
            table.add_row(*_cells(PEER + number), key=f"new-{number}")
            table.scroll_to(y=2 + number, animate=False)

        found.update(await _changes({CHANGED: changes, SCROLLED: scrolls, APPENDED: appends}))

    await run_while(app, use)
    return found


async def our_timeline(calls: int) -> Times:
    """Let the newest call of a round of that many calls write another piece."""
    app = still_app(())
    watched = app.watched
    take(watched, "r", start(agent="worker"), *(call(f"c{number}", "tool_use", "x") for number in range(calls)))
    take(watched, "r", event("call.started", call="now"))
    found: Times = {}

    def writes(number: int) -> None:
        take(watched, "r", event("call.output", call="now", kind="text", text=f"piece {number} "))
        app.repaint()

    async def use() -> None:
        found.update(await _changes({"one more piece of output": writes}))

    await run_while(app, use)
    return found


@contextmanager
def _without_pauses() -> Generator[None]:
    """Put what stands so far out of the collector's sight: its pauses are measured by themselves."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


def main() -> None:
    many, few = with_ended(MANY), with_ended(FEW)
    with _without_pauses():
        pairs = [(asyncio.run(our_list(many)), asyncio.run(our_list(few))) for _ in range(SESSIONS)]
        _tell(f"{MANY:,} rounds / {FEW:,}", pairs, TARGET)
    ours = [mine for _, mine in pairs]
    _tell(f"our list / DataTable of {PEER:,}", [(mine, asyncio.run(the_peer())) for mine in ours], None)
    _tell(
        f"timeline, {CALLS_MANY:,} calls / {CALLS_FEW}",
        [(asyncio.run(our_timeline(CALLS_MANY)), asyncio.run(our_timeline(CALLS_FEW))) for _ in range(SESSIONS)],
        TARGET,
    )


def _tell(what: str, pairs: list[tuple[Times, Times]], target: float | None) -> None:
    print(what)
    for kind in pairs[0][0]:
        for measure in ("wall_ms", "cpu_ms"):
            ours, base = ([_median(each[kind], measure) for each in arm] for arm in zip(*pairs, strict=True))
            told(f"  {kind}, {measure[:-3]}", ours, base, "ms", target=target)
        told_alone(f"  {kind}, bytes to the terminal", _median(pairs[0][0][kind], "bytes"), "bytes")


def _median(times: list[Painted], measure: str) -> float:
    values = sorted(getattr(each, measure) for each in times)
    return float(values[len(values) // 2])


if __name__ == "__main__":
    main()
