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
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jvmdebug.errors import ConnectionLost
from jvmdebug.jdwp.generated import probes as wire
from jvmdebug.jdwp.ids import RequestId
from jvmdebug.to_the_end import begun, done

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Collection, Iterator

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


async def complete(vm: VirtualMachine, requests: Collection[RequestId]) -> dict[RequestId, str]:
    """Put the deferred checks of these into their classes: those that cannot be, and why."""
    if not requests:
        return {}
    return await vm.companion(Completions).complete(vm, requests)


class Completions:
    """What is about to be put into one program. While the agent installs checks or changes classes,
    what comes meanwhile gathers, so that independent tasks which set breakpoints at the same time
    share a change.
    """

    def __init__(self) -> None:
        self._next: Completion | None = None
        """Has not begun yet."""
        self._changing = asyncio.Lock()
        self._installing: set[asyncio.Future[None]] = set()

    @contextlib.contextmanager
    def installing(self) -> Iterator[asyncio.Future[None]]:
        """Held while the agent is asked to install a deferred check; the future is done then."""
        ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._installing.add(ended)
        try:
            yield ended
        finally:
            self._installing.discard(ended)
            ended.set_result(None)

    async def complete(
        self, vm: VirtualMachine, requests: Collection[RequestId]
    ) -> dict[RequestId, str]:
        """See the function."""
        if self._next is None:
            made = self._next = Completion()
            made.task = begun(self._run(vm, made), "putting probes in")
        mine = self._next
        mine.requests.update(requests)
        assert mine.task is not None
        refused = await done(mine.task)
        return {each: refused[each] for each in requests if each in refused}

    async def _run(self, vm: VirtualMachine, completion: Completion) -> dict[RequestId, str]:
        async with self._changing:
            if self._installing:
                await asyncio.wait(set(self._installing))
            self._next = None
            deferred = tuple(wire.Complete.Deferred(int(each)) for each in completion.requests)
            # However many classes and probes there are: nothing is known before it is done.
            reply = await vm.request(wire.Complete(deferred), timeout_s=None)
        return {RequestId(each.request_id): each.reason for each in reply.refused}

    async def close(self) -> None:
        """Nothing: those that wait hear that the connection is lost."""


@dataclass(slots=True, eq=False)
class Completion:
    """Requests whose checks are put in by one command."""

    requests: set[RequestId] = field(default_factory=set)
    task: asyncio.Task[dict[RequestId, str]] | None = None
