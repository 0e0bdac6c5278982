"""Claude Code's own log events as rounds: one for each prompt.

They say when a request was answered, what it cost in tokens, and what became of tools, refusals included. They say
neither why a response ended nor when a round is over: that is concluded from the next prompt, or from a long silence.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from ...hub.inlet import Numbered
from ...rounds import Event, Parent, Silence
from ...rounds.events import RoundFinished, RoundStarted
from ..key_shapes import without_keys
from .call_events import addition, call_events
from .names import Fact
from .records import Record, Session
from .span import Log, Span, Status, as_name, moment, number, text
from .tool_events import is_rejected, tool_events

SOURCE = "claude-code-otel"
IDLE_S = 900.0
"""How long a round without news waits for more before it is over."""
MOST_SESSIONS = 10_000
MOST_AGENTS = 1000
"""Sub-agents of a round."""
MOST_SEEN = 50_000
TITLE_CHARS = 120
REDACTED = "<REDACTED>"
SILENT = (Silence.PROGRESS, Silence.CALL_START, Silence.FINISH_REASON, Silence.FIRST_OUTPUT, Silence.TEXT, Silence.END)
PREFIX = "claude_code."
_REQUEST, _TOOL = "claude_code.llm_request", "claude_code.tool"
"""What the spans of the same things are called: they are read alike."""


@dataclass(slots=True)
class _Session:
    owner: str
    id: str
    heard_s: float
    round: str | None = None
    last_ns: int = 0
    last_log: str = ""
    agents: dict[str, None] = field(default_factory=dict[str, None])
    """Sub-agents at work for the round."""


class ClaudeLogs:
    """Sans-I/O: log records and the time in, events out."""

    def __init__(self, *, idle_s: float = IDLE_S) -> None:
        """Begin with no session."""
        self._idle_s = idle_s
        self._sessions: OrderedDict[tuple[str, str], _Session] = OrderedDict()
        """The one that was heard of longest ago first."""
        self._in_spans: OrderedDict[tuple[str, str], None] = OrderedDict()
        self.fresh: list[Session] = []
        self._seen: OrderedDict[str, None] = OrderedDict()
        """Records told lately: one that comes again must not take a session back to an earlier prompt."""

    @property
    def next_deadline(self) -> float | None:
        """When ``due`` has something to do; None: only after more has arrived."""
        oldest = next(iter(self._sessions.values()), None)
        return None if oldest is None else oldest.heard_s + self._idle_s

    def is_told_by_spans(self, owner: str, session: str) -> None:
        """Leave a session to its spans, which say the same and more."""
        if (owner, session) not in self._in_spans:
            self.fresh.append(Session(owner, session, None, "", 0, is_in_spans=True))
        self._in_spans[owner, session] = None
        while len(self._in_spans) > MOST_SESSIONS:
            self._in_spans.popitem(last=False)

    def feed(self, owner: str, logs: Iterable[Log], now_s: float) -> list[Numbered]:
        """Take in what one sender exported; return what it tells."""
        told: list[Numbered] = []
        touched: dict[str, _Session] = {}
        for log in logs:
            name = text(log.attributes, Fact.CONVERSATION)
            if name is not None and (owner, name) not in self._in_spans:
                session = touched[name] = self._session(owner, name, now_s)
                told += self._log(session, log)
        self.fresh += [_record(session) for session in touched.values()]
        while len(self._sessions) > MOST_SESSIONS:
            told += self._end(self._sessions.popitem(last=False)[1])
        return told

    def due(self, now_s: float) -> list[Numbered]:
        """Return the ends of rounds that had no news for too long."""
        told: list[Numbered] = []
        while self._sessions:
            key, session = next(iter(self._sessions.items()))
            if session.heard_s + self._idle_s > now_s:
                break
            told += self._end(session)
            del self._sessions[key]
        return told

    def take_fresh(self) -> list[Session]:
        """Return what has to be remembered of sessions since this was asked last."""
        fresh, self.fresh = self.fresh, []
        return fresh

    def restore(self, records: Iterable[Record], now_s: float) -> None:
        """Take in what was remembered of sessions, the last word of each."""
        for record in records:
            if not isinstance(record, Session):
                continue
            if record.is_in_spans:
                self._in_spans[record.owner, record.id] = None
                continue
            session = self._session(record.owner, record.id, now_s)
            session.round, session.last_ns, session.last_log = record.round, record.last_ns, record.last_log
            session.agents = dict.fromkeys(record.agents)

    def records(self) -> Iterator[Session]:
        """Yield what has to be remembered of all sessions."""
        yield from map(_record, self._sessions.values())
        for owner, session in self._in_spans:
            yield Session(owner, session, None, "", 0, is_in_spans=True)

    def _session(self, owner: str, name: str, now_s: float) -> _Session:
        session = self._sessions.setdefault((owner, name), _Session(owner, name, now_s))
        session.heard_s = now_s
        self._sessions.move_to_end((owner, name))
        return session

    def _log(self, session: _Session, log: Log) -> Iterator[Numbered]:
        name = log.event.removeprefix(PREFIX)
        if name not in ("user_prompt", "api_request", "api_error", "api_refusal", "tool_result", "tool_decision"):
            return
        mark = _mark(session, log)
        if mark in self._seen:
            return
        self._seen[mark] = None
        if len(self._seen) > MOST_SEEN:
            self._seen.popitem(last=False)
        yield from self._turn(session, log, mark, begins=name == "user_prompt")
        assert session.round is not None
        session.last_ns, session.last_log = max(session.last_ns, log.time_ns), mark
        round_ = session.round
        agent, above = text(log.attributes, Fact.SUB_AGENT), text(log.attributes, Fact.PARENT_AGENT)
        if agent is not None:
            parent = round_ if above is None or above == agent else f"{round_}.{above}"
            if parent != round_ and above is not None:
                yield from self._sub_agent(session, above, log, round_, is_itself=False)
            yield from self._sub_agent(session, agent, log, parent)
            round_ = f"{round_}.{agent}"
        yield from _numbered(session.owner, f"otlp.log.{mark}", _said(name, log, round_, mark))

    def _sub_agent(
        self, session: _Session, agent: str, log: Log, parent: str, *, is_itself: bool = True
    ) -> list[Numbered]:
        """Return the beginning of a sub-agent's round, once; ``log`` may be of another one that works for it."""
        if agent in session.agents or len(session.agents) >= MOST_AGENTS:
            return []
        session.agents[agent] = None
        start = RoundStarted(
            round=f"{session.round}.{agent}",
            at=moment(log.time_ns),
            thread=session.id,
            agent=(text(log.attributes, Fact.AGENT) if is_itself else None) or agent,
            parent=Parent(round=parent),
            source=SOURCE,
            silent=tuple(str(silence) for silence in SILENT),
        )
        return _numbered(session.owner, f"otlp.{start.round}.start", [start])

    def _turn(self, session: _Session, log: Log, mark: str, *, begins: bool) -> Iterator[Numbered]:
        """Yield the end of the round before and the beginning of this one, where it is another."""
        named = log.attributes.get("prompt.id")
        prompt = as_name(named) if isinstance(named, str) else None
        if prompt is None and (begins or session.round is None):
            prompt = mark
        round_ = session.round if prompt is None else f"{session.id}.{prompt}"
        assert round_ is not None
        if round_ == session.round and not begins:
            return
        if round_ != session.round:
            yield from self._end(session)
        session.round, session.last_ns = round_, 0
        prompted = log.attributes.get("prompt")
        title = prompted if begins and isinstance(prompted, str) and prompted != REDACTED else None
        start = RoundStarted(
            round=round_,
            at=moment(log.time_ns),
            thread=session.id,
            agent=log.service or "claude-code",
            title=as_name(without_keys(title), TITLE_CHARS) if title else None,
            source=SOURCE,
            silent=tuple(str(silence) for silence in SILENT),
        )
        # a prompt and the first news of its round may each come first: two producers, or one would be lost
        yield from _numbered(session.owner, f"otlp.{round_}.{'prompt' if begins else 'start'}", [start])

    def _end(self, session: _Session) -> list[Numbered]:
        if session.round is None:
            return []
        over = RoundFinished(round=session.round, at=moment(session.last_ns))
        mark = f"end.{session.last_log}"
        told = [
            each
            for agent in reversed(session.agents)
            for each in _numbered(
                session.owner,
                f"otlp.{session.round}.{agent}.{mark}",
                [RoundFinished(round=f"{session.round}.{agent}", at=moment(session.last_ns))],
            )
        ]
        told += _numbered(session.owner, f"otlp.{session.round}.{mark}", [over])
        session.round = None
        session.agents.clear()
        return told


