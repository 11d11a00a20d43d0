"""Applies events that name a property and its new value to API types with that field. Pure."""

import functools
import typing
from collections.abc import Hashable, Mapping
from dataclasses import replace
from types import NoneType
from typing import TYPE_CHECKING, TypeVar

from tui.api.fields import bare, members, wire_fields
from tui.api.model import AnonymousGroup, UserGroupId, UserId

if TYPE_CHECKING:
    # Exists for type checkers only.
    from _typeshed import DataclassInstance

R = TypeVar("R", bound="DataclassInstance")

_SCALARS = (bool, int, float, str, NoneType, AnonymousGroup)


def with_properties(record: R, changes: Mapping[str, object]) -> R:
    """Return `record` with the properties, named as in the API, that it has; others are ignored.

    Raises ValueError for a value that the property cannot have: the state must not be trusted then.
    """
    kinds = _kinds(type(record))
    values = {
        kinds[key][0]: _checked(key, kinds[key][1], value)
        for key, value in changes.items()
        if key in kinds
    }
    return replace(record, **values) if values else record


def _checked(key: str, kinds: frozenset[type], value: object) -> object:
    if isinstance(value, dict) and AnonymousGroup in kinds:
        return _anonymous_group(key, value)
    if type(value) in kinds:
        return value
    if isinstance(value, int) and float in kinds:
        return float(value)
    raise ValueError(f"{key} cannot be a {type(value).__name__}")


def _anonymous_group(key: str, value: Mapping[str, object]) -> AnonymousGroup:
    people, groups = value.get("direct_members"), value.get("direct_subgroups")
    if not isinstance(people, list) or not isinstance(groups, list):
        raise ValueError(f"{key} is no group")  # noqa: TRY004  # one error for every bad value
    return AnonymousGroup(
        direct_members=frozenset(map(UserId, people)),
        direct_subgroups=frozenset(map(UserGroupId, groups)),
    )


@functools.cache
def _kinds(cls: Hashable) -> Mapping[str, tuple[str, frozenset[type]]]:
    """Return API name -> field and the types of its values, for fields that are not collections."""
    kinds: dict[str, tuple[str, frozenset[type]]] = {}
    for field in wire_fields(typing.cast("type", cls)):
        allowed = [bare(member) for member in members(bare(field.type))]
        flat = {_type(kind) for inner in allowed for kind in members(inner)}
        if flat <= set(_SCALARS):
            for path in field.paths:
                kinds[path[-1]] = (field.name, frozenset(typing.cast("set[type]", flat)))
    return kinds


def _type(kind: object) -> object:
    return bare(kind)
