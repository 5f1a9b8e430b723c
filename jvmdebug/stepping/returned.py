# SPDX-License-Identifier: Apache-2.0
"""The results of methods that return during a step: the last one counts.

Our agent reports the returns of the stepping frame and of the calls made in it, and none inside
those calls; when very many methods return inside, it stops reporting, so that the step stays fast.
The JDK's agent can report those of a class in a thread: enough for a step out, unless the method
calls itself often. Suspends nothing. Called by `step`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug.classfile import exception_entries, instructions
from jvmdebug.errors import NotImplementedByVmError, VmError
from jvmdebug.events import RESUME, NearFrameExhaustedOccurrence, Verdict, shown_stops
from jvmdebug.jdwp.generated.constants import EventKind, StepDepth, SuspendPolicy
from jvmdebug.jdwp.generated.events import (
    ClassOnlyModifier,
    NearFrameModifier,
    ThreadOnlyModifier,
)
from jvmdebug.model.agent import AgentCapability
from jvmdebug.model.location import Location

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmdebug.errors import JvmDebugError
    from jvmdebug.events import MethodExitWithValueOccurrence, RequestHandle, Router
    from jvmdebug.jdwp.generated.events import Modifier
    from jvmdebug.model.frame import Frame
    from jvmdebug.model.method import Method
    from jvmdebug.model.values import Value

_EXITS: Final = AgentCapability.METHOD_EXITS

_MAX_RETURNS: Final = 64
"""After so many, in a loop on one line or a recursion, the rest is not requested."""

RETURN_BUDGET: Final = 25_000
"""After so many inside the calls of one step the agent stops reporting: a twentieth of a second is
lost at most, however long the step takes.
"""


def why_unknown(router: Router) -> str | None:
    """Why what a method returns is never known in this VM; None if it is."""
    vm = router.vm
    if vm.agent_can(AgentCapability.METHOD_EXITS):
        return None
    agent = vm.agent
    reason = "the agent cannot tell" if agent is None else agent.why_off(_EXITS)
    return f"what a method returns is not known: {reason}"


def ended_by_exception(method: Method) -> str:
    """Why a method that was left has no result."""
    return f"{method} returned nothing: it ended by an exception"


async def handler_of(location: Location) -> int | None:
    """The code index of the handler whose beginning this is, where only an exception leads; None
    for any other code, and if the code is not known.
    """
    method = location.method
    if not method.declaring_type.vm.capabilities.can_get_bytecodes:
        return None
    try:
        return exception_entries(await method.bytecodes()).get(location.index)
    except VmError:  # of a method that was replaced
        return None


async def return_location(caller: Frame) -> Location | None:
    """The place where `caller` goes on when what it has called returns, and does not throw; None if
    its code is not known.
    """
    method, index = caller.location.method, caller.location.index
    if not (method.has_code and method.declaring_type.vm.capabilities.can_get_bytecodes):
        return None
    for each in instructions(await method.bytecodes()):
        if each.index == index:
            return Location(method, index + each.size)
    return None


class ReturnWatch:
    """The returns during one step."""

    def __init__(self, router: Router) -> None:
        self._router = router
        self._request: RequestHandle | None = None
        self._only: Method | None = None
        self._count = 0
        self._last: tuple[Method, Value] | None = None
        self._budget = RETURN_BUDGET
        self._exhausted = False
        self._refused: str | None = None
        self._leaves: Method | None = None
        """The method that a step out leaves, one way or the other."""
        self._unsubscribe: Callable[[], None] | None = None

    @property
    def last(self) -> tuple[Method, Value] | None:
        """The method that returned last and its value; None if none did, or too many."""
        return self._last if self.why_not is None else None

    @property
    def why_not(self) -> str | None:
        """Why the last is not known although the agent can report it; None if it is known."""
        if self._refused is not None:
            return self._refused
        if self._exhausted:
            return (
                f"what was returned is not known: more than {self._budget:,} methods returned"
                " inside, and to look at more would have slowed the program down"
            )
        if self._count > _MAX_RETURNS:
            return f"what was returned is not known: more than {_MAX_RETURNS} calls returned"
        if self._leaves is not None and self._last is None:
            return ended_by_exception(self._leaves)
        return None

    async def arm(self, start: Frame, depth: StepDepth) -> None:
        """Begin with the next resume; `start` is the frame that the step leaves. Does nothing where
        the VM cannot report results: in the fast mode that of a step out of a native method, or of
        code that was replaced.
        """
        vm = self._router.vm
        thread = start.thread.id
        if not vm.agent_can(AgentCapability.METHOD_EXIT_EVENTS) and not vm.agent_can(_EXITS):
            return
        modifiers: tuple[Modifier, ...]
        if vm.agent_can(AgentCapability.NEAR_FRAME):
            above = 0 if depth is StepDepth.OUT else 1
            modifiers = (NearFrameModifier(thread, above, self._budget),)
            self._unsubscribe = self._router.subscribe(
                NearFrameExhaustedOccurrence, self._budget_exhausted
            )
        elif depth is StepDepth.OUT:
            self._only = start.location.method
            modifiers = (ThreadOnlyModifier(thread), ClassOnlyModifier(start.location.type.id))
        else:
            return
        self._leaves = start.location.method if depth is StepDepth.OUT else None
        self._request = await self._router.arm_with_resume(
            EventKind.METHOD_EXIT_WITH_RETURN_VALUE,
            (*modifiers, *shown_stops(vm)),
            SuspendPolicy.NONE,
            self._returned,
            self._not_watched,
        )

    def _not_watched(self, error: JvmDebugError) -> None:
        """Note that the agent does not report results."""
        method, self._leaves, self._request = self._leaves, None, None
        if method is None:
            return
        self._refused = f"what {method} returned is not known: " + (
            "in the fast mode nothing is seen of native methods, and of code that was replaced"
            " while it ran"
            if isinstance(error, NotImplementedByVmError)
            else str(error)
        )

    def cancel(self) -> None:
        """Clear the request."""
        unsubscribe, self._unsubscribe = self._unsubscribe, None
        if unsubscribe is not None:
            unsubscribe()
        request, self._request = self._request, None
        if request is not None:
            request.clear_soon()

    async def _returned(self, occurrence: MethodExitWithValueOccurrence) -> Verdict:
        method = occurrence.location.method
        self._count += 1
        if self._count > _MAX_RETURNS:
            self.cancel()
        elif self._only is None or method is self._only:
            self._last = method, occurrence.value
        return RESUME

    async def _budget_exhausted(self, occurrence: NearFrameExhaustedOccurrence) -> Verdict:
        if self._request is not None and occurrence.request_id == self._request.request_id:
            self._exhausted = True
        return RESUME
