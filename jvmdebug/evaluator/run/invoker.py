# SPDX-License-Identifier: Apache-2.0
"""Invoking methods of the debuggee for an evaluation, and stopping those that do not return.

During an invocation the other threads stay suspended. If the method waits for them longer than
`OTHERS_HELD_S`, they run until it returns. A method that is abandoned (deadline, cancellation) is
interrupted; if it continues, our agent has its thread throw a ThreadDeath, as Thread.stop did,
which is not reported if nothing catches it. The JDK's agent would have it thrown in the program,
when the thread is resumed. Called by `interpreter`, `class_loading` and `exceptions`.
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
from jvmdebug.model.agent import AgentCapability

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine
    from contextlib import AbstractAsyncContextManager

    from jvmdebug.model.thread import Thread
    from jvmdebug.model.values import Value
    from jvmdebug.model.virtual_machine import VirtualMachine

OTHERS_HELD_S: Final = 1.0
"""How long a method may wait for suspended threads before they are resumed."""
_INTERRUPTED_S: Final = 0.5
_STOPPED_S: Final = 2.0
OthersRunning: TypeAlias = "Callable[[Thread], AbstractAsyncContextManager[None]]"
"""Inside, all threads but this one run."""

_WAITING: Final = (ThreadStatus.MONITOR, ThreadStatus.WAIT)


class Invoker:
    """One for each VM: `vm.companion(Invoker)`."""

    def __init__(self) -> None:
        self.others_running: OthersRunning = _nobody_running
        """Set by `use_suspensions`."""
        self._stopping: set[asyncio.Task[None]] = set()
        self._outcomes: dict[Thread, str] = {}
        self._unstoppable: set[Thread] = set()

    def left_running(self, thread: Thread) -> bool:
        """Whether an abandoned method still runs in the thread: it could not be stopped."""
        return thread in self._unstoppable and thread.vm.invocations.is_invoking(thread.id)

    async def result(self, thread: Thread, invocation: Coroutine[object, object, Value]) -> Value:
        """The result of the method. EvaluationError if it cannot run or does not return in time."""
        task = asyncio.create_task(invocation)
        task.add_done_callback(_retrieve)  # what fails here, beside it, is raised instead
        try:
            while not (await asyncio.wait({task}, timeout=OTHERS_HELD_S))[0]:
                if await _is_waiting(thread):
                    async with self.others_running(thread):
                        return await task
            return await task
        except asyncio.CancelledError:
            task.cancel()
            await self._abandon(thread)
            raise
        except (InvalidThreadError, ThreadNotSuspendedError) as error:
            raise EvaluationError(
                "code of the program can only run on a thread that an event (a breakpoint, a step) "
                "has stopped, and this one was suspended otherwise"
            ) from error
        except RequestTimeout as error:
            await self._abandon(thread)
            text = f"the evaluation is not done in time{self.abandoned_outcome(thread)}"
            raise EvaluationError(text) from error

    def abandoned_outcome(self, thread: Thread) -> str:
        """`: the method … has been stopped`, for the message of the deadline; or nothing."""
        outcome = self._outcomes.pop(thread, None)
        return "" if outcome is None else f": {outcome}"

    async def close(self) -> None:
        """The connection is closed: stop waiting for abandoned methods."""
        for stopping in self._stopping:
            stopping.cancel()
        await asyncio.gather(*self._stopping, return_exceptions=True)

    # --- abandoned invocations -------------------------------------------------------------------

    async def _abandon(self, thread: Thread) -> None:
        """Stop the method; continues if the caller is cancelled meanwhile."""
        stopping = asyncio.create_task(self._stop(thread))
        self._stopping.add(stopping)
        stopping.add_done_callback(self._stopping.discard)
        try:
            await asyncio.shield(stopping)
        except asyncio.CancelledError:
            await asyncio.wait({stopping})
            raise

    async def _stop(self, thread: Thread) -> None:
        was_interrupted = await _is_interrupted(thread)
        self._unstoppable.discard(thread)
        self._outcomes[thread] = await self._interrupt_or_stop(thread)
        if thread.vm.invocations.is_invoking(thread.id):
            self._unstoppable.add(thread)
        elif not was_interrupted:
            await _clear_interrupt(thread)

    async def _interrupt_or_stop(self, thread: Thread) -> str:
        """What became of the method: `the method … has been interrupted`."""
        invocations = thread.vm.invocations
        with contextlib.suppress(VmError):  # the thread has just ended
            await thread.interrupt()
        if await invocations.wait_done(thread.id, _INTERRUPTED_S):
            return "the method that ran has been interrupted"
        async with contextlib.AsyncExitStack() as stack:
            if await _is_waiting(thread):
                await stack.enter_async_context(self.others_running(thread))
            if _can_stop(thread):
                with contextlib.suppress(VmError):  # not every VM supports it for virtual threads
                    await thread.throw_death()
            if await invocations.wait_done(thread.id, _STOPPED_S):
                return "the method that ran has been stopped"
        how = "be neither interrupted nor stopped" if _can_stop(thread) else "not be interrupted"
        return f"the method could {how} and still runs; until it returns its thread is busy"


def _retrieve(task: asyncio.Task[Value]) -> None:
    """Take note of the exception, which asyncio would report otherwise."""
    if not task.cancelled():
        task.exception()


def use_suspensions(vm: VirtualMachine, others_running: OthersRunning) -> None:
    """Resume suspended threads that a method waits for, by `others_running` of the router."""
    vm.companion(Invoker).others_running = others_running


def left_running(thread: Thread) -> bool:
    """Whether an abandoned method still runs in the thread: it could not be stopped."""
    return thread.vm.companion(Invoker).left_running(thread)


@contextlib.asynccontextmanager
async def _nobody_running(_: Thread) -> AsyncIterator[None]:
    yield


async def _is_interrupted(thread: Thread) -> bool:
    """Asks the field of java.lang.Thread, from JDK 17 on; False on older JDKs, which have none."""
    reference = thread.reference
    with contextlib.suppress(VmError):
        fields = [
            each
            for each in await (await reference.type()).all_fields()
            if each.name == "interrupted"
        ]
        return any(
            getattr(each, "value", False) for each in await reference.get_values(fields[-1:])
        )
    return False


async def _clear_interrupt(thread: Thread) -> None:
    """Clear the interrupt status, which the program would see later otherwise."""
    with contextlib.suppress(VmError, RequestTimeout):  # the thread runs again
        for type_ in await thread.vm.classes_by_signature("Ljava/lang/Thread;"):
            for method in await type_.methods():
                if method.name == "interrupted" and method.is_static:
                    await type_.invoke(method, (), thread, timeout_s=_INTERRUPTED_S)


def _can_stop(thread: Thread) -> bool:
    return thread.vm.agent_can(AgentCapability.STOP_THREAD)


async def _is_waiting(thread: Thread) -> bool:
    """Whether the thread is blocked on a monitor, waits or is parked.

    The JDK's agent reports a running thread in any case: with it, assume that it waits.
    """
    return thread.vm.agent is None or (await thread.status()).status in _WAITING
