from __future__ import annotations

import json
import logging
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from roundwatch.core.feeds.otlp import Assembler, OtlpReceiver, Span
from roundwatch.core.feeds.otlp.keeping import SMALL_BYTES, SUFFIX, Keeping
from roundwatch.core.feeds.otlp.records import Waiting, line_of, record_of
from roundwatch.core.hub.errors import StoreUnavailable
from roundwatch.core.hub.inlet import Inlet, Numbered
from roundwatch.core.hub.redaction import Redaction
from roundwatch.core.rounds import Ledger, classify

from tests.core.feeds.otlp.hub_process import killed
from tests.core.feeds.otlp.posting import as_json, ledger_of, log_json, post, receiving
from tests.core.feeds.otlp.spans import BEGAN_NS, SECOND, TRACE, agent, chat, folded, tool

CREW = (
    chat("c1", "helper", text="Found it.", at=1.2, lasts=0.5),
    agent("helper", "t", at=1.1, lasts=0.7),
    tool("t", "boss", at=1.0),
    chat("c2", "boss", text="East of the mill.", at=2.0),
    agent("boss", lasts=4),
)
KILLS = pytest.mark.skipif(sys.platform == "win32", reason="needs SIGKILL")


def shown(ledger: Ledger) -> dict[str, Any]:
    return {
        name: (
            str(classify(round_).verdict),
            round_.text,
            None if round_.parent is None else round_.parent.round,
            [call.finish_reason for call in round_.calls],
            [str(each.state) for each in round_.tool_calls.values()],
        )
        for name, round_ in ledger.rounds.items()
    }


@KILLS
async def test_spans_that_wait_for_their_parents_outlive_a_hub_that_is_killed_after_each_export(
    tmp_path: Path,
) -> None:
    for export in (CREW[:2], CREW[2:4], CREW[4:]):
        async with killed(tmp_path / "s.db") as hub:
            assert (await post(hub, "/v1/traces", as_json(*export))).status == 200
    async with receiving(store=tmp_path / "s.db"):
        pass
    whole = folded(Assembler().feed("me", CREW, 0.0))
    assert shown(await ledger_of(tmp_path / "s.db")) == shown(whole)


@KILLS
async def test_a_round_of_claude_codes_logs_ends_though_the_hub_was_killed(tmp_path: Path) -> None:
    attributes = {"session.id": "s1", "prompt.id": "p1"}
    async with killed(tmp_path / "s.db") as hub:
        record = {"event": "claude_code.user_prompt", "ns": BEGAN_NS, "attributes": attributes}
        assert (await post(hub, "/v1/logs", log_json(record))).status == 200
    async with receiving(store=tmp_path / "s.db") as again:
        record = {
            "event": "claude_code.user_prompt",
            "ns": BEGAN_NS + SECOND,
            "attributes": attributes | {"prompt.id": "p2"},
        }
        assert (await post(again, "/v1/logs", log_json(record))).status == 200
    rounds = (await ledger_of(tmp_path / "s.db")).rounds
    assert {name: round_.is_over for name, round_ in rounds.items()} == {"s1.p1": True, "s1.p2": False}


async def test_a_hub_that_ends_well_leaves_no_span_behind(tmp_path: Path) -> None:
    path = tmp_path / f"s.db{SUFFIX}"
    async with receiving(store=tmp_path / "s.db") as hub:
        await post(hub, "/v1/traces", as_json(CREW[0]))
        assert b"Found it." in path.read_bytes()
        assert path.stat().st_mode & 0o077 == 0
    assert path.read_bytes() == b""


async def test_keys_and_what_is_redacted_are_not_written_down_and_neither_is_what_nobody_reads(tmp_path: Path) -> None:
    rules = tmp_path / "rules.toml"
    rules.write_text('[[rule]]\nname = "town"\nliteral = "Dunwich"\n')
    said = {"gen_ai.output.messages": [{"role": "assistant", "parts": [{"type": "text", "content": "sk-" + "a" * 40}]}]}
    asked = {"gen_ai.input.messages": "a long prompt", "gen_ai.agent.name": "of Dunwich", "unknown": "nobody reads it"}
    async with receiving(store=tmp_path / "s.db", redaction=Redaction.from_file(rules)) as hub:
        await post(hub, "/v1/traces", as_json(chat("c", "boss", attributes=said | asked)))
        written = (tmp_path / f"s.db{SUFFIX}").read_text()
    assert "[redacted: town]" in written
    for secret in ("sk-", "Dunwich", "a long prompt", "nobody reads it"):
        assert secret not in written


async def test_a_hub_that_keeps_nothing_writes_no_journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    async with receiving() as hub:
        await post(hub, "/v1/traces", as_json(CREW[0]))
        assert not list(tmp_path.rglob(f"*{SUFFIX}"))  # noqa: ASYNC240 - a test's own folder


class Beside(Inlet):
    """An inlet without a store."""

    def __init__(self, beside: Path) -> None:
        self.beside, self._redaction, self.taken = beside, None, list[Numbered]()

    async def take(self, events: Sequence[Numbered]) -> list[Any]:
        self.taken += events
        return []


def waiting(name: str) -> Waiting:
    return Waiting("me", chat(name, "nobody", text="x" * 1000))


