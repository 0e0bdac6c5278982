"""Token counts that mean the same for every wire: input with cached tokens, output with reasoning."""

from __future__ import annotations

from .base import Usage

CACHE_BESIDE_INPUT = frozenset(("anthropic", "bedrock-invoke", "bedrock-converse"))
"""Wires whose input count leaves cached tokens out (providers.md 2)."""
OUTPUT_BEGINS_AS_PLACEHOLDER = frozenset(("anthropic", "bedrock-invoke"))
"""Wires whose first report holds an output count that only a later one makes real."""
REASONING_BESIDE_OUTPUT = frozenset((("gemini", None), ("openai-chat", "xai")))
"""Wires, or providers on a wire, whose output count leaves reasoning out; xAI's Responses API counts it in."""

NOTHING_REPORTED = Usage.model_construct()


Counts = tuple[int | None, int | None]
"""Input and output tokens."""


def counts_of(
    usage: Usage, *, wire: str | None, provider: str | None, text_seen: bool, output_is_placeholder: bool
) -> Counts:
    """Return the input including cached tokens and the output including reasoning; None = not reported.

    Args:
        usage: the provider's own numbers.
        wire: wire format name; None leaves the numbers as they are.
        provider: provider name where the wire alone does not tell.
        text_seen: visible text came; zeros beside it mean *not reported* (outcomes.md 2.6.14).
        output_is_placeholder: the output count is one that only a later report makes real.

    Source:
        providers.md 2, "Tokens and the output cap".
    """
    taken, made = usage.input_tokens, None if output_is_placeholder else usage.output_tokens
    if taken is not None and wire in CACHE_BESIDE_INPUT:
        taken += (usage.cache_read_tokens or 0) + (usage.cache_write_tokens or 0)
    if made is not None and ((wire, None) in REASONING_BESIDE_OUTPUT or (wire, provider) in REASONING_BESIDE_OUTPUT):
        made += usage.reasoning_tokens or 0
    return (taken or None, made or None) if text_seen else (taken, made)


def normalised(usage: Usage, counts: Counts) -> Usage:
    """Return ``usage`` with input and output as ``counts_of`` gives them."""
    taken, made = counts
    if taken == usage.input_tokens and made == usage.output_tokens:
        return usage
    return usage.with_counts(input_tokens=taken, output_tokens=made)


def implausible(usage: Usage, counts: Counts) -> bool:
    """Say whether normalised counts cannot be right: negative, or more cached than input."""
    taken, made = counts
    read, written = usage.cache_read_tokens or 0, usage.cache_write_tokens or 0
    if read < 0 or written < 0 or (made or 0) < 0 or (usage.reasoning_tokens or 0) < 0:
        return True
    return taken is not None and (taken < 0 or read + written > taken)
