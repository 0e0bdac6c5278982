"""Transcripts of Claude Code: session files, files of sub-agents, and older files with sub-agents inside."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import PurePath
from typing import ClassVar

from ...rounds import Event, Silence
from ...rounds.base import Parent
from .claude_lane import Lane
from .claude_texts import Said, said_by
from .fields import Object, list_of, moment_of, object_of, texts_of, word_of
from .line_transcript import Record
from .lines import Line
from .linked import LinkedTranscript
from .recent import Recent
from .seen import Seen
from .telling import Origin

UNNAMED = "claude-code"
"""The session of records that name none, in a file that names none."""
KEPT = 50_000
"""Records of one file that are recognised when they come again."""
LONGEST_ID = 200
UNIQUE_CHARS = 20
"""A shorter id was not drawn by chance: it is one only together with its moment."""
LAUNCHED = "async_launched"
"""A sub-agent was only started: it works in the background."""
_PROGRESS = b'"type":"progress","data":{"type":"'
_AGENT_PROGRESS = b"agent_progress"
_AGENT_ID = re.compile(rb'"agentId":"([^"\\]{1,200})"')
_SNAPSHOT = b'{"type":"file-history-snapshot"'


class ClaudeCode(LinkedTranscript):
    """One file of Claude Code.

    A round is named after its session, or its session and sub-agent, the k-th with ``#<k>`` behind it. Records
    that several files hold (``--resume``, ``--fork-session``) are told by the first one that claims them.
    """

    source: ClassVar[str] = "claude-code"
    silent: ClassVar[tuple[Silence, ...]] = (
        Silence.FINISH_REASON,
        Silence.CALL_START,
        Silence.FIRST_OUTPUT,
        Silence.END,
    )
    """Versions up to 2.1.39 write hardly any finish reason, later ones do; a missing one proves nothing."""

    def __init__(self, name: str = "", seen: Seen | None = None, *, owner: str | None = None, branch: str = "") -> None:
        """Begin before the first byte; ``name`` also tells the sub-agent where the records do not."""
        super().__init__(name, seen, owner=owner, branch=branch)
        path = PurePath(name)
        self._agent = path.stem.removeprefix("agent-") if path.parent.name == "subagents" else None
        """Where the records do not name it; older versions keep such files beside the sessions, and name it there."""
        self._session = (path.parent.parent.name if self._agent else path.stem)[:LONGEST_ID] or UNNAMED
        self._lanes: dict[tuple[str, str | None], Lane] = {}
        self._uuids = Recent(KEPT)
        self._messages = Recent(KEPT)
        self._roots = Recent(KEPT)
        self._known_agents: set[bytes] = set()
        self._out: list[Event] = []

    def skips(self, data: bytes) -> bool:
        """Return whether a line holds nothing for us: snapshots, and progress that does not place a sub-agent."""
        if data.startswith(_SNAPSHOT):
            return True
        found = data.find(_PROGRESS)
        if found < 0 or data.find(b'"message":', 0, found) >= 0:
            return False
        if not data.startswith(_AGENT_PROGRESS, found + len(_PROGRESS)):
            return True
        agents = _AGENT_ID.findall(data)
        return bool(agents) and agents[-1] in self._known_agents

    def take(self, record: Record, line: Line) -> Iterable[Event]:
        """Return what one record tells."""
        self._out = []
        kind = record.get("type")
        if kind in ("user", "assistant", "system", "attachment", "progress") and not self._is_copy(record):
            self._session = word_of(record.get("sessionId")) or self._session
            if kind == "progress":
                self._progress(record)
            else:
                self._told(record, kind, f"line {line.number}")
        return self._out

    def conclude(self) -> Iterable[Event]:
        """Return the ends of what is still open: nothing more will come."""
        self._out = []
        for lane in self._lanes.values():
            lane.end()
        return self._out

    def _is_copy(self, record: Record) -> bool:
        """A record that another session wrote, or that stands in this file already."""
        if "forkedFrom" in record and object_of(record["forkedFrom"]):
            return True
        uuid = word_of(record.get("uuid"))
        if uuid is None:
            return False
        key = f"{record['type']} {uuid}"
        return not self._uuids.add(key, "")

    def _told(self, record: Record, kind: str, fallback: str) -> None:
        lane = self._lane(record)
        name = (word_of(record.get("uuid")) or fallback)[:LONGEST_ID]
        if kind == "assistant":
            self._answer(lane, record, name)
        elif kind == "user":
            self._user(lane, record)
        elif not self._is_own(lane, record):
            pass
        elif kind == "system":
            lane.system(record, name)
        else:
            attachment = object_of(record.get("attachment"))
            if attachment.get("type") == "queued_command":
                lane.wake(moment_of(record.get("timestamp")), texts_of(attachment.get("prompt")))

    def _answer(self, lane: Lane, record: Record, name: str) -> None:
        message = object_of(record.get("message"))
        id_ = word_of(message.get("id"))
        if id_ is None:
            key = name
        else:
            request = word_of(record.get("requestId"))
            key = f"{id_} {request}" if request else id_
            name = id_[:LONGEST_ID]
        if self._messages.get(key) is None and not self._is_own(lane, record, id_ and key):
            return
        if not self._messages.add(key, key) and not lane.knows(key):
            return  # an answer of an earlier round: it was counted there
        if id_ is not None and not lane.knows(key) and not self._messages.add(f"call {id_}", key):
            name = f"{name} {word_of(record.get('requestId')) or ''}"[: 2 * LONGEST_ID]
        lane.answer(record, key, name)

    def _user(self, lane: Lane, record: Record) -> None:
        content = object_of(record.get("message")).get("content")
        blocks = [object_of(one) for one in list_of(content)]
        results = [block for block in blocks if block.get("type") == "tool_result"]
        if results:
            answered = lane.results(record, results)
            agent = word_of(object_of(record.get("toolUseResult")).get("agentId"))
            if agent is not None and len(answered) == 1:
                self._place(self._session, agent, answered[0])
                self._agent_answered(agent, record)
            blocks = [block for block in blocks if block.get("type") != "tool_result"]
            text = texts_of(blocks)
            if text and said_by(record, text) is Said.INTERRUPT:
                lane.prompt(record, text)
            return
        text = content if isinstance(content, str) else texts_of(blocks)
        if not self._is_own(lane, record):
            return
        if not text and any(block.get("type") == "image" for block in blocks):
            text = "[image]"
        lane.prompt(record, text, is_sure=self._is_asked_here(record, text))

    def _is_own(self, lane: Lane, record: Record, message: str | None = None) -> bool:
        """Say whether this file is the first to tell of a record, which goes by its message or else its own id."""
        id_ = message or word_of(record.get("uuid"))
        if id_ is None:
            return True
        key = id_
        if len(id_) < UNIQUE_CHARS:
            key = f"{id_} {record['type']} {record.get('agentId')} {record.get('timestamp')}"
        if self._seen.claim(key, self._owner):
            return True
        lane.branch_off(self._branch)
        return False

    def _is_asked_here(self, record: Record, text: str) -> bool:
        """Say whether no other file has the same words of the same moment: copies may bear another id."""
        at = word_of(record.get("timestamp"))
        return at is None or self._seen.claim(f"asked {at} {record.get('agentId')} {text}", self._owner)

    def _progress(self, record: Record) -> None:
        data = object_of(record.get("data"))
        agent, tool = word_of(data.get("agentId")), word_of(record.get("parentToolUseID"))
        if agent is None or tool is None:
            return
        lane = self._lane(record)
        round_ = lane.telling.round_of(tool)
        if round_ is not None:
            self._place(self._session, agent, Parent(round=round_, tool_call=tool))
            self._known_agents.add(agent.encode())

    def _agent_answered(self, agent: str, record: Record) -> None:
        detail = object_of(record.get("toolUseResult"))
        status = word_of(detail.get("status"))
        if status != LAUNCHED and detail.get("isAsync") is not True:
            round_ = f"{self._session}/{agent[:LONGEST_ID]}"
            self.is_over(round_, moment_of(record.get("timestamp")), status, texts_of(detail.get("content")))

    def _place(self, session: str, agent: str, parent: Parent) -> None:
        self._out += self.placed(f"{session}/{agent[:LONGEST_ID]}", parent)

    def _lane(self, record: Record) -> Lane:
        agent = word_of(record.get("agentId")) or self._agent
        if agent is None and record.get("isSidechain") is True:
            agent = self._root(record)
        key = (self._session, agent)
        found = self._lanes.get(key)
        if found is None:
            found = self._lanes[key] = self._new_lane(agent, record)
        return found

    def _root(self, record: Object) -> str:
        """Return the first record of the chain that a record of a sub-agent without a name belongs to."""
        uuid = word_of(record.get("uuid")) or "sidechain"
        above = self._roots.get(word_of(record.get("parentUuid")) or "")
        root = above or uuid[:LONGEST_ID]
        self._roots.add(uuid, root)
        return root

    def _new_lane(self, agent: str | None, record: Record) -> Lane:
        session = self._session[:LONGEST_ID]
        silent = tuple(word.value for word in self.silent)
        first, parent = session, None
        if agent is not None:
            first = f"{session}/{agent[:LONGEST_ID]}"
            self.told_itself(first)
            parent = self._seen.parent_of(first) or self._asked_for(record) or Parent(round=session)
        origin = Origin(first, self.source, silent, session, agent and agent[:LONGEST_ID], parent, "anthropic")
        return Lane(origin, self._put)

    def _asked_for(self, record: Record) -> Parent | None:
        """Return the tool call whose prompt a sub-agent inside the file begins with."""
        prompt = texts_of(object_of(record.get("message")).get("content"))
        for lane in self._lanes.values():
            if prompt in lane.tasks:
                round_, tool = lane.tasks[prompt]
                return Parent(round=round_, tool_call=tool)
        return None

    def _put(self, event: Event) -> None:
        self._out.append(event)
