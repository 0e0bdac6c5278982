from __future__ import annotations

import asyncio
import contextlib
import json
import sqlite3
from pathlib import Path
from xml.etree import ElementTree

import pytest
from roundwatch.core.hub import Retention, SqliteStore, StoreListener
from roundwatch.core.hub.store import Submission
from roundwatch.core.prices import PriceTable, Pricing
from roundwatch.core.rounds import Verdict
from roundwatch.tui.cli import stored_rounds
from roundwatch.tui.cli.stored_rounds import summaries

from tests.rounds import Lines, call, end, event, start
from tests.tui.cli.command import run
from tests.tui.cli.recorded import answer, cut, recording, unconfirmed

PRICING = Pricing(PriceTable())


def stored(path: Path, lines: Lines, *, keep: int | None = None) -> Path:
    """Put events into a store, as a hub does."""

    async def fill() -> None:
        store = SqliteStore(path, retention=Retention(events=keep))
        await store.open(StoreListener())
        await store.append(
            [Submission("t", "p", n, json.dumps(line), line.get("round")) for n, line in enumerate(lines, start=1)]
        )
        while await store.trim():
            pass
        await store.close()

    asyncio.run(fill())
    return path


SUB_ROUND = recording("child", start(parent={"round": "parent"}), call("c1", "length", "Ha"), end())


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return stored(tmp_path / "s.sqlite3", answer("parent") + SUB_ROUND + unconfirmed("other"))


def test_the_list_has_a_row_for_each_round_with_every_value_whole(tmp_path: Path) -> None:
    long = "r" * 300
    done = run("rounds", "list", "--store", stored(tmp_path / "s.sqlite3", answer(long, "agent") + cut("r3")))

    assert done.code == 0
    rows = done.out.splitlines()
    assert len(rows) == 3
    assert long in rows[1]
    assert rows[1].rstrip().endswith("✓ answer")
    assert rows[2].rstrip().endswith("✂ cut")


def test_the_list_as_json(store: Path) -> None:
    done = run("rounds", "list", "--json", "--store", store)

    assert {each["round"]: each["is_answer"] for each in done.objects} == {
        "parent": True,
        "child": False,
        "other": False,
    }


def test_show_judges_a_round_with_its_sub_rounds(store: Path) -> None:
    done = run("rounds", "show", "parent", "--store", store)

    assert done.code == 0
    assert "1 sub-round did not complete" in done.out
    assert run("rounds", "show", "child", "--store", store).code == 1
    assert run("rounds", "show", "other", "--store", store).code == 3


def test_a_round_that_is_not_there_is_named(store: Path) -> None:
    done = run("rounds", "show", "parent", "nobody", "--store", store)

    assert (done.code, done.out) == (2, "")
    assert "nobody" in done.err


def test_exported_events_are_the_producers_own_lines(tmp_path: Path) -> None:
    lines = answer("a") + cut("b")
    lines[1] = {**lines[1], "beyond": {"this": ["version", None]}}
    path = stored(tmp_path / "s.sqlite3", lines)

    assert run("rounds", "export", "--store", path).objects == lines
    assert run("rounds", "export", "b", "--store", path).objects == cut("b")


def test_exports_in_other_forms(store: Path) -> None:
    markdown = run("rounds", "export", "--format", "markdown", "--store", store)
    picture = run("rounds", "export", "--format", "svg", "child", "--store", store)
    as_json = run("rounds", "export", "child", "--format", "json", "--store", store)

    assert markdown.out.count("\n## ") + markdown.out.startswith("## ") == 3
    assert ElementTree.fromstring(picture.out).tag.endswith("svg")
    assert as_json.objects[0]["verdict"] == "output_cap_reached"


def test_a_picture_of_several_rounds_is_refused(store: Path) -> None:
    assert run("rounds", "export", "--format", "svg", "--store", store).code == 2


@pytest.mark.parametrize("action", ["list", "export"])
@pytest.mark.parametrize("kind", ["missing", "folder", "other program"])
def test_what_is_no_store_is_told_in_one_line(action: str, kind: str, tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite3"
    if kind == "folder":
        path.mkdir()
    elif kind == "other program":
        path.write_bytes(b"SQLite format 4\0" * 100)

    done = run("rounds", action, "--store", path)

    assert (done.code, done.out, len(done.err.splitlines())) == (2, "", 1)
    assert "s.sqlite3" in done.err


def test_an_empty_store_is_said(tmp_path: Path) -> None:
    done = run("rounds", "list", "--store", stored(tmp_path / "s.sqlite3", []))

    assert (done.code, done.out) == (0, "")
    assert "no rounds yet" in done.err


def test_late_events_of_rounds_that_were_let_go_still_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored_rounds, "KEPT_ROUNDS", 4)
    lines = [event for n in range(20) for event in answer(f"r{n}")]
    late = recording("r0", [{"type": "tool.requested", "call": "c1", "tool_call": "t", "name": "x", "arguments": "{}"}])

    found = [each.summary for each in summaries(stored(tmp_path / "s.sqlite3", lines + late), PRICING)]

    assert [summary.id for summary in found] == [f"r{n}" for n in range(20)]
    assert found[0].outcome.verdict is Verdict.UNFINISHED_TOOL_CALL
    assert all(summary.outcome.is_answer for summary in found[1:])


