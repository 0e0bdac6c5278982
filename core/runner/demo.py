"""The demo: real rounds of the reference loop against the scripted provider, ending in every way there is."""

from __future__ import annotations

import asyncio
import random
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from .demo_files import lay_out
from .demo_scene import Scene
from .demo_scenes import SCENES
from .demo_theatre import Theatre
from .extra import LIBRARIES, require
from .folder import Folder
from .recorder import Publish
from .scripted_provider import ScriptedProvider

GAP_S = 2.6  # between two starts: some rounds run side by side, and the eye can follow
MAX_RUNNING = 4


class UnknownScene(ValueError):
    """No scene has that name; ``str()`` names those there are."""


def scenes() -> Mapping[str, str]:
    """Return the names of all scenes, in the order of the first pass, with how the round of each ends.

    An ending is a verdict, or ``completed_unconfirmed``: the key of its text and of its mark.
    """
    return {scene.name: scene.ending for scene in SCENES}


async def play(
    publish: Publish, *, speed: float = 1.0, forever: bool = True, seed: int | None = None, only: str | None = None
) -> None:
    """Play the demo's rounds and publish their events.

    The opening comes first and in order, then everything else; with ``forever`` all scenes follow again and
    again in a random order, until the caller cancels. Their tools read and write in a folder that is made for the
    run and removed after it.

    Args:
        publish: takes every event, in order.
        speed: 2.0 plays twice as fast; above 0.
        forever: False: every scene is played once, then this returns.
        seed: makes round ids, order and pauses repeatable; None: every run has ids of its own.
        only: plays the scene of that name, once, and nothing else.

    Raises:
        MissingExtra: httpx2 or h11 is not installed.
        UnknownScene: ``only`` is no scene's name.
    """
    require(*LIBRARIES)
    chance = random.Random(seed)
    programme = _programme(chance, forever=forever) if only is None else iter((_scene(only),))
    with tempfile.TemporaryDirectory(prefix="roundwatch-demo-files-") as name:
        folder = Folder(Path(name))
        lay_out(folder)
        async with ScriptedProvider({}, speed=speed) as provider, asyncio.TaskGroup() as rounds:
            theatre = Theatre(publish, provider, speed, f"demo-{chance.getrandbits(24):06x}", folder)
            running: dict[asyncio.Task[None], str] = {}
            for scene in programme:
                while len(running) >= MAX_RUNNING or scene.thread in running.values():
                    done, _ = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
                    for task in done:
                        del running[task]
                running[rounds.create_task(theatre.play(scene))] = scene.thread
                await asyncio.sleep(GAP_S * (0.8 + 0.4 * chance.random()) / speed)


def _scene(name: str) -> Scene:
    for scene in SCENES:
        if scene.name == name:
            return scene
    raise UnknownScene(f"no scene is called {name!r}; there are: {', '.join(scenes())}")


def _programme(chance: random.Random, *, forever: bool) -> Iterator[Scene]:
    yield from SCENES
    while forever:
        again = list(SCENES)
        chance.shuffle(again)
        yield from again
