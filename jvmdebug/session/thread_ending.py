# SPDX-License-Identifier: Apache-2.0
"""Ending one thread: it throws java.lang.ThreadDeath, as Thread.stop once made it do.

Owns where that object comes from: a stopped thread makes it, or the VM has one. Called by the
session for `ThreadHandle.terminate`.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Final

from jvmdebug.errors import JvmDebugError, StateError, ThreadNotSuspendedError, UnsupportedError
from jvmdebug.model.values import ObjectReference

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmdebug.session.stop import Stop
    from jvmdebug.session.thread_handle import ThreadHandle

_THREAD_DEATH: Final = "Ljava/lang/ThreadDeath;"
_DEADLINE_S: Final = 5.0


async def end_thread(handle: ThreadHandle, stops: Sequence[Stop]) -> ObjectReference:
    """Make the thread throw; one that is stopped does when it is resumed. What it throws.

    Raises StateError when no object to throw can be had, VmError for what the VM refuses: a
    virtual thread that is not on a carrier, a thread that has ended.
    """
    thread = handle.thread
    death = await _made(stops) or await _existing(handle)
    if death is None:
        raise StateError(
            f"thread {handle.name!r} can only be ended while another or itself stands at a "
            "breakpoint or a step: the exception that it shall throw is made there"
        )
    try:
        await thread.stop(death)
    except ThreadNotSuspendedError as error:
        if await handle.is_virtual():
            text = f"virtual thread {handle.name!r} can only be ended while it is suspended"
            raise UnsupportedError(text) from error
        raise
    return death


async def _made(stops: Sequence[Stop]) -> ObjectReference | None:
    for stop in reversed(stops):
        if not stop.has_frames:
            continue
        with contextlib.suppress(JvmDebugError):  # that thread cannot run code: try the next one
            made = await stop.frame.evaluate("new java.lang.ThreadDeath()", deadline_s=_DEADLINE_S)
            if isinstance(made.value, ObjectReference):
                return made.value
    return None


async def _existing(handle: ThreadHandle) -> ObjectReference | None:
    vm = handle.thread.vm
    if not vm.capabilities.can_get_instance_info:
        return None
    for type_ in await vm.classes_by_signature(_THREAD_DEATH):
        for found in await type_.instances(1):
            return found
    return None
