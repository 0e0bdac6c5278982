"""Which thinking setting goes to a model: the dialect it understands, and a budget that fits under the output cap."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

SMALLEST_BUDGET = 1024
"""Tokens. An output cap has to be above it, or no budget is possible."""
DEFAULT_MAX_TOKENS = 4096
"""The output cap where neither the call nor the client set one."""
DEFAULT_BUDGET = 16_000
"""Tokens asked for where a translated path has no number of its own."""


class ThinkingMode(StrEnum):
    """What was asked for."""

    AUTO = "auto"
    ADAPTIVE = "adaptive"
    EXTENDED = "extended"


class ThinkingRow(StrEnum):
    """What a model is described to understand."""

    ADAPTIVE = "adaptive"
    BUDGETED = "budgeted"
    EITHER = "either"
    UNDESCRIBED = "undescribed"


class Dialect(StrEnum):
    """What is sent."""

    ADAPTIVE = "adaptive"
    """No number: the model decides. Never clamped."""
    BUDGETED = "budgeted"
    NONE = "none"


_ADAPTIVE, _BUDGETED = Dialect.ADAPTIVE, Dialect.BUDGETED
DIALECTS: dict[tuple[ThinkingMode, ThinkingRow], Dialect] = {
    (ThinkingMode.AUTO, ThinkingRow.ADAPTIVE): _ADAPTIVE,
    (ThinkingMode.AUTO, ThinkingRow.EITHER): _ADAPTIVE,
    (ThinkingMode.AUTO, ThinkingRow.BUDGETED): _BUDGETED,
    (ThinkingMode.AUTO, ThinkingRow.UNDESCRIBED): Dialect.NONE,  # nobody asked, nothing is known: do not guess
    (ThinkingMode.ADAPTIVE, ThinkingRow.ADAPTIVE): _ADAPTIVE,
    (ThinkingMode.ADAPTIVE, ThinkingRow.EITHER): _ADAPTIVE,
    (ThinkingMode.ADAPTIVE, ThinkingRow.UNDESCRIBED): _ADAPTIVE,
    (ThinkingMode.ADAPTIVE, ThinkingRow.BUDGETED): _BUDGETED,
    (ThinkingMode.EXTENDED, ThinkingRow.ADAPTIVE): _ADAPTIVE,
    (ThinkingMode.EXTENDED, ThinkingRow.BUDGETED): _BUDGETED,
    (ThinkingMode.EXTENDED, ThinkingRow.EITHER): _BUDGETED,
    (ThinkingMode.EXTENDED, ThinkingRow.UNDESCRIBED): _BUDGETED,
}
"""One row a pair (outcomes.md 4)."""

_OWN_DIALECT = {ThinkingMode.ADAPTIVE: _ADAPTIVE, ThinkingMode.EXTENDED: _BUDGETED}


class FindingCode(StrEnum):
    """What is worth telling the operator about a thinking setting; each is also a warning code."""

    CLAMPED = "thinking_budget_clamped"
    IMPOSSIBLE = "thinking_budget_impossible"
    TRANSLATED = "thinking_dialect_translated"


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding of the configuration: its code, and what went in and came out."""

    code: FindingCode
    before: str | int
    after: str | int | None = None

    @property
    def signature(self) -> str:
        """The finding on one line, equal for equal configurations: the key of the once-only register."""
        head, *rest = self.code.split("_")
        name = head + "".join(word.capitalize() for word in rest)
        return f"{name}={self.before}" if self.after is None else f"{name}={self.before}->{self.after}"

    @property
    def facts(self) -> dict[str, str | int]:
        """What the warning's text is made of."""
        if self.after is None:
            return {"max_tokens": self.before}
        return {"from": self.before, "to": self.after}


@dataclass(frozen=True, slots=True)
class Thinking:
    """The thinking part of one request."""

    sent: Dialect
    budget: int | None = None
    """Tokens; only of a budgeted one."""
    findings: tuple[Finding, ...] = ()

    @property
    def type(self) -> str:
        """The word of the wire: ``enabled`` with a budget, ``adaptive``, or ``none`` = the part is left out."""
        return {Dialect.BUDGETED: "enabled", Dialect.ADAPTIVE: "adaptive", Dialect.NONE: "none"}[self.sent]


def dialect(mode: ThinkingMode, row: ThinkingRow) -> Dialect:
    """Return what a model of ``row`` is sent when ``mode`` is asked for, before any budget is looked at."""
    return DIALECTS[mode, row]


def effective_cap(call: int | None, client: int | None) -> int:
    """Return the output cap of a request: the call's, else the client's, else 4,096 tokens."""
    return call if call is not None else client if client is not None else DEFAULT_MAX_TOKENS


def fit_budget(requested: int, max_tokens: int) -> Thinking:
    """Return a budget that stays below the output cap, or none where the cap leaves no room; tokens."""
    if max_tokens <= SMALLEST_BUDGET:
        return Thinking(Dialect.NONE, findings=(Finding(FindingCode.IMPOSSIBLE, max_tokens),))
    if requested < max_tokens:
        return Thinking(Dialect.BUDGETED, requested)
    fitting = max_tokens - 1
    return Thinking(Dialect.BUDGETED, fitting, (Finding(FindingCode.CLAMPED, requested, fitting),))


def plan_thinking(mode: ThinkingMode, row: ThinkingRow, max_tokens: int, requested: int = DEFAULT_BUDGET) -> Thinking:
    """Return what is sent for ``mode`` to a model of ``row`` under an output cap of ``max_tokens``.

    A mode that the model does not speak is translated, which is a finding; where the cap allows no budget at all,
    that is the only finding.
    """
    sent = dialect(mode, row)
    own = _OWN_DIALECT.get(mode, sent)
    translated = () if own is sent else (Finding(FindingCode.TRANSLATED, mode.upper(), sent.upper()),)
    if sent is not Dialect.BUDGETED:
        return Thinking(sent, findings=translated)
    fitted = fit_budget(requested, max_tokens)
    if fitted.budget is None:
        return fitted
    return Thinking(fitted.sent, fitted.budget, (*translated, *fitted.findings))
