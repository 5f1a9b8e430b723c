# SPDX-License-Identifier: Apache-2.0
"""Finds the locations without an instruction: watched fields and thrown exceptions.

Called by the resolver with the types that are loaded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug.breakpoints.location import Resolution, names, type_location
from jvmdebug.breakpoints.specs import THROWABLE
from jvmdebug.breakpoints.type_names import is_named
from jvmdebug.jdwp.generated.constants import EventKind
from jvmdebug.jdwp.generated.events import (
    ExceptionOnlyModifier,
    FieldOnlyModifier,
    InstanceOnlyModifier,
)

if TYPE_CHECKING:
    from collections.abc import Collection

    from jvmdebug.breakpoints.location import BreakpointLocation
    from jvmdebug.breakpoints.specs import ExceptionSpec, FieldSpec
    from jvmdebug.jdwp.generated.events import Modifier
    from jvmdebug.model.field import Field
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.model.virtual_machine import VirtualMachine


async def field_locations(
    vm: VirtualMachine, spec: FieldSpec, types: Collection[ReferenceType]
) -> Resolution:
    """The locations for reading and writing of the field that each type has, declared or
    inherited.
    """
    if not types:
        return why_no_field(spec, types)
    kinds: list[EventKind] = []
    if spec.read:
        vm.require("can_watch_field_access", "stopping when a field is read")
        kinds.append(EventKind.FIELD_ACCESS)
    if spec.write:
        vm.require("can_watch_field_modification", "stopping when a field is written")
        kinds.append(EventKind.FIELD_MODIFICATION)
    fields: dict[Field, None] = {}
    for type_ in types:
        found = next((f for f in await type_.all_fields() if f.name == spec.field_name), None)
        if found is not None:
            fields[found] = None
    if not fields:
        return why_no_field(spec, types)
    return Resolution(tuple(_watch(spec, each, kind) for each in fields for kind in kinds))


def why_no_field(spec: FieldSpec, types: Collection[ReferenceType]) -> Resolution:
    """Why there are no locations: none of these types has the field."""
    if not types:
        return Resolution(message=f"class {spec.type_name} is not loaded", is_pending=True)
    verb = "has" if len(types) == 1 else "have"
    return Resolution(message=f"{names(types)} {verb} no field {spec.field_name}")


def _watch(spec: FieldSpec, field: Field, kind: EventKind) -> BreakpointLocation:
    declaring = field.declaring_type
    modifiers: list[Modifier] = [FieldOnlyModifier(declaring.id, field.id)]
    instance = None if field.is_static else spec.instance
    if instance is not None:
        modifiers.append(InstanceOnlyModifier(instance.id))
    return type_location(declaring, kind, *modifiers)


async def exception_locations(spec: ExceptionSpec, types: Collection[ReferenceType]) -> Resolution:
    """The locations for each exception type. Subtypes are included, so no throw is
    reported twice.
    """
    thrown = [each for each in types if await _is_throwable(each)]
    is_pattern = "*" in spec.type_name
    if types and not thrown and not is_pattern:
        return Resolution(message=f"{names(types)} cannot be thrown")
    found = []
    for type_ in thrown:
        if not any(each in thrown for each in await type_.superclasses()):
            modifier = ExceptionOnlyModifier(type_.id, spec.caught, spec.uncaught)
            found.append(type_location(type_, EventKind.EXCEPTION, modifier))
    if found:
        return Resolution(tuple(found))
    message = f"exception class {spec.type_name} is not loaded"
    if is_pattern:  # other classes may match already
        message = f"no exception class that matches {spec.type_name} is loaded yet"
    return Resolution(message=message, is_pending=True)


async def is_excluded(spec: ExceptionSpec, type_: ReferenceType) -> bool:
    """Whether an exception of this type is excluded, by its own name or a superclass's."""
    if not spec.excluded:
        return False
    types = (type_, *await type_.superclasses())
    return any(is_named(each.name, name) for each in types for name in spec.excluded)


async def _is_throwable(type_: ReferenceType) -> bool:
    """Whether it is a Throwable. Reads superclasses only, because they are known before a class is
    prepared.
    """
    above = await type_.superclasses()
    return any(each.name == THROWABLE for each in (type_, *above))
