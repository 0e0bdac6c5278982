from __future__ import annotations

import pytest
from roundwatch.core.feeds import Capture
from roundwatch.core.feeds.capture import PREVIEW_CHARS, STREAMS, Censor
from roundwatch.core.feeds.key_shapes import GONE
from roundwatch.core.feeds.request_secrets import Secrets
from roundwatch.core.rounds.base import CallError, CallOutcome, ChoiceEnd, OutputKind, Parent
from roundwatch.core.rounds.events import (
    CallFinished,
    CallOutput,
    CallStarted,
    CallUsage,
    Event,
    RoundStarted,
    RoundWarning,
    ToolRequested,
)

NONE = Secrets([])
LONG = "word " * PREVIEW_CHARS


def output(censor: Censor, text: str) -> tuple[str | None, int | None]:
    (event,) = censor.all([CallOutput(round="r", call="c", kind=OutputKind.TEXT, text=text)])
    assert isinstance(event, CallOutput)
    return event.text, event.chars


def arguments(censor: Censor, text: str) -> str | None:
    (event,) = censor.all([ToolRequested(round="r", call="c", tool_call="t", name="n", arguments=text)])
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
    said = "secret-one secret-two secret-three not-a-secret sse."

    assert output(censor, said) == ("[…] […] […] not-a-secret sse.", None)
    assert arguments(censor, said) == "[…] […] […] not-a-secret sse."
    assert censor.title(said) == "[…] […] […] not-a-secret sse."
    assert censor.result(said) == "[…] […] […] not-a-secret sse."
    error = CallError(kind="x", message="bad key secret-one")
    (event,) = censor.all([CallFinished(round="r", call="c", outcome=CallOutcome.FAILED, error=error)])
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


def test_more_secrets_may_come_with_the_body() -> None:
    censor = Censor(Capture.FULL, Secrets([]))
    censor.keep_out(["a-key-of-somebody", "short"])

    assert censor.title("a-key-of-somebody is short") == f"{GONE} is short"


KEY = "a-key-of-somebody"
SHAPED = "sk-proj-" + "x1" * 20


def said(*pieces: str, kind: OutputKind = OutputKind.TEXT, choice: int | None = None) -> list[Event]:
    return [CallOutput(round="r", call="c", kind=kind, text=piece, choice=choice) for piece in pieces]


def texts(events: list[Event]) -> str:
    return "".join(event.text or "" for event in events if isinstance(event, CallOutput))


END = CallFinished(round="r", call="c", outcome=CallOutcome.COMPLETED)


@pytest.mark.parametrize("key", [KEY, SHAPED])
def test_every_field_that_holds_words_of_others_is_free_of_secrets(key: str) -> None:
    censor = Censor(Capture.FULL, Secrets([(b"x-api-key", KEY.encode())]))
    events: list[Event] = [
        RoundStarted(round=key, thread=key, agent=key, title=key, model=key, parent=Parent(round=key, tool_call=key)),
        CallStarted(round=key, call="c1", model=f"models/{key}", wire="openai-chat", provider="up"),
        CallOutput(round=key, call="c1", kind=OutputKind.TOOL_ARGUMENTS, text="{", tool_call=key),
        ToolRequested(round=key, call="c1", tool_call=key, name=key, arguments=f'{{"a": "{key}"}}'),
        CallFinished(
            round=key,
            call="c1",
            outcome=CallOutcome.FAILED,
            finish_reason=key,
            native_finish_reason=key,
            finish_detail=f"stopped at {key}",
            finish_repeated=("stop", key),
            choices=(ChoiceEnd(index=0, finish_reason=key),),
            error=CallError(kind=key, code=key, message=f"bad {key}"),
        ),
        RoundWarning(round=key, code="next_request_missing", message=key, facts={key: [key], "n": 1}),
    ]

    told = censor.all([event.model_copy(update={"round": censor.name(key)}) for event in events])

    assert len(told) == len(events)
    assert key not in "".join(event.model_dump_json() for event in told)
    assert isinstance(told[1], CallStarted)
    assert (told[1].model, told[1].wire, told[1].provider) == (f"models/{GONE}", "openai-chat", "up")


