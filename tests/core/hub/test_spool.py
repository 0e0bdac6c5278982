from __future__ import annotations

import json
import os
import resource
import shutil
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from roundwatch.core.hub import SpoolError
from roundwatch.core.hub.spool import DEAD_LETTERS, TIDY_BYTES, WINDOW_EVENTS, Spool, substitute
from roundwatch.core.hub.spool_file import HEADER_BYTES

URL = "ws://127.0.0.1:1"


def line(n: int) -> bytes:
    return b'{"type":"x","n":%d}' % n


def everything(spool: Spool) -> list[bytes]:
    """Settle all that is left, page by page, and return it."""
    found: list[bytes] = []
    while spool.unsettled:
        page = spool.lines_from(spool.first, 10_000)
        found += page
        spool.settle(spool.first + len(page) - 1)
    return found


def crashed(folder: Path, into: Path) -> Path:
    """Return a copy of the folder as a killed process would have left it."""
    shutil.copytree(folder, into)
    return into


def test_everything_comes_out_in_order_also_beyond_what_fits_into_memory(tmp_path: Path) -> None:
    spool = Spool(tmp_path, "p", URL)
    count = 3 * WINDOW_EVENTS
    assert [spool.append(line(n)) for n in range(1, count + 1)] == list(range(1, count + 1))
    assert len(spool.lines_from(1, 10**9)) == WINDOW_EVENTS
    assert everything(spool) == [line(n) for n in range(1, count + 1)]
    spool.close()
    assert list(tmp_path.iterdir()) == []


def test_a_killed_process_loses_nothing_it_accepted(tmp_path: Path) -> None:
    spool = Spool(tmp_path / "a", "p", URL)
    for n in range(1, 11):
        spool.append(line(n))
    spool.settle(4)
    left = crashed(tmp_path / "a", tmp_path / "b")
    [path] = left.glob("*.spool")
    with path.open("ab") as file:
        file.write(b'{"half a li')
    heir = Spool(left, "p", URL)
    assert (heir.producer, heir.first, heir.unsettled) == (spool.producer, 1, 10)  # 4 are sent again: duplicates
    assert heir.append(line(11)) == 11
    assert everything(heir) == [line(n) for n in range(1, 12)]
    heir.close()
    spool.close()


def test_what_is_left_at_the_end_waits_for_the_next_publisher_of_the_name_and_hub(tmp_path: Path) -> None:
    spool = Spool(tmp_path, "p", URL)
    for n in range(1, 6):
        spool.append(line(n))
    spool.settle(3)
    spool.close()
    for base, url in (("q", URL), ("p", "ws://127.0.0.1:2")):
        other = Spool(tmp_path, base, url)
        assert (other.first, other.unsettled) == (1, 0)
        other.close()
    heir = Spool(tmp_path, "p", URL)
    assert (heir.producer, heir.first, everything(heir)) == (spool.producer, 4, [line(4), line(5)])
    heir.close()


def test_a_live_spool_is_not_taken_over(tmp_path: Path) -> None:
    one, two = Spool(tmp_path, "p", URL), Spool(tmp_path, "p", URL)
    assert one.producer != two.producer
    one.close()
    two.close()


@pytest.mark.parametrize("content", [b"", b"garbage", b"{}", b'{"producer":"p","url":1,"first":0,"front":1}'])
def test_a_file_that_is_no_spool_is_left_alone(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "p.x.spool").write_bytes(content)
    spool = Spool(tmp_path, "p", URL)
    assert spool.first == 1
    spool.close()
    assert (tmp_path / "p.x.spool").read_bytes() == content


def test_settled_lines_leave_the_file_and_a_crash_then_still_loses_nothing(tmp_path: Path) -> None:
    spool = Spool(tmp_path / "a", "p", URL)
    big = b'{"type":"x","text":"' + b"x" * 10_000 + b'"}'
    count = TIDY_BYTES // 10_000 + 20
    for _ in range(count):
        spool.append(big)
    spool.append(line(1))
    spool.settle(count)
    assert spool.file_bytes < 10_000
    assert spool.append(line(2)) == count + 2
    heir = Spool(crashed(tmp_path / "a", tmp_path / "b"), "p", URL)
    assert (heir.first, everything(heir)) == (count + 1, [line(1), line(2)])
    assert everything(spool) == [line(1), line(2)]
    for _ in range(count):
        spool.append(big)
    spool.settle(count * 2 + 2)
    assert spool.unsettled == 0
    assert spool.file_bytes < 10_000
    spool.close()
    heir.close()


