from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from roundwatch.core.hub import Hub, HubRefused, LinesReport, publish_lines, stored_events
from roundwatch.core.hub.published_lines import LINE_BYTES, WINDOW_BYTES, LinesOutbox

GOOD = '{"type":"round.output","round":"r","kind":"text","text":"%d"}'


async def test_sending_the_same_file_twice_stores_it_once(tmp_path: Path) -> None:
    file = tmp_path / "lines.jsonl"
    file.write_text("".join(GOOD % n + "\n" for n in range(1500)))
    async with Hub(tmp_path / "s.db", port=0) as hub:
        first = await publish_lines(file, hub.url)
        again = await publish_lines(file.read_bytes(), hub.url)
        assert first.complete
        assert (first.sent, first.acknowledged, first.rejected) == (1500, 1500, [])
        assert again == first
        assert hub.counters.stored == 1500
    texts = [json.loads(event.line)["text"] for event in stored_events(tmp_path / "s.db")]
    assert texts == [str(n) for n in range(1500)]


async def test_bad_lines_are_reported_with_their_number_and_the_rest_is_stored(hub: Hub) -> None:
    lines = ["nonsense", GOOD % 1, "", '{"type":"feed.gap"}', '{"type":"round.output","round":"r"}', GOOD % 2]
    seen: list[int] = []
    report = await publish_lines(
        "\n".join(lines).encode(), hub.url, progress=lambda report: seen.append(report.acknowledged)
    )
    assert [rejected.line for rejected in report.rejected] == [1, 5, 4]
    assert "not JSON" in report.rejected[0].why
    assert "hub's own" in report.rejected[2].why
    assert (report.sent, report.acknowledged, report.stored, hub.counters.stored) == (3, 3, 2, 2)
    assert seen[-1] == 3


async def test_ids_in_the_lines_are_replaced_and_nothing_at_all_is_complete(hub: Hub) -> None:
    line = '{"id":"other:77","seq":5,"type":"round.finished","round":"r"}'
    report = await publish_lines(line.encode(), hub.url)
    assert report.complete
    assert report.producer.startswith("file.")
    assert (await publish_lines(b"", hub.url)).complete


async def test_an_event_that_had_to_be_shortened_is_counted(hub: Hub) -> None:
    long = json.dumps({"type": "round.output", "round": "r", "kind": "text", "text": "x" * 5_000_000})
    report = await publish_lines(f"{GOOD % 1}\n{long}".encode(), hub.url)
    assert (report.shortened, report.stored, report.rejected) == (1, 2, [])


async def test_a_refusal_ends_it_with_the_reason(hub: Hub) -> None:
    report = await publish_lines((GOOD % 1).encode(), hub.url, token="wrong")
    assert isinstance(report.fault, HubRefused)
    assert not report.complete


async def test_a_byte_order_mark_is_no_part_of_the_first_line(hub: Hub, tmp_path: Path) -> None:
    file = tmp_path / "lines.jsonl"
    file.write_text("\n".join(GOOD % n for n in range(2)), "utf-8-sig")
    report = await publish_lines(file, hub.url)
    assert (report.rejected, report.acknowledged) == ([], 2)


@pytest.mark.parametrize("more", [b"", b"\n"])
async def test_a_file_that_is_no_lines_at_all_is_one_bad_line(hub: Hub, tmp_path: Path, more: bytes) -> None:
    file = tmp_path / "lines.jsonl"
    file.write_bytes((GOOD % 1).encode() + b"\n" + b"x" * (2 * LINE_BYTES) + more)
    with file.open("ab") as rest:
        rest.write((GOOD % 2).encode() if more else b"")
    report = await publish_lines(file, hub.url)
    assert [(rejected.line, rejected.why) for rejected in report.rejected] == [
        (2, f"a line of more than {LINE_BYTES} bytes")
    ]
    assert report.acknowledged == (2 if more else 1)


def test_long_lines_are_read_ahead_by_their_size() -> None:
    read = 0

    def lines() -> Iterator[bytes]:
        nonlocal read
        while read < 100:
            read += 1
            yield (GOOD % 1).replace("}", "").encode() + b',"more":"' + b"x" * (WINDOW_BYTES // 8) + b'"}'

    outbox = LinesOutbox("p", lines(), LinesReport("p"))
    outbox.fill()
    assert read == 8
    outbox.settle(1)
    outbox.fill()
    assert read == 9


async def test_a_record_without_times_stays_without(tmp_path: Path) -> None:
    given = [GOOD % 1, '{"type":"round.output","round":"r","kind":"text","text":"2","at":"2026-03-01T10:00:00Z"}']
    async with Hub(tmp_path / "s.db", port=0) as hub:
        await publish_lines("\n".join(given).encode(), hub.url)
    stored = [json.loads(event.line).get("at") for event in stored_events(tmp_path / "s.db")]
    assert stored == [None, "2026-03-01T10:00:00Z"]
