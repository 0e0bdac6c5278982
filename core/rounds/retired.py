"""Summaries of retired rounds in a few hundred bytes each: what many rounds share is kept once, the rest packed."""

from __future__ import annotations

import marshal
from collections.abc import Hashable, Iterator, MutableMapping
from datetime import UTC, datetime, timedelta
from typing import Any, Generic, TypeVar, cast

from .base import Claim, Parent
from .figures import Figures
from .notes import Facts, FactValue, Note, NoteCode
from .outcome import Outcome
from .summary import RoundSummary

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
EXACT = 2**53
"""Whole numbers below this are exact as floats."""
MOST_SHARED = 10_000
"""Of each kind; what comes after that is packed into each round."""
STANDING = (
    "verdict",
    "rule",
    "status",
    "completion_reason",
    "is_success",
    "is_complete",
    "is_answer",
    "parent_outcome",
    "evidence",
    "doubts",
    "contradicts_claim",
    "provisional",
    "provisional_doubts",
)
"""What rounds that ended alike have in common."""
FIELDS = 18
"""Of one packed round."""
_NOTE_CODES = tuple(NoteCode)
_NOTE_INDEX = {code: index for index, code in enumerate(_NOTE_CODES)}
T = TypeVar("T", bound=Hashable)
Shared = int | tuple[Any]
"""Where a shared value stands, or the value itself."""


class _Pool(Generic[T]):
    """Values that many rounds have in common, each kept once."""

    def __init__(self) -> None:
        self._values: list[T] = []
        self._places: dict[T, int] = {}

    def put(self, value: T) -> int | tuple[T]:
        place = self._places.get(value)
        if place is not None:
            return place
        if len(self._values) >= MOST_SHARED:
            return (value,)
        self._places[value] = len(self._values)
        self._values.append(value)
        return len(self._values) - 1

    def get(self, packed: Shared) -> T:
        return self._values[packed] if isinstance(packed, int) else cast(T, packed[0])


class RetiredRounds(MutableMapping[str, RoundSummary]):
    """Summaries by round id. Reading one makes it anew, equal to what was put in; moments come back in UTC."""

    def __init__(self) -> None:
        """Start with none."""
        self._packed: dict[str, bytes] = {}
        self._words: _Pool[str | None] = _Pool()
        """Threads and agents."""
        self._names: _Pool[tuple[str, ...]] = _Pool()
        """Models and tools."""
        self._standings: _Pool[tuple[Any, ...]] = _Pool()
        """What ``STANDING`` names, of an outcome; at most some hundred differ."""
        self._keys: _Pool[tuple[str, ...]] = _Pool()
        """Names of facts."""

    def __getitem__(self, id_: str) -> RoundSummary:
        """Return a round's summary.

        Raises:
            KeyError: it is not retired.
        """
        return self._unpacked(id_, self._packed[id_])

    def __setitem__(self, id_: str, summary: RoundSummary) -> None:
        """Keep a round's summary."""
        self._packed[id_] = marshal.dumps(self._plain(summary))

    def __delitem__(self, id_: str) -> None:
        """Let a summary go."""
        del self._packed[id_]

    def __contains__(self, id_: object) -> bool:
        """Say whether a round is retired, without reading its summary."""
        return id_ in self._packed

    def __iter__(self) -> Iterator[str]:
        """Iterate over the ids, in the order the rounds were retired."""
        return iter(self._packed)

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._packed)

    def _plain(self, summary: RoundSummary) -> tuple[Any, ...]:
        outcome, parent, claim = summary.outcome, summary.parent, summary.outcome.claim
        start = _moment(summary.started_at)
        return _without_tail(
            (
                self._words.put(summary.thread),
                self._words.put(summary.agent),
                _text(summary.title),
                start,
                _since(_moment(summary.ended_at), start),
                summary.total_ms,
                summary.calls,
                summary.input_tokens,
                summary.output_tokens,
                self._names.put(tuple(map(str, summary.models))),
                self._names.put(tuple(map(str, summary.tools))),
                self._standings.put(_standing(outcome)),
                self._facts(outcome.facts),
                None if outcome.figures is None else _figures(outcome.figures),
                tuple((_NOTE_INDEX[note.code], self._facts(note.facts)) for note in outcome.notes) or None,
                None if parent is None else (str(parent.round), _text(parent.tool_call)),
                None if claim is None else (claim.status, claim.reason, claim.summary),
                outcome.stalled_ms,
            )
        )

    def _unpacked(self, id_: str, packed: bytes) -> RoundSummary:
        told = _with_tail(marshal.loads(packed), FIELDS)
        thread, agent, title, start, end, total, calls, into, out, models, tools = told[:11]
        standing, facts, figures, notes, parent, claim, stalled = told[11:]
        stands: dict[str, Any] = dict(zip(STANDING, self._standings.get(standing), strict=True))
        return RoundSummary(
            id=id_,
            thread=self._words.get(thread),
            agent=self._words.get(agent),
            title=title,
            parent=None if parent is None else Parent(round=parent[0], tool_call=parent[1]),
            started_at=_datetime(start),
            ended_at=_datetime(end if end is None or start is None else int(start) + end),
            total_ms=total,
            calls=calls,
            input_tokens=into,
            output_tokens=out,
            models=self._names.get(models),
            tools=self._names.get(tools),
            outcome=Outcome(
                round=id_,
                notes=self._notes(notes or ()),
                facts=self._told(facts),
                figures=None if figures is None else _figures_of(figures),
                claim=None if claim is None else Claim(status=claim[0], reason=claim[1], summary=claim[2]),
                stalled_ms=stalled,
                **stands,
            ),
        )

    def _notes(self, packed: tuple[tuple[int, tuple[Any, ...] | None], ...]) -> tuple[Note, ...]:
        return tuple(Note(_NOTE_CODES[code], self._told(facts)) for code, facts in packed)

    def _facts(self, facts: Facts) -> tuple[Any, ...] | None:
        """Return facts as names and values; words of an enum become plain words, which are equal to them."""
        return (self._keys.put(tuple(facts)), *map(_fact, facts.values())) if facts else None

    def _told(self, packed: tuple[Any, ...] | None) -> dict[str, FactValue]:
        return {} if packed is None else dict(zip(self._keys.get(packed[0]), packed[1:], strict=True))


