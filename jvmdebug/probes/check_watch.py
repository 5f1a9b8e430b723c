# SPDX-License-Identifier: Apache-2.0
"""Notices checks that do not return: what they call loops, or waits for something.

While there are checks that call methods of the program, asks our agent now and then which threads
are in one. One that has been in the same run of its check for longer than the limit is reported.
Decides nothing about it. Called by `breakpoints.probing`.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jvmdebug.errors import JvmDebugError
from jvmdebug.jdwp.generated import probes as wire
from jvmdebug.jdwp.ids import RequestId

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from jvmdebug.jdwp.ids import ThreadId
    from jvmdebug.model.thread import Thread
    from jvmdebug.model.virtual_machine import VirtualMachine

_LONGEST_PAUSE_S: Final = 1.0
_LOOKS: Final = 4
"""How often it looks at least within the limit."""


@dataclass(frozen=True, slots=True)
class StuckCheck:
    """A thread that has not come back from a check."""

    request_id: RequestId
    thread: Thread
    where: str
    """The method on top of its stack, `shop.Cart.total`."""
    limit_s: float


class CheckWatch:
    """The watch of one VM; a companion of it."""

    def __init__(self) -> None:
        self._watched: set[RequestId] = set()
        self._task: asyncio.Task[None] | None = None
        self._since: dict[tuple[int, ThreadId, int], float] = {}

    def watch(
        self,
        vm: VirtualMachine,
        request_id: RequestId,
        limit_s: Callable[[], float],
        report: Callable[[StuckCheck], Awaitable[None]],
    ) -> None:
        """From now on, until `forget`."""
        self._watched.add(request_id)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run(vm, limit_s, report), name="check watch")

    def forget(self, request_id: RequestId) -> None:
        """It has no such check any more."""
        self._watched.discard(request_id)

    async def close(self) -> None:
        """End the task."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(
        self,
        vm: VirtualMachine,
        limit_s: Callable[[], float],
        report: Callable[[StuckCheck], Awaitable[None]],
    ) -> None:
        while self._watched:
            await asyncio.sleep(min(limit_s() / _LOOKS, _LONGEST_PAUSE_S))
            try:
                for stuck in await self._look(vm, limit_s()):
                    await report(stuck)
            except JvmDebugError:
                if not vm.connection.is_open:
                    return

    async def _look(self, vm: VirtualMachine, limit_s: float) -> list[StuckCheck]:
        state = await vm.request(wire.State())
        now = time.monotonic()
        before, self._since = self._since, {}
        stuck: dict[RequestId, StuckCheck] = {}
        for each in state.running:
            key = (each.request_id, each.thread, each.run)
            # A thread that is suspended has its time begin anew.
            since = now if each.suspended else before.get(key, now)
            self._since[key] = since
            request_id = RequestId(each.request_id)
            if now - since >= limit_s and request_id in self._watched:
                where = f"{each.type[1:-1].replace('/', '.')}.{each.method}"
                thread = vm.thread(each.thread)
                stuck.setdefault(request_id, StuckCheck(request_id, thread, where, limit_s))
        return list(stuck.values())