@contextmanager
def files_of_at_most(size: int) -> Generator[None]:
    """Let writes behind ``size`` bytes of any file fail, in part like those on a disk that fills up."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_disk_that_fills_up_while_settled_lines_are_dropped_loses_nothing(tmp_path: Path) -> None:
    spool = Spool(tmp_path / "a", "p", URL)
    count = TIDY_BYTES // 10_000 + 20
    for _ in range(count):
        spool.append(b'{"type":"x","text":"' + b"x" * 10_000 + b'"}')
    left = [line(n) for n in range(100)]
    for each in left:
        spool.append(each)
    with files_of_at_most(HEADER_BYTES + 50):
        spool.settle(count)
    assert [path.suffix for path in (tmp_path / "a").iterdir()] == [".spool"]
    heir = Spool(crashed(tmp_path / "a", tmp_path / "b"), "p", URL)
    assert everything(heir)[-100:] == left
    assert everything(spool) == left
    spool.close()
    heir.close()


def test_a_hub_that_forgot_us_gets_what_is_left_under_a_new_name(tmp_path: Path) -> None:
    spool = Spool(tmp_path / "a", "p", URL)
    for n in range(1, 2001):
        spool.append(line(n))
    spool.settle(10)
    before = spool.producer
    spool.start_over()
    assert spool.producer != before
    assert (spool.first, spool.unsettled) == (1, 1990)
    heir = Spool(crashed(tmp_path / "a", tmp_path / "b"), "p", URL)
    assert (heir.producer, heir.first, everything(heir)[0]) == (spool.producer, 1, line(11))
    assert spool.append(line(2001)) == 1991
    assert everything(spool) == [line(n) for n in range(11, 2002)]
    spool.close()
    heir.close()


def test_rejected_and_oversized_events_end_in_the_dead_letters(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    spool = Spool(tmp_path, "p", URL)
    for n in (1, 2):
        spool.append(b'{"type":"x","round":"r","n":%d}' % n)
    spool.refused(1, 'be"cause')
    spool.too_big(2)
    letters = [json.loads(text) for text in (tmp_path / DEAD_LETTERS).read_text().splitlines()]
    assert letters == [
        {"why": 'be"cause', "event": {"type": "x", "round": "r", "n": 1}},
        {"why": "too large for the hub", "event": {"type": "x", "round": "r", "n": 2}},
    ]
    assert (tmp_path / DEAD_LETTERS).stat().st_mode & 0o777 == 0o600
    assert json.loads(spool.lines_from(2, 1)[0])["code"] == "event_dropped"
    assert "rejected event" in caplog.text
    spool.settle(2)
    spool.close()


def test_the_substitute_says_what_it_stands_for() -> None:
    assert json.loads(substitute(b'{"type":"call.output","round":"r","v":1,"text":"x"}')) == {
        "v": 1, "round": "r", "type": "round.warning", "code": "event_dropped",
        "facts": {"type": "call.output", "bytes": 51},
    }  # fmt: skip
    assert json.loads(substitute(b'{"type":"thread.supervised"}'))["type"] == "publisher.event_dropped"


def test_the_spool_is_for_the_account_only(tmp_path: Path) -> None:
    spool = Spool(tmp_path / "new", "a/b", URL)
    [path] = (tmp_path / "new").iterdir()
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    spool.close()


def test_a_folder_or_disk_that_cannot_be_used_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SpoolError, match="cannot keep unsent events"):
        Spool(tmp_path / "file", "p", URL)
    with pytest.raises(SpoolError):
        Spool(tmp_path / "long", "p", URL + "x" * 2000)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.integers(1, 700), st.integers(0, 900)), max_size=12))
def test_any_order_of_appending_and_settling_keeps_numbers_and_lines_together(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[int, int]]
) -> None:
    folder = tmp_path_factory.mktemp("spool")
    spool = Spool(folder, "p", URL)
    accepted = 0
    for appended, settled in steps:
        for _ in range(appended):
            accepted += 1
            assert spool.append(line(accepted)) == accepted
        spool.settle(min(spool.first - 1 + settled, spool.first - 1 + len(spool.lines_from(spool.first, 10**9))))
        page = spool.lines_from(spool.first, 10**9)
        assert page == [line(n) for n in range(spool.first, spool.first + len(page))]
        assert spool.unsettled == accepted - spool.first + 1
        assert page or not spool.unsettled
    left = [line(n) for n in range(spool.first, accepted + 1)]
    assert everything(spool) == left
    spool.close()
    assert os.listdir(folder) == []


def spoilt(folder: Path, damage: Callable[[bytes], bytes]) -> Spool:
    """Return the heir of a spool of ten lines whose file a disk has changed."""
    spool = Spool(folder / "before", "p", URL)
    for n in range(1, 11):
        spool.append(line(n))
    left = crashed(folder / "before", folder / "after")
    [path] = left.glob("*.spool")
    path.write_bytes(damage(path.read_bytes()))
    return Spool(left, "p", URL)


@pytest.mark.parametrize("damaged", [b"garbage", b"[1]", b"", b"\xff\x00", b"{" * 30_000])
def test_a_damaged_line_goes_to_the_dead_letters_and_holds_up_none_after_it(damaged: bytes, tmp_path: Path) -> None:
    heir = spoilt(tmp_path, lambda raw: raw.replace(line(4), damaged))
    sent = everything(heir)
    assert sent[:3] + sent[4:] == [line(n) for n in range(1, 11) if n != 4]
    assert json.loads(sent[3])["type"] == "publisher.event_dropped"
    [letter] = (tmp_path / "after" / DEAD_LETTERS).read_bytes().splitlines()
    assert json.loads(letter)["event"] == damaged.decode("utf-8", "replace")


def test_a_damaged_beginning_is_told_and_its_file_left_alone(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    heir = spoilt(tmp_path, lambda raw: bytes(HEADER_BYTES) + raw[HEADER_BYTES:])
    assert heir.unsettled == 0
    assert "the beginning of the file is damaged" in caplog.text
    assert any(line(10) in path.read_bytes() for path in (tmp_path / "after").glob("*.spool"))


def test_an_end_that_a_power_cut_took_is_told(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    heir = spoilt(tmp_path, lambda raw: raw[:-40] + bytes(40))
    assert 0 < heir.unsettled < 10
    assert "unsent events were lost" in caplog.text
