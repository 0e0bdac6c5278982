"""What the hub says about rounds that its publishers do not speak about any more: ``thread.supervised`` events."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

from ..rounds.events import SupervisorVerdict, ThreadState

BY = "hub"
"""Who says it, in the event's ``by``."""


class Why(StrEnum):
    """What the hub saw."""

    SILENT = "silent"
    """A call is open and nothing has come out of it for too long."""
    PARENT_WAITS = "parent_waits"
    """A sub-round has ended, and the tool call that it worked for has still no result."""
    PUBLISHER_GONE = "publisher_gone"
    """The connection broke while the round was open, and its publisher did not come back."""
    PUBLISHER_LEFT = "publisher_left"
    """Its publisher said good-bye while the round was open."""


STATUS = {
    Why.SILENT: "round {round}: a call is open, without output for {s:.0f} s",
    Why.PARENT_WAITS: "round {round} ended {s:.0f} s ago; the tool call it worked for has no result",
    Why.PUBLISHER_GONE: "round {round}: its publisher's connection broke {s:.0f} s ago; what became of it is not known",
    Why.PUBLISHER_LEFT: "round {round}: its publisher left {s:.0f} s ago, and its end was not told",
}
"""For readers that know no ``why``; screens say it in their own language."""


@dataclass(frozen=True, slots=True)
class Word:
    """One thing to say about a thread."""

    thread: str
    round: str
    why: Why
    after_s: float
    """Seconds for which it has been so."""
    is_idle: bool = False
    """The thread's newest round has ended: it is parked."""

    def line(self, id_: str, now_s: float) -> str:
        """Return the event as JSON; ``now_s`` is seconds since 1970."""
        at = datetime.fromtimestamp(now_s, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        state, verdict = (
            (ThreadState.IDLE, SupervisorVerdict.PARKED)
            if self.is_idle
            else (ThreadState.EXECUTING, SupervisorVerdict.STALE)
        )
        fields: dict[str, object] = {
            "v": 1,
            "type": "thread.supervised",
            "thread": self.thread,
            "at": at,
            "id": id_,
            "state": state,
            "verdict": verdict,
            "by": BY,
            "why": self.why,
            "after_s": round(self.after_s, 1),
            "status_line": STATUS[self.why].format(round=self.round, s=self.after_s),
            "is_error": False,
        }
        if self.is_idle:
            fields["summary"] = {"round": self.round}
        return json.dumps(fields, separators=(",", ":"))
