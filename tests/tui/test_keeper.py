from __future__ import annotations

import base64
import stat
from pathlib import Path

from roundwatch.core.prices import PriceTable, Pricing, shipped_prices
from roundwatch.tui.exact_text import ExactText
from roundwatch.tui.keeper import Keeper
from roundwatch.tui.terminal_words import MOST_CLIPBOARD_BYTES

from tests.scenes import NOW, cap_cut, everything
from tests.tui.filtering import watching
from tests.tui.lines import EN, round_of

RAW = "a\x1b[2J\r\n\u202e  ß\t"

PRICING = Pricing(PriceTable(shipped_prices()))


class Desk:
    """A keeper with what it said and what it sent to the terminal."""

    def __init__(self, folder: Path) -> None:
        self.said: list[str] = []
        self.sent: list[str] = []
        self.keeper = Keeper(folder, lambda: EN, self.tell, self.sent.append)

    def tell(self, key: str, /, **values: str | int) -> None:
        self.said.append(EN(key, **values))


def exact(text: str, withheld: int = 0) -> ExactText:
    return ExactText("tui.what.text", "c1", text, withheld=withheld)


def test_copying_sends_the_exact_text_and_does_not_promise_that_it_arrived(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.keeper.copy(exact(RAW))
    (sent,) = desk.sent
    assert base64.b64decode(sent[7:-2]) == RAW.encode()
    assert desk.said[0].startswith("Sent to the terminal's clipboard: text of call c1.")
    assert list(tmp_path.iterdir()) == []


def test_a_text_too_long_for_a_clipboard_becomes_a_file_and_that_is_said(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    text = "x" * (MOST_CLIPBOARD_BYTES + 1)
    desk.keeper.copy(exact(text))
    assert desk.sent == []
    (file,) = tmp_path.iterdir()
    assert file.read_text() == text
    assert str(file) in desk.said[0]


def test_saving_keeps_every_byte_for_this_account_only(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.keeper.save(exact(RAW))
    (file,) = tmp_path.iterdir()
    assert file.read_bytes() == RAW.encode()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert desk.said == [f"Saved: {file}"]


def test_what_is_missing_in_a_text_is_said(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.keeper.save(exact("x", withheld=500))
    assert desk.said[1] == "500 characters were counted but not sent."


def test_nothing_is_neither_copied_nor_saved(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.keeper.copy(exact(""))
    desk.keeper.save(exact(""))
    assert (desk.sent, list(tmp_path.iterdir()), desk.said) == ([], [], ["Nothing here.", "Nothing here."])


def test_a_folder_that_cannot_be_written_is_told_with_its_reason(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    desk = Desk(tmp_path / "file")
    desk.keeper.save(exact("x"))
    assert desk.said[0].startswith("Could not save ")
    assert "irectory" in desk.said[0] or "exists" in desk.said[0]


def test_a_round_is_exported_in_every_form(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    for form in ("json", "markdown", "svg"):
        desk.keeper.export_round(round_of(cap_cut()), form, NOW, PRICING)
    assert sorted(file.name for file in tmp_path.iterdir()) == [
        "round-271046c3.json",
        "round-271046c3.md",
        "round-271046c3.svg",
    ]


async def test_the_list_is_exported(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    await desk.keeper.export_list(watching(everything()), NOW)
    assert desk.said == [f"Saved: {tmp_path / 'rounds.csv'}"]
    assert rows_in(tmp_path / "rounds.csv") == 13


def rows_in(file: Path) -> int:
    return file.read_bytes().count(b"\r\n")


async def test_a_list_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    desk = Desk(tmp_path / "file")
    await desk.keeper.export_list(watching(everything()), NOW)
    assert desk.said[0].startswith("Could not save ")
