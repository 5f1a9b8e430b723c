# SPDX-License-Identifier: Apache-2.0
"""From an expression or a shown variable to what can be watched: a field, and of which object, or a
local variable.

Owns the rules of what can be watched. Array elements and results of calls cannot, and are refused
with the reason. Called by frames and variables.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from jvmdebug import evaluator
from jvmdebug.breakpoints import FieldSpec, LocalSpec, parse_field, parse_local
from jvmdebug.classfile.descriptors import java_name, parse_method_descriptor
from jvmdebug.errors import BreakpointError, EvaluationError
from jvmdebug.model.values import ClassObjectReference, ObjectReference
from jvmdebug.sources import source_variables

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jvmdebug.model.field import Field
    from jvmdebug.model.frame import Frame
    from jvmdebug.model.values import Value


@dataclass(frozen=True, slots=True)
class DataTarget:
    """A field or a local variable to watch, for `Session.watch`."""

    type_name: str
    """The type that declares it."""
    field_name: str
    """Of a local variable its name."""
    instance: ObjectReference | None
    """The object whose field it is; None for a static field, or for that of all objects."""
    method: str | None = None
    """The method whose local variable it is, `add(int)`; None for a field."""

    @property
    def of_all_instances(self) -> DataTarget:
        """The same field, whatever object has it."""
        return replace(self, instance=None)

    def __str__(self) -> str:
        """`shop.Cart.total`; a local variable is `shop.Cart#add(int).total`."""
        method = "" if self.method is None else f"#{self.method}"
        return f"{self.type_name}{method}.{self.field_name}"


def target_of(field: Field, instance: ObjectReference | None) -> DataTarget:
    """The target for a field; `instance` is dropped for a static one."""
    declaring = field.declaring_type.name
    return DataTarget(declaring, field.name, None if field.is_static else instance)


def watch_spec(field: str | DataTarget, *, read: bool, write: bool) -> FieldSpec | LocalSpec:
    """The spec of the watch; BreakpointError for a text that is none, or if neither is set."""
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
    if isinstance(field, DataTarget):
        return FieldSpec(field.type_name, field.field_name, read, write, field.instance)
    type_name, field_name = parse_field(field)
    return FieldSpec(type_name, field_name, read, write)


async def target_in(value: Value, name: str) -> DataTarget | None:
    """The field `name` of the object that was shown; None if it has no such field."""
    if not isinstance(value, ObjectReference):
        return None
    type_ = await value.type()
    found = next((each for each in await type_.all_fields() if each.name == name), None)
    return None if found is None else target_of(found, value)


async def target_of_expression(frame: Frame, text: str, names: Mapping[str, Value]) -> DataTarget:
    """The field or local variable that `cart.total`, `total` or `Cart.count` denotes in a frame.

    Raises BreakpointError for what is no field, EvaluationError for a name that is not defined
    there.
    """
    from jvmdebug.evaluator.parse import parser, syntax  # noqa: PLC0415 - slow to import

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
    what = "an element of an array" if isinstance(root, syntax.ArrayAccess) else "no field"
    raise BreakpointError(f"{text} is {what}: only fields and local variables can be watched")


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
    return await target_in(value, name)
