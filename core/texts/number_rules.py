"""How our languages write numbers and count things: the few facts of the CLDR that every sentence needs.

Written out, because loading the CLDR's data for them takes as long as a whole small command; a test holds them equal
to what Babel says. Dates are Babel's.
"""

from __future__ import annotations

from decimal import Decimal
from typing import NamedTuple


class NumberRules(NamedTuple):
    """One language's marks."""

    decimal: str
    """Before the decimals."""
    group: str
    """Between thousands."""


NUMBER_RULES = {"en": NumberRules(".", ","), "de": NumberRules(",", ".")}


def plural_form(n: float | Decimal, locale: str) -> str:
    """Return the plural category of ``n``: the two languages have the same two.

    Args:
        n: not negative; without decimals where it is an int, with shown decimals otherwise.
        locale: one of ``NUMBER_RULES``.
    """
    if locale not in NUMBER_RULES:
        raise KeyError(locale)
    return "one" if isinstance(n, int) and n == 1 else "other"
