# SPDX-License-Identifier: Apache-2.0
"""Makes places where a step can end, in a VM that lets the agent step no thread: a probe at each
line of a method, and where it returns or throws.

Their checks do nothing until a step asks them to hold. Frames that began before the probes were put
in never reach one, so a method gets its probes with its first breakpoint. Called by `breakpoints`,
which puts them in, and by `stepping`, which decides where a step ends.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from jvmdebug.classfile import instructions
from jvmdebug.errors import JvmDebugError, VmError
from jvmdebug.events import RESUME
from jvmdebug.jdwp.generated import probes as wire
from jvmdebug.jdwp.generated.constants import EventKind, SuspendPolicy
from jvmdebug.jdwp.generated.events import LocationOnlyModifier
from jvmdebug.probes.codegen.check import NEVER
from jvmdebug.probes.constructors import constructed
from jvmdebug.probes.deferring import put_in_together
from jvmdebug.probes.probe import Probe
from jvmdebug.probes.question import ProbeQuestion

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection, Iterable

    from jvmdebug.events import BreakpointOccurrence, RequestHandle, Router, Verdict
    from jvmdebug.model.location import Location
    from jvmdebug.model.method import Method
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.model.thread import Thread
    from jvmdebug.model.virtual_machine import VirtualMachine

EXPLANATION: Final = (
    "this step was approximate, as the agent was loaded into a program that ran already: steps end"
    " at lines that have probes, in methods with breakpoints and in those that steps have entered"
)
_MOST: Final = 150
"""The most points in one method: each makes it some forty bytes longer."""
_LONGEST: Final = 4_000
"""The longest method with points, in bytes: HotSpot compiles no method of 8,000 or more."""


@dataclass(slots=True, eq=False)
class StepPoint:
    """One place where a step can end."""

    location: Location
    request: RequestHandle
    probe: Probe
    reach: Callable[[BreakpointOccurrence], Awaitable[Verdict]] | None = None
    """Called when a thread arrives; None while no step waits."""


@dataclass(slots=True)
class _OfMethod:
    points: dict[int, StepPoint] = field(default_factory=dict)
    """The points by code index."""
    why_not: str | None = None
    is_ready: asyncio.Event = field(default_factory=asyncio.Event)


class StepPoints:
    """The step points of one VM; a companion of it."""

    def __init__(self) -> None:
        self._methods: dict[Method, _OfMethod] = {}
        self._resting: asyncio.Task[None] | None = None
        self._has_explained = False

    async def prepare(self, vm: VirtualMachine, router: Router, method: Method) -> str | None:
        """Put points into a method that has none. Returns why that is not possible, or None. Inside
        of `put_in_together` they take effect at its end.
        """
        known = self._methods.get(method)
        if known is not None:
            await known.is_ready.wait()
            return known.why_not
        known = self._methods[method] = _OfMethod()
        try:
            known.why_not = await self._put(vm, router, method, known)
        except (JvmDebugError, asyncio.CancelledError) as error:
            known.why_not = str(error) or "it was cancelled"
            await self.drop(method)
            if isinstance(error, asyncio.CancelledError):
                self._methods.pop(method, None)
                raise
        finally:
            known.is_ready.set()
        return known.why_not

    def why_not(self, method: Method) -> str | None:
        """Why no step can end in a method; None if one can."""
        known = self._methods.get(method)
        if known is None:
            return "it had no probes when it was called"
        return known.why_not

    def at(self, method: Method, indexes: Iterable[int]) -> list[StepPoint]:
        """The points at these indexes, without those whose probe was refused."""
        known = self._methods.get(method)
        points = {} if known is None else known.points
        found = [points[index] for index in indexes if index in points]
        return [each for each in found if not each.probe.is_refused]

    async def drop(self, method: Method) -> None:
        """Take the points out of a method again, because it cannot have them. It gets no others."""
        known = self._methods.get(method)
        points = [] if known is None else list(known.points.values())
        if known is not None:
            known.points.clear()
            known.why_not = known.why_not or "it can have no probes at its lines"
        await asyncio.gather(*(each.request.clear() for each in points), return_exceptions=True)

    async def redefined(self, types: Collection[ReferenceType]) -> None:
        """Forget the points of types that have new code."""
        ids = {each.id for each in types}
        for method in [each for each in self._methods if each.declaring_type.id in ids]:
            known = self._methods.pop(method)
            points = known.points.values()
            await asyncio.gather(*(each.request.clear() for each in points), return_exceptions=True)

    async def passes(self, vm: VirtualMachine, thread: Thread, point: StepPoint) -> bool:
        """Whether a frame of the thread runs the method without the point, and may pass the
        place.
        """
        old = await vm.request(wire.OldFrames(int(point.request.request_id)))
        return any(each.thread == thread.id for each in old.threads)

    def rest(self, points: Collection[StepPoint]) -> None:
        """Have these points hold in no thread, soon."""
        before = self._resting

        async def rest() -> None:
            if before is not None:
                await before
            await ask_all([each for each in points if each.reach is None], NEVER)

        self._resting = asyncio.create_task(rest(), name="step points rest")

    def explain_once(self) -> str | None:
        """What the user should know about steps here; only at the first call."""
        if self._has_explained:
            return None
        self._has_explained = True
        return EXPLANATION

    async def close(self) -> None:
        """End the task."""
        if self._resting is not None:
            self._resting.cancel()
            await asyncio.gather(self._resting, return_exceptions=True)

    async def _put(
        self, vm: VirtualMachine, router: Router, method: Method, known: _OfMethod
    ) -> str | None:
        if not method.has_code:
            return "it has no code"
        indexes = await _places(method)
        if not indexes:
            return "it has no line numbers"
        code = await method.bytecodes()
        if len(indexes) > _MOST or len(code) > _LONGEST:
            return "it is too long to have a probe at each line"
        points = await asyncio.gather(
            *(self._point(vm, router, method.location(index)) for index in indexes)
        )
        known.points.update({each.location.index: each for each in points})
        async with put_in_together(vm) as refused:
            reasons = await asyncio.gather(
                *(each.probe.ask(ProbeQuestion(only_thread=NEVER)) for each in points)
            )
        for reason in (*reasons, *refused.values()):
            if reason is not None:
                await self.drop(method)
                return reason
        return None

    async def _point(self, vm: VirtualMachine, router: Router, location: Location) -> StepPoint:
        async def reached(occurrence: BreakpointOccurrence) -> Verdict:
            return RESUME if point.reach is None else await point.reach(occurrence)

        request = await router.arm(
            EventKind.BREAKPOINT,
            (LocationOnlyModifier(location.wire),),
            SuspendPolicy.EVENT_THREAD,
            reached,
        )
        probe = Probe(vm, request.request_id, location, lambda _: None, hands_over=True)
        point = StepPoint(location, request, probe)
        return point


async def _places(method: Method) -> tuple[int, ...]:
    """The code indexes where lines begin, and where the method returns or throws. In a constructor
    only those behind the call of another constructor, because no code may see the object before.
    """
    table, code = await asyncio.gather(method.line_table(), method.bytecodes())
    begin = await constructed(method) if method.is_constructor else 0
    if begin is None or not table.lines:
        return ()
    leaving = (
        each.index for each in instructions(code) if each.mnemonic.endswith(("return", "athrow"))
    )
    found = {index for index, _ in table.lines} | set(leaving)
    return tuple(sorted(index for index in found if index >= begin))


async def ask_all(points: Iterable[StepPoint], java_id: int) -> None:
    """Have these points hold in one thread, by its Java id; NEVER for none."""
    question = ProbeQuestion(only_thread=java_id)
    for each in points:
        try:
            await each.probe.ask(question)
        except VmError:
            continue  # the class was unloaded
