from __future__ import annotations

from datetime import UTC, datetime

import pytest
from roundwatch.core.feeds import Capture
from roundwatch.core.feeds.asked import ToolResult
from roundwatch.core.feeds.capture import Censor
from roundwatch.core.feeds.identity import Identity
from roundwatch.core.feeds.pending_tools import Pending
from roundwatch.core.feeds.placed_events import answered, left, opened
from roundwatch.core.feeds.request_secrets import Secrets
from roundwatch.core.feeds.rounds_book import Answered, FoundRound, Placed
from roundwatch.core.rounds.base import Parent, RefusedWhy
from roundwatch.core.rounds.events import RoundFinished, RoundStarted, ToolFinished, ToolRefused

AT = datetime(2026, 1, 2, tzinfo=UTC)
CENSOR = Censor(Capture.PREVIEW, Secrets([(b"x-api-key", b"a-key-of-somebody")]))


def answer(text: str, *, is_error: bool | None = None, refused: RefusedWhy | None = None) -> Answered:
    tool = Pending("c1", "t1", "read", told_id="told")
    return Answered(FoundRound("r", "t", ()), tool, ToolResult("t1", None, text, is_error), refused)


@pytest.mark.parametrize(
    ("text", "is_error", "ok"),
    [("a map", None, True), ("Error: no map", None, False), ("Error: no map", False, True), ("a map", True, False)],
)
def test_a_result_is_good_or_bad_by_its_flag_and_else_by_its_words(text: str, is_error: bool | None, ok: bool) -> None:
    event = answered(answer(text, is_error=is_error), CENSOR)

    assert isinstance(event, ToolFinished)
    assert (event.tool_call, event.call, event.ok) == ("told", "c1", ok)
    assert (event.preview, event.error) == ((text, None) if ok else (None, text))


def test_a_refusal_keeps_its_words_but_no_secret() -> None:
    event = answered(answer("no, says a-key-of-somebody", refused=RefusedWhy.PERMISSION), CENSOR)

    assert event == ToolRefused(
        round="r", call="c1", tool_call="told", why=RefusedWhy.PERMISSION, message="no, says […]"
    )


def test_a_round_that_was_left_is_over() -> None:
    old = FoundRound("old", "t", ())

    assert left(Placed(FoundRound("r", "t", ()), True, [], left=old)) == [RoundFinished(round="old")]
    assert old.is_over
    assert left(Placed(old, True, [])) == []


def test_only_a_new_round_is_opened_and_by_its_agent_s_name_before_its_program_s() -> None:
    new = FoundRound("r", "t", ())
    who = Identity(agent="scout", client="tool/1")

    (event,) = opened(Placed(new, True, [], parent="p"), who, "Where?", "m", AT)
    assert event == RoundStarted(
        round="r", at=AT, thread="t", agent="scout", title="Where?", model="m", parent=Parent(round="p"), harness="api"
    )
    assert opened(Placed(new, False, []), who, None, None, AT) == []
    assert opened(Placed(new, True, [], began_before=True), who, None, None, AT) == []
