# SPDX-License-Identifier: Apache-2.0
"""Notices checks that take long or do not return, because what they call loops or waits.

While there are checks that call methods of the program, asks our agent now and then which threads
are in one. Reports a thread that has been in the same run of its check for longer than the limit,
and how much time threads spend in checks if the guard wants to know. Decides nothing about such
checks. Called by `breakpoints.guarded_checks`.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from jvmdebug.errors import JvmDebugError
from jvmdebug.jdwp.generated import probes as wire
from jvmdebug.jdwp.ids import RequestId

if TYPE_CHECKING:
    from jvmdebug.jdwp.ids import ThreadId
    from jvmdebug.model.thread import Thread
    from jvmdebug.model.virtual_machine import VirtualMachine

_LONGEST_PAUSE_S: Final = 1.0
_LOOKS: Final = 4
"""The least number of looks within the limit."""
_MEASURING_PAUSE_S: Final = 0.05
_PAUSES_OF_A_LOOK: Final = 50
"""The pause after a look, in times that the look took: with more threads a look takes longer."""


@dataclass(frozen=True, slots=True)
class StuckCheck:
    """A thread that has not returned from a check."""

    request_id: RequestId
    thread: Thread
    where: str
    """The method on top of its stack, `shop.Cart.total`."""
    limit_s: float


class CheckGuard(Protocol):
    """A receiver of reports on checks that take long, which decides what happens to them."""

    @property
    def deadline_s(self) -> float:
        """The seconds within which a check has to return."""

    @property
    def measures_checks(self) -> bool:
        """Whether to measure how long checks take."""

    async def stuck(self, stuck: StuckCheck) -> None:
        """Report a check that has not returned within the deadline."""

    async def checked(self, request_id: RequestId, seconds: float) -> None:
        """Report for how long threads have been in the check of a request, as far as looks can
        tell.
        """


class CheckWatch:
    """The watch of one VM; a companion of it."""

    def __init__(self) -> None:
        self._watched: set[RequestId] = set()
        self._task: asyncio.Task[None] | None = None
        self._since: dict[tuple[int, ThreadId, int], float] = {}

    def watch(self, vm: VirtualMachine, request_id: RequestId, guard: CheckGuard) -> None:
        """Watch the check of a request until `forget`."""
        self._watched.add(request_id)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run(vm, guard), name="check watch")

    def forget(self, request_id: RequestId) -> None:
        """End watching the check of a request."""
        self._watched.discard(request_id)

    async def close(self) -> None:
        """End the task."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self, vm: VirtualMachine, guard: CheckGuard) -> None:
        looked, took_s = time.monotonic(), 0.0
        while self._watched:
            pause_s = min(guard.deadline_s / _LOOKS, _LONGEST_PAUSE_S)
            if guard.measures_checks:
                pause_s = min(pause_s, max(_MEASURING_PAUSE_S, took_s * _PAUSES_OF_A_LOOK))
            await asyncio.sleep(pause_s)
            began, before = time.monotonic(), looked
            try:
                state = await vm.request(wire.State())
                looked = time.monotonic()
                took_s = looked - began
                if guard.measures_checks:
                    await self._measure(state, looked - before, guard)
                for stuck in self._stuck(vm, state, guard.deadline_s):
                    await guard.stuck(stuck)
            except JvmDebugError:
                if not vm.connection.is_open:
                    return

    async def _measure(self, state: wire.StateReply, since_s: float, guard: CheckGuard) -> None:
        """Count a thread that is in a check now as if it had been there since the look before."""
        found = Counter(RequestId(each.request_id) for each in state.running if not each.suspended)
        for request_id, threads in found.items():
            if request_id in self._watched:
                await guard.checked(request_id, since_s * threads)

    def _stuck(
        self, vm: VirtualMachine, state: wire.StateReply, limit_s: float
    ) -> list[StuckCheck]:
        now = time.monotonic()
        before, self._since = self._since, {}
        stuck: dict[RequestId, StuckCheck] = {}
        for each in state.running:
            key = (each.request_id, each.thread, each.run)
            # The time of a suspended thread begins again when it is resumed.
            since = now if each.suspended else before.get(key, now)
            self._since[key] = since
            request_id = RequestId(each.request_id)
            if now - since >= limit_s and request_id in self._watched:
                where = f"{each.type[1:-1].replace('/', '.')}.{each.method}"
                thread = vm.thread(each.thread)
                stuck.setdefault(request_id, StuckCheck(request_id, thread, where, limit_s))
        return list(stuck.values())