async def test_the_journal_holds_little_more_than_what_is_alive(tmp_path: Path) -> None:
    keeping, inlet = Keeping(), Beside(tmp_path / "s.db")
    assert await keeping.open(inlet) == []
    for number in range(200):
        keeping.note(waiting(f"{number}.{each}") for each in range(10))
        await keeping.write()
        if keeping.has_grown():
            await keeping.compact([waiting("alive")])
    assert (tmp_path / f"s.db{SUFFIX}").stat().st_size < SMALL_BYTES * 1.1
    await keeping.close(is_all_told=False)
    again = Keeping()
    assert waiting("alive") in await again.open(inlet)
    await again.close(is_all_told=True)


async def test_a_disk_that_is_full_is_told_as_503_and_the_next_answer_waits_for_all_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with receiving(store=tmp_path / "s.db") as hub:
        with monkeypatch.context() as patch:
            patch.setattr("os.pwrite", _full)
            assert (await post(hub, "/v1/traces", as_json(CREW[0]))).status == 503
        assert (await post(hub, "/v1/traces", as_json(CREW[0]))).status == 200
        assert b"Found it." in (tmp_path / f"s.db{SUFFIX}").read_bytes()


def _full(*_: object) -> int:
    raise OSError(28, "No space left on device")


async def test_a_journal_that_cannot_be_used_is_said_and_done_without(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / f"s.db{SUFFIX}").mkdir()
    with caplog.at_level(logging.ERROR):
        async with receiving(store=tmp_path / "s.db") as hub:
            assert (await post(hub, "/v1/traces", as_json(*CREW))).status == 200
    assert "are lost if the hub is killed" in caplog.text
    assert len((await ledger_of(tmp_path / "s.db")).rounds) == 2


async def test_lines_that_are_none_are_left_out_and_a_half_written_last_one_was_never_confirmed(tmp_path: Path) -> None:
    path, inlet = tmp_path / f"s.db{SUFFIX}", Beside(tmp_path / "s.db")
    whole = line_of(waiting("c")).encode()
    path.write_bytes(b"no json\n{}\n[]\n7\n" + whole + b"\n" + whole[:50])
    keeping = Keeping()
    assert await keeping.open(inlet) == [waiting("c")]
    keeping.note([waiting("d")])
    await keeping.write()
    await keeping.close(is_all_told=False)
    assert path.read_bytes().splitlines()[4:] == [whole, line_of(waiting("d")).encode()]


@given(cut=st.integers(0, 400), put=st.text(max_size=9), at=st.integers(0, 400))
def test_no_line_raises(cut: int, put: str, at: int) -> None:
    line = line_of(waiting("c"))
    record_of((line[:at] + put + line[at + cut :]).encode())


@given(st.data())
def test_a_restart_between_any_two_spans_changes_nothing(data: st.DataObject) -> None:
    order: list[Span] = data.draw(st.permutations(CREW))
    assembler, told = Assembler(), list[Numbered]()
    for number, span in enumerate(order):
        told += assembler.feed("me", [span], float(number))
        if data.draw(st.booleans()):
            lines = [line_of(record) for record in assembler.records()]
            assembler = Assembler()
            told += assembler.restore([record for line in lines if (record := record_of(line.encode()))], float(number))
    told += assembler.close()
    assert shown(folded(told)) == shown(folded(Assembler().feed("me", CREW, 0.0)))


def test_spans_that_wait_are_bounded_in_bytes_too() -> None:
    assembler = Assembler(most_bytes=1_000_000)
    told: list[Numbered] = []
    for number in range(50):
        told += assembler.feed("me", [chat(f"c{number}", "nobody", trace=f"{number + 1:032x}", text="x" * 60_000)], 0.0)
    assert 0 < assembler.waiting < 17
    assert len(folded(told).rounds) == 50 - assembler.waiting


async def test_what_a_store_did_not_take_at_the_end_is_kept_for_the_next_hub(tmp_path: Path) -> None:
    class Sick(Beside):
        async def take(self, events: Sequence[Numbered]) -> list[Any]:
            raise StoreUnavailable("the disk is full")

    receiver, sick = OtlpReceiver(), Sick(tmp_path / "s.db")
    await receiver.open(sick)
    keeping = Keeping()
    async with receiving(OtlpReceiver(), store=tmp_path / "other.db") as hub:
        await post(hub, "/v1/traces", as_json(CREW[0]))
        line = (tmp_path / f"other.db{SUFFIX}").read_bytes()
    await receiver.close()
    (tmp_path / f"s.db{SUFFIX}").write_bytes(line)
    receiver = OtlpReceiver()
    await receiver.open(sick)
    await receiver.close()
    assert len(await keeping.open(sick)) == 1
    await keeping.close(is_all_told=True)


def test_what_is_held_of_a_span_tells_the_same() -> None:
    spans = [chat("c", "boss", text="Hello.", attributes={"gen_ai.input.messages": json.dumps([{"role": "user"}])})]
    assembler = Assembler()
    assert assembler.feed("me", spans, 0.0) == []
    later = assembler.feed("me", [agent("boss", lasts=3)], 1.0)
    at_once = Assembler().feed("me", [*spans, agent("boss", lasts=3)], 0.0)
    assert [each.event for each in later] == [each.event for each in at_once]
    assert later[0].producer.startswith(f"otlp.{TRACE}")
