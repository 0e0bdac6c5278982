from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from roundwatch.core.rounds import classify
from roundwatch.core.texts import Texts
from roundwatch.tui.cli.markdown import escaped, section

from tests.rounds import call, end, fold, start


def test_a_section_names_the_round_and_says_how_it_ended() -> None:
    round_ = fold(start(agent="worker"), call("c1", "length", "Half"), end()).rounds["r"]

    text = section(round_, classify(round_), Texts.load("en"))

    assert text.startswith("## ✂ r  worker")
    assert "\n- " in text


@given(st.text(alphabet="<>[]()*_`#|\\a &"))
def test_escaping_only_puts_backslashes_in_front(text: str) -> None:
    shown = escaped(text)

    assert shown.replace("\\\\", "\0").replace("\\", "").replace("\0", "\\") == text
    assert "<" not in shown.replace("\\<", "")


def test_prose_is_left_as_it_reads() -> None:
    assert (
        escaped("Finish reason: refusal. A well-known end - 3.5 s!")
        == "Finish reason: refusal. A well-known end - 3.5 s!"
    )
    assert escaped("1. no list") == "1\\. no list"
    assert escaped("- no list") == "\\- no list"
    assert escaped("https://a.example www.a.example") == "https\\://a.example www\\.a.example"


def test_a_name_from_outside_stays_text() -> None:
    round_ = fold(start(agent="<img src=x> [a](b) `c`"), end()).rounds["r"]

    assert "\\<img src=x\\> \\[a\\](b) \\`c\\`" in section(round_, classify(round_), Texts.load("en"))
