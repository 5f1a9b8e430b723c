# SPDX-License-Identifier: Apache-2.0
"""The stacks that submitted the tasks that threads run, read at a stop.

The agent takes them (command set Origins) while that is switched on: `origin_tracking`.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jvmdebug.jdwp.generated import origins as origins_set
from jvmdebug.model.agent import AgentCapability
from jvmdebug.session.coroutine_callers import suspended_callers
from jvmdebug.sources import source_path

if TYPE_CHECKING:
    from jvmdebug.session.stop import Stop
    from jvmdebug.session.threads import ThreadHandle

_AWAITED: Final = "awaited by suspended functions"
WHAT: Final = "where tasks were submitted"
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


async def origins(stop: Stop, *, thread: ThreadHandle | None = None) -> tuple[Origin, ...]:
    """The stack that submitted the task which `thread` (default: the stop's) runs, then the one
    that submitted the task which did so, and so on: at most 8, of which the last one is the first
    of all.

    In front of them, in a coroutine of Kotlin that was suspended: the functions that wait for the
    one which runs. Empty if it is not known, as for all that was submitted before
    `session.origins()`.
    UnsupportedError if the agent knows no origins.
    """
    thread = thread or stop.thread
    stop.require_current(thread)
    stop.vm.require_of_agent(AgentCapability.ORIGINS, WHAT)
    async with thread.telling_its_end():
        reply, waiting = await asyncio.gather(
            stop.vm.request(origins_set.Of(thread.thread.id)),
            suspended_callers(thread.thread),
        )
    frames = tuple(OriginFrame(*each) for each in waiting)
    return (*([Origin(_AWAITED, None, frames)] if frames else ()), *_links(reply))


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
