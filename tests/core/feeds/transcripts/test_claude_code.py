from __future__ import annotations

import json

import pytest
from roundwatch.core.feeds.transcripts.claude_code import ClaudeCode
from roundwatch.core.feeds.transcripts.seen import Seen
from roundwatch.core.rounds import Ledger, classify
from roundwatch.core.rounds.base import Parent
from roundwatch.core.rounds.events import RoundStarted

from tests.core.feeds.transcripts.claude_records import Script, lines, rounds, text, told, tool

AGENT_FILE = "projects/p/s1/subagents/agent-a7.jsonl"


def agent_script() -> Script:
    script = Script(isSidechain=True, agentId="a7")
    script.user("Look at the roof")
    script.answer("n1", tool("t1"), stop="tool_use")
    script.add("attachment", attachment={"type": "hook_success"})
    script.result("t1", parentUuid="of the attachment")
    script.answer("n2", text("It leaks."), stop="end_turn")
    return script


def parents(events: list[object]) -> list[Parent | None]:
    return [event.parent for event in events if isinstance(event, RoundStarted) and event.round == "s1/a7"]


def test_a_sub_agents_file_is_a_round_under_its_session() -> None:
    (found,) = rounds(agent_script().data).values()
    assert (found.id, found.agent, found.parent, found.thread) == ("s1/a7", "a7", Parent(round="s1"), "s1")
    assert (len(found.calls), classify(found).verdict) == (2, "completed")


def test_the_files_name_tells_the_sub_agent_and_session_where_its_records_do_not() -> None:
    script = Script()
    script.user("Look at the roof", isSidechain=True)
    for record in script.records:
        del record["sessionId"]
    (start,) = [event for event in told(script.data, AGENT_FILE) if isinstance(event, RoundStarted)]
    assert (start.round, start.agent) == ("s1/a7", "a7")


def test_a_sub_agent_that_is_asked_again_begins_its_next_round() -> None:
    script = agent_script()
    script.user("And the door")
    assert list(rounds(script.data)) == ["s1/a7", "s1/a7#2"]


@pytest.mark.parametrize("name", ["agent-a7.jsonl", "session.jsonl"])
def test_a_file_beside_the_sessions_is_told_by_its_records(name: str) -> None:
    assert {event.round for event in told(agent_script().data, name)} == {"s1/a7"}  # type: ignore[union-attr]


def main_script(*, by_progress: bool) -> Script:
    script = Script()
    script.user("First")
    script.answer("m1", text("Yes."), stop="end_turn")
    script.user("Second")
    script.answer("m2", tool("task1", "Task", prompt="Look at the roof"), stop="tool_use")
    if by_progress:
        for _ in range(2):
            progress = {"type": "agent_progress", "agentId": "a7", "message": {"type": "user"}}
            script.add("progress", data=progress, parentToolUseID="task1", toolUseID="x")
    else:
        script.result("task1", toolUseResult={"agentId": "a7", "totalDurationMs": 5})
    return script


@pytest.mark.parametrize("by_progress", [True, False])
def test_the_session_tells_which_round_and_tool_call_started_a_sub_agent(by_progress: bool) -> None:
    exact = Parent(round="s1#2", tool_call="task1")
    assert parents(list(told(main_script(by_progress=by_progress).data))) == [exact]


def test_what_the_session_told_holds_for_a_sub_agents_file_that_is_read_later() -> None:
    seen = Seen()
    told(main_script(by_progress=False).data, "s1.jsonl", seen)
    assert parents(list(told(agent_script().data, AGENT_FILE, seen))) == [Parent(round="s1#2", tool_call="task1")]


def test_what_the_session_tells_later_corrects_a_sub_agents_first_parent() -> None:
    seen, ledger = Seen(), Ledger()
    ledger.apply_all(told(agent_script().data, AGENT_FILE, seen))
    ledger.apply_all(told(main_script(by_progress=False).data, "s1.jsonl", seen))
    assert ledger.rounds["s1/a7"].parent == Parent(round="s1#2", tool_call="task1")
    assert "s1/a7" in ledger.rounds["s1#2"].children


