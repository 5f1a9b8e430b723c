# SPDX-License-Identifier: Apache-2.0
"""The text of one object by the plans of its class and of those that it refers to, from their
fields. Begin with `Writer.text`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug.classfile import MemberReference
from jvmdebug.classfile.descriptors import is_primitive
from jvmdebug.evaluator.plans.decoding import UnplannedError
from jvmdebug.evaluator.plans.following import Run
from jvmdebug.evaluator.plans.jdk_calls import KINDS, UNBOXING
from jvmdebug.evaluator.plans.planned import NotOwnError
from jvmdebug.evaluator.plans.slots import Box, Builder, Class, Slot, number_of, slot_of
from jvmdebug.model.java_text import java_text
from jvmdebug.model.primitives import PrimitiveKind, PrimitiveValue
from jvmdebug.model.values import ObjectReference, StringReference

if TYPE_CHECKING:
    from jvmdebug.evaluator.plans.planned import Plans, Target
    from jvmdebug.model.field import Field
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.model.values import Value

TO_STRING: Final = MemberReference("java/lang/Object", "toString", "()Ljava/lang/String;")
_DEEPEST: Final = 6
"""Calls inside each other: of getters, and of texts of nested objects."""
_MOST_STEPS: Final = 2000
"""For one text."""
_LONGEST: Final = 10_000
"""UTF-16 units of a text; longer strings are not read."""
_GET_CLASS: Final = "()Ljava/lang/Class;"


class Writer:
    """Writes one object."""

    def __init__(self, plans: Plans, *, is_older: bool, may_make: bool) -> None:
        """`is_older`: whether the VM writes numbers as before JDK 19."""
        self._plans = plans
        self._is_older = is_older
        self._may_make = may_make
        self._steps = 0
        self._read: dict[ObjectReference, dict[Field, Value]] = {}

    async def text(self, reference: ObjectReference) -> str | None:
        """What the object's toString() gives; None for null, and where a record or the JDK has the
        method. UnplannedError if that cannot be told, NotMadeError as in `Plans.target`.
        """
        type_ = await reference.type()
        target = await self._plans.target(type_, TO_STRING, may_make=self._may_make)
        if target.plan.is_of_record:
            return None
        found = await self._followed(target, reference, 0)
        return None if found is None else await self.written(found, "", 0)

    async def _followed(self, of: Target, this: ObjectReference, depth: int) -> Slot:
        """What the method returns."""
        if depth > _DEEPEST:
            raise UnplannedError("objects are nested deep")
        run = Run(self, of, this, depth)
        steps, at = of.plan.steps, 0
        try:
            while steps[at].name != "return":
                self._steps += 1
                if self._steps > _MOST_STEPS:
                    raise UnplannedError("it takes many steps")
                at = steps[at].jump if await run.does(steps[at]) else at + 1
            return run.stack.pop()
        except LookupError as error:  # only code that the VM would refuse does that
            raise UnplannedError("it takes what is not there") from error

    async def written(self, value: Slot, descriptor: str, depth: int) -> str:
        """String conversion (JLS 5.1.11)."""
        if descriptor and is_primitive(descriptor):
            return self._primitive_text(number_of(value), descriptor)
        match value:
            case None:
                text = "null"
            case str():
                text = value
            case Builder():
                text = value.text
            case Box():
                text = self._primitive_text(value.number, value.kind)
            case StringReference():
                text, length = await value.beginning(_LONGEST)
                if length > _LONGEST:
                    raise UnplannedError("a string is long")
            case ObjectReference() if type(value) is ObjectReference:
                text = await self._object_text(value, depth)
            case _:
                raise UnplannedError("it writes an array, a class or a thread")
        return text

    def _primitive_text(self, number: float, descriptor: str) -> str:
        kind = PrimitiveKind(descriptor)
        value = bool(number) if kind is PrimitiveKind.BOOLEAN else number
        return java_text(PrimitiveValue(kind, value), is_older=self._is_older)

    async def _object_text(self, reference: ObjectReference, depth: int) -> str:
        type_ = await reference.type()
        kind = KINDS.get(type_.signature[1:-1])
        if kind is not None:
            return self._primitive_text(number_of(await self.unboxed(reference)), kind)
        found = await self.called(reference, TO_STRING, depth)
        return "null" if found is None else await self.written(found, "", depth)

    async def called(self, on: ObjectReference, member: MemberReference, depth: int) -> Slot:
        """What a method without parameters gives, of an object that is no string."""
        type_ = await on.type()
        if member.name == "getClass" and member.descriptor == _GET_CLASS:
            name = await self._plans.simple_name(type_, may_make=self._may_make)
            return Class(type_.name, name)
        if (member.name, member.descriptor) in UNBOXING and type_.signature[1:-1] in KINDS:
            return await self.unboxed(on)
        try:
            target = await self._plans.target(type_, member, may_make=self._may_make)
        except NotOwnError:
            return await self.of_enum(on, type_, member)
        return await self._followed(target, on, depth + 1)

    async def exactly(
        self, of: Target, on: ObjectReference, member: MemberReference, depth: int
    ) -> Slot:
        """What `super.toString()` or a call of a private method gives."""
        type_ = await on.type()
        if member.owner == "java/lang/Enum":
            return await self.of_enum(on, type_, member)
        target = await self._plans.exactly(of, member, may_make=self._may_make)
        return await self._followed(target, on, depth + 1)

    async def of_enum(
        self, on: ObjectReference, type_: ReferenceType, member: MemberReference
    ) -> Slot:
        """What java.lang.Enum has: the name, and the ordinal."""
        named = {"name": "name", "toString": "name", "ordinal": "ordinal"}.get(member.name)
        if named is not None:
            for field in await self._plans.fields(type_):
                if field.name == named and field.declaring_type.name == "java.lang.Enum":
                    return slot_of((await self._values(on))[field])
        raise UnplannedError(f"it calls {member.name}() of {type_.name}")

    async def unboxed(self, box: ObjectReference) -> Slot:
        """The number in a box."""
        for field, value in (await self._values(box)).items():
            if field.name == "value":
                return slot_of(value)
        raise UnplannedError("a box without a value")

    async def field(self, on: Slot, member: MemberReference) -> Slot:
        """The value of a field of an object (JVMS 5.4.3.2)."""
        if type(on) is not ObjectReference:
            raise UnplannedError(f"it reads {member.name} of null")
        values = await self._values(on)
        chain = [each.signature[1:-1] for each in await _chain(await on.type())]
        from_owner = chain[chain.index(member.owner) :] if member.owner in chain else []
        named = {
            field.declaring_type.signature[1:-1]: value
            for field, value in values.items()
            if (field.name, field.signature) == (member.name, member.descriptor)
        }
        for each in from_owner:
            if each in named:
                return slot_of(named[each])
        raise UnplannedError(f"there is no field {member.name}")

    async def _values(self, on: ObjectReference) -> dict[Field, Value]:
        """All fields of the object, in one command."""
        if on not in self._read:
            fields = await self._plans.fields(await on.type())
            values = await on.get_values(fields) if fields else ()
            self._read[on] = dict(zip(fields, values, strict=True))
        return self._read[on]


async def _chain(type_: ReferenceType) -> tuple[ReferenceType, ...]:
    return (type_, *await type_.superclasses())
