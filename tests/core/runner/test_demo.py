from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

import pytest
from roundwatch.core.rounds import Event, Evidence, Ledger, Verdict, classify
from roundwatch.core.rounds.events import (
    CallOutput,
    NoUsableModel,
    RoundEvent,
    RoundPartial,
    RoundStarted,
    ThreadSupervised,
    ToolFinished,
)
from roundwatch.core.runner.delegate import OUT_OF_TIME
from roundwatch.core.runner.demo import MAX_RUNNING, UnknownScene, play, scenes
from roundwatch.core.runner.demo_files import lay_out
from roundwatch.core.runner.demo_scene import Scene
from roundwatch.core.runner.demo_scenes import OPENING, SCENES
from roundwatch.core.runner.demo_theatre import Theatre
from roundwatch.core.runner.folder import Folder
from roundwatch.core.runner.scripted_provider import ScriptedProvider

SPEED = 20.0  # fast, and slow enough that a busy machine does not turn one ending into another
BY_NAME = {scene.name: scene for scene in SCENES}


class Seen:
    """Folds what is published, and keeps every verdict that a watcher saw on the way."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.ledger = Ledger()
        self.verdicts: set[Verdict] = set()
        self.most_running = 0

    async def __call__(self, event: Event) -> None:
        self.events.append(event)
        self.ledger.apply(event)
        if isinstance(event, RoundEvent) and not isinstance(event, CallOutput):
            self.verdicts.add(classify(self.ledger.rounds[event.round]).verdict)
        if isinstance(event, RoundStarted):
            running = [round_ for round_ in self.ledger.rounds.values() if not round_.is_over and round_.parent is None]
            self.most_running = max(self.most_running, len(running))


async def played(scene: Scene, speed: float = SPEED) -> Seen:
    seen = Seen()
    with tempfile.TemporaryDirectory() as name:
        folder = Folder(Path(name))
        lay_out(folder)
        async with ScriptedProvider({}, speed=speed) as provider:
            await Theatre(seen, provider, speed, "demo", folder).play_as(scene, "r1")
        assert provider.scripts == {}
    return seen


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
async def test_each_scene_ends_as_it_says(scene: Scene) -> None:
    seen = await played(scene)
    outcome = classify(seen.ledger.rounds["r1"])
    assert outcome.verdict is scene.verdict
    assert outcome.is_answer is (scene.ending == "completed")
    assert all(round_.is_over for round_ in seen.ledger.rounds.values())


def test_between_them_the_scenes_end_in_every_way_a_round_can_end() -> None:
    passing = {Verdict.RUNNING, Verdict.SUSPENDED}
    assert {scene.verdict for scene in SCENES} == set(Verdict) - passing
    assert len({scene.name for scene in SCENES}) == len(SCENES)


def test_the_opening_shows_what_a_watcher_should_see_first() -> None:
    assert {scene.verdict for scene in OPENING} >= {
        Verdict.COMPLETED, Verdict.OUTPUT_CAP_REACHED, Verdict.CONTENT_FILTERED, Verdict.STREAM_ENDED_WITHOUT_FINISH,
        Verdict.PROVIDER_ERROR, Verdict.SELECTION_UNRESOLVED, Verdict.CANCELLED,
    }  # fmt: skip
    assert {"tool-round", "cut-tool", "sub-agent"} <= {scene.name for scene in OPENING}


async def test_an_approval_is_seen_as_suspended_before_it_is_seen_as_done() -> None:
    seen = await played(BY_NAME["approval"])
    assert {Verdict.RUNNING, Verdict.SUSPENDED, Verdict.COMPLETED} <= seen.verdicts


@pytest.mark.parametrize("name", ["false-claim", "unfinished-tool"])
async def test_a_false_claim_stands_beside_the_verdict(name: str) -> None:
    outcome = classify((await played(BY_NAME[name])).ledger.rounds["r1"])
    assert outcome.claim is not None
    assert outcome.claim.status == "completed"
    assert outcome.contradicts_claim
    assert not outcome.is_success or outcome.verdict is Verdict.OUTPUT_CAP_REACHED


async def test_a_finish_that_is_never_reported_leaves_the_answer_unconfirmed() -> None:
    outcome = classify((await played(BY_NAME["unconfirmed"])).ledger.rounds["r1"])
    assert (outcome.evidence, outcome.is_answer) == (Evidence.UNCONFIRMED, False)


async def test_a_supervisor_counts_its_relaunches_before_it_gives_up() -> None:
    seen = await played(BY_NAME["gave-up"])
    words = [event for event in seen.events if isinstance(event, ThreadSupervised)]
    assert [(word.verdict.value, len(word.cuts), word.relaunches) for word in words] == [
        ("relaunched", 1, 1), ("relaunched", 2, 2), ("gave_up", 3, 2),
    ]  # fmt: skip
    assert len({call.id for call in seen.ledger.rounds["r1"].calls}) == 3


async def test_a_sub_agent_is_seen_below_its_parent() -> None:
    seen = await played(BY_NAME["sub-agent"])
    child = seen.ledger.rounds["r1"].children["r1.1"]
    assert child.parent is not None
    assert child.parent.tool_call in {tool for _, tool in seen.ledger.rounds["r1"].tool_calls}


@pytest.mark.parametrize(
    ("name", "source", "kept"),
    [
        ("delegate-text", "spawn-accumulator", True),
        ("delegate-reasoning", "spawn-accumulator:reasoning", True),
        ("delegate-nothing", "none", False),
    ],
)
async def test_a_delegate_that_runs_out_of_time_leaves_what_it_had(name: str, source: str, kept: bool) -> None:
    seen = await played(BY_NAME[name], speed=5.0)  # what a delegate says before its time is up takes real work
    child = seen.ledger.rounds["r1.1"]
    assert classify(child).verdict in OUT_OF_TIME  # between two calls the limit is a wall clock budget
    [partial] = child.partials
    assert (partial.source, partial.kept_chars > 0) == (source, kept)
    assert [event.round for event in seen.events if isinstance(event, RoundPartial)] == ["r1.1"]


async def test_an_agent_that_exists_and_cannot_be_built_is_not_called_missing() -> None:
    seen = await played(BY_NAME["unbuildable"])
    [told] = [event for event in seen.events if isinstance(event, NoUsableModel)]
    assert (told.agent, told.cause) == ("meteorologist", "no_factory")
    assert told.reason is not None
    assert "no such file" in told.reason


async def test_the_file_tools_of_the_demo_really_work() -> None:
    seen = await played(BY_NAME["cut-tool"])
    said = [event.preview for event in seen.events if isinstance(event, ToolFinished)]
    assert sorted(str(preview) for preview in said) == ["written: 24 bytes", "written: 30 bytes"]  # run side by side


def test_the_scenes_are_offered_by_name_with_how_they_end() -> None:
    offered = scenes()
    assert list(offered) == [scene.name for scene in SCENES]
    assert (offered["filtered"], offered["unconfirmed"]) == ("content_filtered", "completed_unconfirmed")


async def test_one_scene_is_played_alone_and_once() -> None:
    seen = Seen()
    async with asyncio.timeout(60):
        await play(seen, speed=SPEED, only="filtered")
    [round_] = seen.ledger.rounds.values()
    assert classify(round_).verdict is Verdict.CONTENT_FILTERED


async def test_a_scene_that_does_not_exist_is_told_with_those_that_do() -> None:
    with pytest.raises(UnknownScene, match=r"'nonsense'.*filtered"):
        await play(Seen(), only="nonsense")


async def test_the_whole_programme_is_played_once_in_order_and_then_ends() -> None:
    seen = Seen()
    async with asyncio.timeout(120):
        await play(seen, speed=SPEED, forever=False, seed=1)
    titles = [event.title for event in seen.events if isinstance(event, RoundStarted) and event.parent is None]
    once = list(dict.fromkeys(titles))
    assert once == list(dict.fromkeys(scene.title for scene in SCENES))
    ends = {classify(round_).verdict for round_ in seen.ledger.rounds.values()}
    assert seen.verdicts | ends == set(Verdict)
    assert 2 <= seen.most_running <= MAX_RUNNING


async def started(count: int, seed: int | None = None) -> list[str]:
    """Return the ids of the demo's first rounds, then stop it."""
    seen, enough = Seen(), asyncio.Event()

    async def note(event: Event) -> None:
        await seen(event)
        if len(seen.ledger.rounds) >= count:
            enough.set()

    demo = asyncio.create_task(play(note, speed=SPEED, seed=seed))
    async with asyncio.timeout(60):
        await enough.wait()
        demo.cancel()
        with pytest.raises(asyncio.CancelledError):
            await demo
    assert all(round_.is_over for round_ in seen.ledger.rounds.values())
    return list(seen.ledger.rounds)[:count]


async def test_a_seed_repeats_the_round_ids_and_none_makes_new_ones() -> None:
    assert await started(3, seed=7) == await started(3, seed=7)
    assert await started(3, seed=None) != await started(3, seed=None)


async def test_a_stopped_demo_closes_what_runs_and_leaves_no_task() -> None:
    await started(3)
    assert asyncio.all_tasks() == {asyncio.current_task()}
