# SPDX-License-Identifier: Apache-2.0
"""How the locations of breakpoints report their hits. There is one checker for each way, and the VM
decides which one is used.

With `EventChecker` the VM has an event for each arrival, and the debugger checks it. With
`ProbeChecker` the program checks what it can itself, and the VM has events for the rest. With
`LateChecker`, for an agent that was loaded into a running program, there are no events: everything
that stops is a probe. `checkers` decides which of them a VM gets, and nothing else asks.

A location is armed, asked again when its breakpoint changes, hit, and disarmed; in between,
`describe` tells who checks it. Called by `breakpoint_table`, which knows what is armed and why;
`hit` decides what a hit means.
"""

from __future__ import annotations

import asyncio
import contextlib
from abc import ABC, abstractmethod
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, TypeAlias

from jvmdebug.breakpoints.armed_location import ArmedLocation
from jvmdebug.breakpoints.budget import BudgetLimits
from jvmdebug.breakpoints.costs import Costs
from jvmdebug.breakpoints.element_stores import ElementChecks
from jvmdebug.breakpoints.hit import Hit, evaluate_hit, extra_variables
from jvmdebug.breakpoints.probe_uses import asking_of, uses_of
from jvmdebug.breakpoints.specs import ElementSpec
from jvmdebug.breakpoints.waiting import is_held_back
from jvmdebug.errors import InvalidClassError, InvalidMethodIdError, InvalidObjectError
from jvmdebug.events import shown_stops
from jvmdebug.jdwp.generated.constants import EventKind, SuspendPolicy
from jvmdebug.jdwp.generated.events import LocationOnlyModifier
from jvmdebug.model.agent import AgentCapability
from jvmdebug.together import together

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping, Sequence
    from contextlib import AbstractAsyncContextManager

    from jvmdebug.breakpoints.armed_breakpoint import ArmedBreakpoint
    from jvmdebug.breakpoints.armed_location import ArmKey
    from jvmdebug.breakpoints.breakpoint import Breakpoint
    from jvmdebug.breakpoints.hooks import BreakpointHooks
    from jvmdebug.breakpoints.location import BreakpointLocation
    from jvmdebug.breakpoints.log_drain import CallSink, Patience
    from jvmdebug.breakpoints.probe_uses import ProbeUse
    from jvmdebug.breakpoints.resolver import Resolver
    from jvmdebug.events import (
        BreakpointOccurrence,
        LocatedOccurrence,
        RequestHandle,
        Router,
        Verdict,
    )
    from jvmdebug.jdwp.generated.events import Modifier
    from jvmdebug.jdwp.ids import ReferenceTypeId, RequestId
    from jvmdebug.model.location import Location
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.model.thread import Thread
    from jvmdebug.model.virtual_machine import VirtualMachine
    from jvmdebug.probes import Probe, ProbeHit


Reaction: TypeAlias = "Callable[[LocatedOccurrence], Awaitable[Verdict]]"
"""The reaction to an arrival at a location."""


