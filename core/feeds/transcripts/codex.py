"""Rollout files of Codex: records with time and type, and the bare items that versions before 0.40 or so wrote."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from pathlib import PurePath
from typing import Any, ClassVar

from ...rounds import Event, Silence
from ...rounds.base import OutputKind, Parent
from ...wire.shapes import is_object
from .codex_errors import error_of
from .codex_items import ABORTED, ended, is_prompt, result_of, spawned_thread
from .codex_replay import Replay
from .codex_turns import Turns
from .codex_usage import Cumulative
from .fields import Object, list_of, moment_of, object_of, texts_of, word_of
from .line_transcript import Record
from .lines import Line
from .linked import LinkedTranscript
from .seen import Seen
from .telling import Origin

UNNAMED = "codex"
LONGEST_ID = 200
SPAWN = "spawn_agent"
"""The tool that starts a sub-agent."""
_SESSION_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$")
_SKIPPED = re.compile(
    rb'\{"timestamp":"[^"\\]{1,40}","type":"(?:compacted"|response_item","payload":\{"type":"ghost_snapshot"'
    rb'|event_msg","payload":\{"type":"agent_(?:reasoning|message))'
)
_BEGINNINGS = frozenset(("task_started", "turn_started"))
_COMPLETIONS = frozenset(("task_complete", "turn_complete"))
_ABORT_REASON = re.compile(r"<reason>\s*([a-z_]{1,40})\s*</reason>")


class Codex(LinkedTranscript):
    """One rollout file. A turn is a round, named after the session, the k-th with ``#<k>`` behind it.

    Of a forked session only its own turns are told; the copy of its parent's is left out.
    """

    source: ClassVar[str] = "codex"
    silent: ClassVar[tuple[Silence, ...]] = (
        Silence.FINISH_REASON,
        Silence.CALL_START,
        Silence.FIRST_OUTPUT,
        Silence.END,
    )
    """No finish reason is ever written; older versions write no ends of turns either."""

    def __init__(self, name: str = "", seen: Seen | None = None, *, owner: str | None = None, branch: str = "") -> None:
        """Begin before the first byte."""
        super().__init__(name, seen, owner=owner, branch=branch)
        stem = PurePath(name).stem
        found = _SESSION_ID.search(stem)
        self._session = (found[0] if found else stem)[:LONGEST_ID] or UNNAMED
        self._replay = Replay()
        self._counts = Cumulative()
        self._out: list[Event] = []
        self._turns = self._new_turns({})
        self._spawns: set[str] = set()
        """Tool calls that start a sub-agent and have no result yet."""
        self._prompt: tuple[datetime | None, str] | None = None
        """A user message that nothing said yet to begin a turn."""
        self._items: Mapping[str, Callable[[Object, datetime | None], None]] = {
            "message": self._message,
            "reasoning": self._reasoning,
            "web_search_call": self._served,
            "image_generation_call": self._served,
        }

    def skips(self, data: bytes) -> bool:
        """Return whether a line holds nothing for us: copies of the history, and what another record repeats."""
        return _SKIPPED.match(data) is not None

    def take(self, record: Record, line: Line) -> Iterable[Event]:
        """Return what one record tells."""
        self._out = []
        payload = record.get("payload")
        if is_object(payload):
            self._wrapped(record.get("type"), payload, moment_of(record.get("timestamp")))
        elif "type" in record:
            self._item(record, moment_of(record.get("timestamp")))
        elif "id" in record:
            self._meta(record, moment_of(record.get("timestamp")))
        return self._out

    def conclude(self) -> Iterable[Event]:
        """Return the end of a turn that is still open; what Codex would have written of it is missing."""
        self._out = []
        self._turns.end(None, closes_call=not self._turns.has_ends)
        return self._out

    def _wrapped(self, kind: object, payload: Object, at: datetime | None) -> None:
        if kind == "session_meta":
            self._meta(payload, at)
            return
        says = word_of(payload.get("type")) or ""
        begins = kind == "event_msg" and (says in _BEGINNINGS or says == "user_message")
        if self._replay.is_copy(payload, at, begins_turn=begins):
            if says == "token_count":
                self._counts.step(payload)
        elif kind == "response_item":
            self._item(payload, at)
        elif kind == "turn_context":
            self._turns.model = word_of(payload.get("model")) or self._turns.model
        elif kind == "event_msg":
            self._event(says, payload, at)

    def _meta(self, payload: Object, at: datetime | None) -> None:
        if self._replay.meta(payload, at):
            self._session = (word_of(payload.get("id")) or self._session)[:LONGEST_ID]
            self.told_itself(self._session)
            model = self._turns.model
            self._turns = self._new_turns(payload)
            self._turns.model = model

    def _new_turns(self, meta: Object) -> Turns:
        session = self._session
        origin = object_of(meta.get("source"))
        spawned = origin.get("subagent")
        spawn = object_of(object_of(spawned).get("thread_spawn"))
        above = word_of(spawn.get("parent_thread_id")) or word_of(meta.get("parent_thread_id"))
        parent = self._seen.parent_of(session) or (Parent(round=above[:LONGEST_ID]) if above else None)
        agent = next(
            (
                word[:LONGEST_ID]
                for given in (spawn.get("agent_nickname"), spawn.get("agent_role"), meta.get("agent_nickname"), spawned)
                if (word := word_of(given)) is not None
            ),
            session if parent is not None else None,
        )
        provider = word_of(meta.get("model_provider"))
        silent = tuple(word.value for word in self.silent)
        wire = "openai-responses"
        return Turns(
            Origin(session, self.source, silent, session, agent, parent, wire, provider and provider[:LONGEST_ID]),
            self._put,
        )

    def _event(self, says: str, payload: Object, at: datetime | None) -> None:
        turns = self._turns
        if says == "token_count":
            usage = self._counts.step(payload)
            if usage is not None:
                self._begin_waiting()
                turns.count(usage, at)
        elif says == "user_message":
            self._user_message(str(payload.get("message") or ""), at)
        elif says in _BEGINNINGS:
            self._prompt = None
            turns.begin(at, None, has_ends=True)
        elif says in _COMPLETIONS:
            error = payload.get("error")
            said = word_of(payload.get("last_agent_message"))
            turns.complete(at, error_of(error) if error else None, said)
        elif says == "context_compacted":
            turns.compacts = True
        elif says == "turn_aborted":
            turns.abort(at, word_of(payload.get("reason")) or "interrupted")
        elif says == "error":
            turns.fail(at, error_of(payload))
        elif says == "stream_error":
            turns.break_off(at, error_of(payload))
        elif says.endswith(("_begin", "_end")):
            self._tool_event(says, payload, at)

    def _user_message(self, text: str, at: datetime | None) -> None:
        self._prompt = None
        turns = self._turns
        if turns.has_ends and not turns.telling.is_over:
            if turns.is_untouched:
                turns.name(text)
        elif is_prompt(text):
            turns.begin(at, text, has_ends=False)

    def _tool_event(self, says: str, payload: Object, at: datetime | None) -> None:
        id_ = word_of(payload.get("call_id"))
        if id_ is None:
            return
        if says.endswith("_begin"):
            self._turns.telling.start_tool(id_, at)
        elif says == "collab_agent_spawn_end":
            self._spawned(word_of(payload.get("new_thread_id")), id_)
        elif says in ("exec_command_end", "mcp_tool_call_end", "patch_apply_end"):
            self._turns.answer(id_, ended(payload), at)

    def _spawned(self, thread: str | None, tool: str) -> None:
        """Tell which tool call started a sub-agent's session."""
        round_ = self._turns.telling.round
        if thread is None or round_ is None:
            return
        self._out += self.placed(thread[:LONGEST_ID], Parent(round=round_, tool_call=tool))

    def _item(self, item: Object, at: datetime | None) -> None:
        kind = item.get("type")
        if not isinstance(kind, str):
            return
        handler = self._items.get(kind)
        if handler is not None:
            handler(item, at)
        elif kind.endswith(("_output", "_result")):
            self._answered(item, at)
        elif kind.endswith("_call"):
            self._called(kind, item, at)

    def _message(self, item: Object, at: datetime | None) -> None:
        text = texts_of(item.get("content"))
        role = item.get("role")
        if role == "assistant":
            self._begin_waiting()
            self._turns.output(OutputKind.TEXT, text, at)
            refusals = (object_of(part).get("refusal") for part in list_of(item.get("content")))
            for refusal in refusals:
                if isinstance(refusal, str):
                    self._turns.output(OutputKind.REFUSAL, refusal, at)
        elif role == "user":
            if text.lstrip().startswith(ABORTED):
                reason = _ABORT_REASON.search(text[:2000])
                self._turns.abort(at, reason[1] if reason else "interrupted")
            elif is_prompt(text):
                self._user_item(text, at)

    def _user_item(self, text: str, at: datetime | None) -> None:
        """A message to the model; whether it begins a turn shows by what follows."""
        turns = self._turns
        if turns.has_ends and not turns.telling.is_over:
            if turns.is_untouched:
                turns.name(text)
        elif not (turns.is_untouched and turns.prompted == text):
            self._prompt = (at, text)

    def _begin_waiting(self) -> None:
        """Begin the turn of a prompt that no event announced."""
        if self._prompt is not None:
            (at, text), self._prompt = self._prompt, None
            self._turns.begin(at, text, has_ends=False)
            self._turns.name(text)

    def _reasoning(self, item: Object, at: datetime | None) -> None:
        """What is encrypted has no known length; what there is of it is a summary."""
        self._begin_waiting()
        text = texts_of(item.get("content")) or texts_of(item.get("summary"))
        self._turns.output(OutputKind.REASONING, text, at)

    def _called(self, kind: str, item: Object, at: datetime | None) -> None:
        self._begin_waiting()
        id_ = word_of(item.get("call_id")) or word_of(item.get("id"))
        function = object_of(item.get("function"))
        name = word_of(item.get("name")) or word_of(function.get("name")) or kind.removesuffix("_call")
        arguments: Any = item.get("arguments")
        if arguments is None and "input" in item:
            arguments = {"input": item["input"]}  # free text, no JSON
        if arguments is None:
            arguments = item.get("action")
        if name == SPAWN and id_ is not None:
            self._spawns.add(id_)
        self._turns.request(id_, name, arguments, at)

    def _served(self, item: Object, at: datetime | None) -> None:
        self._begin_waiting()
        status = item.get("status")
        ok = status == "completed" if status in ("completed", "failed") else None
        name = str(item["type"]).removesuffix("_call")
        self._turns.served(word_of(item.get("id")), name, item.get("action"), at, ok=ok)

    def _answered(self, item: Object, at: datetime | None) -> None:
        id_ = word_of(item.get("call_id"))
        output = item.get("output") if "output" in item else item.get("result")
        result = result_of(output)
        if id_ is not None and id_ in self._spawns:
            self._spawns.discard(id_)
            self._spawned(spawned_thread(result.text), id_)
        self._turns.answer(id_, result, at)

    def _put(self, event: Event) -> None:
        self._out.append(event)
