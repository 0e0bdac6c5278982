"""The demo: real rounds of the reference loop against the scripted provider, ending in every way there is."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator

from .demo_scene import Scene
from .demo_scenes import SCENES
from .demo_theatre import Theatre
from .extra import LIBRARIES, require
from .recorder import Publish
from .scripted_provider import ScriptedProvider

GAP_S = 2.6  # between two starts: some rounds run side by side, and the eye can follow
MAX_RUNNING = 4


async def play(publish: Publish, *, speed: float = 1.0, forever: bool = True, seed: int | None = None) -> None:
    """Play the demo's rounds and publish their events.

    The opening comes first and in order, then everything else; with ``forever`` all scenes follow again and
    again in a random order, until the caller cancels.

    Args:
        publish: takes every event, in order.
        speed: 2.0 plays twice as fast; above 0.
        forever: False: every scene is played once, then this returns.
        seed: makes round ids, order and pauses repeatable; None: every run has ids of its own.

    Raises:
        MissingExtra: httpx2 or h11 is not installed.
    """
    require(*LIBRARIES)
    chance = random.Random(seed)
    async with ScriptedProvider({}, speed=speed) as provider, asyncio.TaskGroup() as rounds:
        theatre = Theatre(publish, provider, speed=speed, name=f"demo-{chance.getrandbits(24):06x}")
        running: dict[asyncio.Task[None], str] = {}
        for scene in _programme(chance, forever=forever):
            while len(running) >= MAX_RUNNING or scene.thread in running.values():
                done, _ = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    del running[task]
            running[rounds.create_task(theatre.play(scene))] = scene.thread
            await asyncio.sleep(GAP_S * (0.8 + 0.4 * chance.random()) / speed)


def _programme(chance: random.Random, *, forever: bool) -> Iterator[Scene]:
    yield from SCENES
    while forever:
        again = list(SCENES)
        chance.shuffle(again)
        yield from again
