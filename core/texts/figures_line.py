"""The last sentence of a banner: the last call's own numbers."""

from __future__ import annotations

from ..rounds.figures import Figures
from .durations import duration
from .reading import quotable
from .texts import Texts


def figures_line(figures: Figures | None, texts: Texts) -> str | None:
    """Return the sentence about the last model call; None when no call was recorded.

    What was not reported is left out, except the finish reason: that one is missed aloud.
    """
    if figures is None:
        return None
    parts = [
        _first_output(figures, texts),
        _total(figures, texts),
        _tokens(figures, "output_tokens", texts),
        _tokens(figures, "input_tokens", texts),
        _reason(figures, texts),
    ]
    return texts("figures.line", parts=", ".join(part for part in parts if part))


def _marked(value: str, name: str, figures: Figures, texts: Texts) -> str:
    return texts("number.approximate", value=value) if name in figures.derived else value


def _first_output(figures: Figures, texts: Texts) -> str | None:
    if figures.first_output_ms is not None:
        shown = _marked(duration(figures.first_output_ms, texts), "first_output_ms", figures, texts)
        return texts("figures.first_output", duration=shown)
    if figures.output_seen or (figures.output_tokens or 0) > 0:
        return None  # something came, and nobody timed it
    return texts("figures.no_output")


def _total(figures: Figures, texts: Texts) -> str | None:
    if figures.total_ms is None:
        return None
    shown = _marked(duration(figures.total_ms, texts), "total_ms", figures, texts)
    return texts("figures.total", duration=shown)


def _tokens(figures: Figures, name: str, texts: Texts) -> str | None:
    count = figures.output_tokens if name == "output_tokens" else figures.input_tokens
    if count is None:
        return None
    return _marked(texts(f"figures.{name}", n=count, count=texts.count(count)), name, figures, texts)


def _reason(figures: Figures, texts: Texts) -> str:
    wire, native = quotable(figures.finish_reason), quotable(figures.native_finish_reason)
    said = texts("figures.reason", reason=wire) if wire else texts("figures.no_reason")
    if native and native != wire:
        said += texts("figures.native", native=native)
    later = [texts("banner.quoted", value=word) for each in figures.finish_repeated if (word := quotable(each))]
    return said + texts("figures.repeated", later=", ".join(later)) if later else said
