"""What was seen of one round, as JSON: by the watcher's ledger, the provider, the tools and the log."""

from __future__ import annotations

from typing import Any

from roundwatch.core.rounds import Call, ToolCall, classify
from roundwatch.core.rounds.events import RoundWarning
from roundwatch.core.runner.messages import Assistant
from roundwatch.core.texts import Texts, banner

from tests.core.runner.proofs.stage import Stage

STREAMED = ("call.output", "call.usage")


def facts(stage: Stage) -> dict[str, Any]:
    """Return what was seen of the stage's subject."""
    round_ = stage.stack.ledger.rounds[stage.subject]
    events = stage.stack.events[stage.subject]
    outcome = classify(round_)
    result = stage.result
    return {
        "verdict": str(outcome.verdict),
        "is_answer": outcome.is_answer,
        "is_success": outcome.is_success,
        "completion_reason": str(outcome.completion_reason),
        "notes": {str(note.code): dict(note.facts) for note in outcome.notes},
        "facts": dict(outcome.facts),
        "banner": {locale: _banner(outcome, locale) for locale in ("en", "de")},
        "watched_text": round_.text,
        "calls": [_call(call) for call in round_.calls],
        "tools": [_tool(tool) for tool in round_.tool_calls.values()],
        "types": [event.type for event in events if event.type not in STREAMED],
        "published": "".join(event.model_dump_json() for event in events),
        "warnings": [event.model_dump(mode="json") for event in _warnings(stage, stage.subject)],
        "earlier_warnings": [event.code for event in _warnings(stage, stage.earlier)],
        "warned_rounds": [n for n in range(1, 11) if _warnings(stage, f"{stage.name}-{n}")],
        "logged": [line for line in stage.stack.logged.lines if f"round {stage.subject}:" in line],
        "text": result.text if result is not None else None,
        "said": [message.text for message in result.transcript if isinstance(message, Assistant)] if result else [],
        "said_ids": [message.id for message in result.transcript if isinstance(message, Assistant)] if result else [],
        "bodies": stage.provider.bodies,
        "pieces": [
            {"message": piece.message, "finish": piece.finish_reason, "taken_back": piece.taken_back}
            for piece in stage.pieces
        ],
        "ran": stage.ran,
        "begun": stage.begun,
        "asked": stage.asked,
        "hooks": stage.hooks,
    }


def _warnings(stage: Stage, round_: str) -> list[RoundWarning]:
    return [event for event in stage.stack.events.get(round_, ()) if isinstance(event, RoundWarning)]


def _banner(outcome: Any, locale: str) -> str:
    found = banner(outcome, Texts.load(locale))
    return " ".join((found.title, *found.sentences, found.figures or ""))


def _call(call: Call) -> dict[str, Any]:
    return {
        "id": call.id,
        "finish": call.finish_reason,
        "outcome": str(call.outcome),
        "cap": call.max_output_tokens,
        "attempt": call.attempt,
        "iteration": call.iteration,
        "of": call.continuation.of if call.continuation is not None else None,
        "kind": str(call.continuation.kind) if call.continuation is not None else None,
    }


def _tool(tool: ToolCall) -> dict[str, Any]:
    return {
        "name": tool.name,
        "state": str(tool.state),
        "why": str(tool.why) if tool.why is not None else None,
        "message": tool.message,
        "early": tool.early,
        "started": tool.started,
    }
