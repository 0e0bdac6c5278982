"""How much of what is said leaves this process, and what never does."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Sequence
from enum import StrEnum
from urllib.parse import parse_qsl, unquote

from ..rounds.events import CallFinished, CallOutput, Event, ToolRequested
from .body_secrets import NAMES

PREVIEW_CHARS = 2000
"""What ``preview`` keeps of each text; characters."""
TITLE_CHARS = 120
RESULT_CHARS = {"preview": 200, "full": 8000}
"""What is kept of a tool's result."""
GONE = "[…]"
SECRET_HEADERS = frozenset((b"chatgpt-account-id",))
"""Headers that are kept secret beside those whose names say it."""
LONGEST = 8192
"""A longer value is no key; characters. What is cut for publishing is searched this much further."""
SHORTEST = 8
"""A shorter value is no key; taking it out would only damage texts."""


class Capture(StrEnum):
    """What is published of texts, tool arguments and results."""

    NONE = "none"
    """Nothing but their lengths."""
    PREVIEW = "preview"
    """Their beginning."""
    FULL = "full"
    """All of it."""


class Secrets:
    """The secrets of one request, kept in memory to take them out of whatever is published. Has no readable repr."""

    def __init__(self, headers: Iterable[tuple[bytes, bytes]], query: str = "") -> None:
        """Find them in a request's headers and in its query string."""
        found: set[str] = set()
        for name, value in headers:
            if name.lower() in SECRET_HEADERS or NAMES.search(name.decode("latin-1")):
                text = value.decode("latin-1").strip()
                found.update((text, text.rpartition(" ")[2], *_basic(text)))
                found.update(part.partition("=")[2].strip() for part in text.split(";"))
        for parameter, text in parse_qsl(query, keep_blank_values=True):
            if NAMES.search(parameter):
                found.update((text, unquote(text)))
        self._found: list[str] = []
        self.add(found)

    def add(self, found: Iterable[str]) -> None:
        """Take in more of them, which the request's body held."""
        every = {*self._found, *(text for text in found if len(text) >= SHORTEST)}
        self._found = sorted(every, key=len, reverse=True)

    def out_of(self, text: str) -> str:
        """Return ``text`` without any of them."""
        for secret in self._found:
            if secret in text:
                text = text.replace(secret, GONE)
        return text


def _basic(value: str) -> tuple[str, ...]:
    """Return what a header of HTTP's own password scheme spells out."""
    kind, _, coded = value.partition(" ")
    if kind.lower() != "basic":
        return ()
    try:
        said = base64.b64decode(coded, validate=True).decode("utf-8", "replace")
    except ValueError:
        return ()
    return (said, said.partition(":")[2])


class Censor:
    """Makes the events of one call fit to be published."""

    def __init__(self, capture: Capture, secrets: Secrets) -> None:
        """Keep as much as ``capture`` says, and none of ``secrets``."""
        self._capture = capture
        self._secrets = secrets
        self._room: dict[str, int] = {}

    def keep_out(self, secrets: Iterable[str]) -> None:
        """Take in more secrets that no event may hold."""
        self._secrets.add(secrets)

    def title(self, text: str) -> str | None:
        """Return what may stand as a round's title."""
        if self._capture is Capture.NONE:
            return None
        line = " ".join(self._secrets.out_of(text[: 4 * TITLE_CHARS + LONGEST])[: 4 * TITLE_CHARS].split())
        return (line[: TITLE_CHARS - 1] + "…" if len(line) > TITLE_CHARS else line) or None

    def result(self, text: str | None) -> str | None:
        """Return what may be told of a tool's result."""
        limit = RESULT_CHARS.get(self._capture)
        if limit is None or not text:
            return None
        text = self._secrets.out_of(text[: limit + LONGEST])
        return text[: limit - 1] + "…" if len(text) > limit else text

    def event(self, event: Event) -> Event:
        """Return the event as it may be published."""
        match event:
            case CallOutput():
                return self._output(event)
            case ToolRequested():
                return self._requested(event)
            case CallFinished():
                return self._finished(event)
            case _:
                return event

    def all(self, events: Sequence[Event]) -> list[Event]:
        """Return the events as they may be published."""
        return [self.event(event) for event in events]

    def _output(self, event: CallOutput) -> CallOutput:
        text = event.text
        if not text:
            return event
        if self._capture is Capture.FULL:
            kept = self._secrets.out_of(text)
            return event if kept == text else event.model_copy(update={"text": kept})
        room = self._room.get(event.kind, PREVIEW_CHARS if self._capture is Capture.PREVIEW else 0)
        self._room[event.kind] = max(0, room - len(text))
        shown = self._secrets.out_of(text)[:room] or None
        chars = max(len(text), event.chars or 0)
        if shown is None and not text.strip():
            chars = 0  # blank text is no visible output, and a withheld length would say it is
        return event.model_copy(update={"text": shown, "chars": chars if shown != text else event.chars})

    def _requested(self, event: ToolRequested) -> ToolRequested:
        arguments = event.arguments
        if not arguments:
            return event
        keep = self._capture is Capture.FULL or (self._capture is Capture.PREVIEW and len(arguments) <= PREVIEW_CHARS)
        # withheld ones are left out whole: a beginning of JSON would be taken for arguments that were cut
        return event.model_copy(update={"arguments": self._secrets.out_of(arguments) if keep else None})

    def _finished(self, event: CallFinished) -> CallFinished:
        if event.error is None or event.error.message is None:
            return event
        message = self._secrets.out_of(event.error.message)
        return event.model_copy(update={"error": event.error.model_copy(update={"message": message})})
