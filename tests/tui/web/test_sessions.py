from __future__ import annotations

import pytest
from roundwatch.tui.web.sessions import LASTS_S, MOST_BROWSERS, Sessions


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def opened(sessions: Sessions) -> str:
    cookie = sessions.open("the-token")
    assert cookie is not None
    return cookie


@pytest.mark.parametrize("token", ["", "the-toke", "the-token ", "THE-TOKEN", "\ud800"])
def test_only_the_token_opens(token: str) -> None:
    assert Sessions("the-token").open(token) is None


def test_each_browser_has_a_cookie_of_its_own() -> None:
    sessions = Sessions("the-token")
    first, second = opened(sessions), opened(sessions)
    assert first != second
    assert sessions.knows(first)
    assert sessions.knows(second)
    assert not sessions.knows(None)
    assert not sessions.knows("")
    assert not Sessions("the-token").knows(first)


def test_a_cookie_ends_after_a_working_day() -> None:
    clock = Clock()
    sessions = Sessions("the-token", monotonic=clock)
    cookie = opened(sessions)
    clock.now = LASTS_S - 1
    assert sessions.knows(cookie)
    clock.now = LASTS_S
    assert not sessions.knows(cookie)


def test_the_oldest_gives_way_when_there_are_too_many() -> None:
    sessions = Sessions("the-token")
    cookies = [opened(sessions) for _ in range(MOST_BROWSERS + 1)]
    assert [sessions.knows(cookie) for cookie in cookies] == [False, *[True] * MOST_BROWSERS]


def test_nothing_of_the_secrets_is_in_its_representation() -> None:
    sessions = Sessions("the-token")
    cookie = opened(sessions)
    assert "the-token" not in repr(sessions)
    assert cookie not in repr(vars(sessions))
