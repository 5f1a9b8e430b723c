# SPDX-License-Identifier: Apache-2.0
"""One run of a method's plan: its stack and its variables, step by step."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Final, Protocol, cast

from jvmdebug.classfile import MemberReference
from jvmdebug.classfile.descriptors import parse_method_descriptor
from jvmdebug.evaluator.plans.decoding import (
    CONDITIONS,
    ClassName,
    Concatenation,
    RecordText,
    Step,
    UnplannedError,
)
from jvmdebug.evaluator.plans.jdk_calls import JOINER, STATIC, UNBOXING
from jvmdebug.evaluator.plans.slots import Box, Builder, Class, Slot, number_of
from jvmdebug.model.java_text import joined, utf16_length
from jvmdebug.model.values import ObjectReference, StringReference

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmdebug.evaluator.plans.planned import Target

_TO_STRING: Final = ("toString", "()Ljava/lang/String;")
_COMPARED: Final[dict[str, Callable[[float, float], bool]]] = {
    "eq": operator.eq, "ne": operator.ne, "lt": operator.lt, "ge": operator.ge, "gt": operator.gt,
    "le": operator.le,
}  # fmt: skip


class Objects(Protocol):
    """Reads objects and calls their methods; `depth` is how many calls are under way."""

    async def written(self, value: Slot, descriptor: str, depth: int) -> str:
        """String conversion (JLS 5.1.11) of a value of the type `descriptor`; empty: an object."""

    async def field(self, on: Slot, member: MemberReference) -> Slot:
        """The value of a field of an object (JVMS 5.4.3.2)."""

    async def called(self, on: ObjectReference, member: MemberReference, depth: int) -> Slot:
        """What a method without parameters gives, of an object that is no string."""

    async def exactly(
        self, of: Target, on: ObjectReference, member: MemberReference, depth: int
    ) -> Slot:
        """What `super.toString()` or a call of a private method gives."""


class Run:
    """One run of a method: what is on its stack, and in its variables."""

    def __init__(self, objects: Objects, of: Target, this: ObjectReference, depth: int) -> None:
        self.stack: list[Slot] = []
        self._objects = objects
        self._of = of
        self._this = this
        self._depth = depth
        self._locals: dict[int, Slot] = {0: this}

    async def does(self, step: Step) -> bool:
        """Do one step. Whether it jumps."""
        operand = step.operand
        if isinstance(operand, MemberReference):
            found = await self._member(step.name, operand)
            if not operand.descriptor.endswith(")V"):
                self.stack.append(found)
        elif isinstance(operand, Concatenation):
            await self._concatenate(operand)
        elif isinstance(operand, RecordText):
            self.stack.append(await self._record(self.stack.pop(), operand.names))
        elif step.name in CONDITIONS:
            return self._holds(step.name)
        else:
            self._move(step)
        return step.name == "goto"

    def _move(self, step: Step) -> None:
        """What changes the stack and the variables only."""
        match step:
            case Step("push", ClassName(internal)):
                name = internal.replace("/", ".")
                self.stack.append(Class(name, self._of.simple_names[internal]))
            case Step("push", value):
                self.stack.append(cast("Slot", value))
            case Step("load", slot):
                self.stack.append(self._locals[cast("int", slot)])
            case Step("store", slot):
                self._locals[cast("int", slot)] = self.stack.pop()
            case Step("pop"):
                self.stack.pop()
            case Step("dup"):
                self.stack.append(self.stack[-1])
            case Step("new"):
                self.stack.append(Builder([]))
            case _:  # `nop`, and `goto`
                pass

    async def _member(self, kind: str, member: MemberReference) -> Slot:
        """A field, or what a call gives; None for a constructor."""
        if kind == "field":
            return await self._objects.field(self.stack.pop(), member)
        count = len(parse_method_descriptor(member.descriptor).parameters)
        arguments = self.stack[len(self.stack) - count :] if count else []
        del self.stack[len(self.stack) - count :]
        if kind == "static":
            return await self._static(member, arguments)
        on = self.stack.pop()
        if isinstance(on, Builder):
            return await self._of_builder(on, member, arguments)
        return await self._of_object(kind, on, member, arguments)

    async def _static(self, member: MemberReference, arguments: list[Slot]) -> Slot:
        what, first = STATIC[member], arguments[0]
        if what.startswith("box "):
            return Box(what[-1], number_of(first))
        if what == "or":
            return arguments[1] if first is None else await self._text(first)
        if what == "plus":
            return joined([await self._text(first), await self._text(arguments[1])])
        return await self._text(first, what)

    async def _of_builder(
        self, on: Builder, member: MemberReference, arguments: list[Slot]
    ) -> Slot:
        kinds = parse_method_descriptor(member.descriptor).parameters
        if member.name == "toString":
            return on.text
        if member.name in ("append", "add"):
            on.parts.append(await self._text(arguments[0], kinds[0]))
        elif member.owner == JOINER:
            between, *around = [await self._text(each) for each in arguments]
            on.between, on.around = between, (around[0], around[1]) if around else ("", "")
        elif kinds not in ((), ("I",)):
            on.parts.append(await self._text(arguments[0]))
        return on

    async def _of_object(
        self, kind: str, on: Slot, member: MemberReference, arguments: list[Slot]
    ) -> Slot:
        if isinstance(on, StringReference | str):
            return await self._of_string(on, member, arguments)
        if isinstance(on, Class | Box):
            return await self._of_made(on, member)
        if type(on) is not ObjectReference:
            raise UnplannedError(f"it calls {member.name}() of something else")
        if (member.name, member.descriptor) == _TO_STRING and kind == "virtual":
            return await self._text(on)
        if kind == "special":
            return await self._objects.exactly(self._of, on, member, self._depth)
        return await self._objects.called(on, member, self._depth)

    async def _of_string(
        self, on: StringReference | str, member: MemberReference, arguments: list[Slot]
    ) -> Slot:
        text = await self._text(on)
        found: dict[str, Slot] = {
            "toString": text,
            "length": utf16_length(text),
            "isEmpty": int(not text),
        }
        if arguments and arguments[0] is not None:
            found["concat"] = joined([text, await self._text(arguments[0])])
        if member.name not in found:
            raise UnplannedError(f"it calls {member.name}() of a string")
        return found[member.name]

    async def _of_made(self, on: Class | Box, member: MemberReference) -> Slot:
        if isinstance(on, Class) and member.name in ("getSimpleName", "getName"):
            return on.simple_name if member.name == "getSimpleName" else on.name
        if isinstance(on, Box) and (member.name, member.descriptor) in UNBOXING:
            return on.number
        if isinstance(on, Box) and member.name == "toString":
            return await self._text(on)
        raise UnplannedError(f"it calls {member.name}() of a box or a class")

    async def _concatenate(self, wanted: Concatenation) -> None:
        first = len(self.stack) - wanted.arguments
        values = iter(self.stack[first:])
        parts = [
            await self._text(next(values), each.descriptor) if each.descriptor else each.text
            for each in wanted.parts
        ]
        del self.stack[first:]
        self.stack.append(joined(parts))

    async def _record(self, on: Slot, names: tuple[str, ...]) -> str:
        own = self._of.method.declaring_type
        internal = own.signature[1:-1]
        parts = []
        for name in names:
            signature = next((f.signature for f in await own.fields() if f.name == name), "")
            value = await self._objects.field(on, MemberReference(internal, name, signature))
            parts.append(f"{name}={await self._text(value, signature)}")
        return joined([f"{self._of.simple_names[internal]}[", ", ".join(parts), "]"])

    async def _text(self, value: Slot, descriptor: str = "") -> str:
        return await self._objects.written(value, descriptor, self._depth)

    def _holds(self, condition: str) -> bool:
        value = self.stack.pop()
        if condition in ("null", "nonnull"):
            return (value is None) == (condition == "null")
        number = number_of(value)
        if condition.startswith("icmp"):
            return _COMPARED[condition.removeprefix("icmp")](number_of(self.stack.pop()), number)
        return _COMPARED[condition](number, 0)
