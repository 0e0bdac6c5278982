from __future__ import annotations

import pytest
from roundwatch.core.feeds.transcripts.claude_texts import Said, asked, refused_why, said_by


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Mend the roof", Said.PROMPT),
        ("  \n", Said.NOTHING),
        ("[Request interrupted by user for tool use]", Said.INTERRUPT),
        ("<command-message>init</command-message>", Said.COMMAND),
        ("<local-command-stderr>no</local-command-stderr>", Said.COMMAND_DONE),
        ("<bash-stdout>a</bash-stdout>", Said.NOTHING),
        ("\n<task-notification>\n", Said.NOTICE),
        ("He wrote [Request interrupted by user", Said.PROMPT),
    ],
)
def test_the_beginning_of_a_text_tells_what_it_is(text: str, said: Said) -> None:
    assert said_by({}, text) is said


def test_a_record_can_say_who_speaks() -> None:
    assert said_by({"isMeta": True}, "Mend the roof") is Said.NOTHING
    assert said_by({"isMeta": False}, "Mend the roof") is Said.PROMPT
    assert said_by({"isMeta": True}, "[Request interrupted by user]") is Said.INTERRUPT
    assert said_by({"origin": {"kind": "task-notification"}}, "The build is over") is Said.NOTICE
    assert said_by({"origin": {"kind": "human"}}, "Mend the roof") is Said.PROMPT


def test_titles_say_what_was_asked() -> None:
    command = (
        "<command-message>x</command-message><command-name>/review</command-name><command-args> a b</command-args>"
    )
    assert asked(command).split() == ["/review", "a", "b"]
    assert asked("<task-notification><summary>It is over</summary>") == "It is over"
    assert asked("Mend the roof") == "Mend the roof"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("The user doesn't want to take this action right now. STOP", "permission"),
        ("Permission to use Bash with command rm has been denied.", "permission"),
        ("Claude requested permissions to write to /x, but you haven't granted it yet.", "permission"),
        ("[Request interrupted by user for tool use]", "interrupted"),
        ("<tool_use_error>Cancelled: parallel tool call Bash errored</tool_use_error>", "interrupted"),
        ("<tool_use_error>Error: No such tool available: Fly</tool_use_error>", "unknown_tool"),
        ("PreToolUse:Bash hook error: [check.sh]: no", "policy"),
        ("Exit code 1", None),
        ("grep found: The user doesn't want to proceed with this tool use", None),
    ],
)
def test_an_error_in_place_of_a_result_tells_why(text: str, why: str | None) -> None:
    assert refused_why({}, {"is_error": True}, text) == why
    assert refused_why({}, {"is_error": False}, text) is None


def test_newer_records_name_the_kind_of_the_refusal() -> None:
    assert refused_why({"toolDenialKind": "user-rejected"}, {}, "") == "permission"
    assert refused_why({"toolDenialKind": "hook"}, {}, "") == "policy"
