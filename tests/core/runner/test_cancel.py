from __future__ import annotations

import asyncio

from roundwatch.core.rounds import CancelledBy
from roundwatch.core.runner.cancel import Cancellation


async def test_the_first_request_stays() -> None:
    cancel = Cancellation()
    assert not cancel.requested
    cancel.request(CancelledBy.LIMIT, 5.0)
    cancel.request(CancelledBy.USER)
    assert (cancel.by, cancel.limit_s) == (CancelledBy.LIMIT, 5.0)
    await cancel.wait()


async def test_a_wait_ends_early_when_somebody_asks_to_stop() -> None:
    cancel = Cancellation()
    assert await cancel.sleep(0.001) is False
    asyncio.get_running_loop().call_later(0.001, cancel.request, CancelledBy.USER)
    async with asyncio.timeout(10):
        assert await cancel.sleep(3600) is True


def test_what_is_linked_is_stopped_too_whenever_it_was_linked() -> None:
    above, early, late, gone = Cancellation(), Cancellation(), Cancellation(), Cancellation()
    above.link(early)
    above.link(gone)
    above.unlink(gone)
    above.request(CancelledBy.USER)
    above.link(late)
    assert (early.by, late.by, gone.by) == (CancelledBy.USER, CancelledBy.USER, None)
