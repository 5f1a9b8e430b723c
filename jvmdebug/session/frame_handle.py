# SPDX-License-Identifier: Apache-2.0
"""A stack frame as the public API shows it; belongs to a Stop and is refused after it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug import display, evaluator
from jvmdebug.errors import (
    EvaluationError,
    FullModeNeeded,
    MissingValueError,
    ReadOnlyError,
    StateError,
    UnsupportedError,
)
from jvmdebug.in_sync import in_sync, must_be_awaited
from jvmdebug.model.agent import AgentCapability
from jvmdebug.printable import one_line
from jvmdebug.session.data_target import target_of_expression
from jvmdebug.session.function_names import argument_type_names, function_text
from jvmdebug.session.local_variables import captured_by, objects_around, variables_of
from jvmdebug.session.notebook import frame_html
from jvmdebug.session.scopes import Scope, scopes_of
from jvmdebug.session.variable import Variable, VariableKind
from jvmdebug.sources import (
    calling_line,
    is_kotlin_file,
    kotlin_function,
    method_text,
    source_line,
    source_path,
)
from jvmdebug.together import both, together

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmdebug.evaluator import Completion
    from jvmdebug.model.frame import Frame
    from jvmdebug.model.method import Method
    from jvmdebug.model.module import Module
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.model.values import ObjectReference, Value
    from jvmdebug.session.data_target import DataTarget
    from jvmdebug.session.stop import Stop
    from jvmdebug.session.stream_stages import StreamStage
    from jvmdebug.session.threads import ThreadHandle
    from jvmdebug.sources import ClassListing, InlineCopy, SourceFile, SourceLine

EXCEPTION: Final = "$exception"
RETURNED: Final = "$return"


class FrameHandle:
    """One frame of a suspended thread. `str(frame)` is `location`."""

    def __init__(
        self,
        stop: Stop,
        thread: ThreadHandle,
        frame: Frame,
        source_location: SourceLine | None,
        source_name: str | None,
        replaced: Method | None = None,
        *,
        function: str | None = None,
        inlined: InlineCopy | None = None,
    ) -> None:
        self.stop = stop
        self.thread = thread
        self._frame = frame
        method = self._method = replaced or frame.location.method
        self._function = function
        self._has_this = inlined is None or inlined.is_lambda
        self.is_inlined = inlined is not None
        """Whether this is a function that the compiler has copied into the frame below it."""
        self.is_obsolete = frame.location.method.is_obsolete
        """Whether it runs code that was replaced by a hot swap; its line is not known then."""
        self.depth = frame.depth
        """0 is the topmost."""
        self.type_name = frame.location.type.name
        """`shop.Cart$Item`"""
        self.method_name = method.name
        """`add`, `<init>`, `lambda$main$0`"""
        self.line = None if source_location is None else source_location.line
        """1-based; None without line table and in native methods."""
        self.index = frame.location.index
        """The code index in the method; -1 in a native method."""
        self.is_native = method.is_native
        self.is_synthetic = method.is_synthetic
        """Made by the compiler: bridges, accessors, bodies of lambdas."""
        self.source_name = (
            source_location.path.rpartition("/")[2] if source_location is not None else source_name
        )
        """`Cart.java`; None without the attribute."""
        self.source_path = _path(self.type_name, source_location, source_name)
        """`shop/Cart.java`: the package as directories and `source_name`."""

    @classmethod
    async def make(cls, stop: Stop, thread: ThreadHandle, frame: Frame) -> FrameHandle:
        """The handle of a frame, with the values of its properties."""
        (made,) = await cls.make_all(stop, thread, [frame])
        return made

    @classmethod
    async def make_all(
        cls, stop: Stop, thread: ThreadHandle, frames: Sequence[Frame]
    ) -> list[FrameHandle]:
        """The handles of many frames; what is not cached of their methods is requested together."""
        methods = {frame.location.method: frame.location for frame in frames}
        asked = [source_line(location) for location in methods.values()]
        types = dict.fromkeys(location.type for location in methods.values())
        await both(together(asked), together(type_.source_file() for type_ in types))
        # All of it is cached now: a task for each frame would take longer than the answers.
        made = []
        for frame in frames:
            # A caller in inlined code shows where that is called: the line of its own file.
            line_of = calling_line if frame.depth else source_line
            source_location = await line_of(frame.location)
            source_name = await frame.location.type.source_file()
            replaced = await _replaced(stop, frame)
            function = None
            if source_name is not None and is_kotlin_file(source_name):
                function = await kotlin_function(replaced or frame.location.method, source_name)
            made.append(
                cls(stop, thread, frame, source_location, source_name, replaced, function=function)
            )
        return made

    @property
    def declaring_type(self) -> ReferenceType:
        """The class whose method runs here, as the model has it."""
        return self._frame.location.type

    @property
    def method(self) -> Method:
        """The method that runs here, as the model has it; before it was replaced, if it was."""
        return self._method

    @property
    def argument_types(self) -> list[str]:
        """Simple names of the method's declared parameter types: `["int", "Item"]`."""
        return argument_type_names(self._method)

    @property
    def location(self) -> str:
        """`shop.Cart.add(Cart.java:42)`, as a stack trace prints it."""
        if self.is_native:
            where = "Native Method"
        elif self.source_name is None:
            where = "Unknown Source"
        else:
            where = self.source_name if self.line is None else f"{self.source_name}:{self.line}"
        return one_line(f"{self.type_name}.{self.method_name}({where})")

    @property
    def function(self) -> str:
        """`Cart.add(Item, int)`: what a call stack view shows.

        As in the source for Kotlin too: `main()`, `lambda in Cart.total`.
        """
        text = self._function or function_text(self._method)
        return text + (" (old code)" if self.is_obsolete else "")

    @property
    def can_pop(self) -> bool:
        """Whether `stop.pop_frame(frame)` can work: Java code here and in the caller.

        Answered without a request; the VM may still refuse.
        """
        is_own = not self.is_native and not self.is_inlined
        return is_own and self.stop.vm.capabilities.can_pop_frames

    def require_current(self) -> None:
        """Raise StateError unless the frame is still there."""
        self.stop.require_current(self.thread)

    def require_own(self, what: str) -> None:
        """Raise StateError for an inlined function, which cannot be `restarted` or the like."""
        if self.is_inlined:
            raise StateError(
                f"`{self.function}` cannot be {what}: it is copied into `{self._method.name}`, "
                "and only that has a frame in the VM; choose the frame of that below"
            )

    async def frame(self) -> Frame:
        """The frame as the model has it, renewed if another stop's resume made it stale."""
        self.require_current()
        if not self._frame.is_valid:
            renewed = await self._frame.thread.frame(self.depth)
            # A hot swap gives the same frame the location of its old code.
            is_moved = renewed.location != self._frame.location
            if is_moved and not renewed.location.method.is_obsolete:
                raise StateError(f"{self.location} is gone: its thread has moved on")
            copy = self._frame.copy
            self._frame = renewed if copy is None else renewed.in_copy(copy)
        return self._frame

    async def source(self) -> SourceFile | None:
        """The source file as found on the source path, in sources jars or in the JDK's src.zip.

        None, too, if all that were found end before the frame's line: they are of another version.
        """
        self.require_current()
        if self.source_path is None:
            return None
        return await self.stop.find_source(self.source_path, self.line)

    async def original_source(self) -> SourceFile | None:
        """The source that a class without one may have had before it was relocated, as libraries
        are that are packed into others: the same path without its first packages.
        """
        self.require_current()
        if self.source_path is None:
            return None
        return await self.stop.find_original(self.source_path)

    async def listing(self) -> tuple[ClassListing, int] | None:
        """The bytecode of this frame's class as text, and the frame's line in it.

        None in code that was replaced while it ran. UnsupportedError if the VM cannot read
        bytecode.
        """
        self.require_current()
        location = self._frame.location
        listing = await self.stop.code.listing_of(location.type)
        line = listing.line_of(location)
        return None if line is None else (listing, line)

    async def is_library(self) -> bool:
        """Whether its code is the JDK's, of a library or generated; no code is run to know it."""
        self.require_current()
        return await self.stop.libraries.has(self.declaring_type)

    async def module(self) -> Module | None:
        """The module of this frame's class; None before Java 9."""
        return await self.stop.code.module_of(self._frame.location.type)

    async def code_address(self) -> int | None:
        """The address of the current instruction, see `session.code`; None in native methods."""
        return await self.stop.code.address_of(self._frame.location)

    async def scopes(self) -> list[Scope]:
        """Locals; the class's statics; exception and return value where there is one."""
        self.require_current()
        return await scopes_of(self)

    async def variables(self) -> list[Variable]:
        """Arguments and locals in scope, in slot order, their values in one round trip."""
        return await variables_of(self)

    async def locals(self) -> list[Variable]:
        """`this`, captured variables of a local class, then `variables`: what `Locals` shows.

        In a closure of Groovy also `owner` and `delegate` where they are not `this`.

        With an agent that was loaded into a program that ran already UnsupportedError, but for the
        topmost frame of a thread that has reached a breakpoint.
        """
        try:
            found = await variables_of(self, with_this=self._has_this)
            receiver = await self._receiver()
        except UnsupportedError:
            what = "reading the variables of a frame other than the topmost one at a breakpoint"
            self.declaring_type.vm.require_of_agent(AgentCapability.LOCAL_VARIABLES, what)
            raise
        if receiver is None:
            return found
        captured = await captured_by(self, receiver, {each.name for each in found})
        return [*await objects_around(receiver), *captured, *found]

    async def this(self) -> Variable | None:
        """The receiver; None in static and native methods, and in an inlined function.

        In a closure of Groovy what its code calls `this`: the object around it, or the class.
        """
        receiver = await self._receiver()
        return None if receiver is None else (await objects_around(receiver))[0]

    async def _receiver(self) -> Variable | None:
        if not self._has_this:
            return None
        async with self.thread.lock:
            reference = await (await self.frame()).this_object()
        if reference is None:
            return None
        return Variable(self, "this", reference, self.type_name, "this", kind=VariableKind.THIS)

    async def get(self, name: str) -> Variable:
        """The variable `name` (or `this`); MissingValueError, an EvaluationError and a LookupError,
        if there is none.
        """
        if name == "this":
            this = await self.this()
            if this is None:
                raise MissingValueError(f"there is no `this` in {self.location}")
            return this
        variables = await self.variables()
        for variable in variables:
            if variable.name == name:
                return await variable.read_ahead()
        known = ", ".join(variable.name for variable in variables) or "none"
        raise MissingValueError(
            f"no variable {name} in scope at {self.location}; there is: {known}"
        )

    async def contains(self, name: str) -> bool:
        """Whether `get` finds a variable of this name."""
        if name == "this":
            return self._has_this and await self.this() is not None
        return any(each.name == name for each in await self.variables())

    @in_sync("get")
    def __getitem__(self, name: str) -> Variable:
        """Gives what `get(name)` gives."""
        raise must_be_awaited(f"frame[{name!r}]", f"await frame.get({name!r})")

    @in_sync("contains")
    def __contains__(self, name: str) -> bool:
        """Gives what `contains(name)` gives."""
        raise must_be_awaited(f"{name!r} in frame", f"await frame.contains({name!r})")

    __iter__ = None
    """There are `variables()`, `locals()` and `scopes()`; Python would try `frame[0]`."""

    async def set(self, name: str, text: str, *, deadline_s: float | None = None) -> Variable:
        """Assign the value of the expression `text` to the variable, field or element `name`."""
        value = await self.assign(name, text, deadline_s=deadline_s)
        return Variable(self, name, value, await display.type_name(value), name)

    async def assign(self, target: str, text: str, *, deadline_s: float | None = None) -> Value:
        """Assign and return the new value; shared by `set` of frame and variable."""
        names = self._extra_variables()
        async with self.thread.lock:
            frame = await self.frame()
            connection = frame.thread.vm.connection
            if connection.is_recording:
                raise ReadOnlyError(connection.why_unchanged)
            return await evaluator.assign(frame, target, text, deadline_s=deadline_s, names=names)

    async def evaluate(
        self, text: str, *, deadline_s: float | None = None, read_only: bool = False
    ) -> Variable:
        """The value of a Java expression in this frame; its `name` is `text`.

        `$exception` is what was thrown, in a stop for an exception, `$return` the result of the
        method that the step ending here returned from. Simple names of classes are looked up in the
        imports of the source file too, when it is found. `read_only` runs no code: calls that
        only read are computed from what is read, and what could change the debuggee is refused.
        Raises EvaluationError (DebuggeeException if the program's own code threw).
        """
        if RETURNED in text:
            _require_returned(self)
        async with self.thread.lock:
            value = await evaluator.evaluate(
                await self.frame(),
                text,
                deadline_s=deadline_s,
                read_only=read_only,
                names=self._extra_variables(),
            )
        found = Variable(self, text, value, await display.type_name(value), text)
        return await found.read_ahead()

    async def run(
        self, text: str, names: dict[str, Value], *, deadline_s: float | None = None
    ) -> Value:
        """The value of an expression about values that have no name here; runs code."""
        async with self.thread.lock:
            frame = await self.frame()
            return await evaluator.evaluate(frame, text, deadline_s=deadline_s, names=names)

    async def completions(self, text: str, cursor: int | None = None) -> list[Completion]:
        """Completions before character `cursor` (0-based; default: the end) of an expression.

        Reads types, and may load classes for that; nothing is initialized or evaluated.
        """
        async with self.thread.lock:
            return await evaluator.completions(
                await self.frame(),
                text,
                len(text) if cursor is None else cursor,
                names=self._extra_variables(),
            )

    async def stream_stages(self) -> list[StreamStage]:
        """What each call has, in the chain of calls on a stream at the line of this frame: the
        elements behind `filter`, `map`, `sorted`. Computed by reading: nothing runs.
        EvaluationError if there is no such chain, or no source.
        """
        from jvmdebug.session.stream_stages import stream_stages  # noqa: PLC0415 - few need it

        return await stream_stages(self)

    async def disassembly(self) -> str:
        """The bytecode of this frame's method as text, an arrow at the current instruction."""
        frame = await self.frame()
        return await method_text(frame.location.method, frame.location.index)

    async def data_target(self, text: str) -> DataTarget:
        """The field that the expression `text` denotes here, for `session.watch`; or the local
        variable, or the elements of an array: `prices[3]`, `prices[*]`.

        `cart.total` is that field of that object; `.of_all_instances` of the result is it of all.
        Raises BreakpointError for what cannot be watched, such as the result of a call.
        """
        async with self.thread.lock:
            frame, names = await self.frame(), self._extra_variables()
            return await target_of_expression(frame, text, names)

    def _extra_variables(self) -> dict[str, Value]:
        """The extra variables that expressions may use here."""
        if self.thread != self.stop.thread:
            return {}
        names = {} if self.stop.change is None else self.stop.change.names()
        known = {EXCEPTION: self.stop.exception, RETURNED: self.stop.returned}
        return names | {name: each.value for name, each in known.items() if each is not None}

    async def variable_of_exception(self, exception: ObjectReference) -> Variable:
        """The exception that was thrown here, as a variable."""
        type_name = await display.type_name(exception)
        kind = VariableKind.EXCEPTION
        return Variable(self, EXCEPTION, exception, type_name, EXCEPTION, kind=kind)

    def variable_of_return(self, value: Value, method: Method) -> Variable:
        """The result of `method`, which returned to this frame: `Cart.add(int)`."""
        name = function_text(method)
        declared = method.return_type_name
        return Variable(self, name, value, declared, RETURNED, kind=VariableKind.RETURNED)

    def __str__(self) -> str:
        return self.location

    def __repr__(self) -> str:
        return f"FrameHandle({self.depth}, {self.location})"

    _repr_html_ = frame_html


async def _replaced(stop: Stop, frame: Frame) -> Method | None:
    """The method of a frame that runs replaced code, as recorded before."""
    if not frame.location.method.is_obsolete:
        return None
    height = await frame.thread.frame_count() - frame.depth
    return stop.code.replaced(frame.thread, height)


def _path(
    type_name: str, source_location: SourceLine | None, source_name: str | None
) -> str | None:
    if source_location is not None:
        return source_location.path
    return None if source_name is None else source_path(type_name, source_name)


def _require_returned(frame: FrameHandle) -> None:
    """Raises the reason why `$return` cannot be known here, if there is one."""
    if frame.stop.why_not_returned is not None:
        raise EvaluationError(frame.stop.why_not_returned)
    agent = frame.stop.vm.agent
    if frame.stop.returned is None and agent is not None and agent.mode == "fast":
        raise FullModeNeeded(
            "`$return` is not known: no call is known to have returned in a step that ends"
            " here. In the fast mode a step out of a native method does not tell: start the"
            ' program in the full mode (`--mode full`, in launch.json `"mode": "full"`)'
        )
