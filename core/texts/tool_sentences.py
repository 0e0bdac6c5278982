"""What became of tool calls: the ones that never got a result, and the ones that were refused."""

from __future__ import annotations

from ..rounds.base import RefusedWhy
from ..rounds.notes import Facts
from .phrases import Said, listed, with_message
from .reading import names_of, number_of, text_of
from .texts import Texts


def unfinished_tool_call(facts: Facts, texts: Texts) -> Said:
    """Return which tool calls have no result, and the provider's word when it threw one away itself."""
    names, word = names_of(facts, "names"), text_of(facts, "provider_word")
    recorded = number_of(facts, "count")
    count = int(recorded) if recorded is not None else len(names)
    said: list[str] = []
    if count == 1 and names:
        said.append(texts("banner.tool_open", name=names[0]))
    elif count > 1 and names:
        said.append(texts("banner.tools_open_named", n=count, names=listed(names, texts)))
    elif count > 0:
        said.append(texts("banner.tools_open", n=count))
    elif word is None:
        said.append(texts("banner.some_tool_open"))
    if word is not None:
        clause = texts("banner.provider_dropped_tool", word=word)
        said.append(with_message(clause, text_of(facts, "provider_message"), texts))
    return tuple(said)


def refusal_text(why: RefusedWhy, started_early: bool | None, texts: Texts) -> str:
    """Return what a viewer reads at a refused tool call.

    Args:
        started_early: None = not reported; then nothing is said about whether it ran.
    """
    started = "" if started_early is None else "_started" if started_early else "_not_run"
    if why is RefusedWhy.OUTPUT_CAP:
        return texts(f"refused.output_cap{started}")
    reason = texts(f"refused.{why}")
    return f"{reason} {texts('refused.result_dropped')}" if started_early else reason
