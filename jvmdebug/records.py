# SPDX-License-Identifier: Apache-2.0
"""Dataclasses whose methods are made when they are first used.

`dataclasses.dataclass` compiles six methods for each class at its import, which was more than half
of the time to start a session; most of these classes are never made in one. This decorator makes
the class with its slots, and the rest when it is asked for: `__init__` and the fields by the
standard library, so that `replace`, `fields` and `match` work as always. Used by the whole core.
"""

from __future__ import annotations

import dataclasses
import threading
from functools import partial
from inspect import get_annotations
from operator import attrgetter
from reprlib import recursive_repr
from types import FunctionType
from typing import TYPE_CHECKING, Any, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable
    from dataclasses import dataclass

    from _typeshed import DataclassInstance

__all__ = ["dataclass"]

_BY_STANDARD_LIBRARY: Final = (
    *("__init__", "__match_args__"),
    *("__dataclass_fields__", "__dataclass_params__"),
)
_LOCK: Final = threading.RLock()


_Fields: TypeAlias = "tuple[dataclasses.Field[Any], ...]"


class _Later:
    """An attribute of a class that replaces itself when it is first read."""

    __slots__ = ("_make", "_name")

    def __init__(self, name: str, make: Callable[[str], object]) -> None:
        self._name = name
        self._make = make

    def __get__(self, instance: object, owner: type) -> object:
        with _LOCK:
            made = self._make(self._name)
        return made.__get__(instance, owner) if isinstance(made, FunctionType) else made


class _Recipe:
    """How the methods of one class are made."""

    def __init__(self, written: type, made: type, options: dict[str, bool]) -> None:
        self._written: type | None = written
        self._made = made
        self._options = options

    def standard(self, name: str) -> object:
        """What the standard library makes, from the class as it was written."""
        written, self._written = self._written, None
        if written is not None:
            written.__doc__ = written.__doc__ or self._made.__name__  # else it writes a signature
            dataclasses.dataclass(repr=False, eq=False, **self._options)(written)
            for each in _BY_STANDARD_LIBRARY:
                if isinstance(self._made.__dict__.get(each), _Later):
                    setattr(self._made, each, written.__dict__[each])
        return self._made.__dict__[name]

    def own(self, name: str) -> object:
        """`__repr__`, `__eq__` or `__hash__`."""
        if isinstance(self._made.__dict__[name], _Later):
            made = _METHODS[name](dataclasses.fields(self._made))
            made.__name__ = name
            made.__qualname__ = f"{self._made.__qualname__}.{name}"
            setattr(self._made, name, made)
        return self._made.__dict__[name]


def _repr(fields: _Fields) -> Callable[[Any], str]:
    names = [each.name for each in fields if each.repr]

    @recursive_repr()
    def shown(self: object) -> str:
        values = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
        return f"{self.__class__.__qualname__}({values})"

    return shown


def _eq(fields: _Fields) -> Callable[[Any, Any], object]:
    values = _values([each.name for each in fields if each.compare])

    def is_equal(self: object, other: object) -> object:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return values(self) == values(other)

    return is_equal


def _hash(fields: _Fields) -> Callable[[Any], int]:
    values = _values(
        [each.name for each in fields if (each.compare if each.hash is None else each.hash)]
    )

    def hashed(self: object) -> int:
        return hash(values(self))

    return hashed


_METHODS: Final[dict[str, Callable[[_Fields], Any]]] = {
    "__repr__": _repr,
    "__eq__": _eq,
    "__hash__": _hash,
}


def _values(names: list[str]) -> Callable[[Any], tuple[Any, ...]]:
    if len(names) > 1:
        return attrgetter(*names)
    return lambda each: tuple([getattr(each, name) for name in names])


def _refuse_to_set(_self: object, name: str, _value: object) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_to_delete(_self: object, name: str) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")


def _state(self: DataclassInstance) -> list[object]:
    return [getattr(self, each.name) for each in dataclasses.fields(self)]


def _set_state(self: DataclassInstance, state: list[object]) -> None:
    for each, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, each.name, value)


_OF_FROZEN: Final = {
    "__setattr__": _refuse_to_set,
    "__delattr__": _refuse_to_delete,
    "__getstate__": _state,
    "__setstate__": _set_state,
}


def _with_slots(written: type, names: list[str]) -> type:
    """The same class with slots for its fields."""
    inherited = {
        slot for base in written.__mro__[1:-1] for slot in base.__dict__.get("__slots__", ())
    }
    members = {
        name: value
        for name, value in written.__dict__.items()
        if name not in names and name not in ("__dict__", "__weakref__")
    }
    members["__slots__"] = tuple(name for name in names if name not in inherited)
    made = type(written)(written.__name__, written.__bases__, members)
    made.__qualname__ = written.__qualname__
    return made


def _is_of_class(annotation: object) -> bool:
    return str(annotation).removeprefix("typing.").startswith("ClassVar")


def _later(written: type, *, eq: bool, frozen: bool, kw_only: bool) -> type:
    annotations = get_annotations(written)
    names = [name for name, text in annotations.items() if not _is_of_class(text)]
    made = _with_slots(written, names)
    recipe = _Recipe(written, made, {"frozen": frozen, "kw_only": kw_only})
    attributes: dict[str, object] = dict(_OF_FROZEN) if frozen else {}
    attributes |= {name: _Later(name, recipe.standard) for name in _BY_STANDARD_LIBRARY}
    attributes["__repr__"] = _Later("__repr__", recipe.own)
    if eq:
        attributes["__eq__"] = _Later("__eq__", recipe.own)
    for name, attribute in attributes.items():
        if name not in written.__dict__:
            setattr(made, name, attribute)
    if eq and made.__dict__.get("__hash__") is None:
        made.__hash__ = _Later("__hash__", recipe.own) if frozen else None  # type: ignore[assignment]
    return made


if not TYPE_CHECKING:

    def dataclass(
        *, slots: bool, frozen: bool = False, kw_only: bool = False, eq: bool = True
    ) -> Callable[[type], type]:
        if not slots:
            raise TypeError("a dataclass of the core has slots")
        return partial(_later, eq=eq, frozen=frozen, kw_only=kw_only)
