"""The supervisor's word, with provenance: what this round reported, and what an earlier one left behind."""

from __future__ import annotations

from datetime import datetime

from ..rounds.events import EXECUTING, SupervisorVerdict, ThreadSupervised
from ..rounds.notes import Facts
from .durations import span
from .phrases import Said
from .reading import count_of, flag_of, number_of, quotable, text_of
from .texts import Texts

SEEN_BY_THE_HUB = frozenset(("silent", "parent_waits", "publisher_gone", "publisher_left"))


def gave_up(facts: Facts, texts: Texts) -> Said:
    """Return how often a round was cut and relaunched, its last error, and an earlier round's text as such."""
    cuts, relaunches, cap = (count_of(facts, name) for name in ("cuts", "relaunches", "cap"))
    said = [_counted(cuts, relaunches, texts)]
    if cap is not None:
        said.append(_relaunch_cap(cap, texts))
    said.append(last_error(text_of(facts, "last_error"), flag_of(facts, "last_error_is_error"), texts))
    earlier_text = text_of(facts, "earlier_summary")
    if earlier_text:
        said.append(from_earlier_round(earlier_text, number_of(facts, "earlier_age_s"), texts))
    return tuple(said)


def _counted(cuts: float | None, relaunches: float | None, texts: Texts) -> str:
    parts = [
        texts(f"banner.{name}", n=count)
        for name, count in (("after_cuts", cuts), ("after_relaunches", relaunches))
        if count is not None
    ]
    return texts("banner.gave_up_after", counts=texts("banner.and").join(parts)) if parts else texts("banner.gave_up")


def _relaunch_cap(cap: float, texts: Texts) -> str:
    return texts("banner.relaunch_cap", n=cap) if cap else texts("banner.relaunch_cap_none")


def last_error(text: str | None, is_error: bool | None, texts: Texts) -> str:
    """Return the last error of the round in flight; a status line is not called one unless it is known to be.

    Args:
        text: the status line, quotable; None = the round has written none.
        is_error: None = nobody said.
    """
    if text is None:
        return texts("supervisor.no_error")
    kind = "status_line" if is_error is None else "error" if is_error else "status"
    return texts(f"supervisor.{kind}", text=text)


def from_earlier_round(text: str, age_s: float | None, texts: Texts) -> str:
    """Return an earlier round's text, labelled as not this round's."""
    if age_s is None:
        return texts("supervisor.earlier", text=text)
    return texts("supervisor.earlier_by", text=text, span=span(age_s, texts))


def supervisor_lines(event: ThreadSupervised, texts: Texts, *, last_completed: bool | None = None) -> Said:
    """Return the lines that a supervisor's word takes in a timeline.

    Args:
        last_completed: the thread's last round is an answer, so its Summary is a closing text and no error.
    """
    seen = _seen_by_the_hub(event, texts)
    if seen is not None:
        return (seen,)
    said = [texts(f"supervisor.{event.verdict}")]
    if event.cuts:
        said.append(texts("supervisor.cuts", n=len(event.cuts)))
    if event.relaunches is not None:
        said.append(texts("supervisor.relaunches", n=event.relaunches))
    if event.relaunch_cap is not None:
        said.append(_relaunch_cap(event.relaunch_cap, texts))
    summary = quotable(event.summary.text) if event.summary is not None else None
    if event.state in EXECUTING or event.verdict is SupervisorVerdict.STALE:
        said.append(last_error(quotable(event.status_line), event.is_error, texts))
        if summary:
            written = event.summary.at if event.summary is not None else None
            said.append(from_earlier_round(summary, _age_s(written, event.at), texts))
    elif summary:
        said.append(texts("supervisor.closing_text" if last_completed else "supervisor.last_round", text=summary))
    return tuple(said)


def _seen_by_the_hub(event: ThreadSupervised, texts: Texts) -> str | None:
    """Return what the hub saw, in the viewer's language; None of everybody else, and of what this version knows not."""
    if event.by != "hub" or event.why not in SEEN_BY_THE_HUB or event.after_s is None:
        return None
    return texts(f"supervisor.hub_{event.why}", span=span(max(0.0, event.after_s), texts))


def _age_s(written: datetime | None, seen: datetime | None) -> float | None:
    if written is None or seen is None:
        return None
    return max(0.0, (seen - written).total_seconds())