def test_older_files_hold_their_sub_agents_and_the_prompt_tells_who_asked() -> None:
    script = Script()
    script.user("Go")
    script.answer("m1", tool("task1", "Task", prompt="Look at the roof"), stop="tool_use")
    first = script.user("Look at the roof", isSidechain=True, parentUuid=None)
    script.answer("n1", text("It leaks."), stop="end_turn", isSidechain=True, parentUuid=first["uuid"])
    script.result("task1")
    script.answer("m2", text("It leaks, I hear."), stop="end_turn")
    found = rounds(script.data)
    name = f"s1/{first['uuid']}"
    assert list(found) == ["s1", name]
    assert (found[name].text, found[name].parent) == ("It leaks.", Parent(round="s1", tool_call="task1"))
    assert found["s1"].text == "It leaks, I hear."


def test_a_session_without_any_name_has_one() -> None:
    record = {"type": "user", "message": {"content": "Go"}}
    assert [event.round for event in told(lines([record]), "")] == ["claude-code", "claude-code"]  # type: ignore[union-attr]


def test_copies_within_a_file_count_once() -> None:
    script = Script()
    script.user("Go")
    script.answer("m1", tool("t1"), stop="tool_use", output=9)
    script.result("t1")
    script.answer("m2", text("Done."), stop="end_turn")
    assert told(script.data + script.data) == told(script.data)


def test_an_answer_that_comes_again_in_a_later_round_was_counted_already() -> None:
    script = Script()
    script.user("Go")
    script.answer("m1", text("Done."), stop="end_turn")
    script.user("More")
    script.answer("m1", text("Done."), stop="end_turn")
    assert [len(found.calls) for found in rounds(script.data).values()] == [1, 0]


def test_a_resumed_session_tells_only_what_is_new() -> None:
    old, new = Script("s1"), Script("s2")
    old.user("Go")
    old.answer("m1", text("Done."), stop="end_turn")
    new.records = [{**record, "sessionId": "s2"} for record in old.records]
    new.user("More")
    new.answer("m2", text("More done."), stop="end_turn")
    seen, ledger = Seen(), Ledger()
    ledger.apply_all(told(old.data, "s1.jsonl", seen))
    ledger.apply_all(told(new.data, "s2.jsonl", seen))
    assert {name: found.text for name, found in ledger.rounds.items()} == {"s1": "Done.", "s2": "More done."}
    assert ledger.rounds["s2"].title == "More"


def test_what_a_fork_says_to_be_copied_is_left_out_even_where_the_other_file_is_gone() -> None:
    script = Script("s2", forkedFrom={"sessionId": "s1", "messageUuid": "u"})
    script.user("Go")
    script.answer("m1", text("Done."), stop="end_turn")
    del script.common["forkedFrom"]
    script.user("More")
    (found,) = rounds(script.data).values()
    assert (found.id, found.title) == ("s2", "More")


def test_lines_without_anything_for_us_are_not_even_read() -> None:
    script = Script()
    script.user("Go")
    script.answer("m1", tool("t1", path="a"), stop="tool_use")
    script.add("progress", data={"type": "hook_progress", "hookEvent": "x"}, parentToolUseID="t1")
    snapshot: dict[str, object] = {"type": "file-history-snapshot", "messageId": "m", "snapshot": {}}
    nested = {"type": "progress", "data": {"type": "hook_progress"}}
    script.answer("m2", {"type": "tool_use", "id": "t2", "name": "Write", "input": nested}, stop="tool_use")
    transcript = ClaudeCode("s1.jsonl")
    skipped = [transcript.skips(line) for line in script.data.splitlines()]
    assert skipped == [False, False, True, False]
    assert transcript.skips(json.dumps(snapshot, separators=(",", ":")).encode())


def test_progress_of_a_placed_sub_agent_is_not_read_again() -> None:
    script = main_script(by_progress=True)
    transcript = ClaudeCode("s1.jsonl")
    transcript.feed(script.data)
    assert transcript.skips(script.data.splitlines()[-1])


def test_an_image_alone_is_a_prompt() -> None:
    script = Script()
    script.user([{"type": "image", "source": {}}])
    (found,) = rounds(script.data).values()
    assert found.title == "[image]"


def test_an_interrupt_beside_a_result_counts() -> None:
    script = Script()
    script.user("Go")
    script.answer("m1", tool("t1"), stop="tool_use")
    script.user(
        [{"type": "tool_result", "tool_use_id": "t1", "content": "half"}, text("[Request interrupted by user]")]
    )
    (found,) = rounds(script.data).values()
    assert classify(found).verdict == "cancelled"
