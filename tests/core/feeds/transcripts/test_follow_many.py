"""Many transcripts at the same time: what is held open for them is bounded."""

from __future__ import annotations

from pathlib import Path

import pytest
from roundwatch.core.feeds.transcripts import follow

from .following import stage
from .foreign_records import PI_HEAD, lines, pi_answer, pi_prompt

FILES = 12


async def test_connections_and_open_files_are_bounded_and_a_file_that_was_let_go_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(follow, "MOST_CONNECTED", 2)
    monkeypatch.setattr(follow, "MOST_OPEN", 4)
    async with stage(tmp_path) as on:
        paths = [on.folder / f"s{number}.jsonl" for number in range(FILES)]
        for number, path in enumerate(paths):
            path.write_bytes(lines({**PI_HEAD, "id": f"pi-{number}"}, pi_prompt("question"), pi_answer(f"a{number}")))
        async with on.following() as follower:
            first = [f"a{number}" for number in range(FILES)]
            await on.until_texts(*first)
            files = follower.files.values()
            await on.until(lambda: sum(file.is_connected for file in files) <= 2)
            await on.until(lambda: sum(file.is_open for file in files) <= 4)
            for number, path in enumerate(paths):
                with path.open("ab") as file:
                    file.write(lines(pi_prompt("and then?"), pi_answer(f"b{number}")))
            await on.until_texts(*first, *(f"b{number}" for number in range(FILES)))
