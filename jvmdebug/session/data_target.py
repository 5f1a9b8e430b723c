# SPDX-License-Identifier: Apache-2.0
"""Finds what can be watched for an expression or a shown variable: a field and of which object, a
local variable, or an array and which element of it.

Owns the rules of what can be watched. Results of calls cannot, and are refused with the reason.
Called by frames and variables.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from jvmdebug import evaluator
from jvmdebug.breakpoints import ElementSpec, FieldSpec, LocalSpec, parse_field, parse_local
from jvmdebug.classfile.descriptors import java_name, parse_method_descriptor
from jvmdebug.errors import BreakpointError, EvaluationError
from jvmdebug.model.agent import AgentCapability
from jvmdebug.model.primitives import PrimitiveValue
from jvmdebug.model.values import NULL, ArrayReference, ClassObjectReference, ObjectReference
from jvmdebug.sources import source_variables

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jvmdebug.model.field import Field
    from jvmdebug.model.frame import Frame
    from jvmdebug.model.values import Value

_ELEMENT: Final = re.compile(r"\[(\d+)\]")
_EVERY_ELEMENT: Final = re.compile(r"(.+)\[\s*\*\s*\]\s*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class DataTarget:
    """A field, a local variable or elements of an array to watch, for `Session.watch`."""

    type_name: str
    """The type that declares it; of elements the descriptor of the array, `[I`."""
    field_name: str
    """Of a local variable its name; of elements the array, as it was named: `prices`."""
    instance: ObjectReference | None
    """The object whose field it is; None for a static field, or for that of all objects."""
    method: str | None = None
    """The method whose local variable it is, `add(int)`; None for a field."""
    array: ArrayReference | None = None
    """The array whose elements they are."""
    index: int | None = None
    """The only element of `array`; None: all."""

    @property
    def of_all_instances(self) -> DataTarget:
        """The same field, whatever object has it."""
        return replace(self, instance=None)

    def __str__(self) -> str:
        """`shop.Cart.total`; a local variable is `shop.Cart#add(int).total`, an element
        `prices[3]`, all of them `prices[*]`.
        """
        if self.array is not None:
            return f"{self.field_name}[{'*' if self.index is None else self.index}]"
        method = "" if self.method is None else f"#{self.method}"
        return f"{self.type_name}{method}.{self.field_name}"


def target_of(field: Field, instance: ObjectReference | None) -> DataTarget:
    """The target for a field; `instance` is dropped for a static one."""
    declaring = field.declaring_type.name
    return DataTarget(declaring, field.name, None if field.is_static else instance)


def watch_spec(
    field: str | DataTarget, *, read: bool, write: bool
) -> FieldSpec | LocalSpec | ElementSpec:
    """The spec of the watch; BreakpointError for a text that is none, or if neither is set."""
    if isinstance(field, DataTarget) and field.array is not None:
        if read or not write:
            raise BreakpointError(f"{field} is in an array: only its writing can be watched")
        return ElementSpec(field.array, field.type_name, field.field_name, field.index)
    local = parse_local(str(field))
    if local is None:
        return field_spec(field, read=read, write=write)
    if read or not write:
        raise BreakpointError(f"{field} is a local variable: only its writing can be watched")
    return local


def field_spec(field: str | DataTarget, *, read: bool, write: bool) -> FieldSpec:
    """The spec of the watch; BreakpointError for a text that is no field, or if neither is set."""
    if not (read or write):
        raise BreakpointError(f"watching {field}: choose read, write or both")
    if isinstance(field, DataTarget) and field.method is not None:
        raise BreakpointError(f"{field} is a local variable: this is for fields")
    if isinstance(field, DataTarget) and field.array is not None:
        raise BreakpointError(f"{field} is in an array: this is for fields")
    if isinstance(field, DataTarget):
        return FieldSpec(field.type_name, field.field_name, read, write, field.instance)
    type_name, field_name = parse_field(field)
    return FieldSpec(type_name, field_name, read, write)


async def target_in(value: Value, name: str, shown_as: str | None = None) -> DataTarget | None:
    """The field `name` of the object that was shown, or the element `[3]` of an array; None if it
    has no such field.
    """
    if not isinstance(value, ObjectReference):
        return None
    if isinstance(value, ArrayReference):
        element = _ELEMENT.fullmatch(name)
        if element is None:
            return None
        return await _of_array(value, shown_as or "array", int(element[1]))
    type_ = await value.type()
    found = next((each for each in await type_.all_fields() if each.name == name), None)
    return None if found is None else target_of(found, value)


async def target_of_expression(frame: Frame, text: str, names: Mapping[str, Value]) -> DataTarget:
    """The field or local variable that `cart.total`, `total` or `Cart.count` denotes in a frame, or
    the elements `prices[3]`, `prices[*]`.

    Raises BreakpointError for what is no field, EvaluationError for a name that is not defined
    there.
    """
    from jvmdebug.evaluator.parse import parser, syntax  # noqa: PLC0415 - slow to import

    every = _EVERY_ELEMENT.fullmatch(text)
    if every is not None:
        return await _of_elements(frame, every[1].strip(), None, names)
    root = parser.parse(text)
    while isinstance(root, syntax.Parenthesized):
        root = root.inner
    if isinstance(root, syntax.Name):
        return await _of_name(frame, root.identifier)
    if isinstance(root, syntax.FieldAccess):
        qualifier = root.target.span.text(text)
        found = await _of_qualified(frame, qualifier, root.name, names)
        if found is not None:
            return found
        raise BreakpointError(f"{qualifier} has no field {root.name} that could be watched")
    if isinstance(root, syntax.ArrayAccess):
        array, index = root.array.span.text(text), root.index.span.text(text)
        return await _of_elements(frame, array, index, names)
    raise BreakpointError(
        f"{text} is no field: only fields, local variables and elements of arrays can be watched"
    )


async def _of_elements(
    frame: Frame, array_text: str, index_text: str | None, names: Mapping[str, Value]
) -> DataTarget:
    array = await evaluator.evaluate(frame, array_text, names=names)
    if not isinstance(array, ArrayReference):
        what = "null" if array == NULL else "no array"
        raise BreakpointError(f"{array_text} is {what}: only elements of arrays can be watched")
    if index_text is None:
        return await _of_array(array, array_text, None)
    index = await evaluator.evaluate(frame, index_text, names=names)
    if not isinstance(index, PrimitiveValue) or not isinstance(index.value, int):
        raise BreakpointError(f"{index_text} is no index")
    return await _of_array(array, array_text, index.value)


async def _of_array(array: ArrayReference, name: str, index: int | None) -> DataTarget:
    if array.vm.connection.is_recording:
        raise BreakpointError(
            f"elements of arrays are not watched in a recording: ask who wrote {name}"
            f"[{'0' if index is None else index}]"
        )
    array.vm.require_of_agent(AgentCapability.ELEMENT_STORES, "stopping at stores into an array")
    length = await array.length()
    if index is not None and not 0 <= index < length:
        raise BreakpointError(f"{name} has {length} elements: there is no {name}[{index}]")
    type_ = await array.type()
    return DataTarget(type_.signature, name, None, array=array, index=index)


async def _of_name(frame: Frame, name: str) -> DataTarget:
    method = frame.location.method
    variables = {each.name for each in await source_variables(frame)}
    # Some may not be in scope here, or not yet.
    variables.update(each.name for each in await method.variable_table() or ())
    if name in variables:
        taken = ",".join(map(java_name, parse_method_descriptor(method.signature).parameters))
        return DataTarget(frame.location.type.name, name, None, f"{method.name}({taken})")
    fields = await frame.location.type.all_fields()
    found = next((each for each in fields if each.name == name), None)
    if found is None:
        there = f"{frame.location.type.name}#{method.name}"
        raise BreakpointError(
            f"there is no {name} to watch: neither a local variable of {there} nor a field"
        )
    return target_of(found, None if found.is_static else await frame.this_object())


async def _of_qualified(
    frame: Frame, qualifier: str, name: str, names: Mapping[str, Value]
) -> DataTarget | None:
    try:
        value = await evaluator.evaluate(frame, qualifier, names=names)
    except EvaluationError as no_value:
        try:
            value = await evaluator.evaluate(frame, f"{qualifier}.class")
        except EvaluationError:
            raise no_value from None
        if not isinstance(value, ClassObjectReference):
            raise
        type_ = await value.reflected_type()
        field = next((each for each in await type_.all_fields() if each.name == name), None)
        return None if field is None else target_of(field, None)
    if value == NULL:
        raise BreakpointError(
            f"{qualifier} is null: {name} can be watched in an object, or in all of a class, as "
            "shop.Cart.total"
        )
    return await target_in(value, name)
