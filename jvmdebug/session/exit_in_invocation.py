# SPDX-License-Identifier: Apache-2.0
"""A program that a method run for the debugger ends: `System.exit(7)` in an expression.

The JDK's own agent waits in its VMDeath callback until every other callback has returned, and the
thread that ends the VM is in one itself: it runs the method inside the callback of the breakpoint.
So it waits for ever, and the reply and the death of the VM never come. What does come is the end of
that thread; that of a virtual thread is not reported, so an invocation on one that takes longer is
looked at. Our agent needs none of this. Called by the lifecycle.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import TYPE_CHECKING, Final

from jvmdebug.errors import JvmDebugError, WireError
from jvmdebug.events import RESUME, ThreadDeathOccurrence
from jvmdebug.jdwp.generated import stack_frame, thread_reference
from jvmdebug.jdwp.generated.constants import Tag
from jvmdebug.model.values import PrimitiveValue

if TYPE_CHECKING:
    from jvmdebug.events import Router, Verdict
    from jvmdebug.model.thread import Thread
    from jvmdebug.model.virtual_machine import VirtualMachine

_LOG = logging.getLogger(__name__)
_HALT: Final = ("java.lang.Shutdown", "halt")
"""What both System.exit and Runtime.halt end with, once all hooks have run."""
_FRAMES: Final = 4
_UNKNOWN_CODE: Final = 1
_PAUSE_S: Final = 1.0


def watch_exits(router: Router) -> None:
    """End the VM with the program's exit code when an invocation ends it and the agent waits."""
    if router.vm.agent is not None:
        return

    async def thread_ended(occurrence: ThreadDeathOccurrence) -> Verdict:
        if router.vm.invocations.is_invoking(occurrence.thread.id):
            code = None
            try:
                code = await _exit_code(router, occurrence.thread)
            except JvmDebugError as error:
                _LOG.warning("the exit code of the program is not known: %s", error)
            await _exit(router.vm, _UNKNOWN_CODE if code is None else code)
        return RESUME

    async def invocation_is_late(thread: Thread) -> None:
        while router.vm.invocations.is_invoking(thread.id) and await thread.is_virtual():
            code = await _exit_code(router, thread)
            if code is not None:
                await _exit(router.vm, code)
                return
            await asyncio.sleep(_PAUSE_S)

    router.subscribe(ThreadDeathOccurrence, thread_ended)
    router.vm.invocations.watch_late(invocation_is_late)


async def _exit(vm: VirtualMachine, code: int) -> None:
    with contextlib.suppress(WireError):  # the VM may end before it replies
        await vm.exit(code)


async def _exit_code(router: Router, thread: Thread) -> int | None:
    """The exit code with which the thread ends the VM; None if it does not: then it is resumed."""
    stop = await router.suspend_thread(thread)
    code = None
    try:
        code = await _status(thread)
    finally:
        if code is None and stop.is_current:
            await router.resume(stop)
    return code


async def _status(thread: Thread) -> int | None:
    """The argument of Shutdown.halt if the thread is in it. Past the caches of the thread: those
    are of the frames below the invocation, which stay valid.
    """
    vm = thread.vm
    for frame in (await vm.request(thread_reference.Frames(thread.id, 0, _FRAMES))).frames:
        method = (await vm.location(frame.location)).method
        if (method.declaring_type.name, method.name) == _HALT:
            slots = (stack_frame.GetValues.Slot(0, Tag.INT),)
            reply = await vm.request(stack_frame.GetValues(thread.id, frame.frame_id, slots))
            (status,) = map(vm.value, reply.values)
            return int(status.value) if isinstance(status, PrimitiveValue) else None
    return None
