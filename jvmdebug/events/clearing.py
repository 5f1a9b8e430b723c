# SPDX-License-Identifier: Apache-2.0
"""Clears breakpoint requests together, so that their checks leave the program by few changes of
classes. One change for each request would stop a large program for long.

Our agent does it by one command. Begun by code that clears many requests, used by `requests`.
"""

from __future__ import annotations

import contextlib
from contextvars import ContextVar
from typing import TYPE_CHECKING

from jvmdebug.errors import ConnectionLost, VmDeadError
from jvmdebug.jdwp.generated import probes as wire
from jvmdebug.jdwp.generated.constants import EventKind
from jvmdebug.model.agent import AgentCapability

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from jvmdebug.jdwp.ids import RequestId
    from jvmdebug.model.virtual_machine import VirtualMachine


class Clearing:
    """The requests to clear together: those of all tasks that were started while it was current."""

    def __init__(self, vm: VirtualMachine) -> None:
        self._vm = vm
        self._requests: list[RequestId] = []
        self._is_open = True

    def takes(self, vm: VirtualMachine, kind: EventKind, request: RequestId) -> bool:
        """Whether the request is cleared at the end, together with others. Notes it then."""
        if not self.is_for(vm) or kind is not EventKind.BREAKPOINT:
            return False
        self._requests.append(request)
        return True

    def is_for(self, vm: VirtualMachine) -> bool:
        """Whether it belongs to this VM, and has not ended."""
        return self._is_open and self._vm is vm

    async def end(self) -> None:
        """Clear the requests."""
        self._is_open = False
        if not self._requests:
            return
        cleared = tuple(wire.Clear.Cleared(int(each)) for each in self._requests)
        with contextlib.suppress(ConnectionLost, VmDeadError):  # nothing is left to clear
            # No deadline: with many classes and probes it takes long, and nothing is known before
            # it is done.
            await self._vm.request(wire.Clear(cleared), timeout_s=None)


_current: ContextVar[Clearing | None] = ContextVar("requests to clear", default=None)


def waits(vm: VirtualMachine, kind: EventKind, request: RequestId) -> bool:
    """Whether the request of the current task is cleared later, together with others."""
    current = _current.get()
    return current is not None and current.takes(vm, kind, request)


@contextlib.asynccontextmanager
async def clear_together(vm: VirtualMachine) -> AsyncIterator[None]:
    """Clear breakpoint requests that this task, and tasks that it starts, clear inside at the end,
    or at the end of an outer such context. None of them causes a reaction any more before that.
    """
    outer = _current.get()
    if outer is not None and outer.is_for(vm):
        yield
        return
    async with clear_now(vm):
        yield


@contextlib.asynccontextmanager
async def clear_now(vm: VirtualMachine) -> AsyncIterator[None]:
    """As `clear_together`, but at the end of this context, also inside an outer one: for requests
    that are in the way of what comes next.
    """
    if not vm.agent_can(AgentCapability.PROBES):
        yield
        return
    clearing = Clearing(vm)
    token = _current.set(clearing)
    try:
        yield
    finally:
        _current.reset(token)
        await clearing.end()
