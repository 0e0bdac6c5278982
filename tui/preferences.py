"""What the operator has chosen on the screen, and the file that remembers it.

The configuration file is written by people and only read here; this one is written by the screen and nobody else.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any, cast

MOST_BYTES = 256_000
MOST_FILTERS, MOST_FILTER_CHARS = 50, 500
FILE_MODE, FOLDER_MODE = 0o600, 0o700


@dataclass(frozen=True, slots=True)
class Preferences:
    """Every choice; None = none was made, something else decides."""

    theme: str | None = None
    locale: str | None = None
    ascii_marks: bool | None = None
    """True and False as chosen; None = as the terminal's encoding asks."""
    filters: tuple[str, ...] = ()
    """Saved filters, as they were typed."""
    toast: bool = True
    """Show a notice for a round that ends as no answer."""
    bell: bool = False
    """Ring the terminal's bell for it."""
    desktop: bool = False
    """Ask the terminal for a notification (OSC 9)."""
    mouse: bool = True
    """Take the mouse; False = the terminal keeps it, to select text with."""
    quiet_from: int | None = None
    """Hour of the viewer's clock, 0 to 23, from which on nothing rings."""
    quiet_to: int | None = None


class PreferencesError(OSError):
    """The file cannot be read or written; the message says why."""


class PreferencesFile:
    """Remembers preferences; without a path, as long as the app runs."""

    def __init__(self, path: Path | None = None) -> None:
        """Keep them in ``path``, which need not exist."""
        self.path = path
        self.problem: str | None = None
        """Why the file was not understood, or not written; the app goes on with what it has."""
        self.current = self._read() if path is not None else Preferences()

    def change(self, **changes: Any) -> Preferences:
        """Take new values and write them down; returns all of them."""
        self.current = replace(self.current, **changes)
        if self.path is not None:
            try:
                self._write(self.path)
                self.problem = None
            except OSError as error:
                self.problem = error.strerror or str(error)
        return self.current

    def _read(self) -> Preferences:
        assert self.path is not None
        try:
            with self.path.open("rb") as file:
                data = file.read(MOST_BYTES + 1)
            if len(data) > MOST_BYTES:
                raise ValueError(f"> {MOST_BYTES} bytes")
            found: object = json.loads(data)
            if not isinstance(found, dict):
                raise ValueError("no JSON object")
        except FileNotFoundError:
            return Preferences()
        except (OSError, ValueError, RecursionError) as error:
            self.problem = str(error)
            return Preferences()
        return _understood(cast("Mapping[str, object]", found))

    def _write(self, path: Path) -> None:
        """Write a new file beside the old one and put it into its place, so that no crash leaves half a file."""
        path.parent.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump(asdict(self.current), file, indent=2, ensure_ascii=False)
            Path(name).chmod(FILE_MODE)
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise


def preferences_path(environment: Mapping[str, str]) -> Path:
    """Return ``$XDG_STATE_HOME/roundwatch/screen.json`` (``~/.local/state`` by default); it may not exist."""
    given = Path(environment.get("XDG_STATE_HOME", ""))
    base = given if given.is_absolute() else Path.home() / ".local" / "state"
    return base / "roundwatch" / "screen.json"


def _understood(found: Mapping[str, object]) -> Preferences:
    """Return what can be understood; a value of a wrong kind counts as none, whatever else the file holds."""
    kept: dict[str, Any] = {}
    for each in fields(Preferences):
        value = found.get(each.name)
        match each.name:
            case "theme" | "locale":
                fits = isinstance(value, str) and len(value) <= 40
            case "filters":
                value = _filters(value)
                fits = True
            case "quiet_from" | "quiet_to":
                fits = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 24
            case _:
                fits = isinstance(value, bool)
        if fits:
            kept[each.name] = value
    return Preferences(**kept)


def _filters(value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        return ()
    texts = [each for each in cast("list[object]", value) if isinstance(each, str) and len(each) <= MOST_FILTER_CHARS]
    return tuple(dict.fromkeys(texts))[:MOST_FILTERS]
