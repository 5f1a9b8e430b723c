# SPDX-License-Identifier: Apache-2.0
"""Puts the probes of several breakpoints that are set at once into the program together, by one
change of each class. A change takes longer the more probes the class has.

Until then each probe counts as installed, and the VM reports its request. The debugger counts such
hits in the check (`Probe.count`), which keeps the count when it is put in. Begun by `breakpoints`
and `step_points`, used by `probe`.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from contextvars import ContextVar
from typing import TYPE_CHECKING

from jvmdebug.errors import ConnectionLost
from jvmdebug.jdwp.generated import probes as wire
from jvmdebug.jdwp.ids import RequestId
from jvmdebug.probes.completing import Completions, complete

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Collection

    from jvmdebug.model.virtual_machine import VirtualMachine
    from jvmdebug.probes.probe import Probe


class Deferring:
    """The probes that are put in together: those of all tasks that were started while it was
    current.
    """

    def __init__(self, vm: VirtualMachine) -> None:
        self._vm = vm
        self._probes: dict[RequestId, Probe] = {}
        self._is_open = True
        self._installing: set[asyncio.Future[None]] = set()

    async def end(self) -> dict[RequestId, str]:
        """Put the probes in. Returns the requests for which that is not possible, with the reasons,
        which their probes are told too.
        """
        self._is_open = False
        if self._installing:
            await asyncio.wait(self._installing)
        if not self._probes:
            return {}
        started = time.monotonic()
        try:
            refused = await complete(self._vm, self._probes)
        except ConnectionLost:
            return {}  # without a VM there are no probes
        took = time.monotonic() - started
        for request_id, probe in self._probes.items():
            probe.put_in(took)
            if request_id in refused:
                probe.refused(refused[request_id])
        return refused

    def is_for(self, vm: VirtualMachine) -> bool:
        """Whether it belongs to this VM, and has not ended."""
        return self._is_open and self._vm is vm

    async def install(self, probe: Probe, install: wire.Install) -> wire.InstallReply:
        """Install a deferred probe, which `end` puts in; it waits for this."""
        with self._vm.companion(Completions).installing() as ended:
            self._installing.add(ended)
            reply = await self._vm.request(install)
        if reply.installed:
            self._probes[RequestId(install.request_id)] = probe
        return reply


_current: ContextVar[Deferring | None] = ContextVar("deferred probes", default=None)


def current_deferring(vm: VirtualMachine) -> Deferring | None:
    """What the current task's probes are deferred to; None if they are not deferred."""
    current = _current.get()
    return current if current is not None and current.is_for(vm) else None


@contextlib.asynccontextmanager
async def put_in_together(vm: VirtualMachine) -> AsyncIterator[dict[RequestId, str]]:
    """Put in at the end what this task, and tasks that it starts, install inside; or at the end of
    an outer such context, if there is one. Yields a dictionary that has the refused requests and
    the reasons afterwards; it stays empty inside of an outer context.
    """
    refused: dict[RequestId, str] = {}
    outer = current_deferring(vm)
    if outer is not None:
        yield refused
        return
    deferring = Deferring(vm)
    _current.set(deferring)
    try:
        yield refused
    finally:
        _current.set(None)
        refused.update(await deferring.end())


async def silence(vm: VirtualMachine, requests: Collection[RequestId]) -> None:
    """Have the checks of these requests do nothing from now on; their counts stay."""
    if requests:
        silenced = tuple(wire.Silence.Silenced(int(each)) for each in requests)
        await vm.request(wire.Silence(silenced))
