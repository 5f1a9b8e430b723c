# SPDX-License-Identifier: Apache-2.0
"""The stacks that submitted the task which a thread runs, and what waits for its coroutine.

Owns the classes and how they are read from our agent (command set Origins). The agent takes the
stacks while that is switched on. Called by `stop.origins` and for snapshots.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from jvmdebug.errors import VmError
from jvmdebug.jdwp.generated import origins as origins_set
from jvmdebug.jdwp.ids import ObjectId, ThreadId
from jvmdebug.observing.coroutine_callers import suspended_callers
from jvmdebug.sources import source_path
from jvmdebug.together import together

if TYPE_CHECKING:
    from jvmdebug.model.thread import Thread
    from jvmdebug.model.virtual_machine import VirtualMachine
    from jvmdebug.observing.thread_snapshots import Snapshot, ThreadSnapshot

_AT_ONCE: Final = 100
_AWAITED: Final = "awaited by suspended functions"
_PLUMBING: Final = (
    "java.",
    "javax.",
    "jdk.",
    "sun.",
    "com.sun.",
    "kotlin.",
    "kotlinx.coroutines.",
    "io.netty.",
    "reactor.",
    "io.reactivex.",
    "org.springframework.",
    "org.apache.tomcat.",
    "org.eclipse.jetty.",
)
"""Classes that hand tasks on for others."""


@dataclass(frozen=True, slots=True)
class OriginFrame:
    """A frame of a stack that submitted a task."""

    class_name: str
    """`shop.Cart`"""
    method: str
    source_name: str | None
    """`Cart.java`"""
    line: int | None

    @property
    def source_path(self) -> str | None:
        """`shop/Cart.java`: the package as directories and `source_name`."""
        return None if self.source_name is None else source_path(self.class_name, self.source_name)

    @property
    def is_plumbing(self) -> bool:
        """Whether it is of the JDK or of a library that hands tasks on."""
        return self.class_name.startswith(_PLUMBING)

    def __str__(self) -> str:
        """`shop.Cart.add(Cart.java:42)`"""
        place = self.source_name or "unknown source"
        if self.line is not None:
            place = f"{place}:{self.line}"
        return f"{self.class_name}.{self.method}({place})"


@dataclass(frozen=True, slots=True)
class Origin:
    """A link: the stack that submitted a task. The task that did so has the next link."""

    done: str
    """`started`, `submitted to ThreadPoolExecutor`"""
    thread: str | None
    """The name of the thread that did it; empty for a virtual thread without one. None for what no
    thread does: functions of a coroutine that wait."""
    frames: tuple[OriginFrame, ...]
    """The stack that it was done by, the topmost frame first, at most 200."""

    @property
    def label(self) -> str:
        """`submitted to ThreadPoolExecutor by thread main`"""
        if self.thread is None:
            return self.done
        by = f"thread {self.thread}" if self.thread else "a virtual thread"
        return f"{self.done} by {by}"

    @property
    def place(self) -> OriginFrame | None:
        """The topmost frame that is neither of the JDK nor of a library that hands tasks on; the
        topmost one if all are. None without frames.
        """
        own = (each for each in self.frames if not each.is_plumbing)
        return next(own, self.frames[0] if self.frames else None)

    def __str__(self) -> str:
        """The label, and the place behind it."""
        return self.label if self.place is None else f"{self.label} at {self.place}"


async def origins_of(thread: Thread) -> tuple[Origin, ...]:
    """The links of a suspended thread, the nearest first; none if nothing is known. Our agent must
    have the capability.
    """
    reply, waiting = await asyncio.gather(
        thread.vm.request(origins_set.Of(thread.id)), suspended_callers(thread)
    )
    frames = tuple(OriginFrame(*each) for each in waiting)
    return (*([Origin(_AWAITED, None, frames)] if frames else ()), *_links(reply))


async def with_origins(vm: VirtualMachine, of: Snapshot) -> Snapshot:
    """The snapshot, with what is known of each thread. All threads are suspended."""

    async def with_links(thread: ThreadSnapshot) -> ThreadSnapshot:
        try:
            return replace(
                thread, origins=await origins_of(vm.thread(ThreadId(ObjectId(thread.id))))
            )
        except VmError:
            return thread  # it has ended

    threads: list[ThreadSnapshot] = []
    for first in range(0, len(of.threads), _AT_ONCE):
        threads += await together(
            with_links(each) if each.id else _same(each)
            for each in of.threads[first : first + _AT_ONCE]
        )
    return replace(of, threads=tuple(threads))


async def _same(thread: ThreadSnapshot) -> ThreadSnapshot:
    return thread  # the debugger has not met it


def _links(reply: origins_set.OfReply) -> tuple[Origin, ...]:
    return tuple(
        Origin(
            link.done,
            link.thread,
            tuple(
                OriginFrame(
                    frame.class_name,
                    frame.method,
                    frame.file or None,
                    frame.line if frame.line > 0 else None,
                )
                for frame in link.frames
            ),
        )
        for link in reply.links
    )
