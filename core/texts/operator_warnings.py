"""Operator warnings of a round: a sentence a code, made of the warning's facts."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from .durations import span_of_ms
from .phrases import listed
from .reading import flag_of, names_of, number_of, quotable, text_of
from .texts import Texts

WarningFacts = Mapping[str, object]
"""As received: any key may be missing or of another shape."""


def warning_text(code: str, facts: WarningFacts, texts: Texts, message: str | None = None) -> str:
    """Return what a viewer reads at a warning.

    Args:
        code: from the event; an unknown one is quoted together with the producer's own message.
    """
    writer = WARNINGS.get(code)
    if writer is not None:
        return writer(facts, texts)
    own = quotable(message)
    name = quotable(code) or ""
    return texts("warning.unknown_saying", code=name, message=own) if own else texts("warning.unknown", code=name)


def _reasoning_clause(facts: WarningFacts, texts: Texts) -> str:
    """Return the two counts of the cut response, no share and no conclusion; nothing when none was reported."""
    reasoning, output = number_of(facts, "reasoning_tokens"), number_of(facts, "output_tokens")
    if not reasoning:
        return ""
    told = texts("warning.reasoning_count", n=reasoning, count=texts.count(reasoning))
    if output is None:
        return texts("warning.reasoning_clause", counts=told)
    both = texts("banner.and").join((texts("warning.output_count", n=output, count=texts.count(output)), told))
    return texts("warning.reasoning_clause", counts=both)


def _tools_refused(facts: WarningFacts, texts: Texts) -> str:
    iteration, tools = number_of(facts, "iteration"), names_of(facts, "tools")
    first = texts("warning.cut") if iteration is None else texts("warning.cut_in", iteration=iteration)
    early = flag_of(facts, "early")
    what = "refused" if early is None else "refused_early" if early else "refused_none_run"
    if tools:
        told = texts(f"warning.{what}", first=first, n=len(tools), tools=listed(tools, texts))
    else:
        told = texts(f"warning.all_{what}", first=first)
    return told + _reasoning_clause(facts, texts) + "."


def _cut_answer(facts: WarningFacts, texts: Texts) -> str:
    n, subagent = number_of(facts, "iterations"), text_of(facts, "subagent")
    first = texts("warning.subagent_cut", subagent=subagent) if subagent else texts("warning.answer_cut")
    after = texts("warning.after", n=n) if n is not None else ""
    return texts("warning.handed_over", first=first + after) + _reasoning_clause(facts, texts) + "."


def _stalled(facts: WarningFacts, texts: Texts) -> str:
    n = number_of(facts, "n")
    first = texts("banner.no_progress") if n is None else texts("banner.no_progress_in", n=n)
    return f"{first} {texts('banner.each_was_cut')}" if flag_of(facts, "all_refused") else first


def _outside_loop(facts: WarningFacts, texts: Texts) -> str:
    purpose = text_of(facts, "purpose")
    return texts("warning.outside_loop_for", purpose=purpose) if purpose else texts("warning.outside_loop")


def _from_to(key: str) -> Callable[[WarningFacts, Texts], str]:
    def write(facts: WarningFacts, texts: Texts) -> str:
        before, after = _either(facts, "from", texts), _either(facts, "to", texts)
        if before is None or after is None:
            return texts(f"warning.{key}_bare")
        return texts(f"warning.{key}", before=before, after=after)

    return write


def _either(facts: WarningFacts, name: str, texts: Texts) -> str | None:
    value = number_of(facts, name)
    return texts.number(value) if value is not None else text_of(facts, name)


def _impossible(facts: WarningFacts, texts: Texts) -> str:
    n = number_of(facts, "max_tokens")
    return texts("warning.thinking_impossible") if n is None else texts("warning.thinking_impossible_at", n=n)


def _arguments(facts: WarningFacts, texts: Texts) -> str:
    offset, length, error = number_of(facts, "offset"), number_of(facts, "length"), text_of(facts, "error")
    where = "" if offset is None or length is None else texts("warning.at_offset", offset=offset, length=length)
    kind = texts("warning.error_kind", error=error) if error else ""
    return texts("warning.arguments", details=where + kind)


def _delegation(facts: WarningFacts, texts: Texts) -> str:
    timeout, child, state = number_of(facts, "timeout_ms"), text_of(facts, "child"), text_of(facts, "child_state")
    waited = (
        texts("warning.waited") if timeout is None else texts("warning.waited_for", span=span_of_ms(timeout, texts))
    )
    said = [waited]
    if child:
        said.append(texts("warning.child", child=child))
    if state:
        said.append(texts("warning.child_state", state=state))
    return " ".join((*said, texts("warning.not_a_cut")))


def _continuation(facts: WarningFacts, texts: Texts) -> str:
    reason = text_of(facts, "reason")
    if reason is None:
        return texts("warning.continuation_skipped")
    if reason in ("no_proof", "unsafe_content", "context_window"):  # what our own runner says
        return texts(f"warning.continuation_skipped_{reason}")
    return texts("warning.continuation_skipped_because", reason=reason)


def _next_request(facts: WarningFacts, texts: Texts) -> str:
    waited = number_of(facts, "waited_s")
    if waited is None:
        return texts("warning.next_request_missing")
    return texts("warning.next_request_missing_for", span=span_of_ms(waited * 1000, texts))


WARNINGS: Mapping[str, Callable[[WarningFacts, Texts], str]] = {
    "cut_tool_calls_refused": _tools_refused,
    "cut_answer": _cut_answer,
    "stalled_iterations": _stalled,
    "call_truncated_outside_loop": _outside_loop,
    "thinking_budget_clamped": _from_to("thinking_clamped"),
    "thinking_budget_impossible": _impossible,
    "thinking_dialect_translated": _from_to("thinking_translated"),
    "arguments_unparseable": _arguments,
    "delegation_timeout": _delegation,
    "continuation_skipped": _continuation,
    "next_request_missing": _next_request,
}
"""Every code of the protocol."""
