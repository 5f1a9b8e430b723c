# SPDX-License-Identifier: Apache-2.0
"""Has the agent take the stacks that submit tasks (command set Origins).

A stop reads them: `origins`.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Self

from jvmdebug.errors import ConnectionLost, NotImplementedByVmError, UnsupportedError, VmError
from jvmdebug.jdwp.generated import origins as origins_set
from jvmdebug.model.agent import AgentCapability
from jvmdebug.session.origins import WHAT
from jvmdebug.session.state import Operation

if TYPE_CHECKING:
    from types import TracebackType

    from jvmdebug.model.virtual_machine import VirtualMachine
    from jvmdebug.session.program import DebuggedProgram

DEFAULT_BUDGET: Final = 0.05


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
        self._vm.require_of_agent(AgentCapability.ORIGINS, WHAT)
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
        self._vm.require_of_agent(AgentCapability.ORIGINS, WHAT)
        reply = await self._vm.request(origins_set.Status())
        left_out = {each.name.replace("/", "."): each.why for each in reply.left_out}
        return OriginsStatus(reply.is_running, reply.taken, reply.thinned, left_out)
