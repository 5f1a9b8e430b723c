# SPDX-License-Identifier: Apache-2.0
"""The interpreter of bytecode: frames, calls, exceptions and its limits.

`run` goes on until something has to be read, reads it, and repeats the instruction; so a method is
interpreted without waiting for anything, and each read is one for many instructions. Writes reach
objects that the call has made, never those of the program.
"""

from __future__ import annotations

import asyncio
import inspect
from typing import TYPE_CHECKING, Any, Final, TypeVar

from jvmdebug.errors import ClassFileError
from jvmdebug.evaluator.reading import dynamic, natives
from jvmdebug.evaluator.reading.heap import blank
from jvmdebug.evaluator.reading.instructions import decoded
from jvmdebug.evaluator.reading.objects import (
    OBJECT,
    SECOND,
    STRING,
    MissingError,
    NotReadError,
    ReadArray,
    ReadObject,
    RefusedError,
    Slot,
    ThrownError,
    UnreadableError,
    is_wide,
    string_fields,
)
from jvmdebug.jdwp.generated import jvmti
from jvmdebug.model.agent import AgentCapability

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from jvmdebug.evaluator.reading.classes import MethodCode, ReadClass
    from jvmdebug.evaluator.reading.heap import Heap

MOST_STEPS: Final = 1_000_000
"""Instructions of one evaluation: about two seconds."""
MOST_MADE: Final = 1_000_000
"""Objects and elements that it makes."""
_DEEPEST: Final = 1_000
_AT_ONCE: Final = 5_000
"""Instructions until others may run."""
_OF_JDK: Final = ("java/", "javax/", "jdk/", "sun/")
_THROWABLE: Final = "java/lang/Throwable.detailMessage"


T = TypeVar("T")


class Frame:
    """A method that is interpreted."""

    __slots__ = ("code", "locals", "made", "position", "stack", "steps")

    def __init__(self, code: MethodCode, arguments: list[Slot]) -> None:
        self.code = code
        self.steps = code.steps or []
        self.locals = arguments + [None] * (code.locals - len(arguments))
        self.stack: list[Slot] = []
        self.position = 0
        self.made: ReadObject | None = None
        """What a call of a constructor gives, where a lambda stands for it."""


class Generated:
    """A method that a generator computes: it yields what it reads, as a function that is called
    until nothing is missing, and the calls that it makes.
    """

    __slots__ = ("generator", "label", "result", "value", "wanted")

    def __init__(self, generator: Generator[Any, Any, Slot], result: str, label: str) -> None:
        self.generator = generator
        self.result = result
        self.label = label
        self.wanted: Any = None
        self.value: Slot = None


