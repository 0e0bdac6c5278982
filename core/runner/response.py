"""One response as the loop sees it: a call, or a cut call and those that carried it on, as if they were one."""

from __future__ import annotations

from dataclasses import dataclass

from ..policies.continuation import CallResult, as_one
from ..rounds.base import CallOutcome, Usage
from ..rounds.calls import Call
from ..rounds.reasons import StopReason
from ..rounds.tool_calls import ToolCall


@dataclass(frozen=True)
class Response:
    """What came back for one request of the loop."""

    message_id: str
    """Of the one message it is, whatever number of calls it took."""
    calls: tuple[Call, ...]
    """The ledger's entries: the first call, then its continuations; at least one."""
    interrupted: bool = False
    """Somebody asked to stop before it could be carried on."""

    @property
    def last(self) -> Call:
        """The entry that says how the response ended."""
        return self.calls[-1]

    @property
    def outcome(self) -> CallOutcome | None:
        """How the last transfer ended."""
        return self.last.outcome

    @property
    def merged(self) -> CallResult:
        """Its calls as one: the first one's message id, all text, the last finish reason, usage added up."""
        found = _result(self.message_id, self.calls[0])
        for call in self.calls[1:]:
            found = as_one(found, _result(call.id, call))
        return found

    @property
    def text(self) -> str:
        """All visible text."""
        return self.merged.text

    @property
    def usage(self) -> Usage:
        """The counts of all its calls, added up as far as reported."""
        return self.merged.usage

    @property
    def tool_calls(self) -> list[ToolCall]:
        """The client tool calls to answer, in request order; only the last call can hold any."""
        return [tool for tool in self.last.tool_calls if tool.counts]

    @property
    def is_cut(self) -> bool:
        """It is still cut, after whatever was done about it."""
        return self.last.is_cut

    @property
    def stop_reason(self) -> StopReason | None:
        """Neutral; None = not reported."""
        return self.last.stop_reason


def _result(message: str, call: Call) -> CallResult:
    return CallResult(message, call.text, call.finish_reason, call.usage, call.max_output_tokens)
