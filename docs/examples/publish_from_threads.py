"""Publish from a program without an event loop, and from all of its threads."""

import sys
from concurrent.futures import ThreadPoolExecutor

from roundwatch.core.hub import DEFAULT_URL, SyncPublisher


def work(publisher: SyncPublisher, name: str) -> None:
    round_ = {"round": name}
    publisher.publish(round_ | {"type": "round.started", "agent": "worker"})
    publisher.publish(round_ | {"type": "call.started", "call": "c1", "model": "mini-4"})
    publisher.publish(round_ | {"type": "call.output", "call": "c1", "kind": "text", "text": "Hello."})
    publisher.publish(round_ | {"type": "call.finished", "call": "c1", "outcome": "completed", "finish_reason": "stop"})
    publisher.publish(round_ | {"type": "round.finished"})


def main(url: str = DEFAULT_URL) -> None:
    with SyncPublisher(url, producer="threads") as publisher, ThreadPoolExecutor(4) as pool:
        for done in [pool.submit(work, publisher, f"from-thread-{number}") for number in range(8)]:
            done.result()


if __name__ == "__main__":
    main(*sys.argv[1:])
