# SPDX-License-Identifier: Apache-2.0
"""Running the program's code for an evaluation, and getting it to end.

While a method runs, the other threads stay held. One that waits for them is found out after
`OTHERS_HELD_S`: they run until it returns. A method that is given up (deadline, cancelled) is
interrupted; if it goes on, an error is thrown in it, as Thread.stop did. Called by `interpreter`
and `loaded_types`, for every invocation.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Final, TypeAlias

from jvmdebug.errors import (
    EvaluationError,
    InvalidThreadError,
    RequestTimeout,
    ThreadNotSuspendedError,
    VmError,
)
from jvmdebug.jdwp.generated.constants import ThreadStatus
from jvmdebug.model.reference_type import ClassType

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine
    from contextlib import AbstractAsyncContextManager

    from jvmdebug.model.method import Method
    from jvmdebug.model.thread import Thread
    from jvmdebug.model.values import ObjectReference, Value
    from jvmdebug.model.virtual_machine import VirtualMachine

OTHERS_HELD_S: Final = 1.0
"""How long a method may wait for threads that are held, until these run too."""
_INTERRUPTED_S: Final = 0.5
_STOPPED_S: Final = 2.0
# The first one does no harm when nobody catches it; a VM of the future may lack it.
_ERRORS: Final = ("Ljava/lang/ThreadDeath;", "Ljava/lang/Error;")
OthersRunning: TypeAlias = "Callable[[Thread], AbstractAsyncContextManager[None]]"
"""Inside, all threads but this one run."""

_WAITING: Final = (ThreadStatus.MONITOR, ThreadStatus.WAIT)


class Invoker:
    """One for each VM: `vm.companion(Invoker)`."""

    def __init__(self) -> None:
        self.others_running: OthersRunning = _nobody_running
        """Resumes the threads that a method may wait for; see `use_suspensions`."""
        self._error: ObjectReference | None = None
        self._endings: set[asyncio.Task[None]] = set()
        self._how: dict[Thread, str] = {}
        self._unstoppable: set[Thread] = set()

    def left_running(self, thread: Thread) -> bool:
        """Whether a method runs in it that was given up and could not be made to end."""
        return thread in self._unstoppable and thread.vm.invocations.is_invoking(thread.id)

    async def result(self, thread: Thread, invocation: Coroutine[object, object, Value]) -> Value:
        """What the method returned. EvaluationError when it cannot run, or is not done in time."""
        task = asyncio.create_task(self._run(thread, invocation))
        try:
            while not (await asyncio.wait({task}, timeout=OTHERS_HELD_S))[0]:
                if await _is_waiting(thread):
                    async with self.others_running(thread):
                        return await task
            return await task
        except asyncio.CancelledError:
            task.cancel()
            await self._give_up(thread)
            raise
        except (InvalidThreadError, ThreadNotSuspendedError) as error:
            raise EvaluationError(
                "code of the program can only run on a thread that an event (a breakpoint, a step) "
                "has stopped, and this one was suspended otherwise"
            ) from error
        except RequestTimeout as error:
            await self._give_up(thread)
            text = f"the evaluation is not done in time{self.how_it_ended(thread)}"
            raise EvaluationError(text) from error

    def how_it_ended(self, thread: Thread) -> str:
        """`: the method … has been stopped`, after an evaluation that was given up; or nothing."""
        how = self._how.pop(thread, None)
        return "" if how is None else f": {how}"

    async def close(self) -> None:
        """The connection is closed: nothing can be ended any more."""
        for ending in self._endings:
            ending.cancel()
        await asyncio.gather(*self._endings, return_exceptions=True)

    async def _run(self, thread: Thread, invocation: Coroutine[object, object, Value]) -> Value:
        if self._error is None and _is_ours(thread):
            try:
                self._error = await _new_error(thread)
            except BaseException:
                invocation.close()
                raise
        return await invocation

    # --- giving up -------------------------------------------------------------------------------

    async def _give_up(self, thread: Thread) -> None:
        """Have the method end; goes on with it when the caller is cancelled meanwhile."""
        ending = asyncio.create_task(self._end(thread))
        self._endings.add(ending)
        ending.add_done_callback(self._endings.discard)
        try:
            await asyncio.shield(ending)
        except asyncio.CancelledError:
            await asyncio.wait({ending})
            raise

    async def _end(self, thread: Thread) -> None:
        was_interrupted = await _is_interrupted(thread)
        self._unstoppable.discard(thread)
        self._how[thread] = await self._ended(thread)
        if thread.vm.invocations.is_invoking(thread.id):
            self._unstoppable.add(thread)
        elif not was_interrupted:
            await _clear_interrupt(thread)

    async def _ended(self, thread: Thread) -> str:
        """`the method … has been interrupted`"""
        invocations = thread.vm.invocations
        with contextlib.suppress(VmError):  # a thread that has just ended
            await thread.interrupt()
        if await invocations.wait_done(thread.id, _INTERRUPTED_S):
            return "the method that ran has been interrupted"
        async with contextlib.AsyncExitStack() as stack:
            if await _is_waiting(thread):
                await stack.enter_async_context(self.others_running(thread))
            if self._error is not None:
                with contextlib.suppress(VmError):  # not every VM can do it to virtual threads
                    await thread.stop(self._error)
            if await invocations.wait_done(thread.id, _STOPPED_S):
                return "the method that ran has been stopped"
        how = "neither interrupted nor stopped" if _is_ours(thread) else "not interrupted"
        return f"the method could be {how} and still runs; until it returns its thread is busy"


async def _new_error(thread: Thread) -> ObjectReference:
    """What stops a method. It must be there before: a thread that is busy can make no object."""
    for signature in _ERRORS:
        for type_ in await thread.vm.classes_by_signature(signature):
            for constructor in await type_.methods():
                if isinstance(type_, ClassType) and _makes_plain(constructor):
                    made = await type_.new_instance(constructor, (), thread)
                    await made.disable_collection()
                    return made
    raise EvaluationError("this VM has no java.lang.Error")


def use_suspensions(vm: VirtualMachine, others_running: OthersRunning) -> None:
    """From now on a method that waits for suspended threads has them resumed until it is done.

    `others_running` is the router's: this layer resumes nothing itself.
    """
    vm.companion(Invoker).others_running = others_running


def left_running(thread: Thread) -> bool:
    """Whether an evaluation that was given up runs on in the thread: it could not be stopped."""
    return thread.vm.companion(Invoker).left_running(thread)


@contextlib.asynccontextmanager
async def _nobody_running(_: Thread) -> AsyncIterator[None]:
    yield


def _makes_plain(method: Method) -> bool:
    return method.is_constructor and method.signature == "()V"


async def _is_interrupted(thread: Thread) -> bool:
    """As the thread's own field has it, from JDK 17 on; before, nobody can tell from outside."""
    it = thread.reference
    with contextlib.suppress(VmError):
        fields = [e for e in await (await it.type()).all_fields() if e.name == "interrupted"]
        return any(getattr(each, "value", False) for each in await it.get_values(fields[-1:]))
    return False


async def _clear_interrupt(thread: Thread) -> None:
    """The interrupt was meant for the evaluation: the program would stumble over it later."""
    with contextlib.suppress(VmError, RequestTimeout):  # the thread goes on already
        for type_ in await thread.vm.classes_by_signature("Ljava/lang/Thread;"):
            for method in await type_.methods():
                if method.name == "interrupted" and method.is_static:
                    await type_.invoke(method, (), thread, timeout_s=_INTERRUPTED_S)


def _is_ours(thread: Thread) -> bool:
    """The JDK's own agent keeps a stop until the program goes on, and hits the program with it."""
    return thread.vm.agent is not None


async def _is_waiting(thread: Thread) -> bool:
    """Whether it waits for another thread: for a monitor, or to be notified or unparked.

    The JDK's agent always says that it runs: with it, whatever takes long counts as waiting.
    """
    return not _is_ours(thread) or (await thread.status()).status in _WAITING
