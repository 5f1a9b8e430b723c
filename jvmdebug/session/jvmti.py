# SPDX-License-Identifier: Apache-2.0
"""The doors `session.jvmti` and `session.classes`: the work is `jvmdebug.jvmti`'s."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug.session.state import Operation

if TYPE_CHECKING:
    from jvmdebug.model.virtual_machine import VirtualMachine
    from jvmdebug.observing.observations import Observations
    from jvmdebug.session.program import DebuggedProgram


class ProgramForJvmti:
    """A debugged program, as far as `jvmdebug.jvmti` needs it."""

    def __init__(self, program: DebuggedProgram) -> None:
        self._program = program

    @property
    def vm(self) -> VirtualMachine:
        """The VM; StateError when it is gone."""
        services = self._program.services
        services.stops.require(Operation.INSPECT)
        return services.vm

    @property
    def observations(self) -> Observations:
        """The observations of the program that is debugged now."""
        return self._program.observations

    @property
    def is_stopped(self) -> bool:
        """Whether a thread has stopped and was not resumed."""
        return self._program.is_stopped

    async def start(self) -> None:
        """Let a VM go that is held before its first instruction."""
        await self._program.start()
