"""What the place of a request tells: results of tools, a round that was left, a round that begins."""

from __future__ import annotations

from datetime import datetime

from ..rounds.base import Parent
from ..rounds.events import Event, RoundFinished, RoundStarted, ToolFinished, ToolRefused
from .capture import Censor
from .identity import Identity
from .refusals import looks_failed
from .rounds_book import Answered, Placed


def answered(answer: Answered, censor: Censor) -> Event:
    """Return the end of a tool call, as far as its result may be told."""
    result, tool = answer.result, answer.pending
    text = censor.result(result.text)
    if answer.refused is not None:
        message = text or ""
        return ToolRefused(
            round=answer.round.id, call=tool.call, tool_call=tool.told_id, why=answer.refused, message=message
        )
    failed = result.is_error if result.is_error is not None else looks_failed(result.text)
    return ToolFinished(
        round=answer.round.id,
        call=tool.call,
        tool_call=tool.told_id,
        ok=not failed,
        preview=None if failed else text,
        error=text if failed else None,
    )


def left(placed: Placed) -> list[Event]:
    """Return the end of a round that the request has left behind, and note it; nothing where there is none."""
    if placed.left is None:
        return []
    placed.left.is_over = True
    return [RoundFinished(round=placed.left.id)]


def opened(placed: Placed, who: Identity, title: str | None, model: str | None, at: datetime | None) -> list[Event]:
    """Return the beginning of a round, at the moment when its first request went out; nothing where it began before."""
    if not placed.is_new or placed.began_before:
        return []
    return [
        RoundStarted(
            round=placed.round.id,
            at=at,
            thread=placed.round.thread,
            agent=who.agent or who.client,
            title=title,
            model=model,
            parent=Parent(round=placed.parent) if placed.parent else None,
            harness="api",
        )
    ]