class Machine:
    """Interprets the calls of one evaluation."""

    def __init__(self, heap: Heap) -> None:
        self.heap = heap
        self._frames: list[Frame | Generated] = []
        self._result: Slot = None
        self._steps = 0
        self._made = 0
        self._literals: dict[str, ReadObject] = {}
        self._mirrors: dict[ReadClass | str, ReadObject] = {}
        self._bootstrap: dict[str, ReadClass] = {}
        self._absent: set[tuple[ReadClass, str]] = set()
        self._hashes: dict[ReadObject | ReadArray, int] = {}
        self._pending: ThrownError | None = None

    # --- running ---------------------------------------------------------------------------------

    async def call(self, code: MethodCode, arguments: list[Slot]) -> Slot:
        """The result of a method. RefusedError, ThrownError and NotReadError say why there is
        none.
        """
        await self.prepare()
        self._frames = []
        await self.read(lambda: self.enter(code, arguments, None))
        while self._frames:
            try:
                self._run()
            except MissingError as missing:
                await missing.load()
            await asyncio.sleep(0)
        return self._result

    async def prepare(self) -> None:
        """Read the classes that everything needs; before anything else."""
        for name in (STRING, OBJECT):
            if name not in self._bootstrap:
                self._bootstrap[name] = await self.heap.bootstrap_class(name)

    async def read(self, wanted: Callable[[], T]) -> T:
        """The result of a function that may raise MissingError."""
        while True:
            try:
                return wanted()
            except MissingError as missing:
                await missing.load()

    def _run(self) -> None:
        frames = self._frames
        end = self._steps + _AT_ONCE
        if self._pending is not None:
            self._unwind(self._pending)
        while frames and self._steps < end:
            frame = frames[-1]
            try:
                if isinstance(frame, Generated):
                    self._advance(frame)
                    continue
                run, operand = frame.steps[frame.position]
                to = run(self, frame, operand)
                frame.position = frame.position + 1 if to is None else to
                self._steps += 1
            except ThrownError as thrown:
                self._unwind(thrown)
        if self._steps > MOST_STEPS:
            raise NotReadError(f"it takes more than {MOST_STEPS:,} instructions{self._where()}")

    def _where(self) -> str:
        frame = self._frames[-1] if self._frames else None
        return f", the last in {frame.code.label}" if isinstance(frame, Frame) else ""

    def _advance(self, frame: Generated) -> None:
        """Does what a generator wants, or takes its result."""
        if frame.wanted is None:
            try:
                frame.wanted = frame.generator.send(frame.value)
            except StopIteration as done:
                self.leave(done.value)
                return
        wanted = frame.wanted
        if isinstance(wanted, dynamic.VirtualCall):
            code = self.selected(wanted.receiver, wanted.name, wanted.descriptor)
            self.enter(code, [wanted.receiver, *wanted.arguments], frame)
        else:
            frame.value = wanted()
        frame.wanted = None
        self._steps += 1

    # --- calls -----------------------------------------------------------------------------------

    def enter(
        self, code: MethodCode, arguments: list[Slot], caller: Frame | Generated | None
    ) -> None:
        """Begin a call, with its arguments in slots; compute it at once if it is no bytecode."""
        compute = natives.function_of(code) if code.steps is None else None
        if compute is not None:
            found = compute(self, [each for each in arguments if each is not SECOND])
            self.push_computed(caller, found, code.result)
            return
        self._require_code(code)
        if len(self._frames) >= _DEEPEST:
            raise NotReadError(f"it calls more than {_DEEPEST} methods inside of each other")
        self._frames.append(Frame(code, arguments))

    def enter_constructor(self, code: MethodCode, arguments: list[Slot], made: ReadObject) -> None:
        """Begin the call of a constructor that gives the new object."""
        self._require_code(code)
        frame = Frame(code, arguments)
        frame.made = made
        self._frames.append(frame)

    def _require_code(self, code: MethodCode) -> None:
        if code.steps is not None:
            return
        if code.method.is_native:
            raise UnreadableError(f"{code.label} is native")
        if not code.method.has_code:
            raise ThrownError("java/lang/AbstractMethodError", code.label)

        async def read() -> None:
            content, _ = await asyncio.gather(code.method.bytecodes(), code.of_class.read_pool())
            if not content:
                raise ClassFileError(f"{code.label} has no code")
            code.code = content
            code.steps, code.positions, most = decoded(content)
            code.locals = max(most, code.slots)

        raise MissingError(read)

    def leave(self, value: Slot) -> None:
        """The topmost method returns."""
        done = self._frames.pop()
        if isinstance(done, Frame):
            result, value = (done.code.result, value) if done.made is None else ("L", done.made)
        else:
            result = done.result
        caller = self._frames[-1] if self._frames else None
        self.push(caller, value, result)

    def push(self, caller: Frame | Generated | None, value: Slot, descriptor: str) -> None:
        """Give a result to the method that has called."""
        if caller is None:
            self._result = value
        elif isinstance(caller, Generated):
            caller.value = value
        elif descriptor != "V":
            caller.stack.append(value)
            if is_wide(descriptor):
                caller.stack.append(SECOND)

    def push_computed(self, caller: Frame | Generated | None, found: Slot, descriptor: str) -> None:
        """The same for what was computed here: a value, or a generator that will give it."""
        if inspect.isgenerator(found):
            self._frames.append(Generated(found, descriptor, ""))
        else:
            self.push(caller, found, descriptor)

    def selected(self, receiver: Slot, name: str, descriptor: str) -> MethodCode:
        """The method that a call on an object runs."""
        of_class = self._bootstrap[OBJECT]
        if isinstance(receiver, ReadObject):
            of_class = self.class_of(receiver)
        elif receiver is None:
            raise ThrownError("java/lang/NullPointerException", f"cannot call {name}(): null")
        found = of_class.selected(name, descriptor)
        if found is None or found.method.is_abstract:
            raise UnreadableError(f"{of_class.type.name} has no code for {name}()")
        return found

    # --- exceptions ------------------------------------------------------------------------------

    def throw(self, thrown: Slot) -> None:
        """Raise ThrownError for an exception of the program."""
        if not isinstance(thrown, ReadObject):
            raise ThrownError("java/lang/NullPointerException", "cannot throw null")
        detail = self.field(thrown, _THROWABLE)
        text = None if detail is None else self.text(detail)
        raise ThrownError(self.class_of(thrown).name, text, thrown)

    def _unwind(self, thrown: ThrownError) -> None:
        """Go on at the handler of an exception; raise it if there is none."""
        self._pending = thrown
        frames = self._frames
        of_class = None
        while frames:
            frame = frames[-1]
            if isinstance(frame, Frame):
                if frame.code.handlers is None:
                    raise MissingError(frame.code.read_handlers)
                for start, end, handler, caught in frame.code.handlers:
                    if not start <= frame.position < end:
                        continue
                    of_class = of_class or self._class_of_thrown(thrown)
                    if caught is None or self._is_caught(frame, of_class, caught):
                        frame.stack[:] = [self._object_of(thrown, of_class)]
                        frame.position = handler
                        self._pending = None
                        return
            frames.pop()
            if frames and isinstance(frames[-1], Frame):
                frames[-1].position -= 1  # to the call
        self._pending = None
        raise thrown

    def _class_of_thrown(self, thrown: ThrownError) -> ReadClass:
        if thrown.thrown is not None:
            return self.class_of(thrown.thrown)
        return self.bootstrap(thrown.name)

    def _is_caught(self, frame: Frame, of_class: ReadClass, caught: str) -> bool:
        names = [each.name for each in of_class.supers]
        return caught in names and self.resolve(frame.code.of_class, caught) in of_class.supers

    def _object_of(self, thrown: ThrownError, of_class: ReadClass) -> ReadObject:
        if thrown.thrown is not None:
            return thrown.thrown
        made = blank(of_class)
        if made.fields is not None and thrown.detail is not None:
            made.fields[_THROWABLE] = self.new_string(thrown.detail)
        return made

    # --- what instructions ask for ---------------------------------------------------------------

    def class_of(self, found: Slot) -> ReadClass:
        """The class of an object."""
        if not isinstance(found, ReadObject):
            return self._bootstrap[OBJECT]
        if found.of_class is None:
            raise MissingError(lambda: self.heap.read_class(found))
        return found.of_class

    def read_fields(self, found: ReadObject) -> dict[str, Slot]:
        """The fields of an object."""
        if found.fields is None:
            raise MissingError(lambda: self.heap.read_fields(found))
        return found.fields

    def field(self, found: Slot, key: str) -> Slot:
        """A field of an object."""
        if not isinstance(found, ReadObject):
            raise ThrownError("java/lang/NullPointerException", f"cannot read {key}: null")
        fields = found.fields if found.fields is not None else self.read_fields(found)
        if key not in fields:
            raise UnreadableError(f"the VM does not show the field {key.replace('/', '.')}")
        return fields[key]

    def static(self, owner: ReadClass, name: str) -> Slot:
        """A static field."""
        known = self.heap.statics.get(owner)
        if known is None:
            raise MissingError(lambda: self.heap.read_statics(owner))
        if name not in known:
            raise UnreadableError(f"the VM does not show the field {owner.type.name}.{name}")
        return known[name]

    def length(self, array: ReadArray) -> int:
        """The length of an array."""
        if array.length < 0:
            raise MissingError(lambda: self.heap.read_length(array))
        return array.length

    def element(self, array: ReadArray, index: int) -> Slot:
        """An element of an array."""
        length = array.length if array.length >= 0 else self.length(array)
        if not 0 <= index < length:
            raise _out_of_bounds(index, length)
        items = array.items
        if isinstance(items, dict) and index not in items:
            raise MissingError(lambda: self.heap.read_element(array, index))
        return items[index]

    def set_element(self, array: ReadArray, index: int, value: Slot, code: MethodCode) -> None:
        """Assign an element of an array that the call has made."""
        length = self.length(array)
        if not 0 <= index < length:
            raise _out_of_bounds(index, length)
        if array.reference is not None:
            raise RefusedError(f"{code.label} writes to an array of the program")
        array.items[index] = value

    def is_same(self, left: Slot, right: Slot, code: MethodCode) -> bool:
        """Whether two references are equal. Which object a constant string is, is not known: the
        JDK's code compares texts next, other code is refused if they are equal.
        """
        if left is right:
            return True
        for one, other in ((left, right), (right, left)):
            if not isinstance(one, ReadObject) or not self._is_literal(one):
                continue
            text = None if other is None else self.text_if_string(other)
            if text == one.text and not code.of_class.name.startswith(_OF_JDK):
                raise UnreadableError(f"{code.label} compares a constant string by ==")
        return False

    def _is_literal(self, found: ReadObject) -> bool:
        return found.text is not None and self._literals.get(found.text) is found

    def is_instance(self, value: Slot, home: ReadClass, name: str) -> bool:
        """Whether an object is of a class that code of `home` names."""
        if name.startswith("["):
            return self.is_array_of(value, name)
        if isinstance(value, ReadArray):
            return name in (OBJECT, "java/lang/Cloneable", "java/io/Serializable")
        supers = self.class_of(value).supers
        if not any(each.name == name or "." in each.name for each in supers):
            return False
        return self.resolve(home, name) in supers

    def is_array_of(self, value: Slot, descriptor: str) -> bool:
        """Whether a value is an array that can be used as this type."""
        if not isinstance(value, ReadArray):
            return False
        self.length(value)
        own = value.descriptor
        while own.startswith("[") and descriptor.startswith("["):
            own, descriptor = own[1:], descriptor[1:]
        if own == descriptor:
            return True
        if descriptor[0] != "L" or own[0] not in "L[":
            return False
        if descriptor == f"L{OBJECT};":
            return True
        home = self._bootstrap[OBJECT]
        return own[0] == "L" and any(
            each.name == descriptor[1:-1] for each in self.resolve(home, own[1:-1]).supers
        )

    def resolve(self, home: ReadClass, name: str) -> ReadClass:
        """The class that code of `home` names. RefusedError if none is loaded."""
        known = home.known(name)
        if known is not None:
            return known
        if self.is_unloaded(home, name):
            raise UnreadableError(f"the class {name.replace('/', '.')} is not loaded")

        raise TypeError(f"{name} is known")

    def is_unloaded(self, home: ReadClass, name: str) -> bool:
        """Whether code of `home` names a class that is not loaded."""
        if home.known(name) is not None:
            return False
        if (home, name) in self._absent:
            return True

        async def find() -> None:
            if await self.heap.classes.named(self.heap.vm, name, home) is None:
                self._absent.add((home, name))

        raise MissingError(find)

    def bootstrap(self, name: str) -> ReadClass:
        """A class of the JDK."""
        known = self._bootstrap.get(name)
        if known is not None:
            return known

        async def find() -> None:
            self._bootstrap[name] = await self.heap.bootstrap_class(name)

        raise MissingError(find)

    def require_initialized(self, of_class: ReadClass) -> None:
        """RefusedError if the static initializer of a class would run."""
        if not of_class.is_initialized:
            raise MissingError(of_class.require_initialized)

    def mirror(self, of: ReadClass | str) -> ReadObject:
        """The java.lang.Class of a class, or of an array type."""
        known = self._mirrors.get(of)
        if known is not None:
            return known

        async def read() -> None:
            self._mirrors[of] = await self.heap.class_object(of)

        raise MissingError(read)

    def mirrored(self, found: Slot) -> ReadClass | str:
        """What a java.lang.Class stands for: a class, an array type, or `?` for a primitive
        type.
        """
        if not isinstance(found, ReadObject):
            raise ThrownError("java/lang/NullPointerException", "the class is null")
        if found.mirrored is None:
            if found.reference is None:
                raise UnreadableError("a java.lang.Class is made by native code")
            raise MissingError(lambda: self.heap.read_mirrored(found))
        return found.mirrored

    def identity_hash(self, found: ReadObject | ReadArray) -> int:
        """The identity hash code, which our agent alone tells."""
        if found in self._hashes:
            return self._hashes[found]
        reference = found.reference
        if reference is None:
            raise UnreadableError("java.lang.Object.hashCode() of a new object is native")
        vm = self.heap.vm
        if not vm.agent_can(AgentCapability.JVMTI):
            raise UnreadableError(
                "java.lang.Object.hashCode() is native, and only jvmdebug's agent tells the hash "
                "code of an object"
            )

        async def read() -> None:
            reply = await vm.request(jvmti.Call("GetObjectHashCode", (), (), (reference.id,)))
            if reply.error:
                raise UnreadableError("java.lang.Object.hashCode() is not known of an object")
            self._hashes[found] = reply.numbers[0]

        raise MissingError(read)

    # --- strings and boxes -----------------------------------------------------------------------

    def new_string(self, text: str) -> ReadObject:
        """A string that the call makes."""
        self.count_made(1 + len(text) // 8)
        made = ReadObject(self._bootstrap[STRING])
        made.text = text
        made.fields = string_fields(text)
        return made

    def literal(self, text: str) -> ReadObject:
        """The constant string of a text."""
        known = self._literals.get(text)
        if known is None:
            known = self._literals[text] = self.new_string(text)
        return known

    def text(self, found: Slot) -> str:
        """The characters of a string."""
        if not isinstance(found, ReadObject):
            raise ThrownError("java/lang/NullPointerException", "the string is null")
        return natives.text_of(self, found)

    def text_if_string(self, found: Slot) -> str | None:
        """The same; None for another object."""
        if not isinstance(found, ReadObject) or self.class_of(found).name != STRING:
            return None
        return natives.text_of(self, found)

    def boxed(self, value: Slot, descriptor: str) -> ReadObject:
        """A new box of a number."""
        made = blank(self.bootstrap(dynamic.box_class(descriptor)))
        if made.fields is not None:
            made.fields[f"{dynamic.box_class(descriptor)}.value"] = value
        return made

    # --- limits ----------------------------------------------------------------------------------

    def count_made(self, size: int) -> None:
        """NotReadError when the call has made too much."""
        self._made += size
        if self._made > MOST_MADE:
            raise NotReadError(f"it makes more than {MOST_MADE:,} objects and elements")

    def count_steps(self, steps: int) -> None:
        """What a computed method takes, as instructions."""
        self._steps += steps


def _out_of_bounds(index: int, length: int) -> ThrownError:
    return ThrownError(
        "java/lang/ArrayIndexOutOfBoundsException",
        f"Index {index} out of bounds for length {length}",
    )
