from __future__ import annotations

import pytest
from roundwatch.core.rounds import Event, Ledger, Verdict, classify
from roundwatch.core.runner.demo_scenes import SCENES, Scene
from roundwatch.core.runner.demo_theatre import Theatre
from roundwatch.core.runner.scripted_provider import ScriptedProvider

SPEED = 20.0  # fast, and slow enough that a busy machine does not turn one ending into another


class Seen:
    """Collects events, and every verdict a watcher saw on the way."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.ledger = Ledger()
        self.verdicts: set[Verdict] = set()

    async def __call__(self, event: Event) -> None:
        self.events.append(event)
        self.ledger.apply(event)
        self.verdicts.update(classify(round_).verdict for round_ in self.ledger.rounds.values())


async def played(scene: Scene) -> Seen:
    seen = Seen()
    async with ScriptedProvider({}, speed=SPEED) as provider:
        await Theatre(seen, provider, SPEED, "demo").play_as(scene, "r1")
    return seen


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
async def test_each_scene_ends_as_it_says(scene: Scene) -> None:
    seen = await played(scene)
    assert classify(seen.ledger.rounds["r1"]).verdict is scene.verdict
