"""Judgement vectors about the recovered work of a killed delegate, in the vectors' own spelling."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from roundwatch.core.policies import (
    HEAD_LABEL,
    TAIL_LABEL,
    GuidanceKind,
    PartialAccumulator,
    PartialKind,
    PartialRegistry,
    TimeoutReport,
    ask_producer,
    guidance_kind,
    is_recoverable,
    timeout_report,
)
from roundwatch.core.policies.tool_digest import MAX_ARGUMENT_CHARS, MAX_ARGUMENTS, tool_line
from roundwatch.core.texts import Texts, warning_text

Json = Mapping[str, Any]


def _blocks(given: Json) -> Iterator[Json]:
    yield from given.get("blocks", ())
    for repeat in given.get("repeat", ()):
        for number in range(repeat["count"]):
            if repeat["block"] == "tool_call":
                yield {"type": "tool_call", "id": f"c{number}", "name": "read_file", "input": {"n": number}}
            else:
                text = f"reasoning step {number}"
                yield {"type": repeat["block"], "text": text.ljust(repeat.get("chars", 0), "x")}


def _partial(given: Json) -> Json | None:
    accumulator, blocks = PartialAccumulator(), list(_blocks(given))
    for block in blocks:
        accumulator.take(block)
    found = accumulator.recovered()
    if found is None:
        return None
    told: dict[str, Any] = {"source": found.source, "kind": str(found.kind), "segments": found.segments}
    if found.kind is PartialKind.TEXT:
        return {**told, "text": found.text}
    first = next((block["text"] for block in blocks if block["type"] == "thinking"), "")
    return {
        **told,
        "text": found.text,
        "reasoning_chars": found.reasoning_chars,
        "dropped_segments": found.dropped_segments,
        "oldest_dropped_first": found.dropped_segments > 0 and first not in found.text,
        "kept": "tail" if first[-found.reasoning_chars :] in found.text and first not in found.text else "whole",
        "head_label": found.text.startswith(HEAD_LABEL),
        "tail_label": found.text.endswith(TAIL_LABEL),
        "rendered_has_arguments": any(
            not tool_line(block).endswith("()") for block in blocks if block["type"] == "tool_call"
        ),
    }


def _guidance(given: Json) -> Json:
    return {"guidance": str(guidance_kind(given["text"], given["source"]))}


def _raising() -> object:
    raise RuntimeError("the producer is broken")


def _consumer(given: Json) -> Json:
    producer = _raising if given.get("partial_raises") else lambda: given["partial"]
    limits = {"max_chars": given["max_chars"]} if "max_chars" in given else {}
    batch = ["first sibling", ask_producer(producer, **limits), "second sibling"]
    report = next(item for item in batch if isinstance(item, TimeoutReport))
    sent = report.as_json()
    return {
        **sent,
        "guidance": str(report.guidance_kind),
        "guidance_text": report.guidance,
        "says_truncated": "truncated" in report.guidance.casefold(),
        "has_response_key": "response" in sent,
        "raises": False,
        "siblings_kept": len(batch) - 1,
    }


def _registry(given: Json) -> Json:
    registry = PartialRegistry()
    if given.get("normal_completion"):
        accumulator = registry.publish("child")
        for kind in given["blocks"]:
            accumulator.take({"type": kind, "text": "work", "name": "tool"})
        registry.discard("child")
        left = {"child": True} if "child" in registry else {}
        return {"result_keys_added": [], "registry_after": left, "partial": registry.read("child")}
    for number in range(given["open_records"]):
        registry.publish(f"child {number}")
    oldest = sum(f"child {number}" not in registry for number in range(registry.evicted))
    return {"max_records": len(registry), "evicted_oldest": oldest}


def _tool_line(given: Json) -> Json:
    line = tool_line(given["block"])
    names = list(given["block"]["input"])
    shown = [name for name in names if f"{name}=" in line]
    return {
        "shows": shown,
        "omits": [name for name in names if name not in shown],
        "arg_max_chars": MAX_ARGUMENT_CHARS,
        "max_args": MAX_ARGUMENTS,
    }


def _partial_read(given: Json) -> Json:
    registry = PartialRegistry()
    accumulator = registry.publish("child")
    if given["produced"]:
        accumulator.take({"type": "text", "text": "work"})
    reads = ["record" if registry.read("child") is not None else None for _ in range(given["reads"])]
    return dict(zip(("first", "second", "third"), reads, strict=False))


def _window(given: Json) -> Json:
    return {"recoverable": is_recoverable(given["first_evidence_s"], given["killed_at_s"])}


def _share(given: Json) -> Json:
    """Plain arithmetic on recorded figures: the product shows none of it."""
    if "leg_s" in given:
        dark = round(100 * given["first_evidence_s"] / given["leg_s"])
        return {"dark_share_pct": dark, "recoverable_share_pct": 100 - dark}
    ratio = round(given["mean_after_pct"] / given["mean_before_pct"])
    return {"ratio_from_rounded_means": ratio, "claimed": "about 1,700"}


def _delegation_timeout(given: Json) -> Json:
    facts = {"timeout_ms": given["timeout_s"] * 1000, "child_state": given["worker_state"]}
    said = warning_text("delegation_timeout", facts, Texts.load("en"))
    report = timeout_report({"text": "so far", "segments": 1, "source": "spawn-accumulator"})
    return {
        "condition": "delegation_timeout",
        "not_a_truncation": "not a truncation" in said.casefold(),
        "partial_recovery_applies": report.partial_available and report.guidance_kind is GuidanceKind.TEXT,
    }


RECOVERY_ANSWERS: Mapping[str, Callable[[Json], Any]] = {
    "partial": _partial,
    "guidance": _guidance,
    "partial_consumer": _consumer,
    "partial_registry": _registry,
    "partial_tool_line": _tool_line,
    "partial_read": _partial_read,
    "partial_window": _window,
    "partial_share": _share,
    "delegation_timeout": _delegation_timeout,
}
