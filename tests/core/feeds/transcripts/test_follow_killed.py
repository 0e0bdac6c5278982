"""A follower that is killed again and again while it delivers: the hub's store has every event once, in order."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

from roundwatch.core.feeds.transcripts.follow_reader import line_of
from roundwatch.core.feeds.transcripts.pi import Pi

from .following import TOKEN, stage
from .foreign_records import PI_HEAD, events_of, lines, pi_answer, pi_prompt

KILLS = 5
FOLLOW = """
import asyncio, sys
from pathlib import Path
from roundwatch.core.feeds.transcripts.follow import Follower
from roundwatch.core.feeds.transcripts.follow_file import Hubward
from roundwatch.core.feeds.transcripts.follow_places import given_places
from roundwatch.core.feeds.transcripts.follow_positions import Positions
folder, url, token, positions = sys.argv[1:]
hub = Hubward(url, token, Positions(Path(positions)))
asyncio.run(Follower(given_places([Path(folder)]), hub=hub).run())
"""


async def test_killed_in_the_middle_and_started_again_each_event_is_stored_once(tmp_path: Path) -> None:
    async with stage(tmp_path) as on:
        rows = [row for n in range(800) for row in (pi_prompt(f"question {n}"), pi_answer(f"answer {n}"))]
        whole = lines(PI_HEAD, *rows)
        path = on.folder / "s.jsonl"
        path.write_bytes(whole[: len(whole) // 4])
        expected = [json.loads(line_of(event)) for event in events_of(Pi(), whole)]
        command = [sys.executable, "-c", FOLLOW, str(on.folder), on.hub.url, TOKEN, str(on.positions)]
        for kill in range(KILLS):
            before = len(on.stored())
            follower = await asyncio.create_subprocess_exec(*command)
            with path.open("ab") as file:
                done = path.stat().st_size
                file.write(whole[done : done + len(whole) // 7])
            await on.until(lambda least=before: len(on.stored()) > least)  # type: ignore[misc]
            await asyncio.sleep(0.3 * (kill % 2))
            follower.kill()
            await follower.wait()
        with path.open("ab") as file:
            file.write(whole[path.stat().st_size :])
        follower = await asyncio.create_subprocess_exec(*command)
        await on.until(lambda: len(on.stored()) >= len(expected))
        follower.kill()
        await follower.wait()
        stored = on.stored()
    assert len({event.pop("id") for event in stored}) == len(stored)
    assert stored == expected
