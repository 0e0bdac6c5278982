"""What is known of a session of ACP, and small readers of JSON-RPC."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from ..rounds import CallError, CancelledBy, Event
from ..rounds.events import CancelRequested
from .acp_update import AcpUpdates
from .foreign_frames import Fields, list_in, name_of, object_in, said_in
from .turn import Turn

MOST = 1000
"""Sessions, and requests without an answer, that are kept in mind."""


@dataclass(slots=True)
class Permission:
    """A question whether a tool may run."""

    session: str
    tool: str | None
    kinds: Mapping[str, str]
    """Of each option."""


@dataclass(slots=True)
class Session:
    name: str
    turn: Turn | None = None
    updates: AcpUpdates | None = None
    was_cancelled: bool = False
    """The client asked for it in this turn."""
    is_waiting: bool = False
    queued: dict[str, str | None] = field(default_factory=dict[str, str | None])
    """Prompts that wait for the one at work, by request id; their titles."""


def permission_of(session: str, params: Fields) -> Permission:
    """Return what a request for a permission asks."""
    kinds = {
        option: str(each.get("kind"))
        for each in list_in(params, "options")[:MOST]
        if (option := name_of(each, "optionId")) is not None
    }
    return Permission(session, name_of(object_in(params, "toolCall"), "toolCallId"), kinds)


def cancelled(session: Session, at: datetime) -> Iterator[Event]:
    """Yield that the client asked to stop."""
    if session.turn is not None and not session.turn.is_over:
        session.was_cancelled, session.is_waiting = True, False
        yield CancelRequested(round=session.turn.round, by=CancelledBy.USER, at=at)


def is_message(fields: Fields) -> bool:
    """Return whether an object is a message of JSON-RPC."""
    if isinstance(fields.get("method"), str):
        return True
    return "id" in fields and not fields.keys().isdisjoint(("result", "error"))


def id_of(fields: Fields) -> str:
    """Return a request id as a key; 1 and "1" are two."""
    return key_of(fields.get("id"))


def key_of(given: object) -> str:
    """Return an id as a key."""
    return repr(given)[:200] if isinstance(given, str | int) else ""


def keep(known: dict[str, Any], key: str, value: Any) -> None:
    """Keep an entry; the oldest goes when there are too many."""
    known[key] = value
    if len(known) > MOST:
        del known[next(iter(known))]


def error_of(fields: Fields) -> CallError:
    """Return what an error says."""
    message = said_in(fields, "message")
    code = fields.get("code")
    told = str(code)[:100] if isinstance(code, str | int) else None
    return CallError(kind="agent_error", code=told, message=message[:2000] if message else None)
