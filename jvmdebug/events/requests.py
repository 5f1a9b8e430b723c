# SPDX-License-Identifier: Apache-2.0
"""Event requests that are armed in the VM, and their reactions.

Owns the table that maps requests to reactions, in which the router looks up every occurrence. The
code that armed a request has its RequestHandle.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any, Final

from jvmdebug.errors import (
    ConnectionLost,
    InvalidEventTypeError,
    NotFoundError,
    NotImplementedByVmError,
    UnsupportedError,
    VmDeadError,
    VmError,
    WireError,
)
from jvmdebug.events.clearing import waits
from jvmdebug.events.with_resume import SentWithResume, Waiting
from jvmdebug.jdwp.generated import event_request
from jvmdebug.jdwp.generated.constants import EventKind
from jvmdebug.jdwp.generated.events import ElementStoreModifier, ShownModifier
from jvmdebug.jdwp.ids import RequestId
from jvmdebug.model.agent import AgentCapability

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Sequence

    from jvmdebug.errors import JvmDebugError
    from jvmdebug.events.verdicts import Reaction
    from jvmdebug.jdwp.generated.constants import SuspendPolicy
    from jvmdebug.jdwp.generated.events import Modifier
    from jvmdebug.model.virtual_machine import VirtualMachine


_NEEDED: Final = {
    EventKind.BREAKPOINT: (AgentCapability.BREAKPOINTS, "a breakpoint"),
    EventKind.SINGLE_STEP: (AgentCapability.STEPS, "a step of this kind"),
    EventKind.METHOD_ENTRY: (AgentCapability.METHOD_ENTRY_EVENTS, "a stop where a method begins"),
    EventKind.FIELD_ACCESS: (AgentCapability.FIELD_WATCHES, "watching a field"),
    EventKind.FIELD_MODIFICATION: (AgentCapability.FIELD_WATCHES, "watching a field"),
    EventKind.EXCEPTION: (AgentCapability.EXCEPTION_EVENTS, "an exception breakpoint"),
}
"""Capabilities that an agent may lack, and the words for them."""
_OF_STEPS: Final = (EventKind.SINGLE_STEP, EventKind.METHOD_EXIT_WITH_RETURN_VALUE)
_LOCKED: Final = (
    "stopping at stores into an array is not possible as long as a thread is held in a static "
    "synchronized method of java.lang.Thread, whose lock the agent needs: let the thread go on, "
    "and set the watch again"
)
_OLDER_VERSION: Final = (
    "a stop here is not possible now: the class was changed, and the VM still has older code of "
    "the method, with which a breakpoint would damage the program or crash it; set it again when "
    "no thread runs the method"
)
CHANGED_BY_OTHERS: Final = (
    "nothing stops here now: another agent has changed the class, and the VM still has older code "
    "of the method, with which a breakpoint would damage the program or crash it"
)
"""What is told of a breakpoint that the VM had before."""


_SHOWN: Final = ShownModifier(20, 32 * 1024)
"""How many frames an editor asks for first; the bytes leave room for the stop's own packets."""


def shown_stops(vm: VirtualMachine) -> tuple[Modifier, ...]:
    """The modifier of a request whose stops are shown: our agent then sends with each stop what
    showing it takes. For requests whose events are not evaluated first.
    """
    return (_SHOWN,) if vm.agent_can(AgentCapability.SHOWN_STOPS) else ()


class RequestHandle:
    """One request in the VM."""

    def __init__(
        self,
        table: RequestTable,
        kind: EventKind,
        request_id: RequestId,
        suspend_policy: SuspendPolicy,
        reaction: Reaction,
    ) -> None:
        self.kind = kind
        self.request_id = request_id
        self.suspend_policy = suspend_policy
        self.reaction = reaction
        self._table = table

    @property
    def is_armed(self) -> bool:
        """True until `clear`. A request with a count modifier may have expired in the VM before."""
        return self._table.find(self.kind, self.request_id) is self

    async def clear(self) -> None:
        """End the request. Its events that are on their way cause no reaction. May be repeated."""
        await self._table.clear(self)

    def clear_soon(self) -> None:
        """Clear without waiting for the reply; the command is sent before any later one."""
        self._table.clear_soon(self)

    def clear_with_resume(self) -> None:
        """Clear with the next resume, which must follow at once; before it, if the agent cannot."""
        self._table.clear_with_resume(self)

    def __repr__(self) -> str:
        return f"RequestHandle({self.kind.name}, {self.request_id})"


