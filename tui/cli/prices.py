"""What calls are reckoned with: the operator's own price file first, then the one that comes with roundwatch."""

from __future__ import annotations

from pathlib import Path

from ...core.prices import Price, PriceTable, Pricing, read_prices, shipped_prices
from ...core.rounds.faults import CodedError
from ...core.texts import fault_text
from .context import Context
from .settings import settings_file

NAME = "prices.toml"
MOST_BYTES = 10_000_000  # a thousand models take a quarter of this


def pricing(context: Context) -> Pricing:
    """Return the prices; what could not be read of the operator's file is told and left out."""
    return Pricing(PriceTable(_own(context), shipped_prices()))


def _own(context: Context) -> tuple[Price, ...]:
    named = context.settings.prices
    path = named or (context.settings.path or settings_file()).parent / NAME
    try:
        found = read_prices(_text(path))
    except FileNotFoundError as error:
        if named is not None:
            context.note("cli.prices.unreadable", file=str(path), why=fault_text(error, context.texts))
        return ()
    except (OSError, ValueError, CodedError) as error:
        context.note("cli.prices.unreadable", file=str(path), why=fault_text(error, context.texts))
        return ()
    if found.faults:
        first = found.faults[0]
        where = f"[[price]] {first.number}: " if first.number else ""
        why = fault_text(first.error, context.texts)
        context.note("cli.prices.wrong", file=str(path), n=len(found.faults), first=f"{where}{why}")
    return found.prices


def _text(path: Path) -> str:
    if path.stat().st_size > MOST_BYTES:
        raise CodedError(f"it is larger than {MOST_BYTES} bytes", code="price_too_large", n=MOST_BYTES)
    return path.read_text("utf-8-sig")
