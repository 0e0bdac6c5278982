"""Claude Code's own log events as rounds: one for each prompt.

They say when a request was answered, what it cost in tokens, and what became of tools, refusals included. They say
neither why a response ended nor when a round is over: that is concluded from the next prompt, or from a long silence.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator

from ...hub.inlet import Numbered
from ...rounds import Parent, Silence
from ...rounds.events import RoundFinished, RoundStarted
from ..key_shapes import without_keys
from .claude_records import Prompting, earlier, mark_of, numbered, prompt_of, remembered, said_by
from .names import Fact
from .records import Record, Session
from .span import Log, as_name, moment, text

SOURCE = "claude-code-otel"
IDLE_S = 900.0
"""How long a round without news waits for more before it is over."""
MOST_SESSIONS = 10_000
MOST_BEFORE = 50
"""Earlier prompts of a session that are kept in mind."""
MOST_AGENTS = 1000
"""Sub-agents of a round."""
MOST_SEEN = 50_000
TITLE_CHARS = 120
REDACTED = "<REDACTED>"
SILENT = (Silence.PROGRESS, Silence.CALL_START, Silence.FINISH_REASON, Silence.FIRST_OUTPUT, Silence.TEXT, Silence.END)
PREFIX = "claude_code."


class ClaudeLogs:
    """Sans-I/O: log records and the time in, events out."""

    def __init__(self, *, idle_s: float = IDLE_S) -> None:
        """Begin with no session."""
        self._idle_s = idle_s
        self._sessions: OrderedDict[tuple[str, str], Prompting] = OrderedDict()
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

    def is_told_by_spans(self, owner: str, session: str) -> list[Numbered]:
        """Leave a session to its spans, which say the same and more; return the end of what its logs began."""
        if (owner, session) not in self._in_spans:
            self.fresh.append(Session(owner, session, None, "", 0, is_in_spans=True))
        self._in_spans[owner, session] = None
        while len(self._in_spans) > MOST_SESSIONS:
            self._in_spans.popitem(last=False)
        begun = self._sessions.pop((owner, session), None)
        return [] if begun is None else self._end(begun)

    def feed(self, owner: str, logs: Iterable[Log], now_s: float) -> list[Numbered]:
        """Take in what one sender exported; return what it tells."""
        told: list[Numbered] = []
        touched: dict[str, Prompting] = {}
        for log in logs:
            name = text(log.attributes, Fact.CONVERSATION)
            if name is not None and (owner, name) not in self._in_spans:
                session = touched[name] = self._session(owner, name, now_s)
                told += self._log(session, log)
        self.fresh += [remembered(session) for session in touched.values()]
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
            session.agents, session.began_ns = dict.fromkeys(record.agents), record.began_ns

    def records(self) -> Iterator[Session]:
        """Yield what has to be remembered of all sessions."""
        yield from map(remembered, self._sessions.values())
        for owner, session in self._in_spans:
            yield Session(owner, session, None, "", 0, is_in_spans=True)

    def _session(self, owner: str, name: str, now_s: float) -> Prompting:
        session = self._sessions.setdefault((owner, name), Prompting(owner, name, now_s))
        session.heard_s = now_s
        self._sessions.move_to_end((owner, name))
        return session

    def _log(self, session: Prompting, log: Log) -> Iterator[Numbered]:
        name = log.event.removeprefix(PREFIX)
        if name not in ("user_prompt", "api_request", "api_error", "api_refusal", "tool_result", "tool_decision"):
            return
        mark = mark_of(session, log)
        if mark in self._seen:
            return
        self._seen[mark] = None
        if len(self._seen) > MOST_SEEN:
            self._seen.popitem(last=False)
        target = earlier(session, log) or session
        yield from self._turn(target, log, mark, begins=name == "user_prompt")
        assert target.round is not None
        target.last_ns, target.last_log = max(target.last_ns, log.time_ns), mark
        round_ = target.round
        agent, above = text(log.attributes, Fact.SUB_AGENT), text(log.attributes, Fact.PARENT_AGENT)
        if agent is not None:
            parent = round_ if above is None or above == agent else f"{round_}.{above}"
            if parent != round_ and above is not None:
                yield from self._sub_agent(target, above, log, round_, is_itself=False)
            yield from self._sub_agent(target, agent, log, parent)
            round_ = f"{round_}.{agent}"
        yield from numbered(target.owner, f"otlp.log.{mark}", said_by(name, log, round_, mark))
        if target is not session:
            yield from self._end(target)

    def _sub_agent(
        self, session: Prompting, agent: str, log: Log, parent: str, *, is_itself: bool = True
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
        return numbered(session.owner, f"otlp.{start.round}.start", [start])

    def _turn(self, session: Prompting, log: Log, mark: str, *, begins: bool) -> Iterator[Numbered]:
        """Yield the end of the round before and the beginning of this one, where it is another."""
        prompt = prompt_of(log)
        if prompt is None and (begins or session.round is None):
            prompt = mark
        round_ = session.round if prompt is None else f"{session.id}.{prompt}"
        assert round_ is not None
        if round_ == session.round and not begins:
            return
        if round_ != session.round:
            yield from self._end(session)
        if round_ != session.round:
            session.began_ns = log.time_ns
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
        yield from numbered(session.owner, f"otlp.{round_}.{'prompt' if begins else 'start'}", [start])

    def _end(self, session: Prompting) -> list[Numbered]:
        if session.round is None:
            return []
        over = RoundFinished(round=session.round, at=moment(session.last_ns))
        mark = f"end.{session.last_log}"
        told = [
            each
            for agent in reversed(session.agents)
            for each in numbered(
                session.owner,
                f"otlp.{session.round}.{agent}.{mark}",
                [RoundFinished(round=f"{session.round}.{agent}", at=moment(session.last_ns))],
            )
        ]
        told += numbered(session.owner, f"otlp.{session.round}.{mark}", [over])
        session.before[session.round] = None
        if len(session.before) > MOST_BEFORE:
            del session.before[next(iter(session.before))]
        session.round = None
        session.agents.clear()
        return told
