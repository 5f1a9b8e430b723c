# SPDX-License-Identifier: Apache-2.0
"""Running methods in the debuggee, and tracking which threads do so.

Owns the tasks that wait for invocations: when a caller stops waiting (timeout, cancellation), the
method still runs in the debuggee, and its thread counts as invoking until the reply has come. The
event router uses `is_invoking` to distinguish events of an invocation from those of the program.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar

from jvmdebug.errors import IllegalArgumentError, JvmDebugError, RequestTimeout
from jvmdebug.jdwp.generated import class_type, interface_type, object_reference
from jvmdebug.jdwp.generated.constants import InvokeOptions, TypeTag
from jvmdebug.jdwp.ids import ClassId, InterfaceId, TaggedObject
from jvmdebug.model.debuggee_exception import DebuggeeException
from jvmdebug.model.values import ObjectReference, Value, assignable, wire_value

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
    from contextlib import AbstractAsyncContextManager

    from jvmdebug.jdwp.command import Command
    from jvmdebug.jdwp.ids import ThreadId
    from jvmdebug.jdwp.ids import Value as WireValue
    from jvmdebug.model.method import Method
    from jvmdebug.model.reference_type import ClassType, ReferenceType
    from jvmdebug.model.thread import Thread
    from jvmdebug.model.virtual_machine import VirtualMachine

R = TypeVar("R")

SuspendedOnce: TypeAlias = "Callable[[Thread], AbstractAsyncContextManager[None]]"
"""Inside, the suspend count of the thread is 1 at most: an invocation undoes one suspension."""

_LATE_S: Final = 0.3


class Invocations:
    """The invocations of one VM."""

    def __init__(self, vm: VirtualMachine) -> None:
        self._vm = vm
        self._threads: Counter[ThreadId] = Counter()
        self._tasks: set[asyncio.Task[object]] = set()
        self._done = asyncio.Condition()
        self._suspended_once: SuspendedOnce = _as_it_is
        self._when_late: Callable[[Thread], Coroutine[object, object, None]] | None = None

    def use_suspensions(self, suspended_once: SuspendedOnce) -> None:
        """Set how to undo further suspensions of the invoking thread, of several stops."""
        self._suspended_once = suspended_once

    def watch_late(self, watch: Callable[[Thread], Coroutine[object, object, None]]) -> None:
        """Run `watch` for the thread of each invocation that takes longer than a moment."""
        self._when_late = watch

    @property
    def any_running(self) -> bool:
        """Whether any thread runs a method for the debugger."""
        return bool(self._threads)

    @property
    def threads(self) -> tuple[Thread, ...]:
        """The threads that run a method for the debugger."""
        return tuple(map(self._vm.thread, self._threads))

    def is_invoking(self, thread_id: ThreadId) -> bool:
        """Whether this thread runs a method for the debugger."""
        return thread_id in self._threads

    async def wait_done(self, thread_id: ThreadId, timeout_s: float) -> bool:
        """Whether the thread runs no method for the debugger within that time."""
        try:
            async with asyncio.timeout(timeout_s), self._done:
                await self._done.wait_for(lambda: not self.is_invoking(thread_id))
        except TimeoutError:
            return False
        return True

    async def on_object(
        self,
        target: ObjectReference,
        method: Method,
        arguments: Sequence[Value],
        thread: Thread,
        *,
        non_virtual: bool,
        single_threaded: bool,
        timeout_s: float | None,
    ) -> Value:
        """See ObjectReference.invoke."""
        if method.is_static:
            return await self.on_type(
                method.declaring_type,
                method,
                arguments,
                thread,
                single_threaded=single_threaded,
                timeout_s=timeout_s,
            )
        command = object_reference.InvokeMethod(
            target.id,
            thread.id,
            method.declaring_type.id,
            method.id,
            _wire_arguments(method, arguments),
            _options(non_virtual=non_virtual, single_threaded=single_threaded),
        )
        reply = await self._run(command, method, thread, single_threaded, timeout_s)
        await self._raise_thrown(reply.exception, method)
        return self._vm.value(reply.return_value)

    async def on_type(
        self,
        declaring_type: ReferenceType,
        method: Method,
        arguments: Sequence[Value],
        thread: Thread,
        *,
        single_threaded: bool,
        timeout_s: float | None,
    ) -> Value:
        """See ReferenceType.invoke."""
        wire = _wire_arguments(method, arguments)
        options = _options(non_virtual=False, single_threaded=single_threaded)
        reply: class_type.InvokeMethodReply | interface_type.InvokeMethodReply
        if declaring_type.tag is TypeTag.INTERFACE:
            on_interface = interface_type.InvokeMethod(
                InterfaceId(declaring_type.id), thread.id, method.id, wire, options
            )
            reply = await self._run(on_interface, method, thread, single_threaded, timeout_s)
        else:
            on_class = class_type.InvokeMethod(
                ClassId(declaring_type.id), thread.id, method.id, wire, options
            )
            reply = await self._run(on_class, method, thread, single_threaded, timeout_s)
        await self._raise_thrown(reply.exception, method)
        return self._vm.value(reply.return_value)

    async def new_instance(
        self,
        class_: ClassType,
        constructor: Method,
        arguments: Sequence[Value],
        thread: Thread,
        *,
        single_threaded: bool,
        timeout_s: float | None,
    ) -> ObjectReference:
        """See ClassType.new_instance."""
        command = class_type.NewInstance(
            ClassId(class_.id),
            thread.id,
            constructor.id,
            _wire_arguments(constructor, arguments),
            _options(non_virtual=False, single_threaded=single_threaded),
        )
        reply = await self._run(command, constructor, thread, single_threaded, timeout_s)
        await self._raise_thrown(reply.exception, constructor)
        return self._vm.reference(reply.new_object.tag, reply.new_object.id)

    async def close(self) -> None:
        """Ends the tasks. The connection must be closed first, so that they have nothing to wait
        for.
        """
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _run(
        self,
        command: Command[R],
        method: Method,
        thread: Thread,
        single_threaded: bool,  # noqa: FBT001 - passed through
        timeout_s: float | None,
    ) -> R:
        self._threads[thread.id] += 1
        task = asyncio.create_task(self._complete(command, thread, single_threaded))
        self._tasks.add(task)
        task.add_done_callback(self._forget)
        done, _ = await asyncio.wait({task}, timeout=timeout_s)  # leaves the task alone
        if not done:
            raise RequestTimeout(
                f"{method} has not returned within {timeout_s} s; it still runs in the debuggee on"
                f" {thread!r}: interrupt the thread, or make it throw"
            )
        return task.result()

    async def _complete(
        self,
        command: Command[R],
        thread: Thread,
        single_threaded: bool,  # noqa: FBT001 - passed through
    ) -> R:
        late = asyncio.get_running_loop().call_later(_LATE_S, self._is_late, thread)
        try:
            async with self._suspended_once(thread):
                return await self._vm.request(command, timeout_s=None)
        finally:
            late.cancel()
            self._threads[thread.id] -= 1
            if not self._threads[thread.id]:
                del self._threads[thread.id]
            if single_threaded:
                thread.frame_ids_changed()
            else:
                self._vm.frame_ids_changed()
            async with self._done:
                self._done.notify_all()

    def _is_late(self, thread: Thread) -> None:
        if self._when_late is not None:
            task = asyncio.create_task(self._when_late(thread), name="late invocation")
            self._tasks.add(task)
            task.add_done_callback(self._forget)

    def _forget(self, task: asyncio.Task[object]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # retrieved: the caller that still waits gets it from the task

    async def _raise_thrown(self, exception: TaggedObject, method: Method) -> None:
        if not exception.id:
            return
        thrown = self._vm.reference(exception.tag, exception.id)
        try:
            name = (await thrown.type()).name
        except JvmDebugError as error:
            name = f"an exception ({error})"
        raise DebuggeeException(f"{method} threw {name}", thrown)


@contextlib.asynccontextmanager
async def _as_it_is(_: Thread) -> AsyncIterator[None]:
    yield


def _options(*, non_virtual: bool, single_threaded: bool) -> InvokeOptions:
    options = InvokeOptions(0)
    if non_virtual:
        options |= InvokeOptions.NONVIRTUAL
    if single_threaded:
        options |= InvokeOptions.SINGLE_THREADED
    return options


def _wire_arguments(method: Method, arguments: Sequence[Value]) -> tuple[WireValue, ...]:
    # Agents take an argument's bits by its tag, so an int for a long parameter would be half
    # garbage.
    expected = method.argument_types
    if len(arguments) != len(expected):
        raise IllegalArgumentError(
            f"calling {method}, which takes {len(expected)} arguments, with {len(arguments)}"
        )
    return tuple(
        wire_value(assignable(value, descriptor, f"argument {position} of {method}"))
        for position, (value, descriptor) in enumerate(zip(arguments, expected, strict=True), 1)
    )