def test_what_a_trimmed_store_no_longer_holds_creates_no_verdict(tmp_path: Path) -> None:
    warnings = event("round.warning", code="w") * 100
    lines = recording("r1", start(), call("c1", "", "An answer.")[:2], warnings, call("c1", "stop")[1:], end())
    path = stored(tmp_path / "s.sqlite3", lines, keep=10)

    shown = run("rounds", "show", "r1", "--store", path)
    listed = run("rounds", "list", "--json", "--store", path)

    assert (shown.code, "events of this round are missing" in shown.out) == (3, True)
    assert [(each["verdict"], each["is_answer"]) for each in listed.objects] == [("completed", False)]


def supervised(thread: str, verdict: str) -> Lines:
    return event("thread.supervised", thread=thread, state="executing", verdict=verdict, relaunch_cap=2, relaunches=2)


def test_a_round_that_its_supervisor_gave_up_is_shown_and_exported_as_it_is_listed(tmp_path: Path) -> None:
    lines = [
        *recording("first", start(thread="th"), event("call.started", call="c1")), *supervised("th", "gave_up"),
        *recording("second", start(thread="th"), call("c1", "stop", "Done."), end()), *supervised("th", "parked"),
    ]  # fmt: skip
    place = stored(tmp_path / "s.sqlite3", lines)
    listed = {found.summary.id: found.summary.outcome for found in summaries(place, PRICING)}
    assert listed["first"].verdict is Verdict.SUPERVISOR_GAVE_UP

    shown = run("rounds", "show", "first", "--json", "--store", place)
    exported = run("rounds", "export", "first", "--store", place)

    (told,) = shown.objects
    assert told.pop("cost")["unknown_calls"] == {"model_not_reported": 1}
    assert told == json.loads(json.dumps(listed["first"].as_json()))
    assert [line["type"] for line in exported.objects] == ["round.started", "call.started", "thread.supervised"]
    assert run("rounds", "show", "second", "--json", "--store", place).objects[0]["verdict"] == "completed"


@pytest.mark.parametrize(
    ("locale", "said"), [("en", "no hub has kept rounds there yet"), ("de", "noch kein Hub Runden")]
)
def test_before_the_first_hub_the_missing_store_is_said_with_what_to_do(locale: str, said: str, tmp_path: Path) -> None:
    done = run("--locale", locale, "rounds", "list", "--store", tmp_path / "none.sqlite3")

    assert (done.code, done.out) == (2, "")
    assert said in done.err
    assert "roundwatch hub" in done.err


def test_a_name_that_is_no_text_is_in_no_store(tmp_path: Path) -> None:
    place = stored(tmp_path / "s.sqlite3", answer("r1"))
    for action in (("show",), ("export",), ("export", "--format", "markdown")):
        done = run("rounds", action[0], "\udcff", *action[1:], "--store", place)
        assert done.code in (0, 2), done.err
        assert "r1" not in done.out


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        ("DELETE FROM events WHERE seq = 3", "in {file} fehlen Ereignisse vor Nummer 4"),
        ("UPDATE events SET line = 'garbage' WHERE seq = 3", "1 Ereignis in {file} ist nicht lesbar (Nummer 3)"),
        ("UPDATE events SET line = x'ff00' WHERE seq = 3", "1 Ereignis in {file} ist nicht lesbar (Nummer 3)"),
    ],
)
def test_what_a_store_has_lost_is_told_and_creates_no_verdict(damage: str, told: str, tmp_path: Path) -> None:
    lines = recording("r1", start(), call("c1", "stop", "An answer."), end())
    path = stored(tmp_path / "s.sqlite3", lines)
    [lost] = [number for number, line in enumerate(lines, start=1) if line["type"] == "call.output"]
    assert lost == 3
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as disk:
        disk.execute(damage)

    listed = run("--locale", "de", "rounds", "list", "--json", "--store", path)
    shown = run("--locale", "de", "rounds", "show", "r1", "--store", path)
    exported = run("--locale", "de", "rounds", "export", "--store", path)

    for done in (listed, shown, exported):
        assert told.format(file=path) in done.err
    assert [(each["verdict"], each["is_answer"]) for each in listed.objects] == [("completed", False)]
    assert "Lücke" in shown.out
    assert len(exported.out.splitlines()) == len(lines) - 1
