from __future__ import annotations

import logging
from pathlib import Path

import pytest
from roundwatch.core.texts import Texts
from roundwatch.core.texts.override import MOST_BYTES


def written(tmp_path: Path, content: str) -> Path:
    file = tmp_path / "own.toml"
    file.write_text(content, "utf-8")
    return file


def test_single_texts_are_replaced_in_each_language(tmp_path: Path) -> None:
    file = written(tmp_path, '[de]\nmark.completed = "fertig"\n[en.mark]\ncompleted = "done"\n')
    assert Texts.load("de", file)("mark.completed") == "fertig"
    assert Texts.load("en", file)("mark.completed") == "done"
    assert Texts.load("de", file)("mark.cancelled") == "abgebrochen"
    assert Texts.load("de", file).problems == ()


def test_a_plural_text_can_be_replaced_by_one_for_all_numbers(tmp_path: Path) -> None:
    texts = Texts.load("de", written(tmp_path, '[de]\nui.calls = "{n}×"\n'))
    assert (texts("ui.calls", n=1), texts("ui.calls", n=2)) == ("1×", "2×")


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ('[de]\nmark.nope = "x"', ["de.mark.nope"]),
        ("[de]\nmark.completed = 5", ["de.mark.completed", "other"]),
        ('[de]\nbanner.claim = "{claim}"', ["de.banner.claim", "{claim}"]),
        ('[de]\nbanner.claim = "{"', ["de.banner.claim", "geschweifte Klammer"]),
        ('[de]\nmark.completed = "a\\u001b[31m"', ["de.mark.completed", "␛"]),
        ('[fr]\nmark.completed = "oui"', ["fr", "en, de"]),
        ('de = "x"', ["de"]),
        ("[de", ["own.toml"]),
        ('[de]\nx = "\ud800"', ["own.toml"]),
    ],
)
def test_what_is_wrong_is_named_and_the_rest_counts(tmp_path: Path, line: str, named: list[str]) -> None:
    good = '\n[en]\nmark.completed = "done"\n'
    file = tmp_path / "own.toml"
    file.write_bytes((line + good).encode("utf-8", "surrogatepass"))
    texts = Texts.load("de", file)
    (problem,) = texts.problems
    assert all(part in problem for part in [str(file), *named])
    assert texts("mark.completed") == "Antwort"
    if "own.toml" not in named:
        assert Texts.load("en", file)("mark.completed") == "done"


def test_a_file_that_is_not_there_is_said_to_be_missing(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        texts = Texts.load("en", tmp_path / "none.toml")
    assert "none.toml cannot be used: No such file or directory" in texts.problems[0]
    assert "none.toml" in caplog.text
    assert Texts.load("en", tmp_path).problems


def test_a_file_far_too_large_is_not_read(tmp_path: Path) -> None:
    file = written(tmp_path, "#" * (MOST_BYTES + 1))
    assert "bytes" in Texts.load("en", file).problems[0]
