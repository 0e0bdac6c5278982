"""Token counts that mean the same for every wire: input with cached tokens, output with reasoning."""

from __future__ import annotations

from .base import Usage

CACHE_BESIDE_INPUT = frozenset(("anthropic", "bedrock-invoke", "bedrock-converse"))
"""Wires whose input count leaves cached tokens out (providers.md 2)."""
OUTPUT_BEGINS_AS_PLACEHOLDER = frozenset(("anthropic", "bedrock-invoke"))
"""Wires whose first report holds an output count that only a later one makes real."""
REASONING_BESIDE_OUTPUT = frozenset((("gemini", None), ("openai-chat", "xai")))
"""Wires, or providers on a wire, whose output count leaves reasoning out; xAI's Responses API counts it in."""

NOTHING_REPORTED = Usage()


def normalised(usage: Usage, *, wire: str | None, provider: str | None) -> Usage:
    """Return ``usage`` with the input including cached tokens and the output including reasoning.

    Args:
        usage: the provider's own numbers.
        wire: wire format name; None leaves the numbers as they are.
        provider: provider name where the wire alone does not tell.

    Source:
        providers.md 2, "Tokens and the output cap".
    """
    changes: dict[str, int] = {}
    if wire in CACHE_BESIDE_INPUT and usage.input_tokens is not None:
        cached = (usage.cache_read_tokens or 0) + (usage.cache_write_tokens or 0)
        changes["input_tokens"] = usage.input_tokens + cached
    beside = bool(REASONING_BESIDE_OUTPUT & {(wire, None), (wire, provider)})
    if beside and usage.output_tokens is not None:
        changes["output_tokens"] = usage.output_tokens + (usage.reasoning_tokens or 0)
    return usage.with_counts(**changes) if changes else usage


def without_idle_zeros(usage: Usage, *, text_seen: bool) -> Usage:
    """Return ``usage`` with zeros beside visible text turned into *not reported* (outcomes.md 2.6.14)."""
    if not text_seen:
        return usage
    idle = {name: None for name in ("input_tokens", "output_tokens") if getattr(usage, name) == 0}
    return usage.with_counts(**idle) if idle else usage


def implausible(usage: Usage) -> bool:
    """Say whether normalised counts cannot be right: negative, or more cached than input."""
    counts = (
        usage.input_tokens,
        usage.output_tokens,
        usage.reasoning_tokens,
        usage.cache_read_tokens,
        usage.cache_write_tokens,
    )
    if any(count is not None and count < 0 for count in counts):
        return True
    cached = (usage.cache_read_tokens or 0) + (usage.cache_write_tokens or 0)
    return usage.input_tokens is not None and cached > usage.input_tokens
