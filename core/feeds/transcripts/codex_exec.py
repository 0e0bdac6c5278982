"""What ``codex exec --json`` prints: whole turns with their items, without times and without single requests."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePath
from typing import Any, ClassVar

from ...rounds import Event, Silence
from ...rounds.base import CallOutcome, Claim, OutputKind, RefusedWhy, Usage
from .codex_errors import error_of
from .codex_items import refused_why
from .codex_usage import counts_of
from .fields import Object, list_of, object_of, texts_of, word_of
from .line_transcript import Record
from .lines import Line
from .linked import LinkedTranscript
from .seen import Seen
from .telling import Origin, Telling, ToldCall

UNNAMED = "codex-exec"
LONGEST_ID = 200
_TOOLS = frozenset(("command_execution", "file_change", "mcp_tool_call", "collab_tool_call"))
_ARGUMENTS = ("command", "changes", "arguments", "prompt", "receiver_thread_ids")
_OUTPUTS = ("aggregated_output", "result", "error")


class CodexExec(LinkedTranscript):
    """One run's output. A turn is a round; all requests in it are told as one call, which carries the turn's usage."""

    source: ClassVar[str] = "codex-exec-json"
    silent: ClassVar[tuple[Silence, ...]] = (
        Silence.FINISH_REASON,
        Silence.CALL_START,
        Silence.FIRST_OUTPUT,
        Silence.CALLS,
    )

    def __init__(self, name: str = "", seen: Seen | None = None, *, owner: str | None = None, branch: str = "") -> None:
        """Begin before the first byte."""
        super().__init__(name, seen, owner=owner, branch=branch)
        self._out: list[Event] = []
        self._telling = self._new(PurePath(name).stem[:LONGEST_ID] or UNNAMED)
        self._turns = 0

    def take(self, record: Record, line: Line) -> Iterable[Event]:
        """Return what one record tells."""
        self._out = []
        match record.get("type"):
            case "thread.started":
                thread = word_of(record.get("thread_id"))
                if thread is not None and self._telling.rounds == 0:
                    self._telling = self._new(thread[:LONGEST_ID])
            case "turn.started":
                self._begin()
            case "item.started" | "item.updated":
                self._item(object_of(record.get("item")), is_over=False)
            case "item.completed":
                self._item(object_of(record.get("item")), is_over=True)
            case "turn.completed":
                self._completed(object_of(record.get("usage")))
            case "turn.failed":
                self._failed(record.get("error"))
            case _:
                pass
        return self._out

    def conclude(self) -> Iterable[Event]:
        """Return the end of a turn that nothing ended: the run was broken off, its call stays open."""
        self._out = []
        self._telling.finish(None)
        return self._out

    def _new(self, thread: str) -> Telling:
        silent = tuple(word.value for word in self.silent)
        origin = Origin(thread, self.source, silent, thread, wire="openai-responses")
        return Telling(origin, self._put)

    def _begin(self) -> ToldCall:
        self._telling.begin(None)
        self._turns += 1
        return self._telling.start_call(f"turn{self._turns}", None)

    def _call(self) -> ToldCall:
        call = self._telling.call
        return self._begin() if call is None or self._telling.is_over else call

    def _completed(self, usage: Object) -> None:
        counts = counts_of(usage)
        self._telling.finish_call(self._call(), None, usage=Usage(**counts) if counts else None)
        self._telling.finish(None, Claim(status="completed"))

    def _failed(self, error: object) -> None:
        told = error_of(error)
        self._telling.finish_call(self._call(), None, CallOutcome.FAILED, error=told)
        self._telling.finish(None, Claim(status="failed", reason=told.code))

    def _item(self, item: Object, *, is_over: bool) -> None:
        kind, text = item.get("type"), texts_of(item.get("text"))
        if kind == "agent_message" and is_over:
            self._telling.output(self._call(), OutputKind.TEXT, text, None)
        elif kind == "reasoning" and is_over:
            self._telling.output(self._call(), OutputKind.REASONING, text, None)
        elif kind == "web_search" and is_over:
            id_ = self._request(item, "web_search", item.get("query"), server=True)
            self._telling.finish_tool(id_, None, ok=True)
        elif isinstance(kind, str) and kind in _TOOLS:
            self._tool(kind, item, is_over=is_over)

    def _tool(self, kind: str, item: Object, *, is_over: bool) -> None:
        tool = word_of(item.get("tool"))
        server = word_of(item.get("server"))
        name = f"{server}.{tool}" if server and tool else tool or kind
        arguments = {word: item[word] for word in _ARGUMENTS if item.get(word) is not None}
        id_ = self._request(item, name, arguments.get("arguments", arguments))
        if not is_over:
            self._telling.start_tool(id_, None)
            return
        text = next((said for word in _OUTPUTS if (said := _said(item.get(word)))), "")
        status, code = item.get("status"), item.get("exit_code")
        why = RefusedWhy.PERMISSION if status == "declined" else None
        if status == "failed" and code is None:
            why = refused_why(text[:600])
        if why is not None:
            self._telling.refuse_tool(id_, None, why, text or "declined")
        else:
            self._telling.finish_tool(id_, None, ok=status != "failed" and code in (None, 0), text=text)

    def _request(self, item: Object, name: str, arguments: Any, *, server: bool = False) -> str:
        """Tell that a tool was asked for, once; return its id."""
        call = self._call()
        given = word_of(item.get("id"))
        id_ = given[:LONGEST_ID] if given is not None else f"{call.id}.{len(self._telling.tools) + 1}"
        if id_ not in self._telling.tools:
            told = {"query": arguments} if isinstance(arguments, str) else arguments
            self._telling.request_tool(call, id_, name, told, None, server=server, id_given=given is not None)
        return id_

    def _put(self, event: Event) -> None:
        self._out.append(event)


def _said(value: object) -> str:
    """Return the text of an output: a string, a message, or blocks."""
    fields = object_of(value)
    return texts_of(fields.get("message") or fields.get("content") if fields else list_of(value) or value)
