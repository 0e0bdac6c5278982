"""How much of what is said leaves this process, and what never does."""

from __future__ import annotations

import hashlib
import secrets as random
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import Any, TypeGuard, TypeVar

from ..rounds.base import Frozen
from ..rounds.events import CallOutput, CallUsage, Event, ToolRequested
from ..wire.shapes import is_list, is_object
from .key_shapes import GONE
from .request_secrets import LONGEST, Secrets
from .split_secrets import Streamed

PREVIEW_CHARS = 2000
"""What ``preview`` keeps of each text; characters."""
TITLE_CHARS = 120
RESULT_CHARS = {"preview": 200, "full": 8000}
"""What is kept of a tool's result."""
STREAMS = 64
"""Texts of one call that may be in the middle of a secret; more at a time are no answer of a model."""

_OURS = frozenset(("type", "id", "wire", "provider", "call", "harness", "source", "code"))
"""Fields of events whose values are made by us, or by whoever configured us."""
_NAMES = frozenset(("round", "thread", "agent", "tool_call"))
"""Fields by which events find each other: what is blotted out in them has to stay distinct."""
_SALT = random.token_bytes(16)

_Key = tuple[str, str | None, int | None]
_Value = TypeVar("_Value", bound=Frozen)


class Capture(StrEnum):
    """What is published of texts, tool arguments and results."""

    NONE = "none"
    """Nothing but their lengths."""
    PREVIEW = "preview"
    """Their beginning."""
    FULL = "full"
    """All of it."""


class Censor:
    """Makes the events of one call fit to be published."""

    def __init__(self, capture: Capture, secrets: Secrets) -> None:
        """Keep as much as ``capture`` says, and none of ``secrets``."""
        self._capture = capture
        self._secrets = secrets
        self._room: dict[str, int] = {}
        self._streams: dict[_Key, tuple[Streamed, CallOutput]] = {}
        """The texts that came in pieces, each with its newest event."""

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

    def name(self, text: str) -> str:
        """Return a name of a round, thread, agent or tool call, still distinct where a secret was in it."""
        if self._secrets.out_of(text) == text:
            return text
        return f"{GONE}{hashlib.sha256(_SALT + text.encode('utf-8', 'replace')).hexdigest()[:12]}"

    def text(self, text: str) -> str:
        """Return a short text as it may be published."""
        return self._secrets.out_of(text)

    def all(self, events: Sequence[Event]) -> list[Event]:
        """Return the events as they may be published; the end of a streamed text may come with a later one."""
        return [told for event in events for told in self._told(event)]

    def _told(self, event: Event) -> Iterator[Event]:
        if isinstance(event, CallOutput):
            yield from self._let_go(event)
            yield from self._output(event)
            return
        if isinstance(event, CallUsage):
            yield event
            return
        yield from self._let_go(None)
        yield self._clean(self._requested(event) if isinstance(event, ToolRequested) else event)

    # streamed output

    def _output(self, event: CallOutput) -> Iterator[CallOutput]:
        if event.tool_call and (name := self.name(event.tool_call)) != event.tool_call:
            event = event.model_copy(update={"tool_call": name})
        text = event.text
        if not text:
            yield event
        elif self._room_for(event.kind) == 0:
            # blank text is no visible output, and a withheld length would say it is
            chars = max(len(text), event.chars or 0) if text.strip() else 0
            yield event.model_copy(update={"text": None, "chars": chars})
        else:
            yield from self._pieces(event, text)

    def _pieces(self, event: CallOutput, text: str) -> Iterator[CallOutput]:
        key = (event.kind, event.tool_call, event.choice)
        if key not in self._streams and len(self._streams) >= STREAMS:
            yield from self._let_go(None)
            self._streams.clear()
        stream = self._streams[key][0] if key in self._streams else Streamed(self._secrets)
        self._streams[key] = stream, event
        before = stream.waiting
        told = stream.add(text)
        size = before + len(text) - stream.waiting
        if size:
            yield self._shown(event, told, size, max(0, (event.chars or 0) - len(text)))

    def _let_go(self, of: CallOutput | None) -> Iterator[CallOutput]:
        """Yield the ends of texts that ``of`` has to stand behind: those of its choice; None = all."""
        for key, (stream, event) in self._streams.items():
            if stream.waiting and (of is None or (key[2] == of.choice and key != (of.kind, of.tool_call, of.choice))):
                size = stream.waiting
                yield self._shown(event, stream.let_go(), size, 0)

    def _room_for(self, kind: str) -> int | None:
        """Return how much more may be shown of a kind of output; None = all of it."""
        if self._capture is Capture.FULL:
            return None
        return self._room.get(kind, PREVIEW_CHARS if self._capture is Capture.PREVIEW else 0)

    def _shown(self, event: CallOutput, told: str, size: int, unseen: int) -> CallOutput:
        """Return the event with a text of ``size`` characters, of which ``told`` may be told.

        Args:
            unseen: characters that the event counts beyond its text.
        """
        room = self._room_for(event.kind)
        shown = told[:room] or None
        chars = None if (room is None or (shown == told and len(told) == size)) and not unseen else size + unseen
        if room is not None:
            self._room[event.kind] = max(0, room - size)
            chars = chars if shown is not None or told.strip() else 0
        if shown == event.text and chars == event.chars:
            return event
        return event.model_copy(update={"text": shown, "chars": chars})

    # everything else

    def _requested(self, event: ToolRequested) -> ToolRequested:
        arguments = event.arguments
        if not arguments:
            return event
        keep = self._capture is Capture.FULL or (self._capture is Capture.PREVIEW and len(arguments) <= PREVIEW_CHARS)
        # withheld ones are left out whole: a beginning of JSON would be taken for arguments that were cut
        return event if keep else event.model_copy(update={"arguments": None})

    def _clean(self, value: _Value, ours: frozenset[str] = _OURS) -> _Value:
        """Return an event, or a part of one, without a secret in any field that holds somebody else's words."""
        changed = {
            name: clean
            for name, given in value.__dict__.items()
            if given is not None and name not in ours and (clean := self._field(name, given)) is not given
        }
        return value.model_copy(update=changed) if changed else value

    def _field(self, name: str, value: Any) -> Any:
        if isinstance(value, str):
            if isinstance(value, StrEnum):
                return value
            clean = self.name(value) if name in _NAMES else self.text(value)
            return value if clean == value else clean
        if isinstance(value, Frozen):
            return self._clean(value, frozenset())
        if _is_tuple(value):
            return tuple(self._field(name, one) for one in value)
        if is_list(value):
            return [self._field(name, one) for one in value]
        if is_object(value):
            return {self.text(key): self._field(name, one) for key, one in value.items()}
        return value


def _is_tuple(value: object) -> TypeGuard[tuple[Any, ...]]:
    return isinstance(value, tuple)
