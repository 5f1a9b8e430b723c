# SPDX-License-Identifier: Apache-2.0
"""`session.tracking`: where the tasks were submitted that threads run.

The agent takes the stacks of threads that submit tasks (command set Origins), while it is switched
on. A stop reads those of its thread: `read_origins`.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Self

from jvmdebug.errors import ConnectionLost, NotImplementedByVmError, UnsupportedError, VmError
from jvmdebug.jdwp.generated import origins as origins_set
from jvmdebug.model.agent import AgentCapability
from jvmdebug.session.state import Operation
from jvmdebug.sources import source_path

if TYPE_CHECKING:
    from types import TracebackType

    from jvmdebug.model.thread import Thread
    from jvmdebug.model.virtual_machine import VirtualMachine
    from jvmdebug.session.program import DebuggedProgram

DEFAULT_BUDGET: Final = 0.05
_WHAT: Final = "where tasks were submitted"
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
    """Where a task was submitted; the one before it in the tuple was submitted by this one's."""

    done: str
    """`started`, `submitted to ThreadPoolExecutor`"""
    thread: str
    """The name of the thread that did it; empty for a virtual thread without one."""
    frames: tuple[OriginFrame, ...]
    """The stack that it was done by, the topmost frame first, at most 200."""

    @property
    def label(self) -> str:
        """`submitted to ThreadPoolExecutor by thread main`"""
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


@dataclass(frozen=True, slots=True)
class OriginsStatus:
    """What has been done since the beginning. The numbers are approximate."""

    is_running: bool
    """Whether stacks are taken now."""
    taken: int
    """The number of tasks with a stack."""
    thinned: int
    """The number of tasks without one because that would have taken too much time."""
    left_out: dict[str, str]
    """Classes in which tasks are not seen, or not all of them, each with the reason."""


class OriginTracking:
    """Has the agent take the stacks that submit tasks, from the beginning of its context to its
    end.
    """

    def __init__(self, program: DebuggedProgram, budget: float) -> None:
        self._program = program
        self._budget = budget

    @property
    def _vm(self) -> VirtualMachine:
        return self._program.services.vm

    def __repr__(self) -> str:
        return f"OriginTracking(of {self._program.name})"

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self,
        _type: type[BaseException] | None,
        _error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        await self.stop()

    async def start(self) -> None:
        """Begin without a context; ends with `stop` or the session."""
        self._program.services.stops.require(Operation.INSPECT)
        self._vm.require_of_agent(AgentCapability.ORIGINS, _WHAT)
        thousandths = min(max(round(self._budget * 1000), 1), 1000)
        try:
            await self._vm.request(origins_set.Start(budget=thousandths))
        except NotImplementedByVmError:
            raise UnsupportedError("the agent cannot change classes in this JVM") from None

    async def stop(self) -> None:
        """End it, and forget what was taken. May be repeated, also after the program's end."""
        with contextlib.suppress(ConnectionLost, VmError):
            await self._vm.request(origins_set.Stop())

    async def status(self) -> OriginsStatus:
        """How many stacks were taken, and what is left out."""
        self._vm.require_of_agent(AgentCapability.ORIGINS, _WHAT)
        reply = await self._vm.request(origins_set.Status())
        left_out = {each.name.replace("/", "."): each.why for each in reply.left_out}
        return OriginsStatus(reply.is_running, reply.taken, reply.thinned, left_out)


class SessionOrigins:
    """Where the tasks of one debugged program were submitted."""

    def __init__(self, program: DebuggedProgram) -> None:
        self._program = program

    def __repr__(self) -> str:
        return f"SessionOrigins(of {self._program.name})"

    def origins(self, *, budget: float = DEFAULT_BUDGET) -> OriginTracking:
        """Remember which stacks submit tasks and start threads, from the beginning of the context
        that this returns to its end: `async with session.origins(): …; await stop.origins()`.

        The program is not stopped. `budget`: the part of one processor's time that this may take;
        tasks beyond it are not remembered, and counted. What was submitted before is not known.
        Needs our agent. Raises UnsupportedError where the agent cannot do it.
        """
        if not 0 < budget <= 1:
            raise ValueError(f"the budget must be more than 0 and at most 1, not {budget}")
        return OriginTracking(self._program, budget)


async def read_origins(thread: Thread) -> tuple[Origin, ...]:
    """The links of a suspended thread. UnsupportedError where the agent does not know any."""
    vm = thread.vm
    vm.require_of_agent(AgentCapability.ORIGINS, _WHAT)
    reply = await vm.request(origins_set.Of(thread.id))
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
