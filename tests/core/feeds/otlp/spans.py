"""Spans of little agents, and what a ledger makes of the events that are told of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from roundwatch.core.feeds.otlp import Assembler, Span
from roundwatch.core.hub.inlet import Numbered
from roundwatch.core.rounds import Ledger, Outcome, classify

TRACE = "0af7651916cd43dd8448eb211c80319c"
BEGAN_NS = 1_790_000_000_000_000_000
SECOND = 1_000_000_000


def span(
    name: str, parent: str | None = None, *, at: float = 0.0, lasts: float = 1.0, trace: str = TRACE, **more: Any
) -> Span:
    """A span called by one letter or more; its id is made of its name. ``at`` and ``lasts`` are seconds."""
    attributes = more.pop("attributes", {})
    start = BEGAN_NS + int(at * SECOND)
    return Span(
        trace=trace,
        id=ident(name),
        parent=None if parent is None else ident(parent),
        name=more.pop("called", name),
        start_ns=start,
        end_ns=start + int(lasts * SECOND),
        attributes=attributes,
        **more,
    )


def ident(name: str) -> str:
    """The span id of a name."""
    return name.encode().hex().ljust(16, "0")[:16]


def agent(name: str, parent: str | None = None, **more: Any) -> Span:
    own = {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": name}
    return span(name, parent, attributes=own | more.pop("attributes", {}), **more)


def chat(
    name: str, parent: str | None = None, finish: str | None = "stop", text: str | None = None, **more: Any
) -> Span:
    own: dict[str, Any] = {
        "gen_ai.operation.name": "chat", "gen_ai.request.model": "mini-4", "gen_ai.usage.input_tokens": 12,
        "gen_ai.usage.output_tokens": 5,
    }  # fmt: skip
    if finish is not None:
        own["gen_ai.response.finish_reasons"] = [finish]
    if text is not None:
        own["gen_ai.output.messages"] = [{"role": "assistant", "parts": [{"type": "text", "content": text}]}]
    return span(name, parent, attributes=own | more.pop("attributes", {}), **more)


def tool(name: str, parent: str | None = None, **more: Any) -> Span:
    own = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": name, "gen_ai.tool.call.id": f"id-{name}"}
    return span(name, parent, attributes=own | more.pop("attributes", {}), **more)


def told(*batches: Sequence[Span], assembler: Assembler | None = None) -> list[Numbered]:
    """Everything that is told of these exports, one a second."""
    assembler = assembler or Assembler()
    found: list[Numbered] = []
    for second, batch in enumerate(batches):
        found += assembler.feed("me", batch, float(second))
    return found


def folded(events: Iterable[Numbered]) -> Ledger:
    """The rounds of these events, each number taken once and in order as a store does."""
    ledger, settled = Ledger(), dict[str, int]()
    for each in events:
        if each.n <= settled.get(each.producer, 0):
            continue
        assert each.n == settled.get(each.producer, 0) + 1, f"a hole before {each}"
        settled[each.producer] = each.n
        ledger.apply(each.event)
    return ledger


def outcome(*spans: Span) -> Outcome:
    """How the only round of one export ended."""
    (round_,) = folded(told(spans)).rounds.values()
    return classify(round_)
