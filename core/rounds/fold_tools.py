"""How the events of a tool call change its round."""

from __future__ import annotations

from datetime import datetime

from .calls import Call
from .events import ToolFinished, ToolRefused, ToolRequested, ToolStarted
from .fold_calls import call_of, settle
from .marks import retally
from .round import Round
from .tool_calls import ToolCall


def _tool(round_: Round, call: str | None, name: str) -> ToolCall:
    """The tool call meant: of the named call, else of the newest call that requested that id."""
    known = round_.tool_calls.get((call, name)) if call is not None else round_.tools_by_id.get(name)
    if known is None and call is not None:
        unowned = round_.tool_calls.get((None, name))
        known = unowned if unowned is not None and not unowned.name else None
    return known if known is not None else _new_tool(round_, call, name)


def _new_tool(round_: Round, call: str | None, name: str) -> ToolCall:
    tool = ToolCall(call, name, round_over=round_.is_over)
    if call is not None:
        _belongs(tool, call_of(round_, call))
    round_.tool_calls[call, name] = round_.tools_by_id[name] = tool
    round_.open_tools[call, name] = tool
    round_.entries.append(tool)
    return tool


def _belongs(tool: ToolCall, asking: Call) -> None:
    asking.tool_calls.append(tool)
    settle(tool, asking)


def _unrequested(round_: Round, event: ToolRequested) -> ToolCall | None:
    """A tool call whose start or result named no call and came first: it belongs to the call that now asks."""
    tool = round_.tool_calls.get((None, event.tool_call))
    if tool is None or tool.name or event.call is None:
        return None
    for known in (round_.tool_calls, round_.open_tools):
        if known.pop((None, tool.id), None) is not None:
            known[event.call, tool.id] = tool
    tool.call = event.call
    _belongs(tool, call_of(round_, event.call))
    return tool


def requested(round_: Round, event: ToolRequested) -> None:
    """Take in ``tool.requested``; a repeated one adds what the first left out."""
    tool = round_.tool_calls.get((event.call, event.tool_call)) or _unrequested(round_, event)
    if tool is None:
        tool = _new_tool(round_, event.call, event.tool_call)
    tool.name = event.name
    tool.add_arguments(event.arguments)
    tool.complete = event.complete if event.complete is not None else tool.complete
    tool.server = bool(event.server) or tool.server
    tool.id_given = tool.id_given if event.id_given is None else event.id_given
    tool.requested_at = tool.requested_at or event.at
    if tool.call is not None:
        round_.calls_by_id[tool.call].output_seen = True
    if not tool.counts:
        round_.open_tools.pop((tool.call, tool.id), None)
    elif not tool.answered:
        round_.open_tools.setdefault((tool.call, tool.id), tool)
    round_.note_step(event.at)
    retally(round_, tool)


def started(round_: Round, event: ToolStarted) -> None:
    """Take in ``tool.started``."""
    tool = _tool(round_, event.call, event.tool_call)
    tool.started = True
    tool.early = event.early if event.early is not None else tool.early
    tool.started_at = tool.started_at or event.at
    round_.note_step(event.at)
    retally(round_, tool)


def finished(round_: Round, event: ToolFinished) -> None:
    """Take in ``tool.finished``."""
    tool = _tool(round_, event.call, event.tool_call)
    _answer(round_, tool, event.at)
    tool.finished_ok = event.ok
    tool.duration_ms = event.duration_ms if event.duration_ms is not None else tool.duration_ms
    tool.preview = event.preview or tool.preview
    tool.error = event.error or tool.error
    tool.finished_at = tool.finished_at or event.at
    round_.note_step(event.at)
    retally(round_, tool)


def refused(round_: Round, event: ToolRefused) -> None:
    """Take in ``tool.refused``, which wins over a result."""
    tool = _tool(round_, event.call, event.tool_call)
    _answer(round_, tool, event.at)
    tool.why = event.why
    tool.message = event.message
    tool.early = event.started_early if event.started_early is not None else tool.early
    tool.finished_at = tool.finished_at or event.at
    round_.note_step(event.at)
    retally(round_, tool)


def _answer(round_: Round, tool: ToolCall, at: datetime | None) -> None:
    """The first answer of a client tool starts the count of what is written after the last one."""
    if not tool.server and not tool.answered and not _is_older_than_the_text(round_, at):
        round_.text_after_last_tool = False
    round_.open_tools.pop((tool.call, tool.id), None)


def _is_older_than_the_text(round_: Round, at: datetime | None) -> bool:
    """Say whether an answer is told late: the call that wrote the newest text did not begin before it."""
    writer = round_.text_from
    return at is not None and writer is not None and writer.started_at is not None and at <= writer.started_at
