"""Numbers in a viewer's language: never by LC_NUMERIC, never rounded in binary."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Context, Decimal

from .number_rules import NUMBER_RULES

UNKNOWN = "–"
"""Stands where a value was not reported."""
MOST_DECIMALS = 6
_EXACT = Context(prec=60, rounding=ROUND_HALF_UP)  # the digits below TOO_LONG and a few decimals
TOO_LONG = Decimal(10) ** 21
"""From here on a number is written with an exponent: a row has no room for hundreds of digits."""


def exact(value: float | Decimal) -> Decimal:
    """Return the decimal that ``value`` is written as, not the binary fraction behind it."""
    return value if isinstance(value, Decimal) else Decimal(value) if isinstance(value, int) else Decimal(repr(value))


def half_up(value: float | Decimal, places: int) -> Decimal:
    """Return ``value`` rounded to ``places`` decimals, halves away from zero; one too long to show as it is.

    Args:
        value: finite.
    """
    amount = exact(value)
    return amount if abs(amount) >= TOO_LONG else amount.quantize(Decimal(1).scaleb(-places), context=_EXACT)


def is_finite(value: float | Decimal) -> bool:
    """Say whether ``value`` is a number that can be shown."""
    return isinstance(value, int) or exact(value).is_finite()


def number(value: float | Decimal | None, locale: str, *, places: int | None = None) -> str:
    """Return ``value`` with the marks of ``locale``; ``–`` for None and for what is not finite.

    Args:
        places: decimals shown, rounded half up; None = as many as there are, at most six.
    """
    if value is None or not is_finite(value):
        return UNKNOWN
    if abs(exact(value)) >= TOO_LONG:
        written = f"{exact(value):.3e}"
    else:
        rounded = half_up(value, MOST_DECIMALS if places is None else places)
        written = f"{rounded:,f}"
        if places is None and "." in written:
            written = written.rstrip("0").rstrip(".")
    decimal, group = NUMBER_RULES[locale]
    return written.translate({ord(","): group, ord("."): decimal})


def money_places(amount: float | Decimal) -> int:
    """Return how many decimals an amount needs: two, or as many as it has up to six."""
    exponent = half_up(amount, MOST_DECIMALS).normalize().as_tuple().exponent if is_finite(amount) else 0
    return max(2, -exponent) if isinstance(exponent, int) else 0


SHORT_STEPS: tuple[tuple[int, str], ...] = (
    (1_000_000_000_000, "trillion"),
    (1_000_000_000, "billion"),
    (1_000_000, "million"),
    (1_000, "thousand"),
)
"""Largest first: what a short number is divided by, and the name of its text."""


def short_step(value: float | Decimal) -> tuple[Decimal, str | None]:
    """Return ``value`` in the step a narrow column shows it in, to one decimal, and the step's name.

    Below a thousand it stays as it is. What rounds to a thousand of one step is one of the next.
    """
    amount = exact(value)
    if abs(amount) >= TOO_LONG:
        return amount, None
    for size, name in SHORT_STEPS:
        below = half_up(amount / (size // 1000), 1) if size > 1000 else amount
        if abs(below) >= 1000:
            return half_up(amount / size, 1), name
    return amount, None
