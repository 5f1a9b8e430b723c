# SPDX-License-Identifier: Apache-2.0
"""Values from the wire as values of the model; the reverse is `values.wire_value`.

Called by VirtualMachine only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug.errors import WireError
from jvmdebug.jdwp.generated.constants import Tag
from jvmdebug.jdwp.ids import NoValue, ObjectId, TaggedObject
from jvmdebug.model.primitives import PrimitiveKind, PrimitiveValue
from jvmdebug.model.values import (
    NULL,
    VOID,
    ArrayReference,
    ClassLoaderReference,
    ClassObjectReference,
    ObjectReference,
    StringReference,
    ThreadGroupReference,
    ThreadReference,
    UnavailableValue,
    Value,
)

if TYPE_CHECKING:
    from jvmdebug.jdwp.ids import ArrayRegion
    from jvmdebug.jdwp.ids import Value as WireValue
    from jvmdebug.model.virtual_machine import VirtualMachine

_REFERENCE_CLASSES: Final[dict[Tag, type[ObjectReference]]] = {
    Tag.OBJECT: ObjectReference,
    Tag.STRING: StringReference,
    Tag.ARRAY: ArrayReference,
    Tag.THREAD: ThreadReference,
    Tag.THREAD_GROUP: ThreadGroupReference,
    Tag.CLASS_LOADER: ClassLoaderReference,
    Tag.CLASS_OBJECT: ClassObjectReference,
}


def reference(vm: VirtualMachine, tag: Tag, object_id: ObjectId) -> ObjectReference:
    """A new reference of the class that belongs to the tag; ReferenceTable keeps them unique."""
    reference_class = _REFERENCE_CLASSES.get(tag)
    if reference_class is None:
        raise WireError(f"the tag {tag!r} is not one of an object (id {object_id:#x})")
    return reference_class(vm, object_id, tag)


def value(vm: VirtualMachine, wire: WireValue) -> Value:
    """Any tagged value."""
    content = wire.value
    if isinstance(wire, NoValue):
        return UnavailableValue(wire.why)
    if wire.tag in _REFERENCE_CLASSES:
        if not isinstance(content, int):
            raise WireError(f"an object value without an id: {wire!r}")
        return vm.reference(wire.tag, ObjectId(content)) if content else NULL
    if wire.tag is Tag.VOID or content is None:
        return VOID
    return PrimitiveValue(PrimitiveKind(chr(wire.tag)), content)


def region(vm: VirtualMachine, wire: ArrayRegion) -> tuple[Value, ...]:
    """The elements of an array region, of which each object has a tag of its own."""
    if wire.tag in _REFERENCE_CLASSES:
        return tuple(_element(vm, element) for element in wire.values)
    kind = PrimitiveKind(chr(wire.tag))
    elements: tuple[object, ...] = wire.values
    return tuple(
        PrimitiveValue(kind, element)
        if isinstance(element, bool | int | float)
        else _element(vm, element)
        for element in elements
        if not isinstance(element, TaggedObject)
    )


def _element(vm: VirtualMachine, element: object) -> Value:
    if isinstance(element, NoValue):
        return UnavailableValue(element.why)
    if not isinstance(element, TaggedObject):
        raise WireError(f"an array of objects with an element {element!r}")
    return vm.reference(element.tag, element.id) if element.id else NULL