class LocationChecker(ABC):
    """The common part of all checkers: requests, hits that the debugger evaluates, costs."""

    end_of_thread: ClassVar[tuple[str, str, str]] = (
        "Ljava/lang/Thread;",
        "dispatchUncaughtException",
        "(Ljava/lang/Throwable;)V",
    )
    """Class, name and descriptor of a method that the VM calls when an exception ends a thread."""
    budget: ClassVar[BudgetLimits] = BudgetLimits()
    """How long breakpoints may keep threads of the program, unless the user has set a budget."""

    def __init__(
        self,
        vm: VirtualMachine,
        router: Router,
        hooks: BreakpointHooks,
        tell_changed: Callable[[Breakpoint], None],
    ) -> None:
        """`tell_changed`: is called with a breakpoint that has changed although nobody has changed
        it.
        """
        self._vm = vm
        self._router = router
        self._hooks = hooks
        self._limits = hooks.hit_limits
        self._tell_changed = tell_changed
        self._costs = Costs(hooks.hit_limits, self.budget, tell_changed)

    # What is to be armed

    @abstractmethod
    def resolver(self, breakpoint_: Breakpoint) -> Resolver:
        """The resolver of a breakpoint's locations; for a watched field it depends on the options.

        UnsupportedError if nothing would report its hits.
        """

    def prepare(self, breakpoint_: Breakpoint) -> None:
        """Set what puts the checks of a watched array in. Called before its locations are found."""
        if isinstance(breakpoint_.spec, ElementSpec):
            breakpoint_.recorder = ElementChecks(
                self._vm, breakpoint_.spec, lambda: self.why_no_probes
            )

    def is_held_back(self, breakpoint_: Breakpoint) -> bool:
        """Whether it is in no code until the breakpoint was reached after which it counts."""
        return is_held_back(breakpoint_)

    def may_keep_request(self, _placed: ArmedLocation) -> bool:
        """Whether a location keeps its request although it is to have another policy."""
        return False

    @property
    def why_no_probes(self) -> str | None:
        """Why the program checks nothing itself; None if it may."""
        return why_off(self._vm)

    @property
    def why_no_records(self) -> str | None:
        """Why the program cannot record calls of methods; None if it may be able to."""
        if self._vm.agent is None:
            return "only the jvmdebug agent has the program record its calls"
        if (off := why_off(self._vm)) is not None:
            return off
        if not self._vm.agent_can(AgentCapability.EXCEPTION_EVENTS):
            return "exceptions that end calls are not seen, as the agent was loaded late"
        return self.why_no_probes

    # The life of a location

    def together(self) -> AbstractAsyncContextManager[Mapping[RequestId, str]]:
        """A context that changes the program once, at its end, for all that is armed and disarmed
        inside. Yields a mapping that then has the refused requests and the reasons.
        """
        return _nothing_together()

    async def arm_all(
        self,
        armed: ArmedBreakpoint,
        wanted: Mapping[ArmKey, BreakpointLocation],
        new_types: Collection[ReferenceTypeId],
        react: Callable[[ArmedLocation], Reaction],
    ) -> None:
        """Arm locations that are not armed, and ask those again that are. Each one that the VM has
        accepted is recorded, even if others fail. `react`: makes the reaction to an arrival at a
        location.
        """

        async def arm(key: ArmKey, location: BreakpointLocation) -> None:
            placed = armed.locations.get(key)
            if placed is None:
                placed = ArmedLocation(armed, key, location)
                request = await self._request(placed, react(placed))
                if request is None:
                    return
                placed.enter(request)
            else:
                placed.now = replace(location, request=placed.now.request)
            locations = max(len(wanted), len(armed.locations))
            is_new = location.code is not None and location.code.type.id in new_types
            await self._arm(placed, locations, is_new=is_new)

        arming = (arm(*each) for each in wanted.items())
        for failure in await asyncio.gather(*arming, return_exceptions=True):
            if failure is not None:
                raise failure
        await self._settle(armed)

    async def _request(
        self, placed: ArmedLocation, react: Reaction, *more: Modifier
    ) -> RequestHandle | None:
        """Request the events of a location. None if the type was unloaded meanwhile."""
        location, policy = placed.now, placed.key[1]
        # With this policy nothing is evaluated before the stop.
        shown = shown_stops(self._vm) if policy is SuspendPolicy.ALL else ()
        modifiers = (*location.modifiers, *more, *shown)
        try:
            return await self._router.arm(location.event_kind, modifiers, policy, react)
        except (InvalidClassError, InvalidObjectError, InvalidMethodIdError):
            return None

    async def _arm(self, placed: ArmedLocation, locations: int, *, is_new: bool) -> None:
        """Decide who checks a location that has its request. `locations`: how many its breakpoint
        has. `is_new`: whether nothing has run the code of its class yet.
        """
        del locations, is_new
        placed.now = await self._checked(placed)

    async def _checked(
        self, placed: ArmedLocation, *, may_change: bool = False
    ) -> BreakpointLocation:
        """Decide who checks a location, and say so. `may_change`: whether the code of its class may
        be changed even for a breakpoint without a condition.
        """
        location = placed.now
        if location.code is None or location.event_kind is not EventKind.BREAKPOINT:
            return location
        recorder = placed.breakpoint.recorder
        if recorder is None:
            return await self._asked(placed, may_change=may_change)
        if location.why_event is None:  # not tried yet: it waits for the others
            return location
        (reason,) = await recorder.record_calls([_entry(location)])
        return _checked_by(location, reason)

    @abstractmethod
    async def _asked(self, placed: ArmedLocation, *, may_change: bool) -> BreakpointLocation:
        """Decide who checks a location in code."""

    async def _settle(self, armed: ArmedBreakpoint) -> None:
        """Have the program record calls of methods, or check stores, if the breakpoint is for that.
        All classes are changed together.
        """
        recorder = armed.breakpoint.recorder
        if recorder is None:
            return
        found = [
            each
            for each in armed.locations.values()
            if each.now.code is not None and each.now.how != "probe"
        ]
        if not found:
            return
        reasons = await recorder.record_calls([_entry(each.now) for each in found])
        for placed, reason in zip(found, reasons, strict=True):
            placed.now = _checked_by(placed.now, reason)
            await self._recorded(placed)

    @abstractmethod
    async def _recorded(self, placed: ArmedLocation) -> None:
        """Act on the answer of the recorder. `how` and `why_event` of the location are set."""

    async def hit(
        self, breakpoint_: Breakpoint, placed: ArmedLocation | None, occurrence: LocatedOccurrence
    ) -> Hit:
        """Evaluate a hit, at a location if it has one, and act on what it tells about that
        location.
        """
        names = await extra_variables(breakpoint_, occurrence)
        if placed is not None and not placed.is_armed:
            placed = None  # it is just being armed, or was removed
        probed = None if placed is None else await self._found(placed, occurrence.thread)

        async def count() -> int:
            number = None if placed is None else await _counted_by_program(placed)
            return breakpoint_.hits + 1 if number is None else number

        thread, limits = occurrence.thread, self._limits()
        hit = await evaluate_hit(breakpoint_, thread, names, limits, count, probed)
        if hit.message_is_new:
            self._tell_changed(breakpoint_)
        if placed is not None:
            await self._reconsider(placed, probed, hit)
        return hit

    async def _found(self, _placed: ArmedLocation, _thread: Thread) -> ProbeHit | None:
        """The answer of the program's check, where the thread is. None if the debugger
        has to look.
        """
        return None

    @abstractmethod
    async def _reconsider(self, placed: ArmedLocation, probed: ProbeHit | None, hit: Hit) -> None:
        """Have a location checked in another way after a hit, if that is better."""

    async def timed(self, breakpoint_: Breakpoint, decided: Awaitable[Verdict]) -> Verdict:
        """Count the time in which a hit is decided as what the breakpoint costs."""
        return await self._costs.timed(breakpoint_, decided)

    async def disarm(self, placed: Sequence[ArmedLocation]) -> None:
        """Clear the requests of locations, and with them their probes, together."""
        requests = [each.now.request for each in placed if each.now.request is not None]
        await together([each.clear() for each in requests])

    @abstractmethod
    async def end_counts(self, placed: Sequence[ArmedLocation]) -> None:
        """Stop counting at these locations, and read what the program has counted and written."""

    @abstractmethod
    async def redefined(self, types: Collection[ReferenceType]) -> None:
        """Check locations again where a check depends on code that has changed."""

    # What there is to tell

    def notice(self, armed: ArmedBreakpoint) -> str | None:
        """Why nothing stops at some location of a breakpoint, or which threads still pass one."""
        return armed.refused

    async def describe(self, breakpoints: Collection[Breakpoint]) -> list[ProbeUse]:
        """Tell who checks each location of the user's breakpoints that have something to check."""
        asking = asking_of(breakpoints, self._limits(), self._probe_at)
        return await uses_of(self._vm, asking, self._probe_at)

    def _probe_at(self, _location: BreakpointLocation) -> Probe | None:
        return None

    @abstractmethod
    async def refresh_hits(self) -> None:
        """Set `hits` of breakpoints whose hits the program counts, and show their log lines."""

    @abstractmethod
    async def flush_logs(self, *, patience: Patience = "all") -> None:
        """Show what log points have written until now; see `LogDrain.flush`."""

    @abstractmethod
    def add_calls(self, formats: Sequence[int], sink: CallSink) -> None:
        """Pass records of calls that are about to be written in these formats to `sink`."""

    # Breakpoints that the debugger sets for itself

    async def arm_own(
        self, location: Location, react: Callable[[BreakpointOccurrence], Awaitable[Verdict]]
    ) -> tuple[RequestHandle, str | None]:
        """Have each arrival at a location reported, without a breakpoint of the user. Also returns
        the reason if that is impossible. The caller owns the request.
        """
        modifier = LocationOnlyModifier(location.wire)
        request = await self._router.arm(
            EventKind.BREAKPOINT, (modifier,), SuspendPolicy.EVENT_THREAD, react
        )
        return request, None


def why_off(vm: VirtualMachine) -> str | None:
    """Why the agent has no probes; None if it has."""
    if vm.agent_can(AgentCapability.PROBES):
        return None
    agent = vm.agent
    return "only the jvmdebug agent can" if agent is None else agent.why_off(AgentCapability.PROBES)


@contextlib.asynccontextmanager
async def _nothing_together() -> AsyncIterator[Mapping[RequestId, str]]:
    yield {}


def _entry(location: BreakpointLocation) -> tuple[Location, RequestId]:
    assert location.code is not None
    assert location.request is not None
    return location.code, location.request.request_id


def _checked_by(location: BreakpointLocation, reason: str | None) -> BreakpointLocation:
    """The location as the debugger checks it. `reason`: why the program does not."""
    return location.checked_by("probe" if reason is None else "event", reason)


async def _counted_by_program(placed: ArmedLocation) -> int | None:
    """Have the program count a hit that the debugger has found, in the counters that the checks of
    the breakpoint share. Returns its number; None if no check counts.
    """
    others = (each for each in placed.of.locations.values() if each is not placed)
    for each in (placed, *others):
        number = None if each.probe is None else await each.probe.count()
        if number is not None:
            return number
    return None
