from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roundwatch.core.hub.redaction import Redaction, RedactionError
from roundwatch.core.hub.store import Submission

RULES = """
[[rule]]
name = "customer"
literal = "Erika Mustermann"

[[rule]]
name = "api key"
pattern = 'sk-[A-Za-z0-9]{8,}'
"""


@pytest.fixture(scope="module")
def rules_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("rules") / "redaction.toml"
    path.write_text(RULES, "utf-8")
    return path


@pytest.fixture
def redaction(tmp_path: Path) -> Redaction:
    return made(tmp_path, RULES)


def made(folder: Path, text: str) -> Redaction:
    path = folder / "redaction.toml"
    path.write_text(text, "utf-8")
    return Redaction.from_file(path)


def event(**fields: object) -> str:
    return json.dumps({"type": "call.output", "round": "r", "call": "c", "kind": "text", **fields})


def test_literals_and_patterns_are_blotted_out_wherever_a_text_stands(redaction: Redaction) -> None:
    line = event(
        text="for Erika Mustermann: sk-abcdefgh1 and sk-short", facts={"a": ["sk-0123456789"], "sk-01234567": 1}
    )
    assert json.loads(redaction.line(line)) == json.loads(
        event(
            text="for [redacted: customer]: [redacted: api key] and sk-short",
            facts={"a": ["[redacted: api key]"], "[redacted: api key]": 1},
        )
    )


def test_an_event_without_any_stays_byte_for_byte(redaction: Redaction) -> None:
    line = '{"type":"x", "n":1.0e2,"text":"\\u00e4 \\ud800"}'
    assert redaction.line(line) is line


def test_an_escaped_text_is_found_by_what_it_says(redaction: Redaction) -> None:
    escaped = '{"type":"x","text":"Erika\\u0020Mustermann \\u0073k-abcdefgh1"}'
    assert "Mustermann" not in redaction.line(escaped)
    assert "abcdefgh1" not in redaction.line(escaped)


def test_no_member_hides_behind_another_of_its_name(redaction: Redaction) -> None:
    assert "abcdefgh1" not in redaction.line('{"type":"x","text":"sk-abcdefgh1","text":"harmless"}')


def test_a_text_with_half_a_surrogate_pair_is_looked_through_too(redaction: Redaction) -> None:
    assert "abcdefgh1" not in redaction.line('{"type":"x","text":"\\ud800 sk-abcdefgh1"}')


def test_what_an_event_is_known_by_stays(redaction: Redaction) -> None:
    line = event(round="sk-abcdefgh1", thread="Erika Mustermann", id="sk-abcdefgh1:1")
    assert redaction.line(line) == line


def test_a_rejected_event_passes_and_one_nested_too_deeply_is_rejected(redaction: Redaction) -> None:
    deep = '{"a":' * (sys.getrecursionlimit() * 2) + "1" + "}" * (sys.getrecursionlimit() * 2)
    bad = Submission("me", "p", 1, fault="bad")
    found = redaction.blotted(
        [bad, Submission("me", "p", 2, deep), Submission("me", "p", 3, event(text="sk-abcdefgh1"))]
    )
    assert found[0] is bad
    assert found[1].fault is not None
    assert not found[1].line
    assert "redacted" in found[2].line


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "holds no"),
        ("x = [", "no TOML"),
        ("[[rule]]\nname = 'a'", "either a literal or a pattern"),
        ("[[rule]]\nname = 'a'\nliteral = ''", "no empty one"),
        ("[[rule]]\nname = 'a'\nliteral = 'x'\npattern = 'y'", "either"),
        ("[[rule]]\nliteral = 'hush'", "needs a name"),
        ("[[rule]]\nname = 'a'\nliteral = 'hush'\nflags = 1", "needs a name"),
        ("[[rule]]\nname = 'a'\npattern = '('", "no RE2 pattern"),
        ("[[rule]]\nname = 'a'\npattern = '(?=x)'", "no RE2 pattern"),
        ("[[rule]]\nname = 'a'\npattern = 'x*'", "empty text"),
    ],
)
def test_a_wrong_file_is_refused_and_no_literal_quoted(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(RedactionError, match=told) as wrong:
        made(tmp_path, text)
    assert "hush" not in str(wrong.value)


def test_a_missing_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(RedactionError, match="cannot read"):
        Redaction.from_file(tmp_path / "none.toml")


def test_a_mark_with_a_backslash_names_no_group(tmp_path: Path) -> None:
    redaction = made(tmp_path, "[[rule]]\nname = 'a\\1'\npattern = '(secret)'")
    assert json.loads(redaction.line('{"text":"secret"}')) == {"text": "[redacted: a\\1]"}


texts = st.text(max_size=30) | st.sampled_from(["sk-abcdefgh1", "Erika Mustermann"])
values = st.recursive(texts | st.integers() | st.none(), lambda inner: st.lists(inner, max_size=3), max_leaves=8)


@given(st.dictionaries(st.sampled_from(["text", "preview", "facts", "a"]), values))
def test_nothing_that_a_rule_names_is_left_and_a_second_pass_changes_nothing(
    rules_file: Path, fields: dict[str, object]
) -> None:
    redaction = Redaction.from_file(rules_file)
    clean = redaction.line(json.dumps(fields))
    assert "Erika Mustermann" not in json.dumps(json.loads(clean), ensure_ascii=False)
    assert "sk-abcdefgh1" not in clean
    assert redaction.line(clean) == clean