def test_names_with_a_secret_stay_distinct_and_others_stay_as_they_are() -> None:
    censor = Censor(Capture.FULL, Secrets([(b"x-api-key", KEY.encode())]))

    assert censor.name("call_1") == "call_1"
    assert censor.name(KEY + "1") == censor.name(KEY + "1") != censor.name(KEY + "2")


@pytest.mark.parametrize("capture", [Capture.PREVIEW, Capture.FULL])
@pytest.mark.parametrize("key", [KEY, SHAPED, f"Bearer {'q' * 30}"])
def test_a_secret_is_taken_out_wherever_two_pieces_split_it(capture: Capture, key: str) -> None:
    for at in range(len(key) + 1):
        censor = Censor(capture, Secrets([(b"x-api-key", KEY.encode())]))
        told = censor.all(said("It is ")) + censor.all(said(key[:at])) + censor.all(said(key[at:] + ", I say"))
        told += censor.all([END])

        assert texts(told) == f"It is {GONE}, I say"
        assert told[-1] == END


def test_the_end_that_waited_is_told_with_the_next_piece_or_before_the_next_thing() -> None:
    censor = Censor(Capture.FULL, Secrets([(b"x-api-key", KEY.encode())]))

    assert texts(censor.all(said("Here is a"))) == "Here is "
    assert texts(censor.all(said(" cat"))) == "a cat"
    assert censor.all(said(" a")) != []
    reasoning = said("Hm.", kind=OutputKind.REASONING)
    assert censor.all(reasoning) == [*said("a"), *reasoning]
    assert censor.all(said("a")) == []
    assert censor.all([END]) == [*said("a"), END]


def test_a_running_count_is_told_without_the_end_that_waits() -> None:
    censor = Censor(Capture.FULL, Secrets([(b"x-api-key", KEY.encode())]))
    report = CallUsage.model_validate({"round": "r", "call": "c", "usage": {"output_tokens": 3}})

    assert censor.all([*said("a"), report]) == [report]
    assert texts(censor.all([*said("-key-of-somebody"), END])) == GONE


def test_a_secret_that_something_came_into_the_middle_of_is_cut_off() -> None:
    censor = Censor(Capture.FULL, Secrets([(b"x-api-key", KEY.encode())]))
    tool = ToolRequested(round="r", call="c", tool_call="t", name="n")
    told = censor.all([*said(KEY[:5]), tool, *said(KEY[5:], " and on"), END])

    assert texts(told) == KEY[:5] + GONE + " and on"
    told = Censor(Capture.FULL, Secrets([(b"x-api-key", KEY.encode())])).all([*said(KEY[:12]), tool, *said(KEY[12:])])
    assert KEY[:9] not in texts(told)


def test_an_answer_that_is_cut_inside_a_secret_gives_nothing_of_it_away() -> None:
    censor = Censor(Capture.FULL, Secrets([(b"x-api-key", KEY.encode())]))

    assert texts(censor.all([*said("It is " + KEY[:-1]), END])) == f"It is {GONE}"


def test_answers_side_by_side_do_not_disturb_each_other() -> None:
    censor = Censor(Capture.FULL, Secrets([(b"x-api-key", KEY.encode())]))
    told = censor.all([*said(KEY[:9], choice=0), *said(KEY[:5], choice=1), *said(KEY[9:], choice=0)])
    told += censor.all([*said(KEY[5:], choice=1), END])

    assert texts(told) == GONE + GONE


def test_lengths_stay_complete_while_an_end_waits() -> None:
    pieces = ["Here is a", "-k", "ettle, a", "nd a", " key: a-key-of-", "somebody", LONG, "more"]
    censor = Censor(Capture.PREVIEW, Secrets([(b"x-api-key", KEY.encode())]))
    told = [event for event in censor.all([*said(*pieces), END]) if isinstance(event, CallOutput)]

    assert sum(max(len(event.text or ""), event.chars or 0) for event in told) == len("".join(pieces))


def test_more_answers_at_a_time_than_a_model_gives_lose_nothing() -> None:
    censor = Censor(Capture.FULL, Secrets([(b"x-api-key", KEY.encode())]))
    told = censor.all([event for n in range(3 * STREAMS) for event in said("a", choice=n)] + [END])

    assert texts(told) == "a" * 3 * STREAMS
