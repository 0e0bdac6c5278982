"""Plays one arm of every proof: ``python -m tests.core.runner.proofs.arms on|off``; one JSON line a proof.

Each proof first says which code it runs and how the switch stands.
"""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

import roundwatch.core

from tests.core.runner.proofs import continuation_proofs, other_proofs, refusal_proofs
from tests.core.runner.proofs.facts import facts
from tests.core.runner.proofs.proof import Proof
from tests.core.runner.proofs.stack import Stack
from tests.core.runner.proofs.stage import Stage

PROOFS: dict[str, Proof] = {
    proof.name: proof for proof in (*continuation_proofs.PROOFS, *refusal_proofs.PROOFS, *other_proofs.PROOFS)
}
AT_ONCE = 6


async def play(proof: Proof, arm: str, stack: Stack) -> dict[str, Any]:
    """Play one arm of one proof and return what was seen."""
    stage = Stage(f"{proof.name}-{arm}", stack, proof.rules(arm))
    try:
        await proof.play(stage)
        return facts(stage)
    finally:
        await stage.close()


async def play_all(arm: str) -> None:
    """Say what is played, then play every proof, a few at a time, and print what was seen."""
    for proof in PROOFS.values():
        print(json.dumps({"name": proof.name, "core": roundwatch.core.__file__, proof.switch: proof.state(arm)}))
    free = asyncio.Semaphore(AT_ONCE)

    async def one(proof: Proof, stack: Stack) -> dict[str, Any]:
        async with free:
            return await play(proof, arm, stack)

    async with Stack() as stack:
        seen = await asyncio.gather(*(one(proof, stack) for proof in PROOFS.values()))
    for proof, found in zip(PROOFS.values(), seen, strict=True):
        print(json.dumps({"name": proof.name, "facts": found}))


if __name__ == "__main__":
    asyncio.run(play_all(sys.argv[1]))
