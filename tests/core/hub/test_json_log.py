from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator

import pytest
from roundwatch.core.hub.json_log import MOST_CHARS, fields, log_as_json

log = logging.getLogger("roundwatch.core.hub.something")


@pytest.fixture
def stream() -> Iterator[io.StringIO]:
    ours, theirs = logging.getLogger("roundwatch"), logging.getLogger("asyncio")
    before = ours.level, ours.propagate
    written = io.StringIO()
    handler = log_as_json(written)
    yield written
    ours.removeHandler(handler)
    theirs.removeHandler(handler)
    ours.setLevel(before[0])
    ours.propagate = before[1]


def test_each_record_is_one_object_with_time_level_event_and_fields(stream: io.StringIO) -> None:
    log.info("it listens on %s", "ws://h:1", extra=fields("hub_listens", port=1, secure=True))
    log.debug("not told")
    [said] = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert said.pop("time").endswith("Z")
    assert said == {
        "level": "info", "event": "hub_listens", "logger": log.name, "message": "it listens on ws://h:1",
        "port": 1, "secure": True,
    }  # fmt: skip


def test_without_an_event_the_module_is_one_and_fields_replace_nothing(stream: io.StringIO) -> None:
    log.warning("hm", extra={"fields": {"level": "none", "n": 1}})
    said = json.loads(stream.getvalue())
    assert (said["event"], said["level"], said["n"]) == ("something", "warning", 1)


def test_nothing_is_told_at_length_and_no_line_end_gets_through(stream: io.StringIO) -> None:
    log.info("a\nb %s", "x" * 5000, extra=fields("e", name="y" * 5000))
    [line] = stream.getvalue().splitlines()
    assert len(line) < 3 * MOST_CHARS
    assert json.loads(line)["name"].endswith("(5000 characters)")


def test_an_error_is_told_by_its_type_and_place_not_by_its_text(stream: io.StringIO) -> None:
    try:
        raise ValueError("a payload")
    except ValueError:
        log.exception("a fault of ours")
    said = json.loads(stream.getvalue())
    assert said["error"] == "ValueError"
    assert said["at"][0].startswith("test_json_log.py:")
    assert "a payload" not in stream.getvalue()
