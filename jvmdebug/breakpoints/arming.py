# SPDX-License-Identifier: Apache-2.0
"""The breakpoints of one program in its VM: armed, pending, hit, removed.

Owns the event requests of each breakpoint and keeps them in line with its options and with the
types that are loaded; changing one breakpoint touches no request of another. What a hit does is
decided in `hit`, whether the VM then resumes by the router. Called by `BreakpointSet`.
"""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from jvmdebug.breakpoints.armed import Armed, LoadedTypes, suspend_policy
from jvmdebug.breakpoints.causes import cause_of
from jvmdebug.breakpoints.class_watch import ClassWatch
from jvmdebug.breakpoints.condition_check import checked
from jvmdebug.breakpoints.hit import HitResult, is_excluded_exception, is_meant
from jvmdebug.breakpoints.placing import Placing, at_write
from jvmdebug.breakpoints.probing import Probing
from jvmdebug.breakpoints.specs import ExceptionSpec
from jvmdebug.breakpoints.thread_deaths import ThreadDeaths, at_death
from jvmdebug.breakpoints.unloading import watch_unloads
from jvmdebug.breakpoints.waiting import as_waiting, is_held_back, set_after
from jvmdebug.errors import (
    BreakpointError,
    ConnectionLost,
    InvalidClassError,
    InvalidMethodIdError,
    InvalidObjectError,
    UnsupportedError,
    VmError,
)
from jvmdebug.events import RESUME, ExceptionOccurrence, StopFor
from jvmdebug.jdwp.generated.events import ClassOnlyModifier
from jvmdebug.to_the_end import begun, done

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection
    from contextlib import AbstractAsyncContextManager

    from jvmdebug.breakpoints.armed import ArmKey
    from jvmdebug.breakpoints.breakpoint import Breakpoint
    from jvmdebug.breakpoints.class_watch import PrepareFilter
    from jvmdebug.breakpoints.hooks import BreakpointHooks
    from jvmdebug.breakpoints.location import BreakpointLocation
    from jvmdebug.breakpoints.rethrows import Throw
    from jvmdebug.events import LocatedOccurrence, RequestHandle, Router, Verdict
    from jvmdebug.jdwp.ids import ReferenceTypeId
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.model.virtual_machine import VirtualMachine


