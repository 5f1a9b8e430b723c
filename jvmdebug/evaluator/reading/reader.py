# SPDX-License-Identifier: Apache-2.0
"""The calls of an evaluation that may only read: values to slots, the call, and back.

One for each Run, made at its first call. Errors name the call that the text makes and the method
inside it that does more than read.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from jvmdebug.classfile.descriptors import is_primitive
from jvmdebug.errors import ClassFileError, EvaluationError
from jvmdebug.evaluator.reading import made_values
from jvmdebug.evaluator.reading.arrays import ReadArray, new_array
from jvmdebug.evaluator.reading.errors import (
    NotReadError,
    RefusedError,
    ThrownError,
    UnreadableError,
)
from jvmdebug.evaluator.reading.heap import Heap, blank
from jvmdebug.evaluator.reading.machine import Machine
from jvmdebug.evaluator.reading.objects import STRING, ReadObject
from jvmdebug.evaluator.reading.slots import SECOND, is_wide
from jvmdebug.evaluator.run.exceptions import JavaThrowsError
from jvmdebug.evaluator.run.interpreter import MadeObject, NewString
from jvmdebug.evaluator.run.values import origin_method
from jvmdebug.model.made_reference import MadeReference
from jvmdebug.model.primitives import BOXES, PrimitiveKind, PrimitiveValue
from jvmdebug.model.text_of_reading import TextOfReading
from jvmdebug.model.values import NULL, VOID, NullValue, ObjectReference

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from jvmdebug.evaluator.parse.syntax import Span
    from jvmdebug.evaluator.reading.method_code import MethodCode
    from jvmdebug.evaluator.reading.slots import Slot
    from jvmdebug.evaluator.run.interpreter import Run, RunValue
    from jvmdebug.evaluator.symbols.declarations import MethodDeclaration
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.model.values import Value

_BOXED: Final = {name: kind for kind, name in BOXES.items()}


@dataclass(frozen=True, slots=True)
class Asked:
    """A call of a text, for messages."""

    name: str
    span: Span


@dataclass(frozen=True, slots=True)
class CompiledClass:
    """A method of a class that was compiled for the evaluation."""

    name: str
    """The internal name of the class."""
    files: Mapping[str, bytes]
    """The class files by Java names: that of the class, and its helpers."""
    method: str
    kind_field: str
    """The static field that tells the descriptor of the value; `L` for objects."""
    beside: ReferenceType
    """The class of the frame."""
    text: str
    """What was compiled."""


class Reader:
    """Computes calls for one Run."""

    def __init__(self, run: Run) -> None:
        self._heap = Heap(run.vm)
        self._machine = Machine(self._heap)
        self._objects = self._machine.objects

    async def static_call(
        self, method: MethodDeclaration, arguments: Sequence[RunValue], span: Span
    ) -> RunValue:
        """The result of a static method."""
        with _told(Asked(f"{method.name}()", span)):
            code = await self._code(method)
            await self._machine.initialize(code.of_class)
            return await self._result(code, await self._arguments(code, arguments))

    async def instance_call(
        self,
        method: MethodDeclaration,
        target: RunValue,
        arguments: Sequence[RunValue],
        span: Span,
        *,
        is_virtual: bool = True,
    ) -> RunValue:
        """The result of a method of an object."""
        if isinstance(target, NullValue):
            raise JavaThrowsError(
                "java.lang.NullPointerException", f"cannot call {method.name}(): null", span
            )
        with _told(Asked(f"{method.name}()", span)):
            code = await self._code(method)
            receiver = await self._slot(target)
            if is_virtual and not code.is_private:
                code = await self._selected(code, receiver)
            return await self._result(code, [receiver, *await self._arguments(code, arguments)])

    async def virtual_call(
        self, target: RunValue, declared: MethodDeclaration, span: Span
    ) -> RunValue:
        """The result of a method without parameters that a text uses implicitly."""
        return await self.instance_call(declared, target, (), span)

    async def new_object(
        self, constructor: MethodDeclaration, arguments: Sequence[RunValue], span: Span
    ) -> RunValue:
        """A new object, which exists here only."""
        with _told(Asked("a constructor", span)):
            code = await self._code(constructor)
            await self._machine.initialize(code.of_class)
            made = blank(code.of_class)
            await self._machine.call(code, [made, *await self._arguments(code, arguments)])
            return await self._value(made, "L")

    async def compiled_call(
        self, code: CompiledClass, arguments: Sequence[RunValue], span: Span
    ) -> tuple[str, RunValue]:
        """Call a method of a class that exists here only. Returns the letter that it has left in
        its field of the kind, and the value, a primitive one without its box.
        """
        with _told(Asked("compiled code", span)):
            of_class = await self._heap.classes.compiled(code.name, code.files, code.beside)
            method = next(each for key, each in of_class.methods.items() if key[0] == code.method)
        try:
            slots = await self._arguments(method, arguments)
            found = await self._machine.call(method, slots)
        except (ThrownError, RefusedError, UnreadableError, NotReadError, ClassFileError):
            name = self._machine.call_within(of_class) or "the code"
            at = code.text.find(f"{name}(")
            shown = f"{name}()" if at >= 0 else name
            with _told(Asked(shown, replace(span, start=max(at, 0)))):
                raise
        letter = self._heap.statics.get(of_class, {}).get(code.kind_field)
        kind = "" if letter is None else self._objects.text(letter)
        value = await self._value(found, "L")
        if kind not in ("", "L", "V") and isinstance(found, ReadObject):
            objects = self._objects
            key = "java/lang/" + BOXES[PrimitiveKind(kind)].rpartition(".")[2] + ".value"
            return kind, _primitive(await objects.read(lambda: objects.field(found, key)), kind)
        return kind, value

    async def new_array(
        self, descriptor: str, lengths: Sequence[int], elements: Sequence[RunValue], span: Span
    ) -> RunValue:
        """A new array, which exists here only."""
        with _told(Asked("a new array", span)):
            made = self._nested(descriptor, lengths)
            if elements:
                made.items = [await self._slot(each) for each in elements]
            return MadeObject(made)

    def _nested(self, descriptor: str, lengths: Sequence[int]) -> ReadArray:
        self._objects.count_made(1 + lengths[0])
        made = new_array(descriptor, lengths[0])
        if len(lengths) > 1:
            made.items = [self._nested(descriptor[1:], lengths[1:]) for _ in range(lengths[0])]
        return made

    async def field(self, made: MadeObject, owner: str, name: str, descriptor: str) -> RunValue:
        """A field of an object that a call has made."""
        found = self._objects.field(made.found, f"{owner.replace('.', '/')}.{name}")
        return await self._value(found, descriptor)

    async def element(self, made: MadeObject, index: int, span: Span) -> RunValue:
        """An element of an array that a call has made."""
        array = made.found
        if not isinstance(array, ReadArray):
            raise EvaluationError("expected an array", span.column)
        with _told(Asked("an element", span)):
            return await self._value(self._objects.element(array, index), array.descriptor[1:])

    async def unboxed(self, made: MadeObject) -> PrimitiveValue | None:
        """The value of a box that a call has made; None for another object."""
        found = made.found
        of_class = found.of_class if isinstance(found, ReadObject) else None
        kind = None if of_class is None else _BOXED.get(of_class.java_name)
        if of_class is None or kind is None:
            return None
        value = self._objects.field(found, f"{of_class.name}.value")
        return _primitive(value, kind.value)

    async def shown(self, made: MadeObject) -> Value | None:
        """An object that a call has made, to be shown; None if its class is not loaded."""
        return await made_values.shown(self._objects, made.found)

    # --- slots and values ------------------------------------------------------------------------

    async def _code(self, method: MethodDeclaration) -> MethodCode:
        origin = origin_method(method)
        of_class = await self._heap.classes.of(origin.declaring_type)
        return of_class.methods[origin.name, origin.signature]

    async def _selected(self, code: MethodCode, receiver: Slot) -> MethodCode:
        await self._objects.prepare()
        objects = self._objects
        return await objects.read(lambda: objects.selected(receiver, code.name, code.descriptor))

    async def _arguments(self, code: MethodCode, values: Sequence[RunValue]) -> list[Slot]:
        slots: list[Slot] = []
        for descriptor, value in zip(code.parameters, values, strict=True):
            slots.append(await self._slot(value))
            if is_wide(descriptor):
                slots.append(SECOND)
        return slots

    async def _slot(self, value: RunValue) -> Slot:
        await self._objects.prepare()
        match value:
            case NewString(text=text, is_constant=True):
                return self._objects.literal(text)
            case NewString(text=text):
                return self._objects.new_string(text)
            case MadeObject(found=found) | MadeReference(made=found):
                return found
            case TextOfReading():
                return self._objects.new_string(await value.as_text())
            case _:
                return self._heap.slot(value)

    async def _result(self, code: MethodCode, arguments: list[Slot]) -> RunValue:
        return await self._value(await self._machine.call(code, arguments), code.result)

    async def _value(self, found: Slot, descriptor: str) -> RunValue:
        if descriptor == "V":
            return VOID
        if is_primitive(descriptor):
            return _primitive(found, descriptor)
        if found is None:
            return NULL
        if found.reference is not None:
            return _reference(found.reference)
        if isinstance(found, ReadObject) and found.of_class and found.of_class.name == STRING:
            text = self._objects.text(found)
            return NewString(text, is_constant=self._objects.literal(text) is found)
        return MadeObject(found)


def _primitive(value: Slot, descriptor: str) -> PrimitiveValue:
    kind = PrimitiveKind(descriptor)
    return PrimitiveValue(kind, bool(value) if kind is PrimitiveKind.BOOLEAN else value)


def _reference(found: ObjectReference) -> Value:
    return found


@contextmanager
def _told(asked: Asked) -> Iterator[None]:
    """Errors in the words of the text's author."""
    column = asked.span.column
    try:
        yield
    except ThrownError as thrown:
        name = thrown.name.replace("/", ".")
        raise JavaThrowsError(name, thrown.detail or "no message", asked.span) from thrown
    except UnreadableError as unknown:
        text = f"{asked.name} cannot be computed by reading: {unknown}"
        raise NotReadError(text, column) from unknown
    except RefusedError as refused:
        raise NotReadError(
            f"{asked.name} does more than read: {refused}, and only reading is allowed here", column
        ) from refused
    except ClassFileError as error:
        raise NotReadError(f"{asked.name} cannot be computed by reading: {error}", column) from None
    except NotReadError as error:
        raise NotReadError(
            f"{asked.name} cannot be computed by reading: {error}", column
        ) from error
