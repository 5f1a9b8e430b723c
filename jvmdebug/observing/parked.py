# SPDX-License-Identifier: Apache-2.0
"""What a parked thread waits for: a lock of java.util.concurrent, and the thread that has it.

Such locks are no monitors: the VM knows only that the thread is parked. What it waits for is in
fields of JDK classes (`Thread.parkBlocker`, `AbstractOwnableSynchronizer.exclusiveOwnerThread`, the
same from 8 to 25), which are read without running code. Called by `snapshot`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from jvmdebug.display import layout
from jvmdebug.display.layout import UnknownLayoutError
from jvmdebug.errors import VmError
from jvmdebug.model.values import ObjectReference

if TYPE_CHECKING:
    from jvmdebug.model.thread import Thread


class Parked(NamedTuple):
    """What a thread is parked for."""

    blocker: ObjectReference
    """The lock's synchronizer, a condition, a future, whatever was given to `LockSupport.park`."""
    owner: int | None
    """The id of the thread that has the lock; None for what nobody owns."""
    lock: str | None
    """`ReentrantLock@1a`: the class whose part the synchronizer is; None for what is no lock."""


async def parked(thread: Thread) -> Parked | None:
    """None for a thread that is not parked, or does not say for what."""
    try:
        (blocker,) = await layout.read(thread.reference, "parkBlocker")
    except (UnknownLayoutError, VmError):
        return None
    if not isinstance(blocker, ObjectReference):
        return None
    try:
        (owner,) = await layout.read(blocker, "exclusiveOwnerThread")
    except (UnknownLayoutError, VmError):
        return Parked(blocker, None, None)
    name = (await blocker.type()).name.rpartition(".")[2].partition("$")[0]
    owner_id = owner.id if isinstance(owner, ObjectReference) else None
    return Parked(blocker, owner_id, f"{name}@{blocker.id:x}")
