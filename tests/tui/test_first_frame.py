from __future__ import annotations

import subprocess
import sys

from tests.tui.cli.command import PATIENCE_S, environment

WATCHES_A_HUB = """
import asyncio, sys
from textual.drivers.headless_driver import HeadlessDriver
from roundwatch.core.texts import Texts
from roundwatch.tui.app import RoundwatchApp
from roundwatch.tui.source import HubSource

class Terminal(HeadlessDriver):
    is_headless = False
    clients_at_paint = []

    def write(self, data):
        if "╭" in data:
            self.clients_at_paint.append("websockets" in sys.modules)

async def watch():
    app = RoundwatchApp(HubSource("ws://127.0.0.1:9"), texts=Texts.load("en"))
    app.driver_class = Terminal
    running = asyncio.create_task(app.run_async(size=(120, 40), mouse=False))
    while "websockets.asyncio.client" not in sys.modules:
        await asyncio.sleep(0.01)
    app.exit()
    await running

asyncio.run(watch())
print(Terminal.clients_at_paint[0], file=sys.stderr)
"""
"""The terminal says whether the websocket client was there when the panes' frames were painted first."""
HEAVY_TO_READ = ("websockets", "importlib.metadata", "sqlite3", "babel")
ASKED_FOR = ("filter_match", "filter_entry", "compare_lines", "statistics_lines", "palette_screen", "exports")


def test_the_first_frame_is_painted_before_the_websocket_client_is_loaded() -> None:
    done = subprocess.run(
        [sys.executable, "-c", WATCHES_A_HUB],
        capture_output=True,
        text=True,
        env=environment(),
        timeout=PATIENCE_S,
        check=True,
    )

    assert done.stderr.splitlines()[-1] == "False"


def test_the_screen_loads_neither_a_client_nor_a_store_nor_the_worlds_languages() -> None:
    code = (
        "import sys, roundwatch.tui.cli.watch, roundwatch.tui.cli.screen;"
        f"print([name for name in {HEAVY_TO_READ!r} if name in sys.modules])"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert told.stdout.strip() == "[]"


def test_what_is_not_on_screen_is_loaded_when_it_is_asked_for() -> None:
    code = (
        "import sys, roundwatch.tui.cli.watch, roundwatch.tui.cli.screen;"
        f"print([name for name in {ASKED_FOR!r} if f'roundwatch.tui.{{name}}' in sys.modules])"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert told.stdout.strip() == "[]"
