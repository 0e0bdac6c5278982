"""Sessions of opencode: a session, its messages and their parts, from its store of files or its database."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import ClassVar

from ...rounds import Event, Silence
from ...rounds.base import Parent
from ...wire.shapes import is_list
from .conversation import Conversation
from .fields import Object, object_of, word_of
from .opencode_step import OpencodeStep, ends_turn
from .snapshot import SnapshotTranscript
from .surrogates import from_any_json
from .values import any_moment_of, objects_of

OF_A_STEP = ("step-start", "step-finish", "text", "reasoning", "tool")


class Opencode(SnapshotTranscript):
    """One session as lines of ``{"session": …}``, ``{"message": …}`` and ``{"part": …}``, or a file of its store."""

    source: ClassVar[str] = "opencode"
    silent: ClassVar[tuple[Silence, ...]] = (Silence.REFUSALS,)

    def __init__(self) -> None:
        """Begin before the first byte."""
        super().__init__()
        self._talk = Conversation(self.source, self.silent)
        self._calls = 0
        self._open: OpencodeStep | None = None

    def told(self, document: bytes) -> Iterator[Event]:
        """Yield the settled events of one session."""
        messages: dict[str, Object] = {}
        parts: dict[str, list[Object]] = {}
        for kind, value in self._records(document):
            if kind == "session":
                self._describe(value)
            elif kind == "message":
                messages[word_of(value.get("id")) or f"#{len(messages)}"] = value
            else:
                parts.setdefault(word_of(value.get("messageID")) or "", []).append(value)
        ordered = sorted(messages.items(), key=lambda item: (_created(item[1]), item[0]))
        for index, (id_, message) in enumerate(ordered):
            yield from self._message(message, parts.get(id_, []), is_last=index == len(ordered) - 1)

    def conclude(self) -> Iterable[Event]:
        """Yield the end of the newest round: nothing more is written."""
        return self._talk.end(self._talk.last_at)

    def _records(self, document: bytes) -> Iterator[tuple[str, Object]]:
        try:
            yield from _kinds(from_any_json(document))
            return
        except ValueError:
            pass
        offset = 0
        for number, line in enumerate(document.split(b"\n"), start=1):
            if line.strip():
                try:
                    yield from _kinds(from_any_json(line))
                except ValueError as error:
                    self.unreadable.add(number, offset, "no JSON", "transcript_no_json", str(error))
            offset += len(line) + 1

    def _describe(self, session: Object) -> None:
        talk, id_, parent = self._talk, word_of(session.get("id")), word_of(session.get("parentID"))
        talk.thread, talk.session = id_, id_ or ""
        talk.title = word_of(session.get("title")) if parent is not None else None
        if parent is not None and id_ is not None:
            talk.parent, talk.session = Parent(round=parent), f"{parent}/{id_}"

    def _message(self, message: Object, parts: list[Object], *, is_last: bool) -> Iterator[Event]:
        talk = self._talk
        talk.session = talk.session or word_of(message.get("sessionID")) or ""
        created = any_moment_of(object_of(message.get("time")).get("created"))
        if message.get("role") == "user":
            if is_last and not parts:
                return  # what it says is being written
            said = next((found for part in parts if (found := word_of(part.get("text")))), None)
            talk.agent = word_of(message.get("agent"))
            yield from talk.begin(created, said or word_of(object_of(message.get("summary")).get("title")))
        elif message.get("role") == "assistant":
            yield from talk.ensure(created)
            yield from self._answer(message, parts, created, is_last=is_last)

    def _answer(
        self, message: Object, parts: list[Object], created: datetime | None, *, is_last: bool
    ) -> Iterator[Event]:
        talk = self._talk
        talk.reopen()
        time = object_of(message.get("time"))
        is_settled = not is_last or "completed" in time or bool(object_of(message.get("error")))
        steps = _steps(parts)
        for index, step in enumerate(steps):
            self._calls += 1
            start = created if index == 0 else None
            told = OpencodeStep(talk, f"c{self._calls}", message, step, start=start, is_alone=len(steps) == 1)
            yield from told.told(is_settled=is_settled, is_last=index == len(steps) - 1)
            if not told.is_whole:
                return
        completed = any_moment_of(time.get("completed"))
        talk.seen(completed)
        if is_settled and ends_turn(message, steps[-1]):
            yield from talk.end(completed or talk.last_at)


def _steps(parts: list[Object]) -> list[list[Object]]:
    """Return the parts of each request that a message consists of; at least one."""
    steps: list[list[Object]] = [[]]
    for part in parts:
        if part.get("type") == "step-start" and any(known.get("type") in OF_A_STEP for known in steps[-1]):
            steps.append([])
        steps[-1].append(part)
    return steps


def _created(message: Object) -> float:
    at = any_moment_of(object_of(message.get("time")).get("created"))
    return at.timestamp() if at is not None else 0.0


def _kinds(value: object) -> Iterator[tuple[str, Object]]:
    """Yield the records of a value, each with what it is."""
    record = object_of(value)
    if not record:
        if not is_list(value):
            raise ValueError("no object")
        for item in objects_of(value):
            yield from _kinds(item)
        return
    wrapped = [
        (kind, object_of(record[kind])) for kind in ("session", "message", "part") if object_of(record.get(kind))
    ]
    if wrapped:
        yield from wrapped
    elif "messageID" in record:
        yield "part", record
    else:
        yield ("message" if "role" in record else "session"), record
