from __future__ import annotations

import asyncio
import errno
import io
import os

import pytest
from roundwatch.tui.cli.arriving import arriving
from roundwatch.tui.cli.event_lines import EventLines
from roundwatch.tui.cli.failure import CommandFailed


async def test_a_line_is_there_before_the_next_one_is_written() -> None:
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as file:
        lines = arriving(EventLines("pipe", file))
        for number in (1, 2, 3):
            os.write(writing, b"x%d\n" % number)
            async with asyncio.timeout(30):
                assert await anext(lines) == (number, b"x%d" % number)
        os.close(writing)

        assert [item async for item in lines] == []


async def test_more_lines_than_are_held_at_once_all_arrive() -> None:
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as file:
        os.write(writing, b"x\n" * 5000)
        os.close(writing)

        assert len([item async for item in arriving(EventLines("pipe", file))]) == 5000


class Broken(io.BytesIO):
    """A disk that fails."""

    def readline(self, size: int | None = -1, /) -> bytes:
        raise OSError(errno.EIO, os.strerror(errno.EIO))


async def test_a_failing_disk_is_told_where_the_lines_are_read() -> None:
    with pytest.raises(CommandFailed) as raised:
        async for _ in arriving(EventLines("events.jsonl", Broken())):
            pass

    assert raised.value.values["file"] == "events.jsonl"
