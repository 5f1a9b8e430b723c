# SPDX-License-Identifier: Apache-2.0
"""Objects that calls have made, as values that can be shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug.classfile.descriptors import is_primitive
from jvmdebug.evaluator.reading.arrays import ReadArray
from jvmdebug.evaluator.reading.errors import MissingError
from jvmdebug.evaluator.reading.objects import STRING, ReadObject
from jvmdebug.evaluator.reading.slots import default_of
from jvmdebug.model.made_arrays import MadeArrayReference
from jvmdebug.model.made_values import MadeObjectReference
from jvmdebug.model.primitives import PrimitiveKind, PrimitiveValue
from jvmdebug.model.text_of_reading import TextOfReading
from jvmdebug.model.values import NULL, UnavailableValue

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jvmdebug.evaluator.reading.object_access import Objects
    from jvmdebug.evaluator.reading.slots import Slot
    from jvmdebug.model.field import Field
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.model.values import Value


_MOST_SEARCHED: Final = 10_000
"""Objects in which arrays are looked for."""


async def shown(objects: Objects, found: ReadObject | ReadArray) -> Value | None:
    """A made object as a value; None for an object of a class that is not loaded, and a lambda."""
    vm = objects.heap.vm
    arrays: dict[str, ReferenceType] = {}
    for descriptor in sorted(_array_types(found)):
        loaded = await vm.classes_by_signature(descriptor)
        if loaded:
            arrays[descriptor] = loaded[0]
    return MadeValues(objects, arrays).of(found)


def _array_types(found: ReadObject | ReadArray) -> set[str]:
    """The types of the arrays among a made object and all made ones that it leads to."""
    seen = {id(found)}
    waiting: list[ReadObject | ReadArray] = [found]
    types: set[str] = set()
    while waiting and len(seen) < _MOST_SEARCHED:
        each = waiting.pop()
        inner: Iterable[Slot] = ()
        if isinstance(each, ReadObject):
            inner = (each.fields or {}).values()
        else:
            types.add(each.descriptor)
            if each.descriptor[1] in "L[" and isinstance(each.items, list):
                inner = each.items
        for one in inner:
            is_made = isinstance(one, ReadObject | ReadArray) and one.reference is None
            if is_made and id(one) not in seen:
                seen.add(id(one))
                waiting.append(one)
    return types


class MadeValues:
    """The values of one evaluation; the same object gives the same value."""

    def __init__(self, objects: Objects, arrays: dict[str, ReferenceType]) -> None:
        """`arrays`: the loaded array types by their descriptors."""
        self._objects = objects
        self._arrays = arrays
        self._known: dict[int, Value] = {}

    def of(self, found: ReadObject | ReadArray) -> Value | None:
        """The value; None for an object of a class that is not loaded, and for a lambda."""
        known = self._known.get(id(found))
        if known is None:
            made = self._of_array(found) if isinstance(found, ReadArray) else self._of_object(found)
            if made is None:
                return None
            known = self._known[id(found)] = made
        return known

    def _of_object(self, found: ReadObject) -> Value | None:
        of_class = found.of_class
        if of_class is None or of_class.type is None or found.captured is not None:
            return None
        if of_class.name == STRING:
            return TextOfReading(self._objects.heap.vm, self._objects.text(found))
        fields = found.fields or {}

        def read(field: Field) -> Value:
            key = f"{field.declaring_type.signature[1:-1]}.{field.name}"
            return self._value(fields.get(key, default_of(field.signature)), field.signature)

        return MadeObjectReference(found, of_class.type, read)

    def _of_array(self, found: ReadArray) -> Value | None:
        type_ = self._arrays.get(found.descriptor)
        if type_ is None:
            return None

        def read(index: int) -> Value:
            return self._value(found.items[index], found.descriptor[1:])

        return MadeArrayReference(found, type_, found.length, read)

    def _value(self, found: Slot, descriptor: str) -> Value:
        if is_primitive(descriptor):
            kind = PrimitiveKind(descriptor)
            number = bool(found) if kind is PrimitiveKind.BOOLEAN else found
            return PrimitiveValue(kind, number)
        if found is None:
            return NULL
        if found.reference is not None:
            value: Value = found.reference
            return value
        try:
            made = self.of(found)
        except MissingError:
            made = None
        return made or UnavailableValue("it exists here only, and its class is not loaded")
