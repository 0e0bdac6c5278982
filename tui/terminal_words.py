"""Words that the terminal itself is given: clipboard, notification, window title. Nothing in them is a command.

What comes from outside is cleaned and cut before it stands in such a sequence; the clipboard takes base64 only.
"""

from __future__ import annotations

import base64

from ..core.texts import clean

MOST_NAME = 40
"""Characters of a name from outside in a title or a notification."""
MOST_CLIPBOARD_BYTES = 74_000
"""Many terminals drop a longer clipboard sequence without a word; 100,000 characters of base64 are the usual limit."""
MOUSE_MODES = (1000, 1002, 1003, 1006, 1015)
"""Clicks, drags, moves, and the two ways of writing places beyond column 223: all that Textual may have set."""
_NOT_IN_A_SEQUENCE = dict.fromkeys((*range(32), *range(127, 160)))


def outside_name(name: str) -> str:
    """Return a name from outside as a title may hold it: cleaned, in one line, at most 40 characters."""
    shown = " ".join(clean(name[: MOST_NAME * 4]).split())
    return shown if len(shown) <= MOST_NAME else shown[: MOST_NAME - 1] + "…"


def clipboard_sequence(text: str) -> str | None:
    """Return what asks the terminal to take ``text``; None when it is too long for most terminals."""
    data = text.encode("utf-8", "replace")
    if len(data) > MOST_CLIPBOARD_BYTES:
        return None
    return f"\x1b]52;c;{base64.b64encode(data).decode('ascii')}\x1b\\"


def notification_sequence(words: str) -> str:
    """Return what asks the terminal for a notification (OSC 9)."""
    return f"\x1b]9;{_harmless(words)}\x1b\\"


def title_sequence(words: str) -> str:
    """Return what sets the window's title (OSC 2)."""
    return f"\x1b]2;{_harmless(words)}\x1b\\"


def mouse_sequence(*, taken: bool) -> str:
    """Return what lets the terminal report clicks, wheel and drags to the app, or keep the mouse for itself."""
    return "".join(f"\x1b[?{mode}{'h' if taken else 'l'}" for mode in MOUSE_MODES)


def _harmless(words: str) -> str:
    return clean(words).translate(_NOT_IN_A_SEQUENCE)
