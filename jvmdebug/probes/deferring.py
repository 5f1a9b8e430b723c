# SPDX-License-Identifier: Apache-2.0
"""Probes of several breakpoints that are set at once are put into the program together, by one
change of each class: a change takes the longer the more probes there are in the class.

Until then each counts as installed, and the VM reports its request. Begun by `breakpoints`, used
by `probe`.
"""

from __future__ import annotations

import time
from contextvars import ContextVar
from typing import TYPE_CHECKING

from jvmdebug.errors import ConnectionLost
from jvmdebug.jdwp.generated import probes as wire
from jvmdebug.jdwp.ids import RequestId

if TYPE_CHECKING:
    from collections.abc import Collection

    from jvmdebug.jdwp.ids import ReferenceTypeId
    from jvmdebug.model.location import Location
    from jvmdebug.model.virtual_machine import VirtualMachine
    from jvmdebug.probes.probe import Probe
    from jvmdebug.probes.question import ProbeQuestion


class Deferring:
    """What is put in together: by all tasks that were made after `begin` and before `end`."""

    def __init__(self, vm: VirtualMachine, new_types: Collection[ReferenceTypeId] = ()) -> None:
        """`new_types`: those whose code nothing has run yet."""
        self._vm = vm
        self._new_types = new_types
        self._probes: dict[RequestId, Probe] = {}
        self._is_open = False

    def begin(self) -> None:
        """Defer what this task installs from now on, and what those that it begins do."""
        self._is_open = True
        _current.set(self)

    async def end(self) -> set[RequestId]:
        """Put them in: those that could not be, whose probes are told why."""
        self._is_open = False
        _current.set(None)
        if not self._probes:
            return set()
        requests = tuple(wire.Complete.Deferred(int(each)) for each in self._probes)
        begun = time.monotonic()
        try:
            reply = await self._vm.request(wire.Complete(requests))
        except ConnectionLost:
            return set()  # no VM, no probes
        took = time.monotonic() - begun
        for each in self._probes.values():
            each.put_in(took)
        refused = {RequestId(each.request_id): each.reason for each in reply.refused}
        for request_id, reason in refused.items():
            if request_id in self._probes:
                self._probes[request_id].refused(reason)
        return refused.keys() & self._probes.keys()

    def is_for(self, vm: VirtualMachine) -> bool:
        """Whether it is of this VM, and has not ended."""
        return self._is_open and self._vm is vm

    def takes(self, question: ProbeQuestion, location: Location) -> bool:
        """Whether that is to wait. Not what counts while the program runs: the debugger would count
        some of the hits meanwhile.
        """
        is_still = self._vm.is_still() or location.type.id in self._new_types
        return question.count is None or is_still

    def add(self, request_id: RequestId, probe: Probe) -> None:
        """It is to be put in at the end."""
        self._probes[request_id] = probe


_current: ContextVar[Deferring | None] = ContextVar("deferred probes", default=None)


def current_deferring(vm: VirtualMachine) -> Deferring | None:
    """What the current task belongs to; None if nothing is deferred."""
    current = _current.get()
    return current if current is not None and current.is_for(vm) else None
