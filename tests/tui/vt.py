"""A strict terminal: it knows what the app may write and nothing else, keeps the modes that are set, and the screen."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field

from rich.cells import cell_len

CSI = re.compile(r"\x1b\[([<>=?]?)([0-9;:]*)([ -/]*)([@-~])")
OSC = re.compile(r"\x1b\]([0-9]+);([^\x00-\x1f\x7f-\x9f]*)\x1b\\")
POINTER = re.compile(r"\x1b\]22;(default|pointer|text|grab|grabbing)\x07")
CHARSET = re.compile(r"\x1b[()][0B]")
SPLIT = re.compile(r"\x1b(?:\[[<>=?]?[0-9;:]*[ -/]*|\][^\x1b\x07]*\x1b?|[()]?)?\Z")
"""The beginning of a sequence whose rest is still on its way."""
MODES = frozenset((1, 7, 25, 1000, 1002, 1003, 1004, 1006, 1015, 1016, 1049, 2004, 2026, 2048))
"""Private modes that Textual sets: wrap, cursor, mouse, focus, alternate screen, paste, whole updates, resizes."""
ASKED = frozenset((2026, 2048))
"""Private modes whose support Textual asks for."""
WINDOW = frozenset(("22;2", "23;2"))
"""The window's title put aside and taken back."""
OUR_SEQUENCES = frozenset(("2", "9", "52", "777"))
"""Title, notification, clipboard."""
SET_AT_FIRST = frozenset((7, 25))
"""What a terminal begins with."""
SAME_PLACE = frozenset("\u200d\ufe0e\ufe0f")
"""Text may choose between the two faces of an emoji."""


@dataclass
class StrictTerminal:
    """Takes in what a program wrote; ``faults`` lists whatever it may not have written."""

    width: int
    height: int
    faults: list[str] = field(default_factory=list[str])
    modes: dict[int, bool] = field(default_factory=dict[int, bool])
    """Every private mode that was touched, and whether it is set."""
    words: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """Operating system commands: number and content."""
    styles: set[str] = field(default_factory=set[str])
    """Parameters of every style that was set."""
    kitty: int = 0
    """How often the kitty keyboard protocol was pushed and not popped."""
    paints: int = 0
    """Synchronized updates, or else moves to the first column of any row."""
    _cells: dict[tuple[int, int], str] = field(default_factory=dict[tuple[int, int], str])
    _x: int = 0
    _y: int = 0
    _rest: str = ""

    def feed(self, text: str) -> None:
        """Take in text."""
        text, self._rest = self._rest + text, ""
        place = 0
        while place < len(text):
            if text[place] != "\x1b":
                end = text.find("\x1b", place)
                end = len(text) if end < 0 else end
                for char in text[place:end]:
                    self._char(char)
                place = end
                continue
            if SPLIT.match(text, place):
                self._rest = text[place:]
                return
            place = self._sequence(text, place)

    def _sequence(self, text: str, place: int) -> int:
        if found := CSI.match(text, place):
            self._control(*found.groups())
        elif found := OSC.match(text, place):
            self.words.append((found[1], found[2]))
            if found[1] not in OUR_SEQUENCES:
                self.faults.append(f"OSC {found[0]!r}")
        elif not (found := CHARSET.match(text, place) or POINTER.match(text, place)):
            self.faults.append(f"escape {text[place : place + 20]!r}")
            return place + 1
        return found.end()

    def _control(self, private: str, parameters: str, between: str, final: str) -> None:
        match private, between, final:
            case "", "", "m":
                self.styles.add(parameters)
            case "", "", "H":
                row, _, column = parameters.partition(";")
                self._y, self._x = int(row or 1) - 1, int(column or 1) - 1
            case "", "", "J" if parameters in ("2", "3"):
                self._cells.clear()
            case "?", "", ("h" | "l") if all(int(mode) in MODES for mode in parameters.split(";")):
                for mode in parameters.split(";"):
                    self.modes[int(mode)] = final == "h"
                self.paints += final == "h" and parameters == "2026"
            case "?", "$", "p" if int(parameters) in ASKED:
                pass
            case ((">" | "<"), "", "u"):
                self.kitty += 1 if private == ">" else -1
            case "", "", "t" if parameters in WINDOW:
                pass
            case _:
                self.faults.append(f"CSI {private}{parameters}{between}{final}")

    def _char(self, char: str) -> None:
        if char == "\r":
            self._x = 0
        elif char == "\n":
            self._y += 1
        elif unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp") and char not in SAME_PLACE:
            self.faults.append(f"character {char!r} on row {self._y}: {self.row(self._y)[-60:]!r}")
        elif (cells := cell_len(char)) == 0:
            self._cells[self._y, max(0, self._x - 1)] = self._cells.get((self._y, max(0, self._x - 1)), "") + char
        else:
            self._cells[self._y, self._x] = char
            for covered in range(1, cells):
                self._cells[self._y, self._x + covered] = ""
            self._x += cells

    def row(self, y: int) -> str:
        """Return what stands on a row, without blanks at its end."""
        return "".join(self._cells.get((y, x), " ") for x in range(self.width)).rstrip()

    @property
    def shown(self) -> str:
        """What stands on the screen."""
        return "\n".join(self.row(y) for y in range(self.height))

    def resized(self, width: int, height: int) -> None:
        """Have another size; what stood outside is gone."""
        self.width, self.height = width, height
        self._cells = {(y, x): char for (y, x), char in self._cells.items() if y < height and x < width}

    @property
    def outside(self) -> list[str]:
        """What was written beside or below the screen."""
        return [
            f"{char!r} in row {y}, column {x}"
            for (y, x), char in sorted(self._cells.items())
            if y >= self.height or x + cell_len(char) > self.width
        ]

    @property
    def left_behind(self) -> list[str]:
        """What a program that has ended should have put back."""
        wrong = [f"mode {mode}" for mode, is_set in sorted(self.modes.items()) if is_set != (mode in SET_AT_FIRST)]
        return wrong + (["the keyboard protocol"] if self.kitty > 0 else [])
