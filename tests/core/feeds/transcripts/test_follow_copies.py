"""Sessions of Claude Code that copy each other's records, and sub-agents whose own file is missing."""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path
from typing import Any

import pytest
from roundwatch.core.feeds.transcripts.owners import Owners
from roundwatch.core.rounds import Ledger, classify, parse_event

from .claude_records import Script, lines, text, tool
from .following import Stage, stage


def talk(session: str, *answers: str) -> Script:
    script = Script(session)
    for number, words in enumerate(answers):
        script.user(f"question {number} of {session}")
        script.answer(f"{session}-m{number}", text(words), stop="end_turn")
    return script


def copy_of(script: Script, session: str) -> Script:
    """As a session that was taken up again begins: all records, under the new session's name."""
    copied = Script(session)
    copied.records = [{**record, "sessionId": session} for record in script.records]
    return copied


def write(path: Path, script: Script, *, age_s: int) -> None:
    path.parent.mkdir(exist_ok=True, parents=True)
    path.write_bytes(script.data)
    moment = path.stat().st_mtime - age_s
    os.utime(path, (moment, moment))


def ledger_of(on: Stage) -> Ledger:
    ledger = Ledger()
    ledger.apply_all(parse_event(event) for event in on.stored())
    return ledger


def tokens(on: Stage) -> int:
    return sum(call.usage.output_tokens or 0 for each in ledger_of(on).rounds.values() for call in each.calls)


async def once(on: Stage) -> None:
    """Follow as a new process does: with nothing but what is on disk."""
    with contextlib.closing(Owners(on.folder.parent / "owners.sqlite3")) as told:
        await on.follower(told).run_once()


@pytest.mark.parametrize("at_once", [True, False])
async def test_a_copied_session_with_a_new_name_counts_only_what_is_its_own(tmp_path: Path, at_once: bool) -> None:
    async with stage(tmp_path) as on:
        old = talk("old", "one", "two")
        new = copy_of(old, "new")
        new.user("go on")
        new.answer("new-m9", text("three"), stop="end_turn")
        write(on.folder / "z-old.jsonl", old, age_s=100)
        if not at_once:
            await once(on)
        write(on.folder / "a-new.jsonl", new, age_s=0)
        await once(on)
        assert sorted(on.texts()) == ["one", "three", "two"]
        assert tokens(on) == 15
        found = ledger_of(on).rounds
        assert list(found) == ["old", "old#2", "new"]
        assert found["new"].title == "go on"
        new.user("and on")
        new.answer("new-m10", text("four"), stop="end_turn")
        write(on.folder / "a-new.jsonl", new, age_s=0)
        await once(on)
        assert sorted(on.texts()) == ["four", "one", "three", "two"]


async def test_copies_of_records_with_new_ids_begin_no_empty_rounds(tmp_path: Path) -> None:
    async with stage(tmp_path) as on:
        old = talk("old", "one")
        new = copy_of(old, "new")
        new.records = [{**record, "uuid": f"other-{n}"} for n, record in enumerate(new.records)]
        new.user("go on")
        new.answer("new-m9", text("two"), stop="end_turn")
        write(on.folder / "old.jsonl", old, age_s=100)
        write(on.folder / "new.jsonl", new, age_s=0)
        await once(on)
        assert list(ledger_of(on).rounds) == ["old", "new"]


async def test_two_files_of_one_session_that_part_give_their_own_rounds_names_of_their_own(tmp_path: Path) -> None:
    async with stage(tmp_path) as on:
        first, again = talk("s", "one"), talk("s", "one")
        first.user("left")
        first.answer("l", text("two"), stop="end_turn")
        again.user("right", uuid="r1")
        again.answer("r", text("three"), stop="end_turn", uuid="r2")
        write(on.folder / "a.jsonl", first, age_s=100)
        write(on.folder / "b.jsonl", again, age_s=50)
        await once(on)
        again.user("right again", uuid="r3")
        again.answer("r2", text("four"), stop="end_turn", uuid="r4")
        write(on.folder / "b.jsonl", again, age_s=0)
        await once(on)
        assert sorted(on.texts()) == ["four", "one", "three", "two"]
        titles = [each.title for each in ledger_of(on).rounds.values()]
        assert len(titles) == len(set(titles)) == 4, titles


def parent_script(**result: Any) -> Script:
    script = Script("s1")
    script.user("go")
    script.answer("m1", tool("task1", "Task", prompt="look"), stop="tool_use")
    progress = {"type": "agent_progress", "agentId": "a7", "message": {"type": "user"}}
    script.add("progress", data=progress, parentToolUseID="task1", toolUseID="x")
    if result:
        script.result("task1", toolUseResult=result)
    return script


DONE = {"agentId": "a7", "status": "completed", "content": [text("It leaks.")], "totalTokens": 12}


async def test_a_sub_agent_without_a_file_ends_with_its_result(tmp_path: Path) -> None:
    async with stage(tmp_path) as on:
        path = on.folder / "s1.jsonl"
        path.write_bytes(parent_script().data)
        async with on.following():
            await on.until(lambda: "s1/a7" in ledger_of(on).rounds)
            assert not ledger_of(on).rounds["s1/a7"].is_over
            with path.open("ab") as file:
                file.write(lines(parent_script(**DONE).records[-1:]))
            await on.until(lambda: ledger_of(on).rounds["s1/a7"].is_over)
        found = ledger_of(on).rounds["s1/a7"]
        outcome = classify(found)
        assert (found.text, outcome.verdict, found.source) == ("It leaks.", "completed", "claude-code")
        assert "no_calls_recorded" in outcome.doubts
        assert [call.usage.output_tokens for call in found.calls] == []


@pytest.mark.parametrize("result", [{}, {"agentId": "a7", "isAsync": True, "status": "async_launched"}])
async def test_a_sub_agent_of_which_nothing_more_is_known_ends_with_its_parents_file(
    tmp_path: Path, result: dict[str, Any]
) -> None:
    async with stage(tmp_path) as on:
        (on.folder / "s1.jsonl").write_bytes(parent_script(**result).data)
        await on.follower().run_once()
        found = ledger_of(on).rounds["s1/a7"]
        assert found.is_over
        assert classify(found).verdict == "completed"
        assert {"no_calls_recorded", "text_not_recorded"} <= set(classify(found).doubts)


async def test_a_sub_agent_with_a_file_is_told_by_that_alone(tmp_path: Path) -> None:
    async with stage(tmp_path) as on:
        (on.folder / "s1.jsonl").write_bytes(parent_script(**DONE).data)
        own = Script("s1", isSidechain=True, agentId="a7")
        own.user("look")
        own.answer("n1", text("It leaks."), stop="end_turn")
        write(on.folder / "s1" / "subagents" / "agent-a7.jsonl", own, age_s=0)
        await on.follower().run_once()
        assert not [event for event in on.stored() if event["type"] == "round.output"]
        assert json.dumps(on.stored()).count("It leaks.") == 1


async def test_the_same_words_at_the_same_moment_in_two_sessions_are_two_prompts(tmp_path: Path) -> None:
    async with stage(tmp_path) as on:
        for session in ("one", "two"):
            script = Script(session)
            script.user("go")
            write(on.folder / f"{session}.jsonl", script, age_s=0)
        await once(on)
        found = ledger_of(on).rounds
        assert {name: each.title for name, each in found.items()} == {"one": "go", "two": "go"}
