from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roundwatch.core.rounds import ToolCall
from roundwatch.core.rounds.events import RoundSuspended, ToolRefused
from roundwatch.core.runner import Permission, Settings, Tool, ToolContext
from roundwatch.core.runner.admission import arguments_of
from roundwatch.core.runner.script import Counts, Finish, Reply, Text, ToolUse
from roundwatch.core.runner.tools import Arguments

from tests.core.runner.stand import NOTHING_REPAIRED, Stand

ASKS = Reply((ToolUse("send", '{"to": "Anna"}'), Finish("tool_calls")), Counts(1, 1))
ANSWER = Reply((Text("Done."), Finish("stop")), Counts(1, 1))


async def _send(arguments: Arguments, context: ToolContext) -> str:
    return "sent"


@pytest.mark.parametrize("answer", [True, False])
async def test_the_settings_name_who_is_asked_for_every_tool(stand: Stand, answer: bool) -> None:
    asked: list[tuple[str, Arguments]] = []

    async def approver(name: str, arguments: Arguments) -> bool:
        asked.append((name, arguments))
        return answer

    stand.settings = Settings(rules=NOTHING_REPAIRED, approver=approver)
    await stand.run([ASKS, ANSWER], [Tool("send", _send, permission=Permission.ASK)])
    assert asked == [("send", {"to": "Anna"})]
    assert len(stand.only(ToolRefused)) == (0 if answer else 1)


async def test_a_tool_that_names_somebody_itself_is_decided_there(stand: Stand) -> None:
    async def never(name: str, arguments: Arguments) -> bool:
        raise AssertionError("the tool names somebody itself")

    async def yes(arguments: Arguments) -> bool:
        return True

    stand.settings = Settings(rules=NOTHING_REPAIRED, approver=never)
    outcome = await stand.run([ASKS, ANSWER], [Tool("send", _send, permission=Permission.ASK, approve=yes)])
    assert outcome.is_answer
    assert len(stand.only(RoundSuspended)) == 1


def call_with(arguments: str | None, *, complete: bool | None = True) -> ToolCall:
    return ToolCall("c", "t", "read", arguments=arguments, complete=complete)


@pytest.mark.parametrize("arguments", ["", None, "{}"])
def test_no_arguments_on_a_whole_call_are_an_empty_object(arguments: str | None) -> None:
    assert arguments_of(call_with(arguments)).ok
    assert arguments_of(call_with(arguments)).args == {}


@pytest.mark.parametrize(
    ("arguments", "complete"),
    [("", False), ("  ", True), ("[1]", True), ('"x"', True), ("null", True), ('{"a": 1}', False), ("[" * 9999, True)],
)
def test_what_is_no_whole_object_is_not_usable(arguments: str, complete: bool) -> None:
    parsed = arguments_of(call_with(arguments, complete=complete))
    assert not parsed.ok
    assert parsed.args == {}
    assert parsed.length == len(arguments)


@given(st.text(max_size=30))
def test_an_error_about_arguments_never_quotes_them(text: str) -> None:
    parsed = arguments_of(call_with("zq" + text))
    assert not parsed.ok
    assert "zq" not in f"{parsed.model_text}{parsed.log_line}{parsed!r}"
