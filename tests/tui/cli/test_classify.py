from __future__ import annotations

import json
from pathlib import Path

import pytest
from roundwatch.core.rounds import Outcome

from tests.rounds import Lines, call, end, judge, start
from tests.tui.cli.command import environment, run, write_lines
from tests.tui.cli.recorded import answer, cut, open_round, recording, unconfirmed


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        (answer("a") + answer("b"), 0),
        (answer() + unconfirmed(), 3),
        (answer() + cut(), 1),
        (unconfirmed() + cut(), 1),
        (open_round(), 3),
    ],
    ids=["answers", "unconfirmed", "cut", "cut beats unconfirmed", "end not recorded"],
)
def test_the_exit_code_says_how_the_rounds_ended(lines: Lines, code: int, tmp_path: Path) -> None:
    file = write_lines(tmp_path / "events.jsonl", lines)

    assert run("classify", file).code == code
    assert run("classify", "--json", file).code == code


def test_json_is_one_outcome_a_line() -> None:
    done = run("classify", "--json", "-", stdin=as_bytes(answer("a") + cut("b")))

    assert [(each["round"], each["verdict"]) for each in done.objects] == [
        ("a", "completed"),
        ("b", "output_cap_reached"),
    ]
    assert set(done.objects[0]) == set(outcome().as_json())
    assert done.objects[1]["contradicts_claim"] is True
    assert done.objects[1]["figures"]["finish_reason"] == "length"
    assert done.objects[1]["figures"]["output_tokens"] is None


def test_a_round_that_is_open_at_the_end_is_doubted_not_believed() -> None:
    (round_,) = run("classify", "--json", "-", stdin=as_bytes(open_round())).objects

    assert round_["is_answer"] is False
    assert "end_not_recorded" in round_["doubts"]


def test_events_may_come_late_and_mixed() -> None:
    mixed = [event for pair in zip(answer("a"), answer("b"), strict=True) for event in pair]
    late = recording(
        "a", [{"type": "tool.requested", "call": "c1", "tool_call": "t1", "name": "read", "arguments": ""}]
    )

    done = run("classify", "--json", "-", stdin=as_bytes(mixed + late))

    assert [each["verdict"] for each in done.objects] == ["unfinished_tool_call", "completed"]


def test_sub_rounds_follow_their_parent() -> None:
    child = recording("child", start(parent={"round": "parent"}), call("c1", "stop", "Yes."), end())
    lines = child + answer("other") + answer("parent")

    done = run("classify", "--json", "-", stdin=as_bytes(lines))

    assert [each["round"] for each in done.objects] == ["other", "parent", "child"]


def test_rounds_that_name_each_other_as_parents_are_all_told() -> None:
    lines = recording("a", start(parent={"round": "b"})) + recording("b", start(parent={"round": "a"}))

    done = run("classify", "--json", "-", stdin=as_bytes(lines))

    assert sorted(each["round"] for each in done.objects) == ["a", "b"]


def test_the_banner_follows_the_language() -> None:
    english = run("classify", "-", stdin=as_bytes(cut()))
    german = run("classify", "--locale", "de", "-", stdin=as_bytes(cut()))

    assert "Cut at the output limit" in english.out
    assert "Am Ausgabelimit abgeschnitten" in german.out
    assert '"length"' in english.out
    assert "„length“" in german.out


def test_an_unreadable_line_that_names_a_round_keeps_it_from_being_an_answer() -> None:
    done = run("classify", "-", stdin=as_bytes(answer()) + b'{"type": "round.stopped", "round": "r1", "why": "x"}\n')

    assert done.code == 3
    assert "line 6" in done.err


def test_unreadable_lines_are_told_and_the_rounds_decide() -> None:
    done = run("classify", "-", stdin=b"garbage\n" + as_bytes(answer()) + b'{"type": "call.started", "round": "r2"}\n')

    assert done.code == 0
    assert "Answer" in done.out
    first, second = done.err.splitlines()
    assert "line 1: not JSON" in first
    assert 'line 7: call.started: field "call" is missing' in second


