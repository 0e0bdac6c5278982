"""Points in time on an event: always UTC, whatever zone they were written in."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Annotated

from pydantic import AwareDatetime, GetCoreSchemaHandler
from pydantic_core import CoreSchema, ErrorDetails
from pydantic_core.core_schema import (
    datetime_schema,
    json_or_python_schema,
    no_info_after_validator_function,
    union_schema,
)

_TRIED = "tried"
_JUDGED = "judged"


def _in_utc(value: datetime) -> datetime:
    try:
        return value.astimezone(UTC)
    except OverflowError:
        raise ValueError("the time lies outside the years 1 to 9999") from None


class InUtc:
    """Reads a text in UTC without a call into Python: nearly every event has one, and the call was a third of it."""

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        return self.schema()

    @staticmethod
    def schema() -> CoreSchema:
        """Return how a moment is read, from JSON text and from Python values."""
        given = no_info_after_validator_function(_in_utc, datetime_schema(strict=True, tz_constraint="aware"))
        in_utc = datetime_schema(tz_constraint=0)
        any_zone = no_info_after_validator_function(_in_utc, datetime_schema(tz_constraint="aware"))
        return json_or_python_schema(
            json_schema=union_schema([(in_utc, _TRIED), (any_zone, _JUDGED)], mode="left_to_right"),
            python_schema=union_schema([(given, _TRIED), (in_utc, _TRIED), (any_zone, _JUDGED)], mode="left_to_right"),
        )


Moment = Annotated[AwareDatetime, InUtc()]
"""A point in time, in UTC whatever zone it was written in."""


def said_once(faults: Iterable[ErrorDetails]) -> list[ErrorDetails]:
    """Return an event's faults with one for each wrong moment, where pydantic gives one for each way to read it."""
    kept: list[ErrorDetails] = []
    for fault in faults:
        place = fault["loc"]
        if place[-1:] == (_TRIED,):
            continue
        kept.append({**fault, "loc": place[:-1]} if place[-1:] == (_JUDGED,) else fault)
    return kept
