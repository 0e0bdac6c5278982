from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roundwatch.core.hub.redaction import Redaction
from roundwatch.core.hub.redaction_escapes import readings
from roundwatch.core.hub.redaction_rules import RedactionError
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


def test_an_event_that_is_changed_keeps_its_numbers_as_they_were_written(redaction: Redaction) -> None:
    line = '{"text":"sk-abcdefgh1","a":1e400,"b":[0.10,-0.0],"c":{"d":123456789012345678901234567890}}'
    assert redaction.line(line) == line.replace("sk-abcdefgh1", "[redacted: api key]")


def test_only_an_events_own_identity_and_its_links_stay(redaction: Redaction) -> None:
    kept = {"parent": {"round": "sk-abcdefgh1", "tool_call": "sk-abcdefgh1"}, "continuation": {"of": "sk-abcdefgh1"}}
    assert redaction.line(event(**kept)) == event(**kept)
    inner = {
        "facts": dict.fromkeys(("id", "call", "round", "type", "at"), "sk-abcdefgh1"),
        "parent": {"id": "sk-abcdefgh1"},
    }
    assert "sk-abcdefgh1" not in redaction.line(event(**inner))
    assert "sk-abcdefgh1" not in redaction.line('{"round":["sk-abcdefgh1"]}')


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("secret", ["Erika Mustermann", "sk-abcdefgh1"])
def test_escapes_inside_of_arguments_hide_nothing(secret: str, depth: int, redaction: Redaction) -> None:
    inner = '{"a":"' + "".join(f"\\u{ord(char):04x}" for char in secret) + '","b":"\\ud83d\\ude00 \\n"}'
    for _ in range(depth - 1):
        inner = json.dumps({"inner": inner})
    arguments = json.loads(redaction.line(event(arguments=inner)))["arguments"]
    for _ in range(depth - 1):
        arguments = json.loads(arguments)["inner"]
    found = json.loads(arguments)
    assert found["a"].startswith("[redacted: ")
    assert found["b"] == "\N{GRINNING FACE} \n"


def test_a_piece_of_arguments_is_looked_through_though_it_is_no_whole_json(redaction: Redaction) -> None:
    piece = r"\"\u0073k-abcdefgh1\" and \u12"
    assert json.loads(redaction.line(event(text=piece)))["text"] == r"\"[redacted: api key]\" and \u12"


def test_a_rule_whose_name_says_what_it_looks_for_comes_to_an_end(tmp_path: Path) -> None:
    redaction = made(tmp_path, """[[rule]]\nname = 'a "b"'\nliteral = 'a'""")
    said = json.loads(redaction.line(event(text=r"\u0061 \"")))["text"]
    assert json.loads(f'"{said}"') == '[redacted: a "b"] "'


escaped_texts = st.lists(
    st.sampled_from(["\\", '\\"', "\\\\", "\\u0073", "k-abcdefgh1", "sk", "\\n", "ü", "\\u00", "\\ud800", " "])
)


@given(escaped_texts)
def test_whatever_is_escaped_the_rest_stays(rules_file: Path, parts: list[str]) -> None:
    text = "".join(parts)
    clean = json.loads(Redaction.from_file(rules_file).line(json.dumps({"text": text})))["text"]
    for reading in readings(clean):
        assert "sk-abcdefgh1" not in reading.text
    mark = re.escape("[redacted: api key]")
    assert re.fullmatch(".*".join(map(re.escape, re.split(mark, clean))), text, re.DOTALL)


def said(redaction: Redaction, *pieces: str, **where: object) -> str:
    """Return what is stored of pieces of output together."""
    given = [Submission("me", "p", n, event(text=piece, **where)) for n, piece in enumerate(pieces, 1)]
    return "".join(json.loads(each.line)["text"] for each in redaction.blotted(given))


def test_the_rest_of_a_secret_that_was_cut_into_pieces_is_blotted_out(redaction: Redaction) -> None:
    assert said(redaction, "key sk-ab", "cdefgh12", "34 and more") == (
        "key sk-ab[redacted: api key][redacted: api key] and more"
    )
    assert "Mustermann" not in said(redaction, "Dear Eri", "ka Mustermann, yours", call="other")
    assert said(redaction, "nothing", " at all", call="third") == "nothing at all"


def test_what_other_streams_say_goes_on_from_nothing(redaction: Redaction) -> None:
    begun, other = event(text="sk-abcd", call="a"), event(text="efgh1234", call="b")
    found = redaction.blotted([Submission("me", "p", 1, begun), Submission("me", "p", 2, other)])
    assert [each.line for each in found] == [begun, other]