def _standing(outcome: Outcome) -> tuple[Any, ...]:
    return tuple(getattr(outcome, name) for name in STANDING)


def _figures(figures: Figures) -> tuple[Any, ...]:
    return _without_tail(
        (
            str(figures.call),
            figures.first_output_ms,
            figures.total_ms,
            figures.output_tokens,
            figures.input_tokens,
            figures.output_seen,
            _text(figures.finish_reason),
            figures.reasoning_tokens,
            _text(figures.native_finish_reason),
            tuple(map(str, figures.finish_repeated)) or None,
            tuple(sorted(figures.derived)) or None,
        )
    )


def _figures_of(packed: tuple[Any, ...]) -> Figures:
    call, first, total, out, into, seen, finish, reasoning, native, repeated, derived = _with_tail(packed, 11)
    return Figures(
        call=call,
        first_output_ms=first,
        total_ms=total,
        output_tokens=out,
        input_tokens=into,
        reasoning_tokens=reasoning,
        finish_reason=finish,
        native_finish_reason=native,
        finish_repeated=repeated or (),
        output_seen=seen,
        derived=frozenset(derived or ()),
    )


def _without_tail(values: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the values up to the last one that is not None: what few rounds have stands at the end."""
    kept = len(values)
    while kept and values[kept - 1] is None:
        kept -= 1
    return values[:kept]


def _with_tail(values: tuple[Any, ...], count: int) -> tuple[Any, ...]:
    return values + (None,) * (count - len(values))


def _fact(value: FactValue) -> FactValue:
    if isinstance(value, str):
        return str(value)
    return tuple(map(str, value)) if isinstance(value, tuple) else value


def _text(text: str | None) -> str | None:
    return None if text is None else str(text)


def _moment(at: datetime | None) -> float | None:
    """Return microseconds since 1970; as a float, which takes fewer bytes, wherever that is exact."""
    if at is None:
        return None
    microseconds = (at - EPOCH) // MICROSECOND
    return float(microseconds) if abs(microseconds) < EXACT else microseconds


def _since(moment: float | None, start: float | None) -> float | None:
    """Return a moment as what passed since ``start``: mostly a small number."""
    return moment if moment is None or start is None else int(moment) - int(start)


def _datetime(microseconds: float | None) -> datetime | None:
    return None if microseconds is None else EPOCH + int(microseconds) * MICROSECOND
