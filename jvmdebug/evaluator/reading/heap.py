# SPDX-License-Identifier: Apache-2.0
"""Reads objects of the program for the interpreter: all fields of an object at once, elements in
blocks, and with our agent the objects that it refers to in the same round trip.

What was read is kept for one evaluation, so that a call sees each object at one moment, as far as a
running program allows. Owns the limit of what is read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug.errors import UnsupportedError
from jvmdebug.evaluator.reading.arrays import ReadArray
from jvmdebug.evaluator.reading.class_lookup import OF_JDK, ClassLookup
from jvmdebug.evaluator.reading.errors import (
    NotReadError,
    UninitializedError,
    UnreadableError,
)
from jvmdebug.evaluator.reading.objects import STRING, ReadObject, string_fields
from jvmdebug.evaluator.reading.slots import default_of
from jvmdebug.jdwp.ids import ArrayId
from jvmdebug.model import page
from jvmdebug.model.primitives import BOXES
from jvmdebug.model.values import (
    ArrayReference,
    ClassObjectReference,
    NullValue,
    ObjectReference,
    PrimitiveValue,
    StringReference,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jvmdebug.evaluator.reading.read_class import ReadClass, ReadField
    from jvmdebug.evaluator.reading.slots import Slot
    from jvmdebug.jdwp.ids import FieldId
    from jvmdebug.jdwp.snapshot import Snapshot
    from jvmdebug.model.field import Field
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.model.values import Value
    from jvmdebug.model.virtual_machine import VirtualMachine

MOST_BYTES: Final = 16 * 1024 * 1024
"""Of one evaluation."""
_FIRST: Final = 32
"""An array up to this length is read whole; our agent sends so many elements unasked."""
_BLOCK: Final = 256
_BLOCK_OF_NUMBERS: Final = 16_384
_SIZES: Final = {"Z": 1, "B": 1, "C": 2, "S": 2, "I": 4, "F": 4}
_OBJECT_BYTES: Final = 64


class Heap:
    """What one evaluation has read."""

    def __init__(self, vm: VirtualMachine) -> None:
        self.vm = vm
        self.classes = ClassLookup(vm)
        self.statics: dict[ReadClass, dict[str, Slot]] = {}
        """Static fields by their names."""
        self.initialized: set[ReadClass] = set()
        """The classes of the JDK whose static initializers this evaluation interprets, because the
        program has not run them: their static fields are of this evaluation alone.
        """
        self._objects: dict[int, ReadObject | ReadArray] = {}
        self._snapshots: list[Snapshot] = []
        self._primitives: dict[int, str] = {}
        self._bytes = 0

    def slot(self, value: Value) -> Slot:
        """A value of the program as the interpreter has it."""
        match value:
            case PrimitiveValue(value=number):
                return int(number) if isinstance(number, bool) else number
            case NullValue():
                return None
            case ArrayReference():
                return self._kept(value)
            case ObjectReference():
                return self._kept(value)
            case _:
                raise UnreadableError(f"there is no value: {value}")

    def _kept(self, reference: ObjectReference) -> ReadObject | ReadArray:
        known = self._objects.get(reference.id)
        if known is None:
            if isinstance(reference, ArrayReference):
                known = ReadArray("", {}, -1, reference)
            else:
                known = ReadObject(None, reference)
            self._objects[reference.id] = known
        return known

    async def bootstrap_class(self, name: str) -> ReadClass:
        """A class of the JDK. UnreadableError if it is not loaded."""
        known = await self.classes.of_jdk(name)
        if known is None:
            raise UnreadableError(f"the class {name.replace('/', '.')} is not loaded")
        return known

    # --- objects ---------------------------------------------------------------------------------

    async def read_class(self, obj: ReadObject) -> None:
        """Read which class an object is of."""
        if obj.of_class is not None or obj.reference is None:
            return
        if isinstance(obj.reference, StringReference):
            obj.of_class = await self.bootstrap_class(STRING)
            return
        await self._prefetch(obj.reference)
        obj.of_class = await self.classes.of(await obj.reference.type())

    async def read_fields(self, obj: ReadObject) -> None:
        """Read all fields of an object."""
        await self.read_class(obj)
        if obj.fields is not None or obj.reference is None or obj.of_class is None:
            return
        if isinstance(obj.reference, StringReference):
            await self.read_characters(obj)
            return
        fields = obj.of_class.instance_fields()
        wanted = _known_fields(field for _, field in fields)
        values = self._seen_fields(obj.reference, [each.id for each in wanted])
        if values is None:
            await self._prefetch(obj.reference)
            values = self._seen_fields(obj.reference, [each.id for each in wanted])
        if values is None:
            values = await obj.reference.get_values(wanted)
        self._count(_OBJECT_BYTES + 8 * len(fields))
        slots = map(self.slot, values)
        obj.fields = {key: slot for (key, _), slot in zip(fields, slots, strict=True)}

    async def read_characters(self, obj: ReadObject) -> None:
        """Read a string of the program."""
        if obj.text is None and isinstance(obj.reference, StringReference):
            text, length = await obj.reference.beginning(self._bytes_left())
            self._count(_OBJECT_BYTES + 2 * length)
            obj.text = text
        if obj.text is not None:
            obj.of_class = await self.bootstrap_class(STRING)
            obj.fields = string_fields(obj.text)

    async def read_mirrored(self, obj: ReadObject) -> None:
        """Read which class a java.lang.Class stands for."""
        if not isinstance(obj.reference, ClassObjectReference) or obj.mirrored is not None:
            return
        try:
            type_ = await obj.reference.reflected_type()
        except UnsupportedError:
            mirrors = await self._primitive_mirrors()
            obj.mirrored = mirrors.get(obj.reference.id, "V")
            return
        if type_.signature.startswith("L"):
            obj.mirrored = await self.classes.of(type_)
        else:
            obj.mirrored = type_.signature

    async def class_object(self, of: ReadClass | str) -> ReadObject:
        """The java.lang.Class of a class, or of an array type by its descriptor."""
        type_: ReferenceType | None
        if isinstance(of, str) and not of.startswith("["):
            mirrors = {kind: id_ for id_, kind in (await self._primitive_mirrors()).items()}
            return self._mirror_of(self._objects[mirrors[of]], of)
        if isinstance(of, str):
            found = await self.vm.classes_by_signature(of)
            if len(found) != 1:
                raise UnreadableError(f"the class of {of} is not known")
            type_ = found[0]
        else:
            type_ = of.type
            if type_ is None:
                made = blank(await self.bootstrap_class("java/lang/Class"))
                made.mirrored = of
                return made
        return self._mirror_of(self.slot(await type_.class_object()), of)

    @staticmethod
    def _mirror_of(known: Slot, of: ReadClass | str) -> ReadObject:
        if not isinstance(known, ReadObject):
            raise UnreadableError(f"the class of {of} is not known")
        known.mirrored = of
        return known

    async def _primitive_mirrors(self) -> dict[int, str]:
        """The descriptors of primitive types, by the ids of their class objects."""
        if not self._primitives:
            for kind, name in BOXES.items():
                box = await self.bootstrap_class(name.replace(".", "/"))
                await self.read_statics(box)
                mirror = self.statics[box]["TYPE"]
                if isinstance(mirror, ReadObject) and mirror.reference is not None:
                    self._primitives[mirror.reference.id] = kind.value
        return self._primitives

    async def require_initialized(self, of: ReadClass) -> None:
        """UninitializedError if static initializers have to be interpreted first; UnreadableError
        for those of classes that are not of the JDK.
        """
        if of in self.initialized:
            return
        try:
            await of.require_initialized()
        except UninitializedError as error:
            waiting = tuple(each for each in error.classes if each not in self.initialized)
            if not waiting:
                self.initialized.add(of)
                return
            if not all(each.name.startswith(OF_JDK) for each in waiting):
                raise UnreadableError(str(error)) from error
            raise UninitializedError(str(error), waiting) from error

    async def read_statics(self, of: ReadClass) -> None:
        """Read the static fields of a class. UnreadableError if it is not initialized."""
        if of in self.statics:
            return
        await self.require_initialized(of)
        fields = [each for each in of.fields if each.is_static]
        if of.type is None or of in self.initialized:
            self.statics[of] = {each.name: default_of(each.signature) for each in fields}
            return
        values = await of.type.static_values(_known_fields(fields))
        self._count(8 * len(fields))
        names = (each.name for each in fields)
        self.statics[of] = dict(zip(names, map(self.slot, values), strict=True))

    # --- arrays ----------------------------------------------------------------------------------

    async def read_length(self, array: ReadArray) -> None:
        """Read the type and the length of an array."""
        if isinstance(array.reference, ArrayReference) and array.length < 0:
            await self._prefetch(array.reference)
            array.descriptor = (await array.reference.type()).signature
            array.length = await array.reference.length()

    async def read_element(self, array: ReadArray, index: int) -> None:
        """Read a block of elements that has the one at the index."""
        await self.read_length(array)
        items = array.items
        if not isinstance(array.reference, ArrayReference) or not isinstance(items, dict):
            return
        is_reference = array.descriptor[1] in "L["
        block = _BLOCK if is_reference else _BLOCK_OF_NUMBERS
        start = index - index % block
        end = min(start + block, array.length)
        if is_reference and index < _FIRST:
            start, end = 0, min(_FIRST, array.length)
        values = None
        if is_reference:
            values = self._seen_elements(array.reference, start, end - start)
        if values is None:
            values = await array.reference.get(start, end - start)
        self._count((end - start) * _SIZES.get(array.descriptor[1], 8))
        items.update(zip(range(start, end), map(self.slot, values), strict=True))

    # --- bulk ------------------------------------------------------------------------------------

    async def _prefetch(self, reference: ObjectReference) -> None:
        """Read an object, and what it refers to, in one round trip, if our agent is there."""
        found = await page.read_around(reference, self._snapshots)
        if found is not None:
            self._snapshots.append(found)

    def _seen_fields(
        self, reference: ObjectReference, fields: list[FieldId]
    ) -> tuple[Value, ...] | None:
        for each in self._snapshots:
            found = each.fields(reference.id, tuple(fields))
            if found is not None:
                return tuple(map(self.vm.value, found))
        return None

    def _seen_elements(
        self, array: ArrayReference, start: int, count: int
    ) -> tuple[Value, ...] | None:
        for each in self._snapshots:
            found = each.elements(ArrayId(array.id), start, count)
            if found is not None:
                return self.vm.region_values(found)
        return None

    def _bytes_left(self) -> int:
        return max(0, MOST_BYTES - self._bytes) // 2

    def _count(self, size: int) -> None:
        self._bytes += size
        if self._bytes > MOST_BYTES:
            raise NotReadError(
                f"it takes more than {MOST_BYTES // 2**20} MB of the program's objects, and only "
                "so much is read for an expression"
            )


def _known_fields(fields: Iterable[ReadField]) -> list[Field]:
    return [each.field for each in fields if each.field is not None]


def blank(of_class: ReadClass) -> ReadObject:
    """A new object with the values that fields have before they are assigned."""
    made = ReadObject(of_class)
    made.fields = {key: default_of(each.signature) for key, each in of_class.instance_fields()}
    return made
