from __future__ import annotations

import asyncio

from roundwatch.core.hub.held_frames import HeldFrames


async def test_frames_come_out_in_order_and_the_bound_holds_the_sender_back() -> None:
    held = HeldFrames(10)
    for frame in (b"one", b"two", b"three"):
        await held.put(frame)  # the last one goes over the bound: a frame is never refused
    waiting = asyncio.create_task(held.put(b"four"))
    await asyncio.sleep(0.01)
    assert not waiting.done()
    assert await held.get() == b"one"
    await waiting
    assert [await held.get() for _ in range(3)] == [b"two", b"three", b"four"]


async def test_closing_drops_what_is_held_and_lets_everybody_go() -> None:
    held = HeldFrames(1)
    await held.put(b"one")
    putting = asyncio.create_task(held.put(b"two"))
    await asyncio.sleep(0)
    held.close()
    held.close()
    await putting
    assert await held.get() is None