def test_unreadable_lines_are_told_in_the_readers_language() -> None:
    lines = b"garbage\n" + b'{"round": "r1"}\n{"type": "call.started", "round": "r2"}\n\xff\n[]\n'
    done = run("--locale", "de", "classify", "-", stdin=as_bytes(answer()) + lines)

    said = [line.partition(", ")[2].removesuffix("; die Zeile wurde übersprungen") for line in done.err.splitlines()]
    assert said == [
        "Zeile 6: kein JSON ab Zeichen 1",
        "Zeile 7: kein Ereignis: Das Feld „type“ fehlt",
        "Zeile 8: call.started: Das Feld „call“ fehlt",
        "Zeile 9: kein UTF-8 bei Byte 0",
        "Zeile 10: kein Ereignis: erwartet wird ein JSON-Objekt",
    ]


def test_many_unreadable_lines_are_counted_not_listed() -> None:
    done = run("classify", "-", stdin=as_bytes(answer()) + b"x\n" * 5000)

    assert len(done.err.splitlines()) == 6
    last = done.err.splitlines()[-1]
    assert "4,995 more lines were skipped: 11, 12, 13, " in last
    assert last.endswith(", 60 and 4,945 more")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "is empty"),
        (b"\n\n", "is empty"),
        (b"\x89PNG\r\n\x1a\n\x00\x01\x02", "no readable event"),
        ('{"type": "round.started"}'.encode("utf-16"), "no readable event"),
        (b'{"type": "thread.supervised", "thread": "t", "state": "idle", "verdict": "stale"}', "none of a round"),
        (b"[" * 100_000, "no readable event"),
        (b'{"type": "round.started", "round": "\\ud800"}', "no readable event"),
        (b'{"type": "x", "n": ' + b"9" * 10_000 + b"}", "no readable event"),
    ],
    ids=["empty", "blank", "binary", "UTF-16", "no round", "nested", "half a surrogate pair", "long number"],
)
def test_input_without_any_round_is_code_2(data: bytes, said: str) -> None:
    done = run("classify", "-", stdin=data)

    assert done.code == 2
    assert done.out == ""
    assert said in done.err.splitlines()[-1]
    assert "Traceback" not in done.err


def test_a_folder_is_told_apart(tmp_path: Path) -> None:
    done = run("classify", tmp_path)

    assert (done.code, done.out) == (2, "")
    assert str(tmp_path) in done.err


def test_unknown_events_are_counted() -> None:
    future = recording("r1", [{"type": "call.teleported", "where": "mars"}])

    done = run("classify", "-", stdin=as_bytes(answer() + future))

    assert done.code == 0
    assert "1 event of a type that this version does not know" in done.err


HOSTILE = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202e[bold red]x[/] \x00"


def test_text_from_outside_reaches_no_terminal_as_a_command() -> None:
    lines = recording(HOSTILE, start(agent=HOSTILE), call("c1", HOSTILE, "x"), end(status=HOSTILE))

    done = run("classify", "-", stdin=as_bytes(lines))

    assert not any(char in done.out + done.err for char in "\x1b\x07\x9b\u202e\x00")
    assert "␛]0;owned" in done.out
    assert "[bold red]x[/]" in done.out


def test_json_is_ascii_whatever_comes_in() -> None:
    done = run("classify", "--json", "-", stdin=as_bytes(recording(HOSTILE, start(), call("c1", HOSTILE, "x"), end())))

    assert done.out.isascii()
    assert done.objects[0]["figures"]["finish_reason"] == HOSTILE


def test_a_terminal_without_unicode_gets_stand_ins() -> None:
    env = environment(PYTHONIOENCODING="ascii")

    done = run("classify", "--locale", "de", "-", stdin=as_bytes(cut("rö")) + b"\xff\n", env=env)

    assert done.out.isascii()
    assert done.out.startswith("% roe")
    assert '"length"' in done.out
    assert "uebersprungen" in done.err


def test_a_pipe_gets_no_colour_unless_asked() -> None:
    data = as_bytes(cut())

    assert "\x1b" not in run("classify", "-", stdin=data).out
    assert "\x1b[" in run("classify", "-", stdin=data, env=environment(FORCE_COLOR="1", TERM="xterm")).out


def outcome() -> Outcome:
    return judge(start(), call("c1", "stop", "Yes."), end())


def as_bytes(lines: Lines) -> bytes:
    return "".join(json.dumps(line) + "\n" for line in lines).encode()
