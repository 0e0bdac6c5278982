"""The filter language: text in, a filter or an error with its place out.

``agent:worker -verdict:cut tokens:>10k "two words" | is:running``: terms side by side all have to hold, a ``|``
between blanks separates whole alternatives, a ``|`` inside a term alternative values, ``-`` or ``!`` is the opposite.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from .filter_fields import FIELDS, NONE, STATES, Field, Kind, VerdictWords, known_field, known_state
from .filter_match import AnyText, Between, Condition, Either, Every, Filter, Is, Not, NotReported, OneOf
from .filter_subject import FilterSubject

_FIELD = re.compile(r"[^\W\d_]+:")
_AMOUNT = re.compile(r"(\d+(?:[.,]\d+)?)([^\W\d_]*)")
_COMPARED = re.compile(r"(>=|<=|>|<|=)?(.*)", re.DOTALL)
_TIMES = {"ms": 1.0, "": 1000.0, "s": 1000.0, "m": 60_000.0, "min": 60_000.0, "h": 3_600_000.0, "d": 86_400_000.0}
_COUNTS = {"": 1.0, "k": 1e3, "tsd": 1e3, "m": 1e6, "mio": 1e6}
NEGATIONS = "-!"
QUOTES = "\"'"


class FilterFault(StrEnum):
    """What can be wrong with a filter."""

    UNKNOWN_FIELD = "unknown_field"
    UNKNOWN_VERDICT = "unknown_verdict"
    UNKNOWN_STATE = "unknown_state"
    NO_NUMBER = "no_number"
    NO_TIME = "no_time"
    VALUE_MISSING = "value_missing"
    SIDE_MISSING = "side_missing"
    QUOTE_OPEN = "quote_open"


class FilterError(ValueError):
    """A text is no filter."""

    def __init__(self, fault: FilterFault, position: int, part: str, known: tuple[str, ...] = ()) -> None:
        """Say what is wrong.

        Args:
            position: character of the text, from 0, always inside it.
            part: the characters that are not understood.
            known: what could stand there.
        """
        super().__init__(f"{fault} at {position}: {part[:60]!r}")
        self.fault = fault
        self.position = position
        self.part = part
        self.known = known


@dataclass(frozen=True, slots=True)
class Value:
    """One value of a term and where it stands."""

    text: str
    position: int
    is_quoted: bool


def parse_filter(text: str, verdicts: VerdictWords) -> Filter | None:
    """Return the filter that ``text`` means; None for a blank text, which filters nothing.

    Raises:
        FilterError: the text is no filter.
    """
    return _Reader(text, verdicts).filter() if text.strip() else None


class _Reader:
    """Reads a text once, from left to right."""

    def __init__(self, text: str, verdicts: VerdictWords) -> None:
        self._text = text
        self._verdicts = verdicts
        self._at = 0
        self._follows_clock = False

    def filter(self) -> Filter:
        groups: list[Condition] = []
        terms: list[Condition] = []
        separator = 0
        while self._skip_blanks():
            if self._text[self._at] != "|":
                terms.append(self._term())
                continue
            if not terms:
                raise FilterError(FilterFault.SIDE_MISSING, self._at, "|")
            groups.append(Every(tuple(terms)))
            terms, separator = [], self._at
            self._at += 1
        if not terms:
            raise FilterError(FilterFault.SIDE_MISSING, separator, "|")
        groups.append(Every(tuple(terms)))
        return Filter(self._text.strip(), Either(tuple(groups)), self._follows_clock)

    def _skip_blanks(self) -> bool:
        while self._at < len(self._text) and self._text[self._at].isspace():
            self._at += 1
        return self._at < len(self._text)

    def _term(self) -> Condition:
        start = self._at
        negated = self._text[self._at] in NEGATIONS
        self._at += negated
        found = _FIELD.match(self._text, self._at)
        make: Callable[[Value], Condition] = _word
        if found is not None:
            field = known_field(found.group()[:-1])
            if field is None:
                raise FilterError(FilterFault.UNKNOWN_FIELD, self._at, found.group()[:-1], tuple(FIELDS))
            self._at = found.end()
            make = self._maker(field)
        conditions = tuple(make(value) for value in self._values(start))
        condition = conditions[0] if len(conditions) == 1 else Either(conditions)
        return Not(condition) if negated else condition

    def _values(self, start: int) -> list[Value]:
        values = [self._value(start)]
        while self._at + 1 < len(self._text) and self._text[self._at] == "|" and not self._text[self._at + 1].isspace():
            self._at += 1
            values.append(self._value(start))
        return values

    def _value(self, start: int) -> Value:
        began = self._at
        if began < len(self._text) and self._text[began] in QUOTES:
            end = self._text.find(self._text[began], began + 1)
            if end < 0:
                raise FilterError(FilterFault.QUOTE_OPEN, began, self._text[began:])
            self._at = end + 1
            return Value(self._text[began + 1 : end], began, True)
        while self._at < len(self._text) and not (self._text[self._at].isspace() or self._text[self._at] == "|"):
            self._at += 1
        if self._at == began:
            raise FilterError(FilterFault.VALUE_MISSING, min(began, len(self._text) - 1), self._text[start:began])
        return Value(self._text[began : self._at], began, False)

    def _maker(self, field: Field) -> Callable[[Value], Condition]:
        match field.kind:
            case Kind.TEXT:
                return lambda value: _text(field, value)
            case Kind.VERDICT:
                return self._verdict
            case Kind.STATE:
                return self._state
            case Kind.NUMBER:
                return lambda value: _amount(field, value, _COUNTS, FilterFault.NO_NUMBER)
            case Kind.TIME:
                self._follows_clock = self._follows_clock or field.name == "total"
                return lambda value: _amount(field, value, _TIMES, FilterFault.NO_TIME)

    def _verdict(self, value: Value) -> Condition:
        meant = self._verdicts.meant(value.text)
        if not meant:
            raise FilterError(
                FilterFault.UNKNOWN_VERDICT, value.position, value.text, tuple(sorted(self._verdicts.words))
            )
        return OneOf(meant)

    def _state(self, value: Value) -> Condition:
        state = known_state(value.text)
        if state is None:
            raise FilterError(FilterFault.UNKNOWN_STATE, value.position, value.text, tuple(STATES))
        self._follows_clock = self._follows_clock or state is STATES["silent"]
        return Is(state)


def _word(value: Value) -> Condition:
    return AnyText(value.text.casefold(), _everything)


def _everything(subject: FilterSubject) -> tuple[str | None, ...]:
    listed = subject.listed
    named = (listed.id, listed.agent, listed.thread, listed.title, subject.finish_reason)
    return (*named, *subject.used.models, *subject.used.tools)


def _text(field: Field, value: Value) -> Condition:
    if value.text == NONE and not value.is_quoted:
        return NotReported(field.texts)
    return AnyText(value.text.casefold(), field.texts)


def _amount(field: Field, value: Value, units: dict[str, float], fault: FilterFault) -> Condition:
    if value.text == NONE:
        return NotReported(lambda subject: (field.number(subject),))
    compared = _COMPARED.fullmatch(value.text)
    operator, rest = (compared.group(1) or "=", compared.group(2)) if compared is not None else ("=", value.text)
    least, between, most = rest.partition("..")
    if between and operator == "=":
        return Between(field.number, _number(least, value, units, fault), _number(most, value, units, fault))
    number = _number(rest, value, units, fault)
    if operator in (">", ">="):
        return Between(field.number, number, float("inf"), with_least=operator == ">=")
    if operator in ("<", "<="):
        return Between(field.number, float("-inf"), number, with_most=operator == "<=")
    return Between(field.number, number, number)


def _number(written: str, value: Value, units: dict[str, float], fault: FilterFault) -> float:
    found = _AMOUNT.fullmatch(written.replace("_", ""))
    unit = units.get(found.group(2).casefold()) if found is not None else None
    if found is None or unit is None:
        known = tuple(name for name in units if name)
        raise FilterError(fault, value.position, value.text, known)
    return float(found.group(1).replace(",", ".")) * unit
