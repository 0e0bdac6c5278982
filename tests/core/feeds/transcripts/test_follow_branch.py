from __future__ import annotations

from pathlib import Path

import pytest
from roundwatch.core.feeds.transcripts import follow_branch
from roundwatch.core.feeds.transcripts.follow_branch import branch_name, goes_its_own_way

from .following import stage
from .foreign_records import PI_HEAD, lines, pi_answer, pi_prompt

HEAD = lines(PI_HEAD, pi_prompt("question"))


@pytest.mark.parametrize(
    ("ours", "theirs", "own_way"),
    [
        (b"abc", b"abc", False),
        (b"abc", b"abcdef", False),
        (b"abcdef", b"abc", True),
        (b"abX", b"abcdef", True),
        (b"", b"abc", False),
    ],
)
def test_only_a_beginning_of_the_other_is_a_copy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ours: bytes, theirs: bytes, own_way: bool
) -> None:
    monkeypatch.setattr(follow_branch, "PIECE_BYTES", 2)
    (tmp_path / "ours").write_bytes(ours)
    (tmp_path / "theirs").write_bytes(theirs)
    assert goes_its_own_way(tmp_path / "ours", tmp_path / "theirs") is own_way


def test_without_the_other_file_nothing_shows_more_than_a_copy(tmp_path: Path) -> None:
    (tmp_path / "ours").write_bytes(b"x")
    assert not goes_its_own_way(tmp_path / "ours", tmp_path / "gone")


def test_each_branch_has_a_name_of_its_own_that_stays() -> None:
    assert branch_name("p", "a.jsonl") == branch_name("p", "a.jsonl") != branch_name("p", "b.jsonl")


async def test_a_session_that_was_taken_up_again_in_another_file_loses_nothing(tmp_path: Path) -> None:
    async with stage(tmp_path) as on:
        first, again = on.folder / "a.jsonl", on.folder / "b.jsonl"
        first.write_bytes(HEAD + lines(pi_answer("one")))
        await on.follower().run_once()
        again.write_bytes(HEAD + lines(pi_answer("one"), pi_answer("two")))
        await on.follower().run_once()
        with first.open("ab") as file:
            file.write(lines(pi_answer("three")))
        await on.follower().run_once()
        assert {"one", "two", "three"} <= set(on.texts())
