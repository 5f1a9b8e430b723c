# SPDX-License-Identifier: Apache-2.0
"""The object that is meant where one is asked for: all that the API gives names one.

A variable of a stop, what `session.heap` has found, a thread, a class (its java.lang.Class), what
the model has, or the static field that leads to it, as text. Called by `session.heap` and
`session.jvmti`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeAlias

from jvmdebug.errors import ArgumentError
from jvmdebug.evaluator import ClassExpression
from jvmdebug.heap.errors import HeapError
from jvmdebug.heap.live_objects import LiveObject, Referrer
from jvmdebug.model.reference_type import ReferenceType
from jvmdebug.model.thread import Thread
from jvmdebug.model.values import ObjectReference, Value

if TYPE_CHECKING:
    from jvmdebug.model.virtual_machine import VirtualMachine

    class HasValue(Protocol):
        """A variable of a stop."""

        @property
        def value(self) -> Value:
            """The value."""

    class HasThread(Protocol):
        """A thread of the session."""

        @property
        def thread(self) -> Thread:
            """The thread as the model has it."""

    class HasType(Protocol):
        """A class that `session.classes.find` gives."""

        @property
        def type(self) -> ReferenceType:
            """The class as the model has it."""


NamedObject: TypeAlias = (
    "ObjectReference | HasValue | LiveObject | Referrer | HasThread | ReferenceType | HasType | str"
)


async def object_of(vm: VirtualMachine, named: NamedObject) -> ObjectReference:
    """The object. HeapError for null and for a primitive value, ArgumentError for what names none,
    EvaluationError for a text that leads nowhere.
    """
    value = await _value(vm, named)
    if isinstance(value, ObjectReference):
        return value
    if value is None:
        raise ArgumentError(
            f"{named!r} names no object: give a variable of a stop, an object that session.heap has"
            " found, a thread, a class, or a static field: 'shop.Main.cache'"
        )
    raise HeapError(f"{name_of(named)} is no object, or null")


def name_of(named: object) -> str:
    """What it is called in messages."""
    if isinstance(named, str):
        return named
    return str(getattr(named, "name", None) or getattr(named, "text", None) or named)


async def _value(vm: VirtualMachine, named: NamedObject) -> Value | None:
    if isinstance(named, ObjectReference):
        return named
    if isinstance(named, str):
        reading = ClassExpression(named)
        try:
            return await reading.evaluate(vm)
        finally:
            await reading.release()
    if isinstance(named, Referrer):
        named = named.object
    if isinstance(named, LiveObject):
        return named.reference
    for type_ in (named, getattr(named, "type", None)):
        if isinstance(type_, ReferenceType):
            return await type_.class_object()
    for thread in (named, getattr(named, "thread", None)):
        if isinstance(thread, Thread) and not hasattr(named, "value"):
            return thread.reference
    return getattr(named, "value", None)
