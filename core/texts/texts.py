"""One viewer's language: look up a text, fill it in, format what goes into it."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path

from .clean import clean
from .number_rules import plural_form
from .numbers import TOO_LONG, UNKNOWN, exact, is_finite, money_places, number, short_step
from .override import OverrideProblem, read_override
from .pseudo import PSEUDO_LOCALE, pseudo_table
from .tables import BuiltIn, Entry, Table, built_in, fill, placeholders
from .viewer_locale import FALLBACK, match_locale

log = logging.getLogger(__name__)

Value = str | int | float | Decimal | None
"""What may go into a text: a str is cleaned, a number is formatted, None shows as ``–``.

Pass an identifier such as a port or an HTTP status as str: a number would get a thousands mark.
"""


class Texts:
    """The texts of one language, an operator's own wording included; English where one is missing."""

    def __init__(self, locale: str, table: Table, fallback: Table, problems: tuple[OverrideProblem, ...] = ()) -> None:
        self.locale = locale
        """``en`` or ``de``."""
        self.gaps: Counter[str] = Counter()
        """Keys that could not be shown as asked, with how often; each is logged once."""
        self._table = table
        self._fallback = fallback
        self._problems = problems

    @classmethod
    def load(cls, locale: str = FALLBACK, override: Path | None = None) -> Texts:
        """Return the texts of ``locale``; English when there is no table for it.

        Args:
            locale: ``de``, ``de_AT.UTF-8``, ``C`` and the like; ``xx-long`` for English in longer words, which
                layout tests ask for and no viewer can.
            override: a TOML file with tables ``[en]`` and ``[de]`` that replace single texts. What is wrong in
                it is in ``problems``; the rest of it still counts.
        """
        if locale == PSEUDO_LOCALE:
            return cls(FALLBACK, pseudo_table(), built_in(FALLBACK))
        language = match_locale(locale) or FALLBACK
        table, fallback = built_in(language), BuiltIn(FALLBACK)
        if override is None:
            return cls(language, table, fallback)
        own = read_override(override)
        texts = cls(
            language,
            {**table, **own.tables.get(language, {})},
            {**fallback, **own.tables.get(FALLBACK, {})},
            own.problems,
        )
        for problem in texts.problems:
            log.warning("%s", problem)
        return texts

    @property
    def problems(self) -> tuple[str, ...]:
        """What is wrong with the override file, a sentence each, naming file, key and placeholder."""
        return tuple(
            self(f"override.{each.code}", file=each.file, key=each.key, detail=each.detail) for each in self._problems
        )

    def __contains__(self, key: str) -> bool:
        """Say whether there is a text for ``key``."""
        return key in self._table or key in self._fallback

    def __call__(self, key: str, /, **values: Value) -> str:
        """Return the text of ``key`` with its placeholders filled in; never raises.

        Args:
            values: by placeholder name; ``n`` also chooses the plural form.
        """
        for table, locale in ((self._table, self.locale), (self._fallback, FALLBACK)):
            entry = table.get(key)
            if entry is None:
                continue
            template = _form(entry, values.get("n"), locale)
            if placeholders(template) <= values.keys():
                return _one_stop(template, fill(template, self._written(values)))
        return self._gap(key, values)

    t = __call__

    def number(self, value: float | Decimal | None, *, places: int | None = None) -> str:
        """Return a number with this language's marks; ``–`` when it is not reported."""
        return number(value, self.locale, places=places)

    def count(self, value: float | Decimal | None, *, places: int | None = None) -> str:
        """Return a count; a negative one is shown raw and marked as implausible."""
        written = self.number(value, places=places)
        negative = value is not None and is_finite(value) and value < 0
        return self("number.implausible", value=written) if negative else written

    def short(self, value: float | Decimal | None) -> str:
        """Return a number in the few characters a narrow column has: ``300.5k``, ``300,5 Tsd.``."""
        if value is None or not is_finite(value):
            return UNKNOWN
        scaled, step = short_step(value)
        return self.number(value) if step is None else self(f"number.{step}", value=self.number(scaled, places=1))

    def percent(self, share: float | Decimal | None) -> str:
        """Return a share, 1 = all of it, as a percentage with one decimal."""
        if share is None or not is_finite(share):
            return UNKNOWN
        return self("number.percent", value=self.number(exact(share) * 100, places=1))

    def money(self, amount: float | Decimal | None, currency: str | None) -> str:
        """Return an amount with the currency's own code, which is the producer's, verbatim."""
        written = UNKNOWN if amount is None else self.number(amount, places=money_places(amount))
        return self("number.money", amount=written, currency=currency) if currency and currency.strip() else written

    def _written(self, values: Mapping[str, Value]) -> dict[str, str]:
        return {
            name: clean(value) if isinstance(value, str) else number(value, self.locale)
            for name, value in values.items()
        }

    def _gap(self, key: str, values: Mapping[str, Value]) -> str:
        """Return the best that can be shown for a text that is missing or lacks a value."""
        self.gaps[key] += 1
        if self.gaps[key] == 1:
            log.warning("text %s is missing, or lacks one of its values", key)
        entry = self._table.get(key) or self._fallback.get(key)
        if entry is None:
            return key
        template = _form(entry, values.get("n"), self.locale)
        return fill(template, dict.fromkeys(placeholders(template), UNKNOWN) | self._written(values))


QUOTE_AND_STOP = ('".', "“.")
STOPS = (".", "!", "?")


def _one_stop(template: str, text: str) -> str:
    """Leave out a text's own full stop where the quotation before it ends in one; what is quoted stays as it is."""
    if template.endswith(QUOTE_AND_STOP) and text[:-2].endswith(STOPS):
        return text[:-1]
    return text


def _form(entry: Entry, n: Value, locale: str) -> str:
    """Return the form of a text that goes with ``n``; 1.0 is shown as 1 and takes its form."""
    if len(entry) == 1 or n is None or isinstance(n, str) or not is_finite(n):
        return entry["other"]
    magnitude = exact(n).copy_abs()
    if magnitude >= TOO_LONG:
        return entry["other"]
    whole = int(magnitude)
    return entry.get(plural_form(whole if whole == magnitude else magnitude, locale), entry["other"])
