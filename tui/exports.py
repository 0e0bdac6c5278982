"""What the export menu makes of a round or of the list: names, endings and the bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime

from ..core.prices import Pricing
from ..core.rounds import Round, classify
from ..core.texts import Texts, title
from ..core.texts.costs import cost_sum_text, cost_text
from .call_row import finish_line
from .cli.markdown import escaped, section
from .cli.pictures import PICTURE_COLUMNS, svg
from .cli.report import report
from .inspector_lines import marked_time
from .list_csv import csv_pieces
from .round_json import round_json
from .safe_text import one_line
from .watched import Watched

Pieces = Iterable[bytes]


@dataclass(frozen=True, slots=True)
class RoundExport:
    """One form a round can be exported in."""

    name: str
    ending: str
    make: Callable[[Round, Texts, datetime, Pricing], str]


def _json(round_: Round, texts: Texts, now: datetime, pricing: Pricing) -> str:
    return round_json(round_, classify(round_, now=now), pricing)


def _markdown(round_: Round, texts: Texts, now: datetime, pricing: Pricing) -> str:
    lines = [section(round_, classify(round_, now=now), texts)]
    if round_.calls:
        heads = [texts(f"ui.column_{head}") for head in ("number", "model", "first", "total", "in", "out", "finish")]
        heads.append(texts("cost.title"))
        lines.append("| " + " | ".join(heads) + " |")
        lines.append("|---" * len(heads) + "|")
        lines += [_markdown_row(round_, number, texts, pricing) for number in range(len(round_.calls))]
        total = escaped(one_line(cost_sum_text(pricing.round(round_), texts)))
        lines += ["", f"{texts('cost.title')}: {total}", ""]
    return "\n".join(lines)


def _markdown_row(round_: Round, number: int, texts: Texts, pricing: Pricing) -> str:
    call = round_.calls[number]
    cells = (
        texts.number(number + 1),
        call.model or "–",
        marked_time(call, "first_output_ms", texts),
        marked_time(call, "total_ms", texts),
        texts.count(call.usage.input_tokens),
        texts.count(call.usage.output_tokens),
        "".join(span.text for span in finish_line(call, round_, texts)),
        cost_text(pricing.call(call), texts),
    )
    return "| " + " | ".join(escaped(one_line(cell)) for cell in cells) + " |"


def _svg(round_: Round, texts: Texts, now: datetime, pricing: Pricing) -> str:
    outcome = classify(round_, now=now)
    lines = report(round_, outcome, texts, unicode=True, width=PICTURE_COLUMNS)
    return svg(title(outcome, texts), lines)


ROUND_EXPORTS: tuple[RoundExport, ...] = (
    RoundExport("json", "json", _json),
    RoundExport("markdown", "md", _markdown),
    RoundExport("svg", "svg", _svg),
)


def report_text(round_: Round, texts: Texts, now: datetime) -> str:
    """Return what copying a round gives: its banner as plain text."""
    lines = report(round_, classify(round_, now=now), texts, unicode=True, width=PICTURE_COLUMNS)
    return "\n".join(" " * line.indent + line.text for line in lines) + "\n"


def list_pieces(watched: Watched, now: datetime) -> Pieces:
    """Return the rows that the list shows, as CSV, in their order."""
    rows = watched.shown.rows
    ids = [rows.at(row).id for row in range(len(rows))]
    return csv_pieces(watched.listed(id_, 0, now) for id_ in ids)
