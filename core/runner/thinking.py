"""The thinking part of a model's requests, and the findings that planning it brings up."""

from __future__ import annotations

from ..policies.thinking import Thinking, effective_cap, plan_thinking
from .agents import Model
from .memory import Memory
from .recorder import Recorder
from .rules import Rules


async def thinking_of(rules: Rules, model: Model, recorder: Recorder, memory: Memory) -> Thinking | None:
    """Return what ``model`` is sent, and tell what is odd about its setting once; None = no thinking part.

    Only the Anthropic wire carries such a part.
    """
    setting = rules.thinking.get(model.name)
    if setting is None or model.wire != "anthropic":
        return None
    planned = plan_thinking(setting.mode, setting.row, effective_cap(model.max_output_tokens, None), setting.budget)
    for finding in planned.findings:
        message = f"{model.name[:80]}: {finding.signature}"
        await memory.tell_config(recorder, f"{model.name}: {finding.signature}", finding.code, message, finding.facts)
    return planned
