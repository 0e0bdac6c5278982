from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from roundwatch.core.hub import Hub, HubRefused, PublisherClosed, SyncPublisher, stored_events
from roundwatch.core.rounds import EventError

PATIENCE_S = 60.0


class HubThread:
    """A hub with a loop and a thread of its own, as in another process."""

    def __init__(self, store: Path) -> None:
        self.store = store
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()
        self.hub = Hub(store, port=0)
        self._do(self.hub.start())

    def _do(self, work: object) -> None:
        asyncio.run_coroutine_threadsafe(work, self._loop).result(PATIENCE_S)  # type: ignore[arg-type]

    def stop(self) -> None:
        self._do(self.hub.stop())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(PATIENCE_S)
        self._loop.close()

    def texts(self) -> list[str]:
        return [json.loads(event.line)["text"] for event in stored_events(self.store)]


@pytest.fixture
def served(tmp_path: Path) -> Iterator[HubThread]:
    hub = HubThread(tmp_path / "s.db")
    yield hub
    hub.stop()


def output(text: str) -> dict[str, str]:
    return {"type": "round.output", "round": "r1", "kind": "text", "text": text}


def test_threads_share_one_publisher_and_nothing_is_lost_or_doubled(served: HubThread) -> None:
    def send(name: int) -> None:
        for n in range(50):
            publisher.publish(output(f"{name}-{n}"))

    with SyncPublisher(served.hub.url) as publisher:
        threads = [threading.Thread(target=send, args=(name,)) for name in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(PATIENCE_S)
        assert publisher.flush(PATIENCE_S)
        assert publisher.undelivered == 0
    found = served.texts()
    assert sorted(found) == sorted(f"{name}-{n}" for name in range(4) for n in range(50))
    for name in range(4):  # in order of each thread
        own = [text for text in found if text.startswith(f"{name}-")]
        assert own == [f"{name}-{n}" for n in range(50)]


def test_what_is_no_event_is_told_to_the_caller(served: HubThread) -> None:
    with SyncPublisher(served.hub.url) as publisher, pytest.raises(EventError):
        publisher.publish("no event")


def test_after_closing_nothing_is_accepted_and_closing_again_is_harmless(served: HubThread) -> None:
    publisher = SyncPublisher(served.hub.url)
    publisher.publish(output("one"))
    publisher.close(PATIENCE_S)
    publisher.close()
    assert served.texts() == ["one"]
    with pytest.raises(PublisherClosed, match="closed"):
        publisher.publish(output("two"))
    assert not any(thread.name == "roundwatch publisher" for thread in threading.enumerate())


def test_a_refusal_is_raised_and_the_event_waits(served: HubThread, tmp_path: Path) -> None:
    publisher = SyncPublisher(served.hub.url, token="wrong", folder=tmp_path / "f")
    publisher.publish(output("one"))
    with pytest.raises(HubRefused):
        publisher.flush(PATIENCE_S)
    with pytest.raises(HubRefused), publisher:
        pass
    assert publisher.undelivered == 1
    assert len(list((tmp_path / "f").glob("*.spool"))) == 1


async def test_it_does_not_hold_up_a_running_loop(tmp_path: Path) -> None:
    publisher = SyncPublisher("ws://127.0.0.1:1", folder=tmp_path)
    with pytest.raises(RuntimeError, match="running event loop"):
        publisher.publish(output("one"))
    await asyncio.to_thread(publisher.close, 0)


def test_a_program_that_just_ends_delivers_what_it_published(served: HubThread) -> None:
    program = (
        "import sys; from roundwatch.core.hub import SyncPublisher\n"
        "publisher = SyncPublisher(sys.argv[1])\n"
        "for n in range(20): publisher.publish({'type': 'round.output', 'round': 'r', 'kind': 'text', 'text': str(n)})"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program, served.hub.url], capture_output=True, timeout=PATIENCE_S
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert served.texts() == [str(n) for n in range(20)]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_process_is_told_to_make_its_own(served: HubThread, tmp_path: Path) -> None:
    program = (
        "import os, sys, warnings; warnings.simplefilter('ignore')\n"
        "from roundwatch.core.hub import SyncPublisher, PublisherClosed\n"
        "event = {'type': 'round.output', 'round': 'r', 'kind': 'text', 'text': 'one'}\n"
        "publisher = SyncPublisher(sys.argv[1]); publisher.publish(event)\n"
        "if os.fork() == 0:\n"
        "    try:\n"
        "        publisher.publish(event)\n"
        "    except PublisherClosed as error:\n"
        "        print(error, flush=True); publisher.close(); sys.exit(0)\n"
        "    sys.exit(1)\n"
        "code = os.waitstatus_to_exitcode(os.wait()[1]); publisher.close(30); sys.exit(code)"
    )
    done = subprocess.run([sys.executable, "-c", program, served.hub.url], capture_output=True, timeout=PATIENCE_S)
    assert done.returncode == 0
    assert b"after the fork" in done.stdout
    assert served.texts() == ["one"]
