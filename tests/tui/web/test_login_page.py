from __future__ import annotations

import pytest
from roundwatch.core.texts import Texts
from roundwatch.tui.web.login_page import login_page


@pytest.mark.parametrize(("locale", "button"), [("en", "Watch"), ("de", "Beobachten")])
def test_the_page_speaks_the_viewers_language(locale: str, button: str) -> None:
    page = login_page(Texts.load(locale), "/home/x/token")
    assert f'<html lang="{locale}">' in page
    assert f"<button>{button}</button>" in page
    assert "/home/x/token" in page
    assert 'role="alert"' not in page


def test_a_problem_is_told_above_the_form() -> None:
    page = login_page(Texts.load("en"), "t", "cli.web.wrong")
    assert page.index("That is not the token.") < page.index("<form")


def test_a_path_is_text_and_no_markup() -> None:
    assert "<b>" not in login_page(Texts.load("en"), '/tmp/<b>"&/token')
