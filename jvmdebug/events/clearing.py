# SPDX-License-Identifier: Apache-2.0
"""Breakpoint requests that are cleared together: their checks leave the program by few changes of
classes. One change for each would keep a large program standing for long.

Our agent does it by one command. Begun by whoever clears many, used by `requests`.
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
    """What waits: of all tasks that were made while it was the current one."""

    def __init__(self, vm: VirtualMachine) -> None:
        self._vm = vm
        self._requests: list[RequestId] = []
        self._is_open = True

    def takes(self, vm: VirtualMachine, kind: EventKind, request: RequestId) -> bool:
        """Whether it is cleared at the end, with others."""
        if not self.is_for(vm) or kind is not EventKind.BREAKPOINT:
            return False
        self._requests.append(request)
        return True

    def is_for(self, vm: VirtualMachine) -> bool:
        """Whether it is of this VM, and has not ended."""
        return self._is_open and self._vm is vm

    async def end(self) -> None:
        """Clear them."""
        self._is_open = False
        if not self._requests:
            return
        cleared = tuple(wire.Clear.Cleared(int(each)) for each in self._requests)
        with contextlib.suppress(ConnectionLost, VmDeadError):  # nothing is left to clear
            # However many classes and probes there are: nothing is known before it is done.
            await self._vm.request(wire.Clear(cleared), timeout_s=None)


_current: ContextVar[Clearing | None] = ContextVar("requests to clear", default=None)


def waits(vm: VirtualMachine, kind: EventKind, request: RequestId) -> bool:
    """Whether the request of the current task is cleared later, together with others."""
    current = _current.get()
    return current is not None and current.takes(vm, kind, request)


@contextlib.asynccontextmanager
async def clear_together(vm: VirtualMachine) -> AsyncIterator[None]:
    """Breakpoint requests that this task, and those that it begins, clear inside are cleared at the
    end, or at that of an outer one. None of them causes a reaction any more before that.
    """
    outer = _current.get()
    if not vm.agent_can(AgentCapability.PROBES) or (outer is not None and outer.is_for(vm)):
        yield
        return
    clearing = Clearing(vm)
    token = _current.set(clearing)
    try:
        yield
    finally:
        _current.reset(token)
        await clearing.end()