def _record(session: _Session) -> Session:
    return Session(
        session.owner, session.id, session.round, session.last_log, session.last_ns, agents=tuple(session.agents)
    )


def _said(name: str, log: Log, round_: str, mark: str) -> list[Event]:
    match name:
        case "api_request" | "api_error" | "api_refusal":
            span = _as_span(log, _REQUEST, str(log.attributes.get("request_id") or mark))
            if name == "api_error":
                span = replace(span, status=Status.ERROR)
            more = addition(span, round_)
            return [*call_events(span, round_), *([more] if more is not None else [])]
        case "tool_result" | "tool_decision":
            if (name == "tool_decision") is not is_rejected(log.attributes):
                return []  # what was allowed is told by its result, and what was refused by the decision
            return list(tool_events(_as_span(log, _TOOL, mark), round_))
        case _:
            return []


def _as_span(log: Log, name: str, id_: str) -> Span:
    """Return a log record as the span that it stands for; it is written at the end."""
    duration = number({"ttft_ms": log.attributes.get("duration_ms")}, Fact.FIRST_OUTPUT_MS) or 0.0
    start_ns = max(0, log.time_ns - int(duration * 1e6))
    return Span("", id_[:200], None, name, start_ns, log.time_ns, log.attributes)


def _mark(session: _Session, log: Log) -> str:
    """Return a name for a log record that is the same whenever it is sent."""
    facts = ("event.sequence", "event.timestamp", "request_id", "tool_use_id", "prompt.id", "tool_name")
    parts = (session.owner, session.id, log.event, log.time_ns, *(log.attributes.get(fact) for fact in facts))
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:24]


def _numbered(owner: str, producer: str, events: Sequence[Event]) -> list[Numbered]:
    return [Numbered(owner, producer, n, event) for n, event in enumerate(events, 1)]
