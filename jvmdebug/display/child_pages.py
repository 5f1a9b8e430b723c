# SPDX-License-Identifier: Apache-2.0
"""The children of a value, in pages: fields, elements, entries.

The logical view shows the elements of a collection, and what the compiler made under its name in
the source; the raw view shows all fields. Neither runs code of the program. A page takes few round
trips, however large the whole is.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, ParamSpec, TypeAlias, TypeVar

from jvmdebug.classfile.descriptors import java_name
from jvmdebug.display.expressions import (
    EvaluateName,
    element_expression,
    field_expression,
    key_expression,
    static_expression,
)
from jvmdebug.display.lambdas import captured_names
from jvmdebug.display.layout import UnknownLayoutError, read_range
from jvmdebug.display.libraries import has_java_methods, stand_ins
from jvmdebug.display.line import BRIEF_LENGTH
from jvmdebug.display.renderers import custom_children
from jvmdebug.display.rendering import has_complete_text, is_known, render_brief
from jvmdebug.display.shown_fields import display_name, is_whole, logical_fields
from jvmdebug.display.views.arrays import Bits
from jvmdebug.display.views.fields import Single
from jvmdebug.display.views.known import contents
from jvmdebug.errors import InvalidObjectError
from jvmdebug.model.page import open_object
from jvmdebug.model.values import NULL, ArrayReference, ObjectReference, PrimitiveValue
from jvmdebug.sources import is_kotlin
from jvmdebug.sources.lambdas import is_lambda
from jvmdebug.together import together

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from jvmdebug.display.libraries.stand_in import StandIn
    from jvmdebug.display.style import ValueStyle
    from jvmdebug.display.views.known import Contents
    from jvmdebug.display.views.view import Entry
    from jvmdebug.model.field import Field
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.model.values import Value

P = ParamSpec("P")
T = TypeVar("T")

ViewMode: TypeAlias = Literal["logical", "raw", "statics"]
"""Which children are shown: the logical ones, all fields, or the static fields of the class."""


@dataclass(frozen=True, slots=True)
class Child:
    """A field, element or entry. `evaluate_name` is an expression that gives `value` in the frame
    that the parent's `evaluate_name` belongs to; None when there is none.
    """

    name: str
    value: Value
    declared_type: str
    evaluate_name: str | None = None
    field: Field | None = None
    """The field, when the child is one."""
    is_copy: bool = False
    """Whether `evaluate_name` calls a method, so that it cannot be assigned to."""

    @property
    def is_static(self) -> bool:
        return self.field is not None and self.field.is_static


def _unless_collected(
    instead: Callable[[], T],
) -> Callable[[Callable[P, Awaitable[T]]], Callable[P, Awaitable[T]]]:
    """The children of an object that was collected: none. Its line says `<collected>`."""

    def decorated(function: Callable[P, Awaitable[T]]) -> Callable[P, Awaitable[T]]:
        @functools.wraps(function)
        async def guarded(*args: P.args, **named: P.kwargs) -> T:
            try:
                return await function(*args, **named)
            except InvalidObjectError:
                return instead()

        return guarded

    return decorated


@_unless_collected(list[Child])
async def children(
    value: Value,
    start: int = 0,
    count: int | None = None,
    *,
    evaluate_name: str | None = None,
    declared_type: str | None = None,
    mode: ViewMode = "logical",
    style: ValueStyle | None = None,
) -> list[Child]:
    """Children from `start`, at most `count` of them.

    `evaluate_name` is an expression for `value`, `declared_type` the static type that it has.
    """
    parent = None if evaluate_name is None else EvaluateName(evaluate_name, declared_type)
    if not isinstance(value, ObjectReference) or start < 0 or (count is not None and count <= 0):
        return []
    if mode == "logical":
        shown = await _rendered(value, parent, style)
        if shown is not None:
            return shown[start : None if count is None else start + count]
        stand_in = await stand_ins.find(value)
        if stand_in is not None and stand_in.target is None:
            return _not_loaded(stand_in)[start : None if count is None else start + count]
        if stand_in is not None and stand_in.target is not None:
            value, parent = stand_in.target, None
    if isinstance(value, ArrayReference):
        return await _elements(value, start, count, parent)
    found = await contents(value) if mode == "logical" else None
    if found is not None:
        wanted = found.size - start if count is None else count
        with contextlib.suppress(UnknownLayoutError):  # it was changed while it was read
            has_names = has_java_methods((await value.type()).name)
            return await _entries(found, start, wanted, parent if has_names else None)
    return await _fields(value, start, count, parent, mode)


@_unless_collected(int)
async def child_count(
    value: Value, *, mode: ViewMode = "logical", style: ValueStyle | None = None
) -> int:
    """How many children there are; 0 for primitives, null and (in the logical view) strings."""
    if not isinstance(value, ObjectReference):
        return 0
    if mode == "logical":
        shown = await _rendered(value, None, style)
        if shown is not None:
            return len(shown)
        stand_in = await stand_ins.find(value)
        if stand_in is not None and stand_in.target is None:
            return len(_not_loaded(stand_in))
        if stand_in is not None and stand_in.target is not None:
            value = stand_in.target
    if isinstance(value, ArrayReference):
        return await value.length()
    found = await contents(value) if mode == "logical" else None
    return found.size if found is not None else len(await _chosen(await value.type(), mode))


@_unless_collected(bool)
async def is_indexed(
    value: Value, *, mode: ViewMode = "logical", style: ValueStyle | None = None
) -> bool:
    """Whether the children are elements (of arrays, collections, maps): they come in pages."""
    if isinstance(value, ArrayReference):
        return True
    if not isinstance(value, ObjectReference) or mode != "logical":
        return False
    if style is not None and style.renderers and await _rendered(value, None, style) is not None:
        return False
    stand_in = await stand_ins.find(value)
    if stand_in is not None:
        value = stand_in.target or value
    found = await contents(value)
    return found is not None and not isinstance(found.view, Single)


@_unless_collected(list[ViewMode])
async def other_view_modes(value: Value, style: ValueStyle | None = None) -> list[ViewMode]:
    """The modes that show more than the logical one: raw if that leaves fields out, statics if the
    class has static fields.
    """
    if not isinstance(value, ObjectReference) or isinstance(value, ArrayReference):
        return []
    type_ = await value.type()
    if is_whole(type_):
        return []
    if await stand_ins.find(value) is not None:
        return ["raw"]
    if await _rendered(value, None, style) is not None or await contents(value) is not None:
        return ["raw"]
    if len(await _chosen(type_, "logical")) < len(await type_.instance_fields()):
        return ["raw"]
    return ["statics"] if await _static_fields(type_) else []


@_unless_collected(lambda: True)
async def is_understood(value: ObjectReference, style: ValueStyle | None = None) -> bool:
    """Whether the class has a text or a view of its own: a collection, a date, an exception."""
    type_ = await value.type()
    if is_whole(type_) or is_lambda(type_):
        return True
    if await is_known(type_) and not await _has_plain_text(type_):
        return True
    return await contents(value) is not None or await _rendered(value, None, style) is not None


def _not_loaded(stand_in: StandIn) -> list[Child]:
    """What is known of an object that is not loaded; of a collection nothing."""
    key = stand_in.key
    if key is None or stand_in.role is not None:
        return []
    return [Child("id", key, _declared(key))]


async def _has_plain_text(type_: ReferenceType) -> bool:
    """Records and enums are shown as Java shows those that have no toString of their own."""
    above = {each.name for each in await type_.superclasses()}
    return not above.isdisjoint(("java.lang.Record", "java.lang.Enum"))


async def statics_of(type_: ReferenceType) -> list[Child]:
    """The static fields that a class declares itself, with their values."""
    fields = [each for each in await type_.fields() if each.is_static and not each.is_synthetic]
    values = await type_.static_values(fields)
    return [
        Child(each.name, value, each.type_name, static_expression(each), each)
        for each, value in zip(fields, values, strict=True)
    ]


async def _rendered(
    value: ObjectReference, parent: EvaluateName | None, style: ValueStyle | None
) -> list[Child] | None:
    """The children that a renderer gives."""
    if style is None or not style.renderers:
        return None
    inner = style.within(BRIEF_LENGTH)
    found = await custom_children(value, style.renderers, lambda it: render_brief(it, inner))
    if found is None:
        return None
    return [
        Child(
            each.name,
            each.value,
            each.declared_type,
            None if parent is None or not each.path else ".".join((parent.operand, *each.path)),
        )
        for each in found
    ]


# --- fields ---------------------------------------------------------------------------------------


async def _fields(
    value: ObjectReference,
    start: int,
    count: int | None,
    parent: EvaluateName | None,
    mode: ViewMode,
) -> list[Child]:
    type_ = await value.type()
    every = await _chosen(type_, mode)
    fields = every[start : None if count is None else start + count]
    await open_object(value, fields)
    values = await value.get_values(fields)
    captured = await captured_names(type_) if mode == "logical" and is_lambda(type_) else {}
    has_outer = mode == "logical" and any(each.name.startswith("this$") for each in fields)
    in_kotlin = has_outer and await is_kotlin(type_)
    times = Counter(each.name for each in await type_.instance_fields())
    found = [
        Child(
            captured.get(field.name) or _name(field, every, mode, in_kotlin=in_kotlin),
            each,
            field.type_name,
            field_expression(field, parent, is_alone=times[field.name] < 2),
            field,
        )
        for field, each in zip(fields, values, strict=True)
    ]
    return [_without_itself(child, value, parent) for child in found]


def _without_itself(child: Child, value: ObjectReference, parent: EvaluateName | None) -> Child:
    """An exception without a cause refers to itself."""
    field = child.field
    if child.value != value or field is None or str(field) != "java.lang.Throwable.cause":
        return child
    expression = None if parent is None else f"{parent.operand}.getCause()"
    return dataclasses.replace(child, value=NULL, evaluate_name=expression)


async def _chosen(type_: ReferenceType, mode: ViewMode) -> list[Field]:
    match mode:
        case "statics":
            return await _static_fields(type_)
        case "raw":
            statics = [each for each in await type_.all_fields() if each.is_static]
            return [*await type_.instance_fields(), *statics]
        case _:
            return [] if await has_complete_text(type_) else await logical_fields(type_)


async def _static_fields(type_: ReferenceType) -> list[Field]:
    """The fields of the class and its superclasses, without those that the compiler made."""
    types = (type_, *await type_.superclasses())
    found = await together(each.fields() for each in types)
    return [
        field for fields in found for field in fields if field.is_static and not field.is_synthetic
    ]


def _name(field: Field, among: Sequence[Field], mode: ViewMode, *, in_kotlin: bool) -> str:
    if mode != "logical":
        return field.name
    return display_name(field, among, is_kotlin=in_kotlin)


# --- elements and entries -------------------------------------------------------------------------


async def _elements(
    array: ArrayReference, start: int, count: int | None, parent: EvaluateName | None
) -> list[Child]:
    length = await array.length()
    wanted = length - start if count is None else min(count, length - start)
    if wanted <= 0:
        return []
    type_ = await array.type()
    element_type = java_name(type_.signature[1:])
    return [
        Child(
            f"[{index}]",
            element,
            element_type,
            element_expression(parent, type_.name, index),
        )
        for index, element in enumerate(await read_range(array, start, wanted), start)
    ]


async def _entries(
    found: Contents, start: int, count: int, parent: EvaluateName | None
) -> list[Child]:
    entries = await found.page(start, count)
    return list(
        await together(
            _entry(entry, index, found, parent) for index, entry in enumerate(entries, start)
        )
    )


async def _entry(entry: Entry, index: int, found: Contents, parent: EvaluateName | None) -> Child:
    if entry.key is None:
        return Child(
            "value" if isinstance(found.view, Single) else f"[{index}]",
            entry.value,
            _declared(entry.value),
            None if parent is None else f"{parent.operand}.{_getter(found, index)}",
            is_copy=True,
        )
    shown, value = await render_brief(entry.key), entry.value
    key = await key_expression(entry.key)
    if key is None and entry.node is not None:
        # The key has children of its own: show the node, which has key and value.
        shown, value, getter = f"[{index}]", entry.node, f"entrySet().toArray()[{index}]"
    elif found.part == "nodes":  # a set of entries that the map makes when it is asked
        return Child(shown, value, _declared(value), _value_of_entry(parent, index), is_copy=True)
    else:
        getter = f"values().toArray()[{index}]" if key is None else f"get({key})"
    declared = "java.util.Map.Entry" if value is entry.node else _declared(value)
    expression = None if parent is None else f"{parent.operand}.{getter}"
    return Child(shown, value, declared, expression, is_copy=True)


def _value_of_entry(parent: EvaluateName | None, index: int) -> str | None:
    if parent is None:
        return None
    entry = EvaluateName(f"{parent.operand}.toArray()[{index}]", "java.lang.Object")
    return f"{entry.as_type('java.util.Map.Entry')}.getValue()"


def _getter(found: Contents, index: int) -> str:
    """An element of a list; of a collection without indexes by its index in `toArray()`."""
    if isinstance(found.view, Single):
        return found.view.getter
    if isinstance(found.view, Bits):
        return f"stream().toArray()[{index}]"
    return f"get({index})" if found.is_indexed else f"toArray()[{index}]"


def _declared(value: Value) -> str:
    """Collections are of objects; an Optional or an atomic array may be of numbers."""
    return value.kind.java_name if isinstance(value, PrimitiveValue) else "java.lang.Object"
