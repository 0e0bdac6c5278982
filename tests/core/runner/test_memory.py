from __future__ import annotations

import pytest
from roundwatch.core.rounds import Event, Ledger
from roundwatch.core.rounds.events import RoundWarning
from roundwatch.core.runner.memory import Memory
from roundwatch.core.runner.recorder import Recorder


async def told(memory: Memory, kind: str, times: int, signature: str = "s") -> list[int]:
    """Tell a finding so often; return the occurrences that were warned of."""
    seen: list[Event] = []

    async def publish(event: Event) -> None:
        seen.append(event)

    recorder = Recorder("r", publish, Ledger())
    warned: list[int] = []
    for n in range(1, times + 1):
        tell = memory.tell_config if kind == "config" else memory.tell_traffic
        await tell(recorder, signature, "code", "message", {"n": n})
        if seen:
            assert isinstance(seen[0], RoundWarning)
            warned.append(n)
            seen.clear()
    return warned


@pytest.mark.parametrize(("kind", "expected"), [("config", [1]), ("traffic", [1, 10, 100])])
async def test_how_often_a_finding_is_told(kind: str, expected: list[int]) -> None:
    assert await told(Memory(), kind, 120) == expected


@pytest.mark.parametrize("kind", ["config", "traffic"])
async def test_switched_off_everything_is_told(kind: str) -> None:
    assert await told(Memory(report_rarely=False), kind, 4) == [1, 2, 3, 4]


async def test_another_signature_is_another_finding() -> None:
    memory = Memory()
    await told(memory, "config", 3, "a")
    assert await told(memory, "config", 3, "b") == [1]


def test_proof_is_kept_for_each_model() -> None:
    memory = Memory()
    memory.note_report("gpt")
    assert memory.has_proof("gpt")
    assert not memory.has_proof("claude")