class BreakpointTable:
    """All breakpoints of a VM."""

    def __init__(self, vm: VirtualMachine, router: Router, hooks: BreakpointHooks) -> None:
        self._vm = vm
        self._router = router
        self._hooks = hooks
        self.class_watch = ClassWatch(
            router, lambda type_: self.together({type_.id}, notifies=True)
        )
        self._armed: dict[Breakpoint, Armed] = {}
        self._deaths = ThreadDeaths(vm, router, partial(at_death, self._armed, self._hit))
        self._loaded = LoadedTypes()
        self.probing = Probing(vm, router, hooks, self._armed, self._tell_changed)
        self.placing = Placing(vm, self.probing, self._armed, self._tell_changed, hooks.source_text)
        self._ignores_hits = False
        watch_unloads(router, self._armed, partial(self._update, notifies=True))

    @property
    def breakpoints(self) -> tuple[Breakpoint, ...]:
        """Those that are not removed, in the order in which they were armed."""
        return tuple(self._armed)

    async def arm(self, breakpoint_: Breakpoint) -> None:
        """Arm it wherever its types are loaded; it is pending for the others.

        If that fails or is cancelled, nothing of it stays in the VM. VmError, UnsupportedError.
        """
        self.placing.prepare(breakpoint_)
        armed = self._armed[breakpoint_] = Armed(self.placing.resolver(breakpoint_))
        try:
            async with self.together():
                await self._watch_and_arm(breakpoint_, armed)
        except (VmError, UnsupportedError, asyncio.CancelledError):
            await done(begun(self.remove(breakpoint_), f"removing {breakpoint_}"))
            raise

    async def rearm(self, breakpoint_: Breakpoint) -> None:
        """Bring the VM in line with the breakpoint's options."""
        await self._rearm(breakpoint_, notifies=False)
        await self._arm_those_after(breakpoint_)

    async def _rearm(self, breakpoint_: Breakpoint, *, notifies: bool) -> None:
        armed = self._armed.get(breakpoint_)
        if armed is None:
            raise BreakpointError(f"breakpoint {breakpoint_} was removed; set a new one")
        async with self.together():
            dropped = armed.search_by(self.placing.resolver(breakpoint_), self._loaded)
            if dropped is None:
                await self._update(breakpoint_, armed, notifies=notifies)
            else:
                await self._watch_and_arm(breakpoint_, armed)
                await asyncio.gather(
                    *(self.class_watch.remove(each, breakpoint_) for each in dropped)
                )

    async def _arm_those_after(self, trigger: Breakpoint) -> None:
        """It was reached, or is another one now."""
        for each in set_after(trigger, tuple(self._armed)):
            if each in self._armed and not self._ignores_hits:
                await self._rearm(each, notifies=True)

    def together(
        self, new_types: Collection[ReferenceTypeId] = (), *, notifies: bool = False
    ) -> AbstractAsyncContextManager[None]:
        """See `Placing.together`; `notifies`: of breakpoints that turn out different."""
        return self.placing.together(new_types, partial(self._update, notifies=notifies))

    async def remove(self, breakpoint_: Breakpoint) -> None:
        """Take it out of the VM and forget it."""
        armed = self._armed.pop(breakpoint_, None)
        breakpoint_.is_removed = True
        if armed is None:
            return
        self._loaded.forget(armed)
        async with armed.lock:
            locations = list(armed.locations.values())
            armed.locations.clear()
            breakpoint_.locations = ()
            try:
                await asyncio.gather(
                    self.placing.disarm(locations),
                    *(self.class_watch.remove(each, breakpoint_) for each in list(armed.watched)),
                    self._deaths.wait_for(breakpoint_, wanted=False),
                )
                await breakpoint_.release()
            except ConnectionLost:
                return  # no VM, no requests
        with contextlib.suppress(ConnectionLost):
            await self._arm_those_after(breakpoint_)

    async def end_counts(self, breakpoints: Collection[Breakpoint]) -> None:
        """They are about to be removed."""
        armed = [self._armed[each] for each in breakpoints if each in self._armed]
        await self.probing.end_counts([id_ for each in armed for id_ in each.requests()])

    async def disarm_all(self) -> None:
        """Clear all requests before the VM ends: no breakpoint is hit any more, all stay listed."""
        self._ignores_hits = True
        locations = [each for armed in self._armed.values() for each in armed.locations.values()]
        with contextlib.suppress(ConnectionLost):  # no VM, no requests
            await asyncio.gather(
                self.class_watch.disarm_all(), self._deaths.disarm(), self.placing.disarm(locations)
            )

    async def redefined(self, types: Collection[ReferenceType]) -> None:
        """These types have new code, and the VM has dropped the breakpoints in the old."""
        async with self.together(notifies=True):
            await self._arm_again(types)
        await self.probing.redefined(types)

    async def _arm_again(self, types: Collection[ReferenceType]) -> None:
        ids = {type_.id for type_ in types}
        for breakpoint_, armed in list(self._armed.items()):
            async with armed.lock:
                lost = [
                    key
                    for key, location in armed.locations.items()
                    if location.code is not None and location.code.type.id in ids
                ]
                was_probed = {
                    code.type.id
                    for key in lost
                    if armed.locations[key].how == "probe"
                    and (code := armed.locations[key].code) is not None
                }
                await self.placing.disarm([armed.locations.pop(key) for key in lost])
            if await armed.resolver.renew(types) or lost:
                await self._update(breakpoint_, armed, notifies=True, new_types=was_probed)

    async def _watch_and_arm(self, breakpoint_: Breakpoint, armed: Armed) -> None:
        # First the events, then the loaded types: a type in between is seen by both.
        try:
            armed.resolver.require_possible()
            filters = armed.resolver.prepare_filters()
            added = self._adding(breakpoint_, armed, armed.resolver.add_type)
            await self._watch_for(breakpoint_, armed, filters, added)
            await self._loaded.add_to(armed)
            armed.knows_loaded_types = True
        finally:
            armed.has_searched.set()
        await self._watch_further(breakpoint_, armed)
        await self._update(breakpoint_, armed, notifies=False)

    async def _watch_for(
        self,
        breakpoint_: Breakpoint,
        armed: Armed,
        filters: tuple[PrepareFilter, ...],
        sink: Callable[[ReferenceType], Awaitable[None]],
    ) -> None:
        new = [each for each in filters if each not in armed.watched]
        armed.watched.update(dict.fromkeys(new))
        await asyncio.gather(*(self.class_watch.add(each, breakpoint_, sink) for each in new))

    def _adding(
        self,
        breakpoint_: Breakpoint,
        armed: Armed,
        add: Callable[[ReferenceType], Awaitable[bool]],
    ) -> Callable[[ReferenceType], Awaitable[None]]:
        """What a type that was prepared is passed to."""

        async def on_type(type_: ReferenceType) -> None:
            if await add(type_):
                await self._watch_further(breakpoint_, armed)
                new_types = {type_.id}
                await self._update(
                    breakpoint_, armed, notifies=True, adds=True, new_types=new_types
                )

        return on_type

    async def _watch_further(self, breakpoint_: Breakpoint, armed: Armed) -> None:
        """Classes that implement the method, or are nested, may be loaded at any time later."""
        if breakpoint_ in self._armed and armed.resolver.further_filters:
            added = self._adding(breakpoint_, armed, armed.resolver.add_further)
            await self._watch_for(breakpoint_, armed, armed.resolver.further_filters, added)

    async def _watch_for_members(
        self, breakpoint_: Breakpoint, armed: Armed, lacking: Collection[ReferenceType]
    ) -> None:
        """A class that extends one of these may bring what the condition asks for."""

        async def check_again(type_: ReferenceType) -> None:
            if type_ not in lacking:
                await self._update(breakpoint_, armed, notifies=True)

        filters = tuple((ClassOnlyModifier(each.id),) for each in lacking)
        await self._watch_for(breakpoint_, armed, filters, check_again)

    async def _update(self, breakpoint_: Breakpoint, armed: Armed, **how: Any) -> None:  # noqa: ANN401
        """See `_bring_in_line`; by the VM's own watch, if a write of a field is refused."""
        try:
            await self._bring_in_line(breakpoint_, armed, **how)
        except UnsupportedError:
            if not armed.resolver.leave_to_vm():
                raise
            await self._bring_in_line(breakpoint_, armed, **how | {"adds": False})

    async def _bring_in_line(
        self,
        breakpoint_: Breakpoint,
        armed: Armed,
        *,
        notifies: bool,
        adds: bool = False,
        new_types: Collection[ReferenceTypeId] = (),
    ) -> None:
        """Bring the VM in line with the options and with the types that are known.

        `adds`: only types were added, so that what is armed stays armed. `new_types`: those whose
        code nothing has run yet.
        """
        async with armed.lock:
            if breakpoint_ not in self._armed:
                return
            waits = is_held_back(breakpoint_) and not self.probing.is_only_way
            adds = adds and armed.resolver.is_incremental and not waits
            before = breakpoint_.locations, breakpoint_.message
            found = await armed.resolver.resolve(changed_only=adds)
            candidates = found.locations if breakpoint_.enabled else ()
            check = await checked(breakpoint_, candidates)
            policy = suspend_policy(breakpoint_, self._hooks, check.locations)
            may_stay = self._hooks.suspends_all(breakpoint_) and not breakpoint_.log_message
            wanted = armed.keys_of(() if waits else check.locations, policy, may_stay=may_stay)
            is_new = armed.locations.keys().isdisjoint(wanted)
            armed.refused = None
            await self._arm_all(breakpoint_, armed, wanted, new_types)
            if any(armed.is_checked_under(key, policy) for key in wanted):
                wanted = armed.keys_of(check.locations, policy, may_stay=False)
                await self._arm_all(breakpoint_, armed, wanted, new_types)
            if not adds:
                obsolete = [armed.locations.pop(key) for key in set(armed.locations) - set(wanted)]
                await self.placing.disarm(obsolete)
            if not adds or (candidates and not breakpoint_.locations):
                armed.wrong = check.wrong
            added = tuple(armed.locations[key] for key in wanted if key in armed.locations)
            added = as_waiting(check.locations) if waits else added
            if adds and is_new:
                breakpoint_.locations += added
            else:  # a location that was known may mean more objects now
                breakpoint_.locations = tuple(armed.locations.values()) if adds else added
            message = armed.wrong or self.placing.notice(breakpoint_, armed) or found.message
            breakpoint_.message = message if breakpoint_.enabled else breakpoint_.why_disabled
            breakpoint_.is_pending = found.is_pending and breakpoint_.enabled
            changed = before != (breakpoint_.locations, breakpoint_.message)
            if isinstance(breakpoint_.spec, ExceptionSpec) and breakpoint_.spec.uncaught:
                await self._deaths.wait_for(breakpoint_, wanted=bool(armed.locations))
        if notifies and changed:
            self._tell_changed(breakpoint_)
        await self._watch_for_members(breakpoint_, armed, check.lacking)

    async def _arm_all(
        self,
        breakpoint_: Breakpoint,
        armed: Armed,
        wanted: dict[ArmKey, BreakpointLocation],
        new_types: Collection[ReferenceTypeId],
    ) -> None:
        """Arm what is not armed; each that the VM has accepted is recorded, even if others fail."""

        async def arm(key: ArmKey, location: BreakpointLocation) -> None:
            known = armed.locations.get(key)
            request = None if known is None else known.request
            if request is None:
                request = await self._arm(breakpoint_, armed, key, location)
            if request is not None:
                placed = replace(location, request=request)
                armed.locations[key] = placed
                locations = max(len(wanted), len(armed.locations))
                is_new = location.code is not None and location.code.type.id in new_types
                refused = await self.placing.place(
                    breakpoint_, armed, key, locations, is_new=is_new
                )
                if refused is not None:
                    await self.placing.disarm([refused])

        arming = (arm(*each) for each in wanted.items())
        for failure in await asyncio.gather(*arming, return_exceptions=True):
            if failure is not None:
                raise failure
        await self.placing.disarm(await self.placing.record_calls(breakpoint_, armed))
        await self.probing.count_together(breakpoint_, armed)

    async def _arm(
        self, breakpoint_: Breakpoint, armed: Armed, key: ArmKey, location: BreakpointLocation
    ) -> RequestHandle | None:
        """The request; None if the type was unloaded since it was seen."""

        async def on_hit(occurrence: LocatedOccurrence) -> Verdict:
            if location.only_method not in (None, occurrence.location.method):
                return RESUME
            receivers = armed.locations.get(key, location).receivers
            if not await is_meant(breakpoint_, receivers, occurrence):
                return RESUME
            return await at_write(self._router, breakpoint_, location, occurrence, decide)

        async def decide(occurrence: LocatedOccurrence) -> Verdict:
            decided = self._hit(breakpoint_, occurrence, key)
            return await self.probing.guarding.timed(breakpoint_, decided)

        try:
            return await self._router.arm(location.event_kind, location.modifiers, key[1], on_hit)
        except (InvalidClassError, InvalidObjectError, InvalidMethodIdError):
            return None

    async def _hit(
        self, breakpoint_: Breakpoint, occurrence: LocatedOccurrence, key: ArmKey | None
    ) -> Verdict:
        armed = self._armed.get(breakpoint_)
        if armed is None or await self._is_ignored(breakpoint_, occurrence):
            return RESUME
        throw: Throw | None = None
        if isinstance(occurrence, ExceptionOccurrence):
            throw = armed.rethrows.note(occurrence)
            if throw.is_rethrown and throw.has_stopped and not self._hooks.stops_at_rethrows():
                return RESUME
        was_reached, limits = breakpoint_.was_reached, self._hooks.hit_limits()
        hit = await self.placing.evaluate(breakpoint_, armed, occurrence, key, limits)
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
        if breakpoint_.waits:  # for one that may have logged just now
            await self.probing.flush_logs()
        if not breakpoint_.enabled or breakpoint_.waits or self._ignores_hits:
            return True
        return await is_excluded_exception(
            breakpoint_, occurrence, self._hooks.is_ours, self._hooks.control_exceptions()
        )
