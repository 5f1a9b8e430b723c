# SPDX-License-Identifier: Apache-2.0
"""A step into one call of the line: runs to that call, then into exactly the method that it calls.

It uses a breakpoint at the call, for this thread only, and a step over the line, which ends the
step when the call is never reached. What the VM runs before the method (loading and initialising
its class) is stepped out of; the VM's objects of lambdas and bridges are stepped through. Called by
`stepper`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from jvmdebug.classfile.descriptors import parse_method_descriptor
from jvmdebug.events import RESUME, StopFor
from jvmdebug.jdwp.generated.constants import EventKind, StepDepth, StepSize, SuspendPolicy
from jvmdebug.jdwp.generated.events import (
    ClassExcludeModifier,
    LocationOnlyModifier,
    StepModifier,
    ThreadOnlyModifier,
)
from jvmdebug.model.generated_names import Generator, generator_of
from jvmdebug.sources import first_line
from jvmdebug.stepping.call_sites import calls_others
from jvmdebug.stepping.code_origin import has_no_source, is_generated
from jvmdebug.stepping.step import StepEnded, StepState

if TYPE_CHECKING:
    from jvmdebug.events import (
        BreakpointOccurrence,
        LocatedOccurrence,
        MethodEntryOccurrence,
        Reaction,
        RequestHandle,
        Router,
        StepOccurrence,
        Verdict,
    )
    from jvmdebug.jdwp.generated.events import Modifier
    from jvmdebug.model.frame import Frame
    from jvmdebug.model.location import Location
    from jvmdebug.model.method import Method
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.model.thread import Thread
    from jvmdebug.stepping.call_sites import CallSite


_OF_JDK: Final = ("java.*", "javax.*", "jdk.*", "sun.*", "com.sun.*")
_MOST_ENTERED: Final = 5000
"""After so many methods behind a proxy the step goes on to where the proxy returns."""


class TargetedStep:
    """One step of one thread into one call."""

    def __init__(
        self, router: Router, thread: Thread, target: CallSite, *, suspends_all: bool
    ) -> None:
        self.thread = thread
        self.state = StepState.NEW
        self._suspends_all = suspends_all
        self._router = router
        self._target = target
        self._requests: list[RequestHandle] = []
        self._start: Location | None = None
        self._frame_count = 0
        self._is_inside = False
        """A lambda object or a bridge was stepped through: the next method is the target."""
        self._interfaces: list[str] = []
        """Those of the proxy of the JDK that it goes through."""
        self._entered = 0
        """The methods that were entered behind it."""

    async def arm(self, start: Frame | None) -> None:
        """Make the requests; `start` is the frame with the call."""
        if start is None:
            self.state = StepState.DONE
            return
        self._start = start.location
        self._frame_count = await self.thread.frame_count()
        body = self._target.body
        if body is None and start.location.index == self._target.index:
            await self._step(StepDepth.INTO, StepSize.MIN, self._on_entered)
        else:
            call = start.location.method.location(self._target.index)
            first = call if body is None else body.location(0)
            modifiers = (LocationOnlyModifier(first.wire), ThreadOnlyModifier(self.thread.id))
            await self._arm(EventKind.BREAKPOINT, modifiers, self._on_reached)
            await self._step(StepDepth.OVER, StepSize.LINE, self._on_missed)
        self.state = StepState.ARMED

    def cancel(self) -> None:
        """Clear its requests. That is sent before any later command."""
        if self.state is StepState.ARMED:
            self.state = StepState.CALLED_OFF
        self._clear()

    async def _on_missed(self, _: StepOccurrence) -> Verdict:
        """The line was left, or an exception came first."""
        return self._end()

    async def _on_reached(self, _: BreakpointOccurrence) -> Verdict:
        if self.state is not StepState.ARMED:
            return RESUME
        if self._target.body is not None:
            return self._end()
        if await self.thread.frame_count() != self._frame_count:
            return RESUME  # the same call in a recursion
        self._clear()
        await self._step(StepDepth.INTO, StepSize.MIN, self._on_entered)
        return RESUME

    async def _on_entered(self, occurrence: StepOccurrence) -> Verdict:
        if self.state is not StepState.ARMED:
            return RESUME
        location = occurrence.location
        if await self.thread.frame_count() <= self._frame_count:
            if not self._is_at_call(location):
                return self._end()  # a native method, say, has run already
            self._clear()
            await self._step(StepDepth.INTO, StepSize.MIN, self._on_entered)
            return RESUME
        method = location.method
        if "/" in method.declaring_type.name or (method.is_bridge and self._is_called(method)):
            self._is_inside = True
            return RESUME  # goes on into what it calls
        if self._is_inside or self._is_called(method):
            return await self._end_in(occurrence)
        self._clear()
        await self._step(StepDepth.OUT, StepSize.MIN, self._on_entered)
        return RESUME

    def _is_at_call(self, location: Location) -> bool:
        """Compares the ids, since replaced code has no method of its own."""
        start = self._start
        return start is not None and location.wire == replace(start.wire, index=self._target.index)

    def _is_called(self, method: Method) -> bool:
        """Compares the name and the number of arguments: an override may have other types."""
        wanted = parse_method_descriptor(self._target.descriptor).parameters
        return method.name == self._target.name and len(method.argument_types) == len(wanted)

    async def _end_in(self, occurrence: LocatedOccurrence) -> Verdict:
        """End at the first line of the method that was entered, or that a proxy stands before."""
        method = occurrence.location.method
        if generator_of(method.declaring_type.name) is Generator.JDK_PROXY:
            return await self._run_behind(method)
        overridden = await self._behind_generated(method)
        if overridden is not None:
            return await self._run_to(overridden)
        first = await first_line(method)
        if first.index <= occurrence.location.index:
            return self._end()
        self._clear()
        modifiers = (LocationOnlyModifier(first.wire), ThreadOnlyModifier(self.thread.id))
        await self._arm(EventKind.BREAKPOINT, modifiers, self._on_first_line)
        await self._step(StepDepth.OVER, StepSize.LINE, self._on_missed)
        return RESUME

    async def _behind_generated(self, method: Method) -> Method | None:
        """The method of the source that a generated subclass overrides: proxies of CGLIB, Micronaut
        and Quarkus call it in the end, most times. None if the method's class is not generated, or
        the method calls nothing.
        """
        type_ = method.declaring_type
        if not await _has_no_text(type_):
            return None
        if not is_generated(type_.name) and not await calls_others(method):
            return None  # it is no proxy, but code that the program has without its source
        for above in await type_.superclasses():
            for each in () if await _has_no_text(above) else await above.methods():
                if (each.name, each.signature) == (method.name, method.signature):
                    return each if each.has_code else None
        return None

    async def _run_to(self, method: Method) -> Verdict:
        """Go through the proxy into that method, or out of the proxy if it calls no such method."""
        self._clear()
        first = await first_line(method)
        modifiers = (LocationOnlyModifier(first.wire), ThreadOnlyModifier(self.thread.id))
        await self._arm(EventKind.BREAKPOINT, modifiers, self._on_first_line)
        await self._step(StepDepth.OUT, StepSize.MIN, self._on_back)
        return RESUME

    async def _run_behind(self, method: Method) -> Verdict:
        """Go through a proxy of the JDK, whose method this is, and the handler behind it into what
        implements the proxy's interfaces, or out of the proxy if no such method is called.
        """
        self._clear()
        self._interfaces = [each.name for each in await method.declaring_type.interfaces()]
        modifiers: list[Modifier] = [ThreadOnlyModifier(self.thread.id)]
        modifiers += [ClassExcludeModifier(pattern) for pattern in _OF_JDK]
        await self._step(StepDepth.OUT, StepSize.MIN, self._on_back)
        await self._arm(EventKind.METHOD_ENTRY, tuple(modifiers), self._on_behind)
        return RESUME

    async def _on_behind(self, occurrence: MethodEntryOccurrence) -> Verdict:
        """A method was entered that the proxy's handler has called."""
        if self.state is not StepState.ARMED:
            return RESUME
        method = occurrence.location.method
        type_ = method.declaring_type
        is_lambda = "/" in type_.name
        if (
            not self._is_called(method)
            or not any([await type_.is_subtype_of(each) for each in self._interfaces])
            or (not is_lambda and await _has_no_text(type_))
        ):
            self._entered += 1
            if self._entered == _MOST_ENTERED:
                self._requests.pop().clear_soon()
            return RESUME
        if not is_lambda:
            return await self._end_in(occurrence)
        self._clear()
        self._is_inside = True
        await self._step(StepDepth.INTO, StepSize.MIN, self._on_entered)
        return RESUME

    async def _on_back(self, occurrence: StepOccurrence) -> Verdict:
        """The proxy was left: the step goes on to the end of the line, as for what is missed."""
        if self.state is not StepState.ARMED:
            return RESUME
        here, start = occurrence.location, self._start
        is_at_line = start is not None and await here.line() == await start.line()
        if not is_at_line or await self.thread.frame_count() != self._frame_count:
            return self._end()
        self._clear()
        await self._step(StepDepth.OVER, StepSize.LINE, self._on_missed)
        return RESUME

    async def _on_first_line(self, _: BreakpointOccurrence) -> Verdict:
        return self._end()

    def _end(self) -> Verdict:
        if self.state is not StepState.ARMED:
            return RESUME
        self.state = StepState.DONE
        return StopFor(StepEnded(suspends_all=self._suspends_all))

    async def _step(self, depth: StepDepth, size: StepSize, reaction: Reaction) -> None:
        await self._arm(
            EventKind.SINGLE_STEP, (StepModifier(self.thread.id, size, depth),), reaction
        )

    async def _arm(
        self, kind: EventKind, modifiers: tuple[Modifier, ...], reaction: Reaction
    ) -> None:
        policy = SuspendPolicy.EVENT_THREAD
        self._requests.append(await self._router.arm(kind, modifiers, policy, reaction))

    def _clear(self) -> None:
        requests, self._requests = self._requests, []
        for request in requests:
            request.clear_soon()


async def _has_no_text(type_: ReferenceType) -> bool:
    return is_generated(type_.name) or await has_no_source(type_)
