# SPDX-License-Identifier: Apache-2.0
"""The breakpoints of one program in its VM: armed, pending, hit, removed.

Owns what is armed of each breakpoint, and keeps it in line with the breakpoint's options and the
loaded types; changing one breakpoint touches no request of another. `location_checker` knows how a
location reports its hits, `hit` decides what a hit does, and the router decides whether the VM then
resumes. Called by `BreakpointSet`.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any

from jvmdebug.breakpoints.armed_breakpoint import ArmedBreakpoint
from jvmdebug.breakpoints.causes import ThreadDeath, cause_of
from jvmdebug.breakpoints.checkers import checker_for
from jvmdebug.breakpoints.class_watch import ClassWatch
from jvmdebug.breakpoints.hit import HitResult, is_excluded_exception, is_meant
from jvmdebug.breakpoints.loaded_types import LoadedTypes
from jvmdebug.breakpoints.specs import ExceptionSpec
from jvmdebug.breakpoints.thread_deaths import ThreadDeaths, at_death
from jvmdebug.breakpoints.unloading import Unloads
from jvmdebug.breakpoints.waiting import as_waiting, set_after
from jvmdebug.breakpoints.writes import at_write
from jvmdebug.errors import (
    BreakpointError,
    ConnectionLost,
    UnsupportedError,
    VmError,
)
from jvmdebug.events import RESUME, BreakpointOccurrence, ExceptionOccurrence, StopFor
from jvmdebug.jdwp.generated.constants import SuspendPolicy
from jvmdebug.jdwp.generated.events import ClassOnlyModifier
from jvmdebug.to_the_end import begun, done

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Collection

    from jvmdebug.breakpoints.armed_location import ArmedLocation
    from jvmdebug.breakpoints.breakpoint import Breakpoint
    from jvmdebug.breakpoints.class_watch import PrepareFilter, TypeSink
    from jvmdebug.breakpoints.hooks import BreakpointHooks
    from jvmdebug.breakpoints.location_checker import Reaction
    from jvmdebug.breakpoints.rethrows import Throw
    from jvmdebug.events import LocatedOccurrence, Router, Verdict
    from jvmdebug.jdwp.ids import ReferenceTypeId
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.model.virtual_machine import VirtualMachine


class BreakpointTable:
    """All breakpoints of a VM."""

    def __init__(self, vm: VirtualMachine, router: Router, hooks: BreakpointHooks) -> None:
        self._router = router
        self._hooks = hooks
        self.class_watch = ClassWatch(router, lambda: self.together(notifies=True))
        self.checker = checker_for(vm, router, hooks, self._tell_changed)
        self._armed: dict[Breakpoint, ArmedBreakpoint] = {}
        self._deaths = ThreadDeaths(vm, self.checker, self._thread_ends)
        self._loaded = LoadedTypes()
        self._ignores_hits = False
        self._unloads = Unloads(router, self._armed.values(), self._forget_unloaded)

    @property
    def breakpoints(self) -> tuple[Breakpoint, ...]:
        """The breakpoints that are not removed, in the order in which they were armed."""
        return tuple(self._armed)

    @property
    def is_read_only(self) -> bool:
        """Whether the code of breakpoints may only read."""
        return self._router.vm.connection.is_read_only

    async def arm(self, breakpoint_: Breakpoint) -> None:
        """Arm it wherever its types are loaded; it is pending for the others.

        If that fails or is cancelled, nothing of it stays in the VM. Raises VmError,
        UnsupportedError.
        """
        self.checker.prepare(breakpoint_)
        try:
            resolver = self.checker.resolver(breakpoint_)
            armed = self._armed[breakpoint_] = ArmedBreakpoint(breakpoint_, resolver)
            async with self.together():
                await self._watch_and_arm(armed)
        except (VmError, UnsupportedError, asyncio.CancelledError):
            await done(begun(self.remove(breakpoint_), f"removing {breakpoint_}"))
            raise
        self._hooks.breakpoint_asked(breakpoint_, "new")

    async def rearm(self, breakpoint_: Breakpoint) -> None:
        """Bring the VM in line with the breakpoint's options."""
        await self._rearm(breakpoint_, notifies=False)
        self._hooks.breakpoint_asked(breakpoint_, "changed")
        await self._arm_those_after(breakpoint_)

    async def _rearm(self, breakpoint_: Breakpoint, *, notifies: bool) -> None:
        armed = self._armed.get(breakpoint_)
        if armed is None:
            raise BreakpointError(f"breakpoint {breakpoint_} was removed; set a new one")
        async with self.together():
            dropped = armed.search_by(self.checker.resolver(breakpoint_), self._loaded)
            if dropped is None:
                await self._update(armed, notifies=notifies)
            else:
                await self._watch_and_arm(armed)
                await asyncio.gather(
                    *(self.class_watch.remove(each, breakpoint_) for each in dropped)
                )

    async def _arm_those_after(self, trigger: Breakpoint) -> None:
        """Re-arm the breakpoints that wait for this one."""
        for each in set_after(trigger, tuple(self._armed)):
            if each in self._armed and not self._ignores_hits:
                await self._rearm(each, notifies=True)

    @contextlib.asynccontextmanager
    async def together(self, *, notifies: bool = False) -> AsyncIterator[None]:
        """A context that changes the program once, at its end, for all that is armed and disarmed
        inside; see `LocationChecker.together`. `notifies`: whether to tell of breakpoints that turn
        out different.
        """
        async with self.checker.together() as refused:
            yield
        for armed in list(self._armed.values()) if refused else ():
            if armed.has_any(refused):
                await self._update(armed, notifies=notifies)

    async def remove(self, breakpoint_: Breakpoint) -> None:
        """Take it out of the VM and forget it."""
        armed = self._armed.pop(breakpoint_, None)
        breakpoint_.is_removed = True
        if armed is None:
            return
        self._hooks.breakpoint_asked(breakpoint_, "removed")
        self._loaded.forget(armed)
        async with armed.lock:
            locations = list(armed.locations.values())
            armed.locations.clear()
            breakpoint_.locations = ()
            try:
                await asyncio.gather(
                    self.checker.disarm(locations),
                    *(self.class_watch.remove(each, breakpoint_) for each in list(armed.watched)),
                    self._deaths.wait_for(breakpoint_, wanted=False),
                )
                await breakpoint_.release()
            except ConnectionLost:
                return  # without a VM there are no requests
        with contextlib.suppress(ConnectionLost):
            await self._arm_those_after(breakpoint_)

    async def end_counts(self, breakpoints: Collection[Breakpoint]) -> None:
        """Read the final hit counts of breakpoints that are about to be removed."""
        armed = [self._armed[each] for each in breakpoints if each in self._armed]
        await self.checker.end_counts([at for each in armed for at in each.locations.values()])

    async def disarm_all(self) -> None:
        """Clear all requests before the VM ends. No breakpoint is hit any more, and all stay
        listed.
        """
        self._ignores_hits = True
        locations = [each for armed in self._armed.values() for each in armed.locations.values()]
        with contextlib.suppress(ConnectionLost):  # without a VM there are no requests
            await asyncio.gather(
                self.class_watch.disarm_all(), self._deaths.disarm(), self.checker.disarm(locations)
            )

    async def redefined(self, types: Collection[ReferenceType]) -> None:
        """Resolve breakpoints again, because these types have new code and the VM has dropped the
        breakpoints in the old code.
        """
        async with self.together(notifies=True):
            await self._arm_again(types)
        await self.checker.redefined(types)

    async def _arm_again(self, types: Collection[ReferenceType]) -> None:
        ids = {type_.id for type_ in types}
        for armed in list(self._armed.values()):
            async with armed.lock:
                lost = [
                    each
                    for each in armed.locations.values()
                    if each.now.code is not None and each.now.code.type.id in ids
                ]
                kept = [each.now.code for each in lost if self.checker.may_keep_request(each)]
                was_probed = {code.type.id for code in kept if code is not None}
                for each in lost:
                    each.leave()
                await self.checker.disarm(lost)
            if await armed.resolver.renew(types) or lost:
                await self._update(armed, notifies=True, new_types=was_probed)

    async def _watch_and_arm(self, armed: ArmedBreakpoint) -> None:
        # Request the events before the loaded types, so that a type in between is not missed.
        try:
            armed.resolver.require_possible()
            filters = armed.resolver.prepare_filters()
            await self._watch_for(armed, filters, self._adding(armed, armed.resolver.add_type))
            await self._loaded.add_to(armed)
            armed.knows_loaded_types = True
        finally:
            armed.has_searched.set()
        await self._watch_further(armed)
        await self._update(armed, notifies=False)

    async def _watch_for(
        self,
        armed: ArmedBreakpoint,
        filters: tuple[PrepareFilter, ...],
        sink: TypeSink,
    ) -> None:
        new = [each for each in filters if each not in armed.watched]
        if not new:
            return
        armed.watched.update(dict.fromkeys(new))
        await asyncio.gather(*(self.class_watch.add(each, armed.breakpoint, sink) for each in new))

    def _adding(
        self, armed: ArmedBreakpoint, add: Callable[[ReferenceType], Awaitable[bool]]
    ) -> TypeSink:
        """The function to which a prepared type is passed."""

        async def on_type(type_: ReferenceType) -> None:
            if await add(type_):
                await self._watch_further(armed)
                await self._update(armed, notifies=True, adds=True, new_types={type_.id})

        return on_type

    async def _watch_further(self, armed: ArmedBreakpoint) -> None:
        """Watch for classes that implement the method or are nested; they may be loaded at any
        later time.
        """
        if armed.breakpoint in self._armed and armed.resolver.further_filters:
            added = self._adding(armed, armed.resolver.add_further)
            await self._watch_for(armed, armed.resolver.further_filters, added)

    async def _watch_for_members(
        self, armed: ArmedBreakpoint, lacking: Collection[ReferenceType]
    ) -> None:
        """Watch for classes that extend one of these, because such a class may have the member that
        the condition uses.
        """

        async def check_again(type_: ReferenceType) -> None:
            if type_ not in lacking:
                await self._update(armed, notifies=True)

        filters = tuple((ClassOnlyModifier(each.id),) for each in lacking)
        await self._watch_for(armed, filters, check_again)

    async def _update(self, armed: ArmedBreakpoint, **how: Any) -> None:  # noqa: ANN401
        """Bring the VM in line, see `_bring_in_line`. Uses the VM's own watch if a write of a field
        is refused.
        """
        try:
            await self._bring_in_line(armed, **how)
        except UnsupportedError:
            if not armed.resolver.leave_to_vm():
                raise
            await self._bring_in_line(armed, **how | {"adds": False})

    async def _bring_in_line(
        self,
        armed: ArmedBreakpoint,
        *,
        notifies: bool,
        adds: bool = False,
        new_types: Collection[ReferenceTypeId] = (),
    ) -> None:
        """Bring the VM in line with the options and with the types that are known.

        `adds`: only types were added, so what is armed stays armed. `new_types`: types whose code
        nothing has run yet.
        """
        breakpoint_ = armed.breakpoint
        async with armed.lock:
            if breakpoint_ not in self._armed:
                return
            waits = self.checker.is_held_back(breakpoint_)
            adds = adds and armed.resolver.is_incremental and not waits
            before = breakpoint_.locations, breakpoint_.message
            plan = await armed.planned(self._hooks, adds=adds, waits=waits)
            wanted = plan.keys(armed, self.checker.may_keep_request)
            known = {key for key in wanted if key in armed.locations}
            is_new = not known
            armed.refused = None
            await self.checker.arm_all(armed, wanted, new_types, self._reaction)
            if any(armed.is_checked_under(key, plan.policy) for key in wanted):
                wanted = plan.keys(armed, lambda _: False)
                await self.checker.arm_all(armed, wanted, new_types, self._reaction)
            for key in wanted:
                if key not in known and key in armed.locations:
                    await self._begin_writes(armed.locations[key])
            if not adds:
                obsolete = [armed.locations.pop(key) for key in set(armed.locations) - set(wanted)]
                await self.checker.disarm(obsolete)
            if not adds or (plan.candidates and not breakpoint_.locations):
                armed.wrong = plan.check.wrong
            added = tuple(armed.locations[key].now for key in wanted if key in armed.locations)
            added = as_waiting(plan.check.locations) if waits else added
            if adds and is_new:
                breakpoint_.locations += added
            else:  # a known location may concern more objects now
                breakpoint_.locations = armed.shown() if adds else added
            message = armed.wrong or self.checker.notice(armed) or plan.found.message
            breakpoint_.message = message if breakpoint_.enabled else breakpoint_.why_disabled
            breakpoint_.is_pending = plan.found.is_pending and breakpoint_.enabled
            changed = before != (breakpoint_.locations, breakpoint_.message)
            if isinstance(breakpoint_.spec, ExceptionSpec) and breakpoint_.spec.uncaught:
                await self._deaths.wait_for(breakpoint_, wanted=bool(armed.locations))
        if notifies and changed:
            self._tell_changed(breakpoint_)
        await self._watch_for_members(armed, plan.check.lacking)

    async def _forget_unloaded(self, armed: ArmedBreakpoint, signatures: Collection[str]) -> None:
        """Forget the locations in types that the VM has unloaded; those in others stay as they
        are, if they do not depend on the unloaded ones.
        """
        lost = await armed.resolver.forget_unloaded(signatures)
        if not armed.resolver.holds_without_lost:
            await self._update(armed, notifies=True)
        elif lost:
            async with armed.lock:
                if armed.breakpoint in self._armed:
                    await self.checker.disarm(armed.without(lost))
                    self._tell_changed(armed.breakpoint)

    async def _begin_writes(self, placed: ArmedLocation) -> None:
        """A thread that has stopped at the instruction executes it without an event: it has arrived
        there already if it is about to write a watched variable.
        """
        code, request_id = placed.now.code, placed.request_id
        if placed.now.store is None or code is None or request_id is None:
            return
        for thread in await self._hooks.stopped_at(code):
            arrival = BreakpointOccurrence(
                request_id=request_id,
                suspend_policy=SuspendPolicy.EVENT_THREAD,
                thread=thread,
                location=code,
            )
            await self._reaction(placed)(arrival)

    def _reaction(self, placed: ArmedLocation) -> Reaction:
        """The reaction to an arrival at a location."""
        breakpoint_, at = placed.breakpoint, placed.now

        async def on_arrival(occurrence: LocatedOccurrence) -> Verdict:
            if at.only_method not in (None, occurrence.location.method):
                return RESUME
            if not await is_meant(breakpoint_, placed.now.receivers, occurrence):
                return RESUME
            return await at_write(self._router, breakpoint_, at, occurrence, placed.begun, decide)

        async def decide(occurrence: LocatedOccurrence) -> Verdict:
            decided = self._hit(breakpoint_, occurrence, placed)
            return await self.checker.timed(breakpoint_, decided)

        return on_arrival

    async def _thread_ends(self, death: ThreadDeath) -> Verdict:
        """React to an exception that ends a thread and whose throw no event has reported."""
        return await at_death(self._armed.values(), self._hit, death)

    async def _hit(
        self,
        breakpoint_: Breakpoint,
        occurrence: LocatedOccurrence,
        placed: ArmedLocation | None = None,
    ) -> Verdict:
        armed = self._armed.get(breakpoint_)
        if armed is None or await self._is_ignored(breakpoint_, occurrence):
            return RESUME
        throw: Throw | None = None
        if isinstance(occurrence, ExceptionOccurrence):
            throw = armed.rethrows.note(occurrence)
            if throw.is_rethrown and throw.has_stopped and not self._hooks.stops_at_rethrows():
                return RESUME
        was_reached = breakpoint_.was_reached
        hit = await self.checker.hit(breakpoint_, placed, occurrence)
        if breakpoint_.was_reached and not was_reached:
            await self._arm_those_after(breakpoint_)
        if throw is not None and hit.result is not HitResult.PASS:
            throw.has_stopped = True
        match hit.result:
            case HitResult.PASS:
                return RESUME
            case HitResult.LOG:
                await self._hooks.breakpoint_logged(breakpoint_, occurrence, hit.log_text)
                return RESUME
            case HitResult.STOP if breakpoint_.observer is not None:
                await breakpoint_.observer.reached(breakpoint_, occurrence)
                return RESUME
            case HitResult.STOP:
                self._deaths.has_stopped_for(occurrence)
                suspends_all = self._hooks.suspends_all(breakpoint_)
                return StopFor(cause_of(breakpoint_, occurrence, throw, suspends_all=suspends_all))

    def _tell_changed(self, breakpoint_: Breakpoint) -> None:
        observer = breakpoint_.observer
        tell = self._hooks.breakpoint_changed if observer is None else observer.changed
        tell(breakpoint_)

    async def _is_ignored(self, breakpoint_: Breakpoint, occurrence: LocatedOccurrence) -> bool:
        if breakpoint_.waits:  # the other one may have logged just now
            await self.checker.flush_logs()
        if not breakpoint_.enabled or breakpoint_.waits or self._ignores_hits:
            return True
        return await is_excluded_exception(
            breakpoint_, occurrence, self._hooks.is_ours, self._hooks.control_exceptions()
        )
