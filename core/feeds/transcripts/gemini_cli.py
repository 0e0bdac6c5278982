"""Sessions of the Gemini CLI: messages that are written again whenever something is added to them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from typing import ClassVar

from pydantic_core import to_json

from ...rounds import Event, Silence
from ...rounds.base import CallError, CallOutcome, Parent
from ...rounds.events import CallFinished, CallStarted
from .conversation import Conversation
from .fields import Object, object_of, texts_of, word_of
from .gemini_message import GeminiMessage
from .line_transcript import LineTranscript
from .lines import Line
from .snapshot import SnapshotTranscript
from .surrogates import from_any_json
from .told_text import ERROR_CHARS, bounded
from .values import any_moment_of, compact, objects_of

SOURCE = "gemini-cli"
SILENT = (
    Silence.FINISH_REASON,
    Silence.CALL_START,
    Silence.FIRST_OUTPUT,
    Silence.END,
    Silence.PROGRESS,
)
ASKING = frozenset(("user",))
ANSWERING = frozenset(("gemini", "model", "assistant"))
CANCELLED = "request cancelled"
"""How the note begins that the CLI leaves when its user stopped it; compared in lower case."""


class GeminiSession:
    """The messages of one session, each told as far as it is settled."""

    def __init__(self, *, corrects: bool) -> None:
        """Begin before the first message; see ``GeminiMessage`` for ``corrects``."""
        self._corrects = corrects
        self.talk = Conversation(SOURCE, SILENT)
        self._told: dict[str, GeminiMessage | None] = {}
        """By id; None for what is no answer."""
        self._newest: GeminiMessage | None = None
        self._calls = 0

    def describe(self, record: Object) -> None:
        """Take note of what the record says of the session as a whole."""
        talk = self.talk
        if talk.has_begun:
            return
        talk.thread = talk.thread or word_of(record.get("sessionId"))
        talk.session = talk.session or talk.thread or ""
        parent = word_of(record.get("parentSessionId"))
        if parent is not None and talk.thread is not None and talk.parent is None:
            talk.parent = Parent(round=parent)
            talk.session, talk.agent = f"{parent}/{talk.thread}", talk.thread

    def take(self, message: Object) -> Iterator[Event]:
        """Yield what a message tells that was not told yet."""
        id_ = word_of(message.get("id")) or f"#{len(self._told) + 1}"
        kind = word_of(message.get("type"))
        if id_ in self._told:
            known = self._told[id_]
            if known is not None:
                yield from known.update(message, is_settled=known is not self._newest)
            return
        self._told[id_] = None
        if kind in ASKING:
            yield from self.settle()
            yield from self.talk.begin(any_moment_of(message.get("timestamp")), texts_of(message.get("content")))
        elif kind in ANSWERING:
            yield from self.settle()
            yield from self._answer(id_, message)
        elif kind in ("error", "info", "warning"):
            yield from self._note(kind, message)

    def settle(self) -> Iterator[Event]:
        """Yield what is open of the newest answer: nothing more will be added to it."""
        newest, self._newest = self._newest, None
        if newest is not None:
            yield from newest.settle()

    def conclude(self) -> Iterator[Event]:
        """Yield what follows where nothing more is written."""
        yield from self.settle()
        yield from self.talk.end(self.talk.last_at)

    def rewind(self, to: str) -> Iterator[Event]:
        """Take back a message and all after it: what was told stays told, the round of it is over."""
        yield from self.conclude()
        ids = list(self._told)
        for id_ in ids[ids.index(to) :] if to in self._told else ids:
            del self._told[id_]

    def _answer(self, id_: str, message: Object) -> Iterator[Event]:
        at = any_moment_of(message.get("timestamp"))
        yield from self.talk.ensure(at)
        self.talk.reopen()
        self._calls += 1
        self._newest = self._told[id_] = GeminiMessage(self.talk, f"c{self._calls}", corrects=self._corrects)
        yield from self._newest.update(message, is_settled=False)

    def _note(self, kind: str | None, message: Object) -> Iterator[Event]:
        said = texts_of(message.get("content"))
        at = any_moment_of(message.get("timestamp"))
        if not self.talk.is_open:
            return
        if said.lower().startswith(CANCELLED):
            yield from self.settle()
            yield from self.talk.cancelled(at)
            yield from self.talk.end(at)
        elif kind == "error":
            yield from self.settle()
            self._calls += 1
            call = f"c{self._calls}"
            self.talk.seen(at)
            yield CallStarted(round=self.talk.round, call=call)
            error = CallError(kind="error", message=bounded(said, ERROR_CHARS) or None)
            yield CallFinished(round=self.talk.round, call=call, at=at, outcome=CallOutcome.FAILED, error=error)


class GeminiCli(LineTranscript):
    """The newer form: a line for each state of a message, patches of the session, and what was taken back."""

    source: ClassVar[str] = SOURCE

    def __init__(self) -> None:
        """Begin before the first byte."""
        super().__init__()
        self._session = GeminiSession(corrects=True)

    def take(self, record: Object, line: Line) -> Iterator[Event]:
        """Yield what one line tells."""
        back = record.get("$rewindTo")
        if isinstance(back, str):
            yield from self._session.rewind(back)
        elif "type" in record:
            yield from self._session.take(record)
        else:
            patch = object_of(record.get("$set")) or record
            self._session.describe(patch)
            for message in objects_of(patch.get("messages")):
                yield from self._session.take(message)

    def conclude(self) -> Iterable[Event]:
        """Yield the end of the last answer and its round."""
        return self._session.conclude()


class GeminiCliDocument(SnapshotTranscript):
    """The older form: one document, written anew with every change."""

    source: ClassVar[str] = SOURCE

    def __init__(self) -> None:
        """Begin before the first byte."""
        super().__init__()
        self._session = GeminiSession(corrects=False)

    def told(self, document: bytes) -> Iterator[Event]:
        """Yield the settled events of one document."""
        try:
            whole = object_of(from_any_json(document))
        except ValueError as error:
            self.unreadable.add(1, 0, "no JSON", "transcript_no_json", str(error))
            return
        messages = objects_of(whole.get("messages")) or list(_older(whole))
        if not whole:
            self.unreadable.add(1, 0, "no JSON object", "transcript_no_object")
            return
        self._session.describe(whole)
        if not self._session.talk.session and messages:
            self._session.talk.session = hashlib.sha256(to_json(messages[0])).hexdigest()[:16]
        for message in messages:
            yield from self._session.take(message)

    def conclude(self) -> Iterable[Event]:
        """Yield the end of the last answer and its round."""
        return self._session.conclude()


def _older(whole: Object) -> Iterator[Object]:
    """Yield the messages of a history as the API itself has it, in the form of a session's."""
    model = word_of(object_of(whole.get("meta")).get("model"))
    for content in objects_of(whole.get("history")):
        seconds = content.get("ts")
        message: Object = {"type": content.get("role"), "content": content.get("parts"), "model": model}
        if isinstance(seconds, int | float) and not isinstance(seconds, bool):
            message["timestamp"] = seconds * 1000
        calls = [object_of(part.get("functionCall")) for part in objects_of(content.get("parts"))]
        message["toolCalls"] = [{"name": call.get("name"), "args": call.get("args")} for call in calls if call]
        if content.get("role") == "user" and "functionResponse" in compact(content.get("parts")):
            continue  # a tool's result is no prompt
        yield message
