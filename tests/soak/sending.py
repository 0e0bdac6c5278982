"""A publisher as a process of its own: numbered events at a steady rate until its input ends, then the flush."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

from roundwatch.core.hub import Publisher, backoff

ROUND_EVENTS = 50
TICK_S = 0.02


def event(sender: str, k: int) -> str:
    """Return event ``k`` of a sender: rounds of one call each, its number in a field of its own."""
    round_, place = f"{sender}-{k // ROUND_EVENTS}", k % ROUND_EVENTS
    fields: dict[str, object] = {"round": round_, "sender": sender, "k": k}
    match place:
        case 0:
            fields |= {"type": "round.started", "agent": sender}
        case 1:
            fields |= {"type": "call.started", "call": "c1", "model": "m", "max_output_tokens": 4096}
        case _ if place == ROUND_EVENTS - 2:
            fields |= {"type": "call.finished", "call": "c1", "outcome": "completed", "finish_reason": "stop"}
        case _ if place == ROUND_EVENTS - 1:
            fields |= {"type": "round.finished"}
        case _:
            fields |= {"type": "call.output", "call": "c1", "kind": "text", "text": f"word {k} "}
    return json.dumps(fields)


async def send(url: str, folder: Path, sender: str, rate: int, life: int) -> None:
    """Publish until standard input ends; the last line of output says how many events were taken and acknowledged.

    A sender with a ``life`` is there to be killed: it names its events after it, and says how far it is as it goes.
    """
    ended = asyncio.create_task(asyncio.to_thread(sys.stdin.read))
    k = 0
    name = f"{sender}.{life}" if life else sender
    async with Publisher(url, folder=folder, producer=sender) as publisher:
        while not ended.done():
            for _ in range(max(1, round(rate * TICK_S))):
                await publisher.publish(event(name, k))
                k += 1
            if life:
                print(json.dumps({"taken": k}), flush=True)
            await asyncio.sleep(TICK_S)
        await publisher.flush()
        print(json.dumps({"sent": k, "acknowledged": publisher.state.acknowledged}))


def main() -> None:
    url, folder, sender, rate, life = sys.argv[1:]
    backoff.CAP_S = 0.5  # a hub that is killed every second never counts as stable; nobody is to wait for that here
    asyncio.run(send(url, Path(folder), sender, int(rate), int(life)))


if __name__ == "__main__":
    main()
