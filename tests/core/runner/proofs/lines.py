"""The lines of the provider that the proofs share, in the words of each wire."""

from __future__ import annotations

from roundwatch.core.runner.script import Counts, Finish, Reply, Step, Text, ToolUse

WIRES = ("openai-chat", "anthropic")
HALF = '{"path": "/etc/secret-pla'
_CUT = {"openai-chat": "length", "anthropic": "max_tokens"}
_STOP = {"openai-chat": "stop", "anthropic": "end_turn"}
_TOOL = {"openai-chat": "tool_calls", "anthropic": "tool_use"}


def answer(*steps: Step, wire: str = WIRES[0], counts: Counts | None = None) -> Reply:
    """Return a reply that the model ended itself."""
    return Reply((*steps, Finish(_STOP[wire])), counts or Counts(40, 5))


def cut(*steps: Step, wire: str = WIRES[0], counts: Counts | None = None) -> Reply:
    """Return a reply that was cut at the output limit."""
    return Reply((*steps, Finish(_CUT[wire])), counts or Counts(40, 50))


def silent(*steps: Step) -> Reply:
    """Return a reply whose stream ended in good order without a finish reason."""
    return Reply(steps, None)


def asks(*uses: Step, wire: str = WIRES[0]) -> Reply:
    """Return a reply that asks for tools."""
    return Reply((*uses, Finish(_TOOL[wire])), Counts(40, 9))


def use(name: str, arguments: str = '{"path": "a"}', *, whole: bool = True) -> ToolUse:
    """Return a tool call."""
    return ToolUse(name, arguments, whole=whole)


def half(name: str) -> ToolUse:
    """Return a tool call that the cut fell into."""
    return ToolUse(name, HALF, whole=False)


DONE = Text("It lies east.")
