# SPDX-License-Identifier: Apache-2.0
"""Probes of several breakpoints that are set at once are put into the program together, by one
change of each class: a change takes the longer the more probes there are in the class.

Until then each counts as installed, and the VM reports its request. The debugger counts such a hit
in the check (`Probe.count`), which keeps the count when it is put in. Begun by `breakpoints` and
`step_points`, used by `probe`.
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
    """What is put in together: by all tasks that were made while it was the current one."""

    def __init__(self, vm: VirtualMachine) -> None:
        self._vm = vm
        self._probes: dict[RequestId, Probe] = {}
        self._is_open = True
        self._installing: set[asyncio.Future[None]] = set()

    async def end(self) -> dict[RequestId, str]:
        """Put them in: those that could not be, and why. Their probes are told."""
        self._is_open = False
        if self._installing:
            await asyncio.wait(self._installing)
        if not self._probes:
            return {}
        started = time.monotonic()
        try:
            refused = await complete(self._vm, self._probes)
        except ConnectionLost:
            return {}  # no VM, no probes
        took = time.monotonic() - started
        for request_id, probe in self._probes.items():
            probe.put_in(took)
            if request_id in refused:
                probe.refused(refused[request_id])
        return refused

    def is_for(self, vm: VirtualMachine) -> bool:
        """Whether it is of this VM, and has not ended."""
        return self._is_open and self._vm is vm

    async def install(self, probe: Probe, install: wire.Install) -> wire.InstallReply:
        """It is to be put in at the end, which waits for this."""
        with self._vm.companion(Completions).installing() as ended:
            self._installing.add(ended)
            reply = await self._vm.request(install)
        if reply.installed:
            self._probes[RequestId(install.request_id)] = probe
        return reply


_current: ContextVar[Deferring | None] = ContextVar("deferred probes", default=None)


def current_deferring(vm: VirtualMachine) -> Deferring | None:
    """What the current task belongs to; None if nothing is deferred."""
    current = _current.get()
    return current if current is not None and current.is_for(vm) else None


@contextlib.asynccontextmanager
async def put_in_together(vm: VirtualMachine) -> AsyncIterator[dict[RequestId, str]]:
    """What this task, and those that it begins, installs inside is put in at the end, or at that of
    an outer one. What it gives has the reasons of those that could not be then; nothing if there is
    an outer one.
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
    """The checks of these do nothing any more; their counts stay."""
    if requests:
        silenced = tuple(wire.Silence.Silenced(int(each)) for each in requests)
        await vm.request(wire.Silence(silenced))