class RequestTable:
    """All requests of one VM."""

    def __init__(self, vm: VirtualMachine) -> None:
        self._vm = vm
        self._handles: dict[tuple[EventKind, RequestId], RequestHandle] = {}
        self._arming: set[asyncio.Task[RequestHandle]] = set()
        self._clearing: set[asyncio.Task[None]] = set()
        self._waiting: list[Waiting] = []
        """Requests that the next resume makes."""
        self._sent: dict[RequestHandle, asyncio.Future[None]] = {}
        """Requests that a resume makes whose reply is not here yet."""

    async def arm(
        self,
        kind: EventKind,
        modifiers: Sequence[Modifier],
        suspend_policy: SuspendPolicy,
        reaction: Reaction,
    ) -> RequestHandle:
        """Arm a request, see Router.arm. If the caller is cancelled, the request is cleared; if the
        table is closed meanwhile, raises ConnectionLost.
        """
        task = asyncio.create_task(
            self._arm(kind, tuple(modifiers), suspend_policy, reaction), name=f"arm {kind.name}"
        )
        self._arming.add(task)
        task.add_done_callback(self._arming.discard)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            if task.cancelled():
                raise ConnectionLost(f"the session ended while {kind.name} was asked for") from None
            self._spawn(self._clear_when_armed(task), f"disarm {kind.name}")
            raise

    async def arm_with_resume(
        self,
        kind: EventKind,
        modifiers: Sequence[Modifier],
        suspend_policy: SuspendPolicy,
        reaction: Reaction,
        refused: Callable[[JvmDebugError], None] | None = None,
    ) -> RequestHandle:
        """Arm a request with the next resume, see Router.arm_with_resume."""
        self._require(kind)
        handle = RequestHandle(self, kind, RequestId(0), suspend_policy, reaction)
        self._waiting.append(Waiting(handle, tuple(modifiers), refused))
        return handle

    def take_with_resume(self) -> SentWithResume | None:
        """What a resume has to make and to clear; None if there is nothing. The caller sends it."""
        waiting, self._waiting = self._waiting, []
        cleared = self._vm.connection.postponed.take(event_request.Clear)
        if not waiting and not cleared:
            return None
        sent = SentWithResume(waiting, cleared, self._enter)
        for each in waiting:
            self._sent[each.handle] = sent.done
        sent.done.add_done_callback(
            lambda _: [self._sent.pop(each.handle, None) for each in waiting]
        )
        return sent

    def _enter(self, handle: RequestHandle) -> None:
        self._handles[handle.kind, handle.request_id] = handle

    async def clear(self, handle: RequestHandle) -> None:
        """See RequestHandle.clear."""
        if self._gives_up(handle):
            return
        if handle in self._sent:
            await asyncio.wait({self._sent[handle]})
        if self._handles.pop((handle.kind, handle.request_id), None) is None:
            return
        if waits(self._vm, handle.kind, handle.request_id):
            return
        # An expired request, or a VM that has ended, has nothing left to clear.
        with contextlib.suppress(ConnectionLost, VmDeadError, NotFoundError, InvalidEventTypeError):
            await self._vm.request(event_request.Clear(handle.kind, handle.request_id))

    def clear_soon(self, handle: RequestHandle) -> None:
        """See RequestHandle.clear_soon."""
        if self._gives_up(handle):
            return
        if handle.kind in _OF_STEPS and self._vm.is_still():  # it does nothing until then
            self.clear_with_resume(handle)
            return
        self._spawn(self._clear_quietly(handle), f"disarm {handle.kind.name}")

    def _gives_up(self, handle: RequestHandle) -> bool:
        """Whether the request was waiting for a resume; it is not made then."""
        before = len(self._waiting)
        self._waiting = [each for each in self._waiting if each.handle is not handle]
        return len(self._waiting) < before

    def clear_with_resume(self, handle: RequestHandle) -> None:
        """See RequestHandle.clear_with_resume."""
        if self._gives_up(handle):
            return
        is_armed = self.find(handle.kind, handle.request_id) is handle
        if not is_armed or not self._vm.agent_can(AgentCapability.RESUME_WITH):
            self._spawn(self._clear_quietly(handle), f"disarm {handle.kind.name}")
            return
        del self._handles[handle.kind, handle.request_id]
        self._vm.connection.postponed.add(event_request.Clear(handle.kind, handle.request_id))

    def find(self, kind: EventKind, request_id: RequestId) -> RequestHandle | None:
        """The request with this id; None if it was cleared."""
        return self._handles.get((kind, request_id))

    async def settle(self) -> None:
        """Waits until the requests that are being armed now are in the table.

        An event can arrive in the same packet as the reply that names its request.
        """
        if self._arming or self._sent:
            under_way: list[asyncio.Future[Any]] = [*self._arming, *self._sent.values()]
            await asyncio.wait(under_way)

    async def close(self) -> None:
        """Cancels arming, and drops all requests without notifying the VM."""
        tasks = [*self._arming, *self._clearing]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._handles.clear()

    async def _arm(
        self,
        kind: EventKind,
        modifiers: tuple[Modifier, ...],
        suspend_policy: SuspendPolicy,
        reaction: Reaction,
    ) -> RequestHandle:
        self._require(kind)
        try:
            reply = await self._vm.request(event_request.Set(kind, suspend_policy, modifiers))
        except NotImplementedByVmError as error:
            if any(isinstance(each, ElementStoreModifier) for each in modifiers):
                raise UnsupportedError(_LOCKED) from error
            if kind is EventKind.BREAKPOINT:
                raise UnsupportedError(_OLDER_VERSION) from error
            raise
        handle = RequestHandle(self, kind, RequestId(reply.request_id), suspend_policy, reaction)
        self._handles[kind, handle.request_id] = handle
        return handle

    def _require(self, kind: EventKind) -> None:
        needed = _NEEDED.get(kind)
        if needed is not None:
            self._vm.require_of_agent(*needed)

    async def _clear_when_armed(self, task: asyncio.Task[RequestHandle]) -> None:
        await asyncio.wait({task})
        if not task.cancelled() and task.exception() is None:
            await self._clear_quietly(task.result())

    async def _clear_quietly(self, handle: RequestHandle) -> None:
        with contextlib.suppress(VmError, WireError):  # no caller waits for it
            await self.clear(handle)

    def _spawn(self, work: Coroutine[Any, Any, None], name: str) -> None:
        task = asyncio.create_task(work, name=name)
        self._clearing.add(task)
        task.add_done_callback(self._clearing.discard)
