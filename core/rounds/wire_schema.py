"""How wire values are read, told to pydantic's core straight from their fields.

Pydantic's own generator knows every kind of field there can be; loading it, its plugins' registry and building each
class by itself takes as long as all the rest of a small command. Wire values have few kinds of fields. A test holds
what is made here equal to what pydantic makes of the same classes.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from types import UnionType
from typing import Annotated, Any, Literal, Union, cast, get_args, get_origin

from annotated_types import MinLen
from pydantic.fields import FieldInfo
from pydantic_core import CoreSchema
from pydantic_core.core_schema import (
    CoreConfig,
    ModelField,
    any_schema,
    bool_schema,
    dict_schema,
    enum_schema,
    float_schema,
    int_schema,
    literal_schema,
    model_field,
    model_fields_schema,
    model_schema,
    nullable_schema,
    str_schema,
    tagged_union_schema,
    tuple_schema,
    with_default_schema,
)

from .base import Frozen
from .moment import InUtc


def schema_of(kind: Any) -> CoreSchema:
    """Return how values of ``kind`` are read: the type of a field, a class of wire values, or a tagged union of these.

    Raises:
        TypeError: a kind that no wire value has had so far.
    """
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _annotated(parts[0], parts[1:])
    if origin in (Union, UnionType):
        return _optional(kind, [part for part in parts if part is not type(None)])
    if origin is Literal:
        return literal_schema(list(parts))
    if origin is tuple and parts[1:] == (...,):
        return tuple_schema([schema_of(parts[0])], variadic_item_index=0)
    if origin is dict:
        return dict_schema(*map(schema_of, parts))
    return _plain(kind)


def _plain(kind: Any) -> CoreSchema:
    if kind is str:
        return str_schema()
    if kind is int:
        return int_schema()
    if kind is float:
        return float_schema()
    if kind is bool:
        return bool_schema()
    if kind is Any:
        return any_schema()
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return enum_schema(kind, list(kind), sub_type="str")
    if isinstance(kind, type) and issubclass(kind, Frozen):
        return _wire_value(kind)
    raise _unknown(cast("object", kind))


def _annotated(kind: Any, notes: Iterable[object]) -> CoreSchema:
    """Return how a type with something said about it is read."""
    for note in notes:
        if isinstance(note, InUtc):
            return note.schema()
        if isinstance(note, MinLen) and kind is str:
            return str_schema(min_length=note.min_length)
        if isinstance(note, FieldInfo) and isinstance(note.discriminator, str):
            return _tagged(note.discriminator, get_args(kind))
        if isinstance(note, FieldInfo):
            return _annotated(kind, note.metadata)
        raise _unknown(note)
    return schema_of(kind)


def _optional(kind: object, parts: list[Any]) -> CoreSchema:
    if len(parts) != 1:
        raise _unknown(kind)
    return nullable_schema(schema_of(parts[0]))


def _tagged(tag: str, classes: Iterable[type[Frozen]]) -> CoreSchema:
    by_tag: dict[Any, CoreSchema] = {each.model_fields[tag].default: _wire_value(each) for each in classes}
    return tagged_union_schema(by_tag, tag, strict=False, from_attributes=True)


def _wire_value(cls: type[Frozen]) -> CoreSchema:
    fields = {name: _field(info) for name, info in cls.model_fields.items()}
    given = cls.model_config
    config = CoreConfig(
        title=cls.__name__,
        extra_fields_behavior="ignore",
        allow_inf_nan=given.get("allow_inf_nan", True),
        hide_input_in_errors=given.get("hide_input_in_errors", False),
    )
    if given.get("populate_by_name"):
        config["validate_by_alias"] = config["validate_by_name"] = True
    return model_schema(cls, model_fields_schema(fields, model_name=cls.__name__), config=config)


def _field(info: FieldInfo) -> ModelField:
    schema = _annotated(info.annotation, info.metadata)
    if info.default_factory is not None:
        schema = with_default_schema(schema, default_factory=cast("type[dict[str, object]]", info.default_factory))
    elif not info.is_required():
        schema = with_default_schema(schema, default=info.default)
    if isinstance(info.validation_alias, str):
        return model_field(schema, validation_alias=info.validation_alias, serialization_alias=info.serialization_alias)
    return model_field(schema)


def _unknown(kind: object) -> TypeError:
    return TypeError(f"no wire value has had {kind!r} so far: say here how it is read")
