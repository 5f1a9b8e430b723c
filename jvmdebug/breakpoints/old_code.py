# SPDX-License-Identifier: Apache-2.0
"""Finds threads that run a method as it was before a probe was put into it, in a VM where only
probes stop. Such a thread passes the breakpoint until it has left the method, and the user is told.

Asks our agent now and then as long as there are such threads. Decides nothing. Called by
`late_checker`.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jvmdebug.errors import JvmDebugError
from jvmdebug.jdwp.generated import probes as wire

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmdebug.breakpoints.breakpoint import Breakpoint
    from jvmdebug.breakpoints.location import BreakpointLocation
    from jvmdebug.jdwp.ids import RequestId
    from jvmdebug.model.virtual_machine import VirtualMachine

_EVERY_S: Final = 0.5
_MOST_NAMES: Final = 3


@dataclass(slots=True)
class _Watched:
    breakpoint: Breakpoint
    where: str
    text: str


class OldCode:
    """The watch for such threads in one VM; a companion of the VM."""

    def __init__(self) -> None:
        self._watched: dict[RequestId, _Watched] = {}
        self._task: asyncio.Task[None] | None = None

    async def look(
        self,
        vm: VirtualMachine,
        breakpoint_: Breakpoint,
        location: BreakpointLocation,
        tell_changed: Callable[[Breakpoint], None],
    ) -> None:
        """Look for such threads, and watch them if there are any."""
        if location.request is None:
            return
        request_id = location.request.request_id
        watched = _Watched(breakpoint_, str(location), "")
        watched.text = await _text(vm, request_id, watched.where)
        if not watched.text:
            self._watched.pop(request_id, None)
            return
        self._watched[request_id] = watched
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run(vm, tell_changed), name="old code watch")

    def text_of(self, breakpoint_: Breakpoint) -> str | None:
        """The text to show about a breakpoint now; None for nothing."""
        texts = (each.text for each in self._watched.values() if each.breakpoint is breakpoint_)
        return next(texts, None)

    def forget(self, request_id: RequestId) -> None:
        """Forget a request that is about to be cleared."""
        self._watched.pop(request_id, None)

    async def close(self) -> None:
        """End the task."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self, vm: VirtualMachine, tell_changed: Callable[[Breakpoint], None]) -> None:
        while self._watched:
            await asyncio.sleep(_EVERY_S)
            for request_id, watched in list(self._watched.items()):
                try:
                    text = await _text(vm, request_id, watched.where)
                except JvmDebugError:
                    if not vm.connection.is_open:
                        return
                    continue
                if self._watched.get(request_id) is not watched or text == watched.text:
                    continue
                before, watched.text = watched.text, text
                if not text:
                    self._watched.pop(request_id)
                if watched.breakpoint.message == before:
                    watched.breakpoint.message = self.text_of(watched.breakpoint)
                    tell_changed(watched.breakpoint)


async def _text(vm: VirtualMachine, request_id: RequestId, where: str) -> str:
    found = (await vm.request(wire.OldFrames(int(request_id)))).threads
    names: list[str] = []
    for each in found[:_MOST_NAMES]:
        try:
            names.append(await vm.thread(each.thread).name())
        except JvmDebugError:
            continue  # the thread has ended
    if not names:
        return ""
    more = len(found) - len(names)
    others = f" and {more} other{'s' if more > 1 else ''}" if more else ""
    is_one = len(found) == 1
    return (
        f"thread{'' if is_one else 's'} {', '.join(names)}{others} {'runs' if is_one else 'run'}"
        f" {where} in the code from before, and {'passes' if is_one else 'pass'} this breakpoint"
        f" until {'it has' if is_one else 'they have'} left the method"
    )
