"""ACP, the Agent Client Protocol: a prompt turn is a round. Frames of both directions, as a recorder sees them.

In version 1 the answer to ``session/prompt`` ends a turn; in version 2 a ``state_update`` that says *idle* does.
Whoever records need not say which side sent a frame: requests are told by their method, answers by what they hold.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from ..hub.foreign import Heard, UnreadableFrame
from ..rounds import CallOutcome, CancelledBy, Event, RefusedWhy, Silence, StoppedWhy
from ..rounds.events import CancelRequested, RoundResumed, RoundStarted, RoundSuspended
from .acp_session import Permission, Session, cancelled, error_of, id_of, is_message, keep, key_of, permission_of
from .acp_update import AcpUpdates
from .foreign_frames import Fields, list_in, name_of, object_in, objects_of, said_in
from .turn import Turn

SOURCE = "acp"
SILENT = (Silence.CALLS, Silence.USAGE)
REJECT = "reject"
CANCELLED = -32800
"""JSON-RPC's code of a request that was taken back."""
WORD_CHARS = 500
LOADS = frozenset(("session/load", "session/resume"))


class Acp:
    """Translates one connection's JSON-RPC. Sans-I/O."""

    def __init__(self, connection: str, *, version: int = 1) -> None:
        """Begin; ``connection`` makes the names of its turns its own."""
        self._connection, self._version = connection, version
        self._turns = 0
        self._sessions: dict[str, Session] = {}
        self._prompts: dict[str, tuple[Session, Turn | None]] = {}
        """By request id: whose it is, and the turn that its answer ends."""
        self._permissions: dict[str, Permission] = {}
        self._loading: dict[str, str] = {}

    def feed(self, frame: str, at: datetime) -> list[Heard]:
        """Return what one JSON-RPC message, or a batch, tells.

        Raises:
            UnreadableFrame: it is none.
        """
        events: list[Event] = []
        readable = 0
        for fields in objects_of(frame):
            if fields.keys().isdisjoint(("jsonrpc", "method", "id")):
                fields = object_in(fields, "message")  # a recorder's own envelope
            if is_message(fields):
                readable += 1
                events += self._message(fields, at)
        if not readable:
            raise UnreadableFrame("no JSON-RPC message")
        return [Heard(f"{SOURCE}.{self._connection}", event) for event in events]

    def close(self, at: datetime) -> list[Heard]:
        """Return nothing: that a connection is gone does not say that a turn is."""
        return []

    def _message(self, fields: Fields, at: datetime) -> Iterator[Event]:
        params = object_in(fields, "params")
        session = name_of(params, "sessionId")
        match fields.get("method"):
            case None:
                yield from self._answer(fields, at)
            case "session/prompt" if session is not None:
                yield from self._prompt(fields, session, params, at)
            case "session/update" if session is not None:
                yield from self._update(session, object_in(params, "update"), at)
            case "session/request_permission" if session is not None:
                yield from self._ask(fields, session, params, at)
            case "session/cancel" if session is not None:
                yield from cancelled(self._session(session), at)
            case "$/cancel_request" if (asked := self._prompts.get(key_of(params.get("requestId")))) is not None:
                yield from cancelled(asked[0], at)
            case method if method in LOADS and session is not None:
                keep(self._loading, id_of(fields), session)
            case _:
                pass  # everything else says nothing of a turn

    # turns

    def _session(self, name: str) -> Session:
        known = self._sessions.get(name)
        if known is None:
            known = Session(name)
            keep(self._sessions, name, known)
        return known

    def _begin(self, name: str, at: datetime, title: str | None = None) -> Iterator[Event]:
        session = self._session(name)
        if session.turn is not None and not session.turn.is_over:
            yield from session.turn.finish(at, outcome=CallOutcome.CANCELLED)  # nobody told how it ended
        self._turns += 1
        session.turn = Turn(f"{name}.{self._connection}.{self._turns}")
        session.updates = AcpUpdates(session.turn)
        session.was_cancelled = session.is_waiting = False
        yield from session.turn.begin(at, source=SOURCE, silent=SILENT, thread=name, title=title)

    def _prompt(self, fields: Fields, session: str, params: Fields, at: datetime) -> Iterator[Event]:
        said = next((text for part in list_in(params, "prompt") if (text := said_in(part, "text"))), "")
        title, of = " ".join(said[:480].split())[:120] or None, self._session(session)
        if of.turn is not None and not of.turn.is_over and (of, of.turn) in self._prompts.values():
            keep(of.queued, id_of(fields), title)  # until the one before is answered
            keep(self._prompts, id_of(fields), (of, None))
            return
        yield from self._begin(session, at, title)
        keep(self._prompts, id_of(fields), (of, of.turn))

    def _update(self, name: str, update: Fields, at: datetime) -> Iterator[Event]:
        kind = update.get("sessionUpdate")
        session = self._session(name)
        if kind == "state_update":
            yield from self._state(name, session, update, at)
            return
        if name in self._loading.values():
            return  # the history of a session that is loaded again
        if session.turn is None and AcpUpdates.tells(update):
            yield from self._begin(name, at)  # the recording began in the middle of it
        if session.updates is not None:
            yield from session.updates.update(update, at)

    def _state(self, name: str, session: Session, update: Fields, at: datetime) -> Iterator[Event]:
        is_open = session.turn is not None and not session.turn.is_over
        match update.get("state"):
            case "running" if not is_open:
                yield from self._begin(name, at)
            case "running":
                yield from self._resume(session, at)
            case "requires_action" if is_open:
                yield from self._suspend(session, said_in(update, "reason") or "requires_action", at)
            case "idle" if is_open:  # a repeated one is no new completion
                yield from self._end(session, update.get("stopReason"), object_in(update, "error"), at)
            case _:
                pass

    def _end(self, session: Session, reason: Any, error: Fields, at: datetime) -> Iterator[Event]:
        turn = session.turn
        if turn is None or turn.is_over:
            return
        word = (said_in({"reason": reason}, "reason") or "")[:WORD_CHARS] or None
        if word is None:
            silent = str(Silence.FINISH_REASON)
            yield RoundStarted(round=turn.round, silent=(silent,))
        if word == "cancelled" and not session.was_cancelled:
            yield CancelRequested(round=turn.round, by=CancelledBy.USER, at=at)  # only the client can ask for it
        failed = error_of(error) if word == "error" or error else None
        yield from turn.finish(
            at,
            reason=word,
            outcome=CallOutcome.COMPLETED if failed is None else CallOutcome.FAILED,
            error=failed,
            stopped=StoppedWhy.ITERATIONS if word == "max_turn_requests" else None,
        )

    # answers

    def _answer(self, fields: Fields, at: datetime) -> Iterator[Event]:
        """Both sides number their requests, so what an answer holds says which one it belongs to."""
        id_, result = id_of(fields), object_in(fields, "result")
        failed = object_in(fields, "error")
        if self._loading.pop(id_, None) is not None:
            return
        if id_ in self._permissions and ("outcome" in result or (failed and id_ not in self._prompts)):
            yield from self._decide(self._permissions.pop(id_), object_in(result, "outcome"), at)
        elif id_ in self._prompts and (failed or "stopReason" in result or self._version == 1):
            session, turn = self._prompts.pop(id_)
            if turn is None:  # nobody told how the one before it ended
                yield from self._begin(session.name, at, session.queued.pop(id_, None))
            if turn is None or turn is session.turn:
                yield from self._answered(session, result, failed, at)
                yield from self._next(session, at)
        elif "stopReason" in result:
            only = self._nobodys()
            if only is not None:
                yield from self._end(only, result["stopReason"], {}, at)

    def _answered(self, session: Session, result: Fields, failed: Fields, at: datetime) -> Iterator[Event]:
        turn = session.turn
        if not failed:
            yield from self._end(session, result.get("stopReason"), {}, at)
        elif turn is not None and not turn.is_over:
            if failed.get("code") == CANCELLED:
                if not session.was_cancelled:
                    yield CancelRequested(round=turn.round, by=CancelledBy.USER, at=at)
                yield from turn.finish(at, outcome=CallOutcome.CANCELLED)
            else:
                stopped = StoppedWhy.EXCEPTION
                yield from turn.finish(at, outcome=CallOutcome.FAILED, error=error_of(failed), stopped=stopped)

    def _next(self, session: Session, at: datetime) -> Iterator[Event]:
        """Begin the turn of a prompt that was sent while another one was at work."""
        waiting = next(iter(session.queued), None)
        if waiting is not None:
            yield from self._begin(session.name, at, session.queued.pop(waiting))
            self._prompts[waiting] = session, session.turn

    def _nobodys(self) -> Session | None:
        """Return the session whose open turn began before the recording did; None where that is not certain."""
        prompted = [turn for _, turn in self._prompts.values()]
        found = [
            session
            for session in self._sessions.values()
            if session.turn is not None and not session.turn.is_over and session.turn not in prompted
        ]
        return found[0] if len(found) == 1 else None

    def _ask(self, fields: Fields, name: str, params: Fields, at: datetime) -> Iterator[Event]:
        call = object_in(params, "toolCall")
        tool = name_of(call, "toolCallId")
        keep(self._permissions, id_of(fields), permission_of(name, params))
        session = self._session(name)
        if session.turn is None or session.updates is None or session.turn.is_over:
            return
        if tool is not None and tool not in session.turn.tools:
            yield from session.updates.update({**call, "sessionUpdate": "tool_call", "status": "pending"}, at)
        yield from self._suspend(session, said_in(call, "title") or "session/request_permission", at)

    def _decide(self, asked: Permission, outcome: Fields, at: datetime) -> Iterator[Event]:
        session = self._session(asked.session)
        turn = session.turn
        if turn is None or turn.is_over:
            return
        yield from self._resume(session, at)
        if asked.tool is None:
            return
        chosen = asked.kinds.get(name_of(outcome, "optionId") or "", "")
        if outcome.get("outcome") == "cancelled":
            yield turn.refuse(asked.tool, at, why=RefusedWhy.INTERRUPTED, message="cancelled")
        elif chosen.startswith(REJECT):
            yield turn.refuse(asked.tool, at, why=RefusedWhy.PERMISSION, message=chosen)

    def _suspend(self, session: Session, why: str, at: datetime) -> Iterator[Event]:
        if session.turn is not None and not session.is_waiting:
            session.is_waiting = True
            yield RoundSuspended(round=session.turn.round, why=why[:2000], at=at)

    def _resume(self, session: Session, at: datetime) -> Iterator[Event]:
        if session.turn is not None and session.is_waiting:
            session.is_waiting = False
            yield RoundResumed(round=session.turn.round, at=at)


def acp_v1(connection: str) -> Acp:
    """Return the listener of a connection in version 1."""
    return Acp(connection, version=1)


def acp_v2(connection: str) -> Acp:
    """Return the listener of a connection in version 2."""
    return Acp(connection, version=2)
