from __future__ import annotations

from datetime import date
from typing import Any, Literal, cast

import pytest
from pydantic import TypeAdapter
from pydantic_core import SchemaValidator, ValidationError
from roundwatch.core.hub.frames import AnyFrame
from roundwatch.core.rounds.base import Frozen
from roundwatch.core.rounds.events import EVENT_TYPES, KnownEvent, Unrecognised
from roundwatch.core.rounds.wire_schema import schema_of

from tests.benchmarks.event_mix import lines

SAID_OTHERWISE = {"metadata", "ref", "computed_fields", "custom_init", "root_model", "default_factory_takes_data"}
"""What pydantic notes for its own use, or says where it is what is meant anyway."""


class Odd(Frozen):
    day: date


class TwoKinds(Frozen):
    count: int | str


def _resolved(schema: Any, shared: dict[str, Any]) -> Any:
    """Return pydantic's schema with each reference replaced by what it refers to."""
    if isinstance(schema, dict):
        told = cast("dict[str, Any]", schema)
        if told.get("type") == "definition-ref":
            return _resolved(shared[told["schema_ref"]], shared)
        if told.get("type") == "definitions":
            return _resolved(told["schema"], {each["ref"]: each for each in told["definitions"]})
        return {name: _resolved(value, shared) for name, value in told.items() if name not in SAID_OTHERWISE}
    if isinstance(schema, list | tuple):
        return [_resolved(each, shared) for each in cast("list[Any]", schema)]
    return schema


def _pydantics_own(kind: Any) -> Any:
    return _resolved(dict(TypeAdapter(kind).core_schema), {})


@pytest.mark.parametrize("kind", [KnownEvent, Unrecognised, AnyFrame])
def test_it_is_what_pydantic_makes_of_the_same_classes(kind: Any) -> None:
    assert _resolved(schema_of(kind), {}) == _pydantics_own(kind)


def test_the_comparison_sees_every_event() -> None:
    assert set(_pydantics_own(KnownEvent)["choices"]) == EVENT_TYPES


def test_events_read_by_it_equal_those_that_pydantic_reads() -> None:
    ours, theirs = SchemaValidator(schema_of(KnownEvent)), TypeAdapter[Any](KnownEvent)
    for line in lines(3):
        assert ours.validate_json(line) == theirs.validate_json(line)


@pytest.mark.parametrize(
    "line",
    [
        '{"type":"round.started","round":""}',
        '{"type":"call.output","round":"r","call":"c","kind":"smell","at":"noon","chars":"x"}',
        '{"type":"round.stopped","round":"r","why":"cost","limit":NaN}',
        '{"type":"nothing"}',
    ],
)
def test_faults_are_told_as_pydantic_tells_them(line: str) -> None:
    def faults(read: Any) -> object:
        with pytest.raises(ValidationError) as caught:
            read(line)
        return [(fault["loc"], fault["msg"]) for fault in caught.value.errors(include_url=False)]

    theirs = TypeAdapter[Any](KnownEvent)
    assert faults(SchemaValidator(schema_of(KnownEvent)).validate_json) == faults(theirs.validate_json)


@pytest.mark.parametrize("kind", [Odd, TwoKinds, set[str], Literal[1] | Literal["a"] | float])
def test_a_field_of_a_new_kind_is_refused_rather_than_read_somehow(kind: Any) -> None:
    with pytest.raises(TypeError, match="say here how it is read"):
        schema_of(kind)
