"""Token sums of a round, counted anew only for the calls that events named."""

from __future__ import annotations

from dataclasses import dataclass

from ..core.rounds import Call, Event, Round
from .round_facts import Tokens


class TokenMemo:
    """Sums of one round; an event costs O(1), whatever the round holds."""

    def __init__(self) -> None:
        """Know nothing yet."""
        self._calls: dict[str, Tokens] = {}
        self._changed: set[str] | None = None
        """Calls that events named since the sums were read; None: all are to be counted."""
        self._input = _Sum()
        self._output = _Sum()

    def note(self, event: Event) -> None:
        """Take in that an event has changed the round."""
        call = getattr(event, "call", None)
        if call is not None and self._changed is not None:
            self._changed.add(call)

    def sums(self, round_: Round) -> Tokens:
        """Return input and output tokens over all calls, as ``token_sums`` does; None when none reported any.

        The round is always the same one, and ``note`` has heard of every event since the last time.
        """
        changed, self._changed = self._changed, set[str]()
        for id_ in round_.calls_by_id if changed is None else changed:
            if (call := round_.calls_by_id.get(id_)) is not None:
                self._count(call)
        return self._input.total, self._output.total

    def _count(self, call: Call) -> None:
        before = self._calls.get(call.id, (None, None))
        usage, left_out = call.usage, call.usage_implausible
        now = (None, None) if left_out else (usage.input_tokens, usage.output_tokens)
        self._calls[call.id] = now
        for kept, old, new in zip((self._input, self._output), before, now, strict=True):
            kept.replace(old, new)


@dataclass(slots=True)
class _Sum:
    tokens: int = 0
    calls: int = 0
    """How many reported any."""

    @property
    def total(self) -> int | None:
        return self.tokens if self.calls else None

    def replace(self, old: int | None, new: int | None) -> None:
        self.tokens += (new or 0) - (old or 0)
        self.calls += (new is not None) - (old is not None)
