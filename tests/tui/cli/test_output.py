from __future__ import annotations

import io
import json

import pytest
from roundwatch.tui.cli.output import Output


def output(encoding: str) -> tuple[Output, io.BytesIO]:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding, newline="\n", write_through=True)
    return Output(stream, stream), raw


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252", "utf-8", "utf-16"])
def test_any_text_can_be_written_in_any_encoding(encoding: str) -> None:
    out, raw = output(encoding)

    out.result("✓ „Grüße“ — 日本 …")
    out.note("✂ übersprungen")
    out.result_json({"text": "✓ \x9b \ud800"})

    first, second, third = raw.getvalue().decode(encoding).splitlines()
    assert first.startswith("✓" if out.is_unicode else "\\u2713")
    assert second.endswith("bersprungen")
    assert json.loads(third) == {"text": "✓ \x9b \ud800"}


def test_a_stored_line_goes_into_a_file_as_it_is() -> None:
    out, raw = output("utf-8")
    line = '{"text":"\x9b31m ü"}'.encode()

    out.result_bytes(line)

    assert raw.getvalue() == line + b"\n"


def test_a_stored_line_on_a_screen_holds_no_control_and_says_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    out, raw = output("utf-8")
    monkeypatch.setattr(out.stdout, "isatty", lambda: True)
    line = '{"text":"\x9b31m \x7f\u202e ü"}'.encode()

    out.result_bytes(line)

    shown = raw.getvalue().decode()
    assert shown.rstrip("\n").isprintable()
    assert json.loads(shown) == json.loads(line)


def test_the_full_screen_needs_all_ends_of_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    out, _ = output("utf-8")

    assert not out.has_screen

    monkeypatch.setattr(out.stdout, "isatty", lambda: True)
    monkeypatch.setattr("sys.stdin", out.stdout)
    monkeypatch.setenv("TERM", "xterm-256color")
    assert out.has_screen

    monkeypatch.setenv("TERM", "dumb")
    assert not out.has_screen
