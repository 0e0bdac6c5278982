"""The pages of ``docs`` as a test reads them: numbered sections and the tables in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_HEADING = re.compile(r"^#+ (\d+(?:\.\d+)*)\.? ", re.MULTILINE)
_CITED = re.compile(r"\b(\w+\.md)((?:(?:,|\s+and|\s+to|\s+with)?\s+(?:\d+(?:\.\d+)*|R\d+[a-z]?)\b)+)")
_PLACE = re.compile(r"(to\s+)?(\d+(?:\.\d+)*|R\d+[a-z]?)")

Row = tuple[str, ...]


def page(name: str) -> str:
    return (ROOT / "docs" / name).read_text("utf-8")


def sections(name: str) -> dict[str, str]:
    """The text of each numbered section, without that of the sections inside it."""
    _, *parts = _HEADING.split(page(name))
    return dict(zip(parts[::2], parts[1::2], strict=True))


def tables(name: str, section: str) -> list[list[Row]]:
    """The tables of a section, each without its head; a code span stands without its back ticks."""
    found: list[list[Row]] = []
    inside = False
    for line in sections(name)[section].splitlines():
        if line.startswith("|"):
            if not inside:
                found.append([])
            found[-1].append(tuple(cell.strip().replace("`", "") for cell in line.strip("|").split("|")))
        inside = line.startswith("|")
    return [rows[2:] for rows in found]


def cited_places(text: str) -> Iterator[tuple[str, str]]:
    """Every page and section that ``text`` cites; "2.6.11 to 2.6.13" cites three."""
    for citation in _CITED.finditer(text):
        before = ""
        for place in _PLACE.finditer(citation[2]):
            if place[1]:
                above, _, last = before.rpartition(".")
                for number in range(int(last) + 1, int(place[2].rpartition(".")[2])):
                    yield citation[1], f"{above}.{number}"
            before = place[2]
            yield citation[1], before


def sources() -> Iterator[Path]:
    """Every Python file that may cite a page."""
    for folder in ("core", "tui", "locales", "tests"):
        yield from sorted((ROOT / folder).rglob("*.py"))
