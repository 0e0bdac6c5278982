"""One arm of a proof: plays a scenario with its rule switched on or off, and prints what came of it.

Run as a program of its own, from any folder: ``python -m tests.core.runner.proofs_delegates.arm SCENARIO on|off``.
The first two lines name the code that was imported and the switch; the last one is JSON.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict
from typing import Any
from unittest.mock import patch

import roundwatch.core
from roundwatch.core.policies import (
    HEAD_LABEL,
    TAIL_LABEL,
    Partial,
    PartialAccumulator,
    PartialKind,
    PartialRegistry,
    Selection,
)
from roundwatch.core.rounds import classify
from roundwatch.core.runner import Agent, Runner, Settings, Task
from roundwatch.core.runner.catalogue import Catalogue
from roundwatch.core.runner.pick import Pick
from roundwatch.core.runner.recovery import Recover
from roundwatch.core.runner.script import Reasoning, Reply, Text

from tests.core.runner.proofs_delegates.stack import HANGS, NEVER, SHORT_S, Stack, claude, real_stack
from tests.core.runner.proofs_delegates.supervised import given_up, relaunched

Found = dict[str, Any]


async def _delegate(recover: Recover, below: Reply, **how: Any) -> Found:
    async with real_stack() as stack:
        await stack.delegated(below, recover=recover, **how)
        ledger = await stack.folded()
        partials = [(each.source, each.kept_chars, each.text) for each in ledger.rounds["r.1"].partials]
        return {
            "child": classify(ledger.rounds["r.1"]).verdict,
            "report": stack.report,
            "partials": partials,
            "sibling": stack.told["t2"].text,
            "warnings": [event["code"] for event in stack.of_type("round.warning")],
        }


async def text(on: bool) -> Found:
    """The rule: what a delegate wrote before it was killed is recovered."""
    below = claude(Text("Two bollards so far.", rate=1e6), HANGS)
    return await _delegate(Recover.ALL if on else Recover.NOTHING, below)


async def reasoning(on: bool) -> Found:
    """The rule: where it wrote no text, its reasoning and its tool calls are recovered."""
    below = claude(Reasoning("First the list.", rate=1e6), HANGS)
    return await _delegate(Recover.ALL if on else Recover.TEXT, below)


async def nothing(on: bool) -> Found:
    """The rule: where it produced nothing, nothing is made up."""
    if not on:
        made_up = Partial(f"{HEAD_LABEL}\n\n{TAIL_LABEL}", PartialKind.REASONING, "spawn-accumulator:reasoning", 0)

        def make_up(_: PartialAccumulator) -> Partial:
            return made_up

        patch.object(PartialAccumulator, "recovered", make_up).start()
    return await _delegate(Recover.ALL, NEVER, limit_s=SHORT_S)


async def probes(on: bool) -> Found:
    """The rule: recovering reasoning changes what is told of a time-out without text, and nothing else at all."""
    records: list[str] = []
    read = PartialRegistry.read

    def noted(self: PartialRegistry, name: str) -> Partial | None:
        found = read(self, name)
        records.append(json.dumps(asdict(found) if found is not None else None))
        return found

    patch.object(PartialRegistry, "read", noted).start()
    recover = Recover.ALL if on else Recover.TEXT
    found: Found = {}
    async with real_stack() as stack:
        ended = await stack.delegated(claude(Text("All counted."), finish="end_turn"), recover=recover)
        found["normal result"] = stack.told["t1"].text
        found["registry after"] = f"{len(ended.registry)} records, {'r.1' in ended.registry}"
    async with real_stack() as stack:
        spoke = claude(Reasoning("private", rate=1e6), Text("Two so far.", rate=1e6), HANGS)
        await stack.delegated(spoke, recover=recover, clock=lambda: 0.0)
        found["partial"] = records.pop()
        found["timeout with text"] = stack.told["t1"].text
    async with real_stack() as stack:
        thought = claude(Reasoning("private", rate=1e6), HANGS)
        await stack.delegated(thought, recover=recover, clock=lambda: 0.0)
        found["timeout without text"] = stack.told["t1"].text
    return found


async def _picked(stack: Stack, task: Task, catalogue: Catalogue, **settings: Any) -> Found:
    async with Runner(stack.publish, agents=catalogue, models=stack.models, settings=Settings(**settings)) as runner:
        await runner.run(task)
    ledger = await stack.folded()
    outcome = classify(ledger.rounds["r"])
    return {
        "verdict": outcome.verdict,
        "calls": len(ledger.rounds["r"].calls),
        "facts": {name: outcome.facts.get(name) for name in ("agent", "reason", "sentence", "ran")},
        "types": [event["type"] for event in stack.sent if event["type"] != "call.output"],
    }


async def unresolved(on: bool) -> Found:
    """The rule: an explicit pick that matches nothing is marked, and nobody else answers."""
    if not on:

        async def tell_nothing(*_: object) -> None: ...

        patch.object(Pick, "_tell", tell_nothing).start()
    async with real_stack() as stack:
        stack.script("claude", claude(Text("Yes."), finish="end_turn"))
        return await _picked(stack, Task("Go.", "ghost", round="r"), Catalogue([Agent("clerk", model="claude")]))


async def late(on: bool) -> Found:
    """The rule: while the catalogue fills, a picked agent is waited for."""
    async with real_stack() as stack:
        stack.script("claude", claude(Text("Yes."), finish="end_turn"))
        catalogue = Catalogue(complete=False)

        def arrive() -> None:
            catalogue.add(Agent("clerk", model="claude"))

        asyncio.get_running_loop().call_later(0.2, arrive)
        return await _picked(stack, Task("Go.", "clerk", round="r"), catalogue, catalogue_wait_s=30.0 if on else 0.0)


async def unbuildable(on: bool) -> Found:
    """The rule: an agent that exists and cannot be built is not the same as one that does not exist."""
    saw = Selection.saw

    def only_buildable(self: Selection, catalogue: Mapping[str, str | None], now: float) -> Selection:
        return saw(self, {name: None for name, cause in catalogue.items() if cause is None}, now)

    if not on:
        patch.object(Selection, "saw", only_buildable).start()

    def broken() -> Agent:
        raise FileNotFoundError("agents/pilot.md: no such file")

    catalogue = Catalogue([Agent("clerk", model="claude")])
    catalogue.add_build("pilot", broken)
    async with real_stack() as stack:
        return await _picked(stack, Task("Go.", "pilot", round="r"), catalogue)


SCENARIOS: Mapping[str, Callable[[bool], Awaitable[Found]]] = {
    "text": text,
    "reasoning": reasoning,
    "nothing": nothing,
    "probes": probes,
    "unresolved": unresolved,
    "late": late,
    "unbuildable": unbuildable,
    "given_up": given_up,
    "relaunched": relaunched,
}


def main(name: str, switch: str) -> None:
    print(roundwatch.core.__file__)
    print(f"switch: {name} {switch}")
    print(json.dumps(asyncio.run(_run(name, on=switch == "on")), default=str))


async def _run(name: str, *, on: bool) -> Found:
    return await SCENARIOS[name](on)


if __name__ == "__main__":
    main(*sys.argv[1:])
