"""Token sums of a round, kept per call so that a frame of a long round does not count them all again."""

from __future__ import annotations

from dataclasses import dataclass

from ..core.rounds import Call, Round, Usage
from .round_facts import Tokens


@dataclass(frozen=True, slots=True)
class _Counted:
    reported: Usage
    state: tuple[object, ...]
    input: int | None
    output: int | None


class TokenMemo:
    """Remembers the counts of each call of one round until something about them changes."""

    def __init__(self) -> None:
        """Know nothing yet."""
        self._calls: dict[str, _Counted] = {}

    def sums(self, round_: Round) -> Tokens:
        """Return input and output tokens over all calls, as ``token_sums`` does; None when none reported any."""
        counted = [self._counted(call) for call in round_.calls]
        inputs = [each.input for each in counted if each.input is not None]
        outputs = [each.output for each in counted if each.output is not None]
        return (sum(inputs) if inputs else None, sum(outputs) if outputs else None)

    def _counted(self, call: Call) -> _Counted:
        state = (call.wire, call.provider, call.output.visible, call.reasoning.visible, call.finish_reason)
        known = self._calls.get(call.id)
        if known is None or known.reported is not call.usage_as_reported or known.state != state:
            usage, left_out = call.usage, call.usage_implausible
            known = self._calls[call.id] = _Counted(
                call.usage_as_reported,
                state,
                None if left_out else usage.input_tokens,
                None if left_out else usage.output_tokens,
            )
        return known
