# SPDX-License-Identifier: Apache-2.0
"""The interpreter of bytecode: frames, calls, exceptions and its limits.

`run` goes on until something has to be read, reads it, and repeats the instruction; so a method is
interpreted without waiting for anything, and each read is one for many instructions. Writes reach
objects that the call has made, never those of the program.
"""

from __future__ import annotations

import asyncio
import functools
import inspect
from typing import TYPE_CHECKING, Final, TypeVar

from jvmdebug.errors import ClassFileError
from jvmdebug.evaluator.reading import dynamic, natives
from jvmdebug.evaluator.reading.errors import (
    MissingError,
    NotReadError,
    RefusedError,
    ThrownError,
    UninitializedError,
    UnreadableError,
)
from jvmdebug.evaluator.reading.frame import Frame, Generated
from jvmdebug.evaluator.reading.heap import blank
from jvmdebug.evaluator.reading.instructions import decoded
from jvmdebug.evaluator.reading.object_access import MOST_STEPS, Objects
from jvmdebug.evaluator.reading.objects import ReadObject
from jvmdebug.evaluator.reading.read_class import INITIALIZER
from jvmdebug.evaluator.reading.slots import SECOND, Slot, is_wide

if TYPE_CHECKING:
    from jvmdebug.evaluator.reading.heap import Heap
    from jvmdebug.evaluator.reading.method_code import MethodCode
    from jvmdebug.evaluator.reading.read_class import ReadClass

_DEEPEST: Final = 1_000
_AT_ONCE: Final = 5_000
"""Instructions until others may run."""
_THROWABLE: Final = "java/lang/Throwable.detailMessage"


T = TypeVar("T")


class Machine:
    """Interprets the calls of one evaluation."""

    def __init__(self, heap: Heap) -> None:
        self.objects = Objects(heap)
        self._frames: list[Frame | Generated] = []
        self._result: Slot = None
        self._pending: ThrownError | None = None

    # --- running ---------------------------------------------------------------------------------

    async def call(self, code: MethodCode, arguments: list[Slot]) -> Slot:
        """The result of a method. RefusedError, ThrownError and NotReadError say why there is
        none.
        """
        await self.objects.prepare()
        self._frames = []
        await self.objects.read(lambda: self.enter(code, arguments, None))
        await self._go()
        return self._result

    async def initialize(self, of_class: ReadClass) -> None:
        """Have the static initializer of a class run, or be interpreted if it is of the JDK.
        UnreadableError for one of the program that has not run.
        """
        self._frames = []
        try:
            await self.objects.heap.require_initialized(of_class)
        except UninitializedError as error:
            await self._begin_initializers(error)
            await self._go()

    async def _go(self) -> None:
        while self._frames:
            try:
                self._run()
            except MissingError as missing:
                await self._load(missing)
            except RefusedError as refused:
                raise self._before(refused) from refused
            await asyncio.sleep(0)

    def _before(self, refused: RefusedError) -> RefusedError:
        """The error, where a static initializer is refused: its class has to be initialized."""
        for each in self._frames:
            if isinstance(each, Frame) and each.code.name == INITIALIZER[0]:
                of_class = each.code.of_class
                state = "loaded" if of_class.type is None else "initialized"
                return UnreadableError(f"the class {of_class.java_name} is not {state} yet")
        return refused

    async def _load(self, missing: MissingError) -> None:
        """Read what is missing, or begin the static initializers that come first."""
        try:
            await self.objects.load(missing)
        except UninitializedError as error:
            await self._begin_initializers(error)

    async def _begin_initializers(self, error: UninitializedError) -> None:
        self.objects.heap.initialized.update(error.classes)
        for each in error.classes:  # that of the superclass, the last one, runs first
            code = each.methods[INITIALIZER]
            await self.objects.read(functools.partial(self._require_code, code))
            # The instruction that needs the class runs again behind it.
            self._frames.append(Frame(code, []))

    def _run(self) -> None:
        frames = self._frames
        end = self.objects.steps + _AT_ONCE
        if self._pending is not None:
            self._unwind(self._pending)
        while frames and self.objects.steps < end:
            frame = frames[-1]
            try:
                if isinstance(frame, Generated):
                    self._advance(frame)
                    continue
                run, operand = frame.steps[frame.position]
                to = run(self, frame, operand)
                frame.position = frame.position + 1 if to is None else to
                self.objects.steps += 1
            except ThrownError as thrown:
                self._unwind(thrown)
        if self.objects.steps > MOST_STEPS:
            raise NotReadError(f"it takes more than {MOST_STEPS:,} instructions{self._where()}")

    def call_within(self, of_class: ReadClass) -> str | None:
        """The name of the call, in the code of a class, that the last call did not come back from;
        after an error.
        """
        for above, frame in enumerate(reversed(self._frames)):
            if isinstance(frame, Frame) and frame.code.of_class is of_class:
                # A method that has called is behind the instruction already.
                return frame.code.name_at(frame.position - (above > 0))
        return None

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
            code = self.objects.selected(wanted.receiver, wanted.name, wanted.descriptor)
            self.enter(code, [wanted.receiver, *wanted.arguments], frame)
        elif isinstance(wanted, dynamic.LambdaCall):
            self.enter(wanted.code, wanted.arguments, frame)
        else:
            frame.value = wanted()
        frame.wanted = None
        self.objects.steps += 1

    # --- calls -----------------------------------------------------------------------------------

    def enter(
        self, code: MethodCode, arguments: list[Slot], caller: Frame | Generated | None
    ) -> None:
        """Begin a call, with its arguments in slots; compute it at once if it is no bytecode."""
        compute = natives.function_of(code) if code.steps is None else None
        if compute is not None:
            found = compute(self.objects, [each for each in arguments if each is not SECOND])
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
        if code.is_native:
            raise UnreadableError(f"{code.label} is native")
        if code.is_abstract:
            raise ThrownError("java/lang/AbstractMethodError", code.label)

        async def read() -> None:
            content, _ = await asyncio.gather(code.read(), code.of_class.read_pool())
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
            self._frames.append(Generated(found, descriptor))
        else:
            self.push(caller, found, descriptor)

    # --- exceptions ------------------------------------------------------------------------------

    def throw(self, thrown: Slot) -> None:
        """Raise ThrownError for an exception of the program."""
        if not isinstance(thrown, ReadObject):
            raise ThrownError("java/lang/NullPointerException", "cannot throw null")
        detail = self.objects.field(thrown, _THROWABLE)
        text = None if detail is None else self.objects.text(detail)
        raise ThrownError(self.objects.class_of(thrown).name, text, thrown)

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
            return self.objects.class_of(thrown.thrown)
        return self.objects.bootstrap(thrown.name)

    def _is_caught(self, frame: Frame, of_class: ReadClass, caught: str) -> bool:
        names = [each.name for each in of_class.supers]
        return (
            caught in names and self.objects.resolve(frame.code.of_class, caught) in of_class.supers
        )

    def _object_of(self, thrown: ThrownError, of_class: ReadClass) -> ReadObject:
        if thrown.thrown is not None:
            return thrown.thrown
        made = blank(of_class)
        if made.fields is not None and thrown.detail is not None:
            made.fields[_THROWABLE] = self.objects.new_string(thrown.detail)
        return made
