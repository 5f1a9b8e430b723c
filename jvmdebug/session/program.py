# SPDX-License-Identifier: Apache-2.0
"""The program that a session debugs now: another one after a restart.

Owns which services are the current ones, and the lock under which they may be replaced. How a
program is started is `starting`'s. Called by the session and its breakpoints.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug.errors import StateError
from jvmdebug.session.state import Operation, SessionState, require

if TYPE_CHECKING:
    from jvmdebug.breakpoints import BreakpointSet
    from jvmdebug.jdk import Jdk
    from jvmdebug.observing import Observations
    from jvmdebug.projects import Project
    from jvmdebug.session.services import Services
    from jvmdebug.session.starting import Launching


class DebuggedProgram:
    """The services of a session on the VM that it debugs now."""

    def __init__(self, services: Services, launching: Launching | None) -> None:
        self.services = services
        self._launching = launching

    @property
    def name(self) -> str:
        """See Session.name."""
        if self._launching is None:
            return self.services.vm.connection.peer
        return self._launching.program_name

    @property
    def jdk(self) -> Jdk | None:
        """The runtime that it was launched with; None if it was not launched here."""
        return None if self._launching is None else self._launching.jdk

    @property
    def project(self) -> Project | None:
        """What compiles it; None if it was not started through a project."""
        return None if self._launching is None else self._launching.project

    @property
    def observations(self) -> Observations:
        """Those of the program that is debugged now. StateError once it has ended."""
        require(Operation.ARM, self.services.stops.state)
        return self.services.observations

    @property
    def is_stopped(self) -> bool:
        """Whether a thread has stopped and was not resumed."""
        return self.services.stops.state is SessionState.STOPPED

    @property
    def is_held(self) -> bool:
        """Whether nothing of it has run: the VM is held before its first instruction."""
        return self.services.stops.state is SessionState.HELD

    async def start(self) -> None:
        """See Session.start."""
        await self.services.life.start()

    async def restart(self) -> None:
        """See Session.restart."""
        if self._launching is None:
            raise StateError("the program was not launched by this session: attach to it again")
        async with self._launching.turn:
            self.services = await self._launching.open_again(self.services)

    def breakpoints_to_change(self) -> BreakpointSet:
        """The breakpoints of the program that is debugged now, if they may change."""
        require(Operation.ARM, self.services.stops.state)
        return self.services.breakpoints
