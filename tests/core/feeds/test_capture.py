from __future__ import annotations

import pytest
from roundwatch.core.feeds import Capture
from roundwatch.core.feeds.capture import GONE, PREVIEW_CHARS, Censor, Secrets
from roundwatch.core.rounds.base import CallError, CallOutcome, OutputKind
from roundwatch.core.rounds.events import CallFinished, CallOutput, ToolRequested

NONE = Secrets([])
LONG = "word " * PREVIEW_CHARS


def output(censor: Censor, text: str) -> tuple[str | None, int | None]:
    event = censor.event(CallOutput(round="r", call="c", kind=OutputKind.TEXT, text=text))
    assert isinstance(event, CallOutput)
    return event.text, event.chars


def arguments(censor: Censor, text: str) -> str | None:
    event = censor.event(ToolRequested(round="r", call="c", tool_call="t", name="n", arguments=text))
    assert isinstance(event, ToolRequested)
    return event.arguments


def test_full_keeps_everything() -> None:
    censor = Censor(Capture.FULL, NONE)

    assert output(censor, LONG) == (LONG, None)
    assert arguments(censor, LONG) == LONG


def test_preview_keeps_the_beginning_of_a_call_and_every_length() -> None:
    censor = Censor(Capture.PREVIEW, NONE)

    assert output(censor, "Hello.") == ("Hello.", None)
    assert output(censor, LONG) == (LONG[: PREVIEW_CHARS - 6], len(LONG))
    assert output(censor, "more") == (None, 4)


def test_preview_leaves_long_arguments_out_whole_since_a_part_would_look_cut() -> None:
    censor = Censor(Capture.PREVIEW, NONE)

    assert arguments(censor, '{"a": 1}') == '{"a": 1}'
    assert arguments(censor, LONG) is None


def test_none_keeps_lengths_only_and_blank_text_is_no_visible_output() -> None:
    censor = Censor(Capture.NONE, NONE)

    assert output(censor, "Hello.") == (None, 6)
    assert output(censor, " \n") == (None, 0)
    assert arguments(censor, "{}") is None
    assert arguments(censor, "") == ""
    assert censor.title("Hello") is None
    assert censor.result("Hello") is None


def test_secrets_of_headers_and_query_are_taken_out_of_every_text() -> None:
    headers = [
        (b"Authorization", b"Bearer secret-one"),
        (b"Cookie", b"a=secret-two; b=1"),
        (b"X-Other", b"not-a-secret"),
    ]
    censor = Censor(Capture.FULL, Secrets(headers, "key=secret%2Dthree&alt=sse"))
    said = "secret-one secret-two secret-three not-a-secret sse"

    assert output(censor, said) == ("[…] […] […] not-a-secret sse", None)
    assert arguments(censor, said) == "[…] […] […] not-a-secret sse"
    assert censor.title(said) == "[…] […] […] not-a-secret sse"
    assert censor.result(said) == "[…] […] […] not-a-secret sse"
    error = CallError(kind="x", message="bad key secret-one")
    event = censor.event(CallFinished(round="r", call="c", outcome=CallOutcome.FAILED, error=error))
    assert isinstance(event, CallFinished)
    assert event.error is not None
    assert event.error.message == "bad key […]"


def test_a_title_is_one_short_line() -> None:
    title = Censor(Capture.PREVIEW, NONE).title("a\n b\t" + LONG)

    assert title is not None
    assert title.startswith("a b word")
    assert len(title) <= 120


@pytest.mark.parametrize("at", [0, 100, 190])
def test_a_long_key_is_taken_out_even_where_the_text_is_cut_inside_it(at: int) -> None:
    token = "header." + "x" * 3000
    censor = Censor(Capture.PREVIEW, Secrets([(b"Authorization", f"Bearer {token}".encode())]))
    text = " " * (2 * at) + "a" * at + token

    for shown in (censor.title(text), censor.result(text)):
        assert shown is not None
        assert "header." not in shown
        assert "xxxx" not in shown


def test_a_password_is_known_as_it_is_spelled_out_too() -> None:
    secrets = Secrets([(b"Proxy-Authorization", b"Basic dXNlcjpvcGVuLXNlc2FtZQ=="), (b"Authorization", b"Basic !")])

    assert secrets.out_of("user:open-sesame, open-sesame, dXNlcjpvcGVuLXNlc2FtZQ==") == f"{GONE}, {GONE}, {GONE}"


def test_more_secrets_may_come_with_the_body() -> None:
    censor = Censor(Capture.FULL, Secrets([]))
    censor.keep_out(["a-key-of-somebody", "short"])

    assert censor.title("a-key-of-somebody is short") == f"{GONE} is short"
