# SPDX-License-Identifier: Apache-2.0
"""A step in a VM that lets the agent step no thread, as it was loaded when the program ran: the
step ends where this thread comes first to one of the lines that may follow, each of which has a
probe (`probes.StepPoints`). It is approximate: it ends at no line without a probe, and frames that
began before the probes were put into their methods never come to one. Called by `stepper`.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from jvmdebug.errors import UnsupportedError, VmError
from jvmdebug.events import RESUME, StopFor
from jvmdebug.jdwp.generated.constants import StepDepth
from jvmdebug.model.values import PrimitiveValue
from jvmdebug.probes import StepPoints, ask_all
from jvmdebug.sources import first_line
from jvmdebug.stepping.call_sites import calls_ahead
from jvmdebug.stepping.filters import JDK_PATTERNS, fits
from jvmdebug.stepping.line_flow import exits_of, handlers_of, line_flow
from jvmdebug.stepping.step import StepEnded, StepState

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jvmdebug.events import BreakpointOccurrence, Router, Verdict
    from jvmdebug.model.frame import Frame
    from jvmdebug.model.location import Location
    from jvmdebug.model.method import Method
    from jvmdebug.model.thread import Thread
    from jvmdebug.probes import StepPoint
    from jvmdebug.stepping.call_sites import CallSite
    from jvmdebug.stepping.filters import StepFilters

_MOST_FRAMES: Final = 64
_NOT_CAUGHT: Final = "what may catch it has no probes, or runs code from before them"
_MOST_CALLED: Final = 16
"""Methods that a step in may enter: one for each class that implements what is called."""


class ApproximateStep:
    """One step of one thread."""

    def __init__(
        self,
        router: Router,
        thread: Thread,
        *,
        depth: StepDepth,
        filters: StepFilters,
        target: CallSite | None = None,
        suspends_all: bool,
    ) -> None:
        self.thread = thread
        self.state = StepState.NEW
        self._router = router
        self._points = router.vm.companion(StepPoints)
        self._depth = depth
        self._filters = filters
        self._target = target
        self._suspends_all = suspends_all
        self._waiting: list[StepPoint] = []
        self._height = 0
        self._entered: list[StepPoint] = []
        """Those of methods that the line calls."""
        self._last: list[StepPoint] = []
        """Where the method returns to a caller in which it cannot end."""
        self._throwing: list[StepPoint] = []
        """Where the method throws to one in which it cannot end."""
        self._reason = ""
        """Why the step cannot end in a caller."""

    async def arm(self, start: Frame | None) -> None:
        """Have the probes hold; `start` is the frame that the step leaves. UnsupportedError if
        there is none where it could end.
        """
        if start is None:
            raise UnsupportedError("the thread has no frame to step in")
        if (reason := self._points.why_not(start.location.method)) is not None:
            raise UnsupportedError(_cannot(f"{start.location.method}: {reason}"))
        points = await self._that_come(await self._places(start))
        if not points:
            self._reason = self._reason or (
                f"{start.location.method} runs code from before its probes"
            )
            raise UnsupportedError(_cannot(self._reason))
        self._height = await self.thread.frame_count()
        java_id = await _java_id(self.thread)
        self._waiting = points
        for point in points:
            point.reach = self._on_reached
        await ask_all(points, java_id)
        self.state = StepState.ARMED

    def cancel(self) -> None:
        """The probes hold no more; soon, and until then nothing stops at them."""
        if self.state is StepState.ARMED:
            self.state = StepState.CALLED_OFF
        points, self._waiting = self._waiting, []
        for point in points:
            if point.reach == self._on_reached:
                point.reach = None
        if points:
            self._points.rest(points)

    async def _on_reached(self, occurrence: BreakpointOccurrence) -> Verdict:
        if self.state is not StepState.ARMED or occurrence.thread is not self.thread:
            return RESUME
        is_entered = any(each.location == occurrence.location for each in self._entered)
        if not is_entered and await self.thread.frame_count() > self._height:
            return RESUME  # the same method again, called by itself
        self.state = StepState.DONE
        notice = self._points.explain_once()
        if any(each.location == occurrence.location for each in self._last):
            notice = f"{occurrence.location.method} is about to return; {self._reason}"
        elif any(each.location == occurrence.location for each in self._throwing):
            notice = f"{occurrence.location.method} is about to throw; {_NOT_CAUGHT}"
        return StopFor(StepEnded(suspends_all=self._suspends_all, why_not_returned=notice))

    async def _places(self, start: Frame) -> list[StepPoint]:
        """The places where it may end."""
        method = start.location.method
        found: list[StepPoint] = []
        if self._depth is StepDepth.INTO:
            self._entered = await self._called(start.location)
            found += self._entered
        leaves = self._depth is StepDepth.OUT
        flow = await (exits_of(method) if leaves else line_flow(start.location))
        found += self._points.at(method, flow.next_lines)
        callers = await self.thread.frames(start.depth + 1, _MOST_FRAMES)
        handlers = await self._handlers(callers)
        here = {start.location.index}
        if flow.throws and not await self._that_come(handlers):
            self._reason = _NOT_CAUGHT
            self._throwing = self._points.at(method, flow.throws - here)
        if flow.returns and not await self._add_callers(callers, found):
            # Where the method is about to return: the last place that has a probe.
            self._last = self._points.at(method, flow.returns - here)
        return [*found, *self._throwing, *self._last, *handlers]

    async def _add_callers(self, callers: Iterable[Frame], found: list[StepPoint]) -> bool:
        """Adds where callers go on; false if the step cannot end there."""
        self._reason = "the thread ends with this method"
        for frame in callers:
            if self._is_passed_over(frame):
                continue
            method = frame.location.method
            if (reason := await self._why_not_in(method)) is not None:
                self._reason = f"its caller {method}: {reason}"
                return False
            flow = await line_flow(frame.location)
            points = self._points.at(method, flow.next_lines)
            if points and await self._passes_any(points):
                self._reason = f"its caller {method} runs code from before its probes"
                return False
            found += points
            if not flow.returns:
                return True
        return False

    async def _why_not_in(self, method: Method) -> str | None:
        """Why no step can end in a caller now. It can the next time that it is called: it gets
        its probes.
        """
        reason = self._points.why_not(method)
        if reason is not None and not fits(method.declaring_type.name, JDK_PATTERNS):
            await self._points.prepare(self._router.vm, self._router, method)
        return reason

    async def _that_come(self, points: Iterable[StepPoint]) -> list[StepPoint]:
        """The places that no frame of the thread passes by, each once."""
        found = tuple(dict.fromkeys(points))
        vm = self._router.vm
        passing = (self._points.passes(vm, self.thread, each) for each in found)
        answers = await asyncio.gather(*passing)
        return [each for each, passes in zip(found, answers, strict=True) if not passes]

    async def _passes_any(self, points: Iterable[StepPoint]) -> bool:
        points = tuple(points)
        return len(await self._that_come(points)) < len(points)

    def _is_passed_over(self, frame: Frame) -> bool:
        type_, method = frame.location.type, frame.location.method
        return (
            method.is_native
            or method.is_obsolete
            or "/" in type_.name
            or (self._filters.skip_synthetic and method.is_bridge)
            or self._filters.skips_class(type_.name)
        )

    async def _handlers(self, callers: Iterable[Frame]) -> list[StepPoint]:
        """The places where an exception that leaves the method may be caught."""
        found: list[StepPoint] = []
        for frame in callers:
            location = frame.location
            if location.method.is_native or self._points.why_not(location.method) is not None:
                continue
            table = await location.method.line_table()
            for each in await handlers_of(location.method):
                if each.start <= location.index < each.end:
                    first = next((at for at, _ in table.lines if at >= each.handler), None)
                    found += self._points.at(location.method, () if first is None else (first,))
        return found

    async def _called(self, location: Location) -> list[StepPoint]:
        """The first lines of what the line calls, and of lambdas that are written on it."""
        found: list[StepPoint] = []
        calls = await calls_ahead(location) if self._target is None else (self._target,)
        methods: dict[Method, None] = {}
        for call in calls:
            for method in await self._methods(call):
                methods[method] = None
        for method in list(methods)[:_MOST_CALLED]:
            vm = self._router.vm
            if await self._points.prepare(vm, self._router, method) is None:
                first = await first_line(method)
                found += self._points.at(method, (first.index,))
        return found

    async def _methods(self, call: CallSite) -> list[Method]:
        if call.body is not None:
            return [call.body]
        if fits(call.owner.replace("/", "."), JDK_PATTERNS) and call.name == "<init>":
            return []
        vm = self._router.vm
        found: list[Method] = []
        name = call.owner.replace("/", ".")
        for type_ in await vm.all_classes():
            if self._filters.skips_class(type_.name) or "/" in type_.name or "[" in type_.name:
                continue
            try:
                if type_.name != name and not await type_.is_subtype_of(name):
                    continue
                found += [
                    each
                    for each in await type_.methods()
                    if (each.name, each.signature) == (call.name, call.descriptor)
                    and each.has_code
                    and not (self._filters.skip_synthetic and each.is_bridge)
                ]
            except VmError:
                continue  # it was unloaded, or is being loaded
        return found


async def _java_id(thread: Thread) -> int:
    """What Thread.getId() gives: the field that it returns, since nothing is to run for it."""
    type_ = await thread.reference.type()
    for each in await type_.all_fields():
        if each.name == "tid" and each.declaring_type.name == "java.lang.Thread":
            (value,) = await thread.reference.get_values([each])
            if isinstance(value, PrimitiveValue):
                return int(value.value)
    raise UnsupportedError(_cannot("java.lang.Thread has no field tid"))


def _cannot(reason: str) -> str:
    return (
        f"a step is not possible here: {reason}; steps end at probes, as the agent was loaded into"
        " a program that ran already: set a breakpoint where the thread is to stop, or step again"
        " when the methods have been called anew"
    )
