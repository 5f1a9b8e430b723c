# SPDX-License-Identifier: Apache-2.0
"""Between `arming` and `probing`: a location gets its probe, a hit is evaluated by what that found,
and where nothing but probes stops, since the agent came late, there is something to say.
"""

from __future__ import annotations

import contextlib
from functools import partial
from typing import TYPE_CHECKING, Final

from jvmdebug import probes
from jvmdebug.breakpoints.busy_methods import BusyMethods
from jvmdebug.breakpoints.element_stores import ElementChecks, stored
from jvmdebug.breakpoints.field_stores import why_not_checked, written
from jvmdebug.breakpoints.hit import Hit, HitLimits, evaluate_hit, extra_variables
from jvmdebug.breakpoints.local_writes import follow
from jvmdebug.breakpoints.old_code import OldCode
from jvmdebug.breakpoints.probe_questions import NoProbeError
from jvmdebug.breakpoints.recorder import recorded
from jvmdebug.breakpoints.resolver import Resolver
from jvmdebug.breakpoints.specs import ElementSpec, FieldSpec, FieldStoreSpec
from jvmdebug.errors import VmError
from jvmdebug.events import clear_together
from jvmdebug.together import together

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping, Sequence

    from jvmdebug.breakpoints.armed import Armed, ArmKey
    from jvmdebug.breakpoints.breakpoint import Breakpoint
    from jvmdebug.breakpoints.location import BreakpointLocation
    from jvmdebug.breakpoints.probing import Probing
    from jvmdebug.breakpoints.resolver import SourceReader
    from jvmdebug.events import LocatedOccurrence, Router, Verdict
    from jvmdebug.jdwp.ids import ReferenceTypeId, RequestId
    from jvmdebug.model.virtual_machine import VirtualMachine

_MOST_AT_ONCE: Final = 50
"""Locations of a breakpoint that asks nothing."""
_MOST_OF_A_CLASS: Final = 100
"""Locations in one class of breakpoints that ask nothing: its program waits for them, some 2 ms for
each.
"""


class Placing:
    """Of all breakpoints of a VM."""

    def __init__(
        self,
        vm: VirtualMachine,
        probing: Probing,
        armed: Mapping[Breakpoint, Armed],
        tell_changed: Callable[[Breakpoint], None],
        read_source: SourceReader,
    ) -> None:
        self._vm = vm
        self._read_source = read_source
        self._armed = armed
        self._probing = probing
        self._tell_changed = tell_changed
        self._put_in: dict[ReferenceTypeId, int] = {}

    @contextlib.asynccontextmanager
    async def together(
        self,
        new_types: Collection[ReferenceTypeId],
        update: Callable[[Breakpoint, Armed], Awaitable[None]],
    ) -> AsyncIterator[None]:
        """Probes that are placed inside are put in at the end, or at that of an outer one; those
        that leave do so after that.
        `update`: for each breakpoint with one that could not be. `new_types`: nothing has run their
        code yet.
        """
        async with (
            clear_together(self._vm),  # after what takes the place of some was put in
            probes.put_in_together(self._vm, new_types) as refused,
        ):
            yield
        for breakpoint_, armed in list(self._armed.items()) if refused else ():
            if armed.has_any(refused):
                await update(breakpoint_, armed)

    def prepare(self, breakpoint_: Breakpoint) -> None:
        """Before its locations are there: who puts the checks of a watched array in."""
        if isinstance(breakpoint_.spec, ElementSpec):
            breakpoint_.recorder = ElementChecks(
                self._vm, breakpoint_.spec, lambda: self._probing.is_off
            )

    def resolver(self, breakpoint_: Breakpoint) -> Resolver:
        """What it is resolved by now: that of a watched field depends on its options."""
        spec = breakpoint_.spec
        why = why_not_checked(self._vm, breakpoint_, is_off=self._probing.is_off)
        if isinstance(spec, FieldSpec) and why is None:
            return Resolver(self._vm, FieldStoreSpec(spec), self._read_source)
        return Resolver(self._vm, spec, self._read_source, why)

    async def place(
        self,
        breakpoint_: Breakpoint,
        armed: Armed,
        key: ArmKey,
        locations: int,
        *,
        is_new: bool,
    ) -> BreakpointLocation | None:
        """Give an armed location its probe; or return it, to be disarmed, if nothing would stop
        there. `locations`: how many the breakpoint has. `is_new`: whether nothing has run the code
        of its class yet.
        """
        location = armed.locations[key]
        may_change = is_new and locations <= _MOST_AT_ONCE and self._may_change(location)
        try:
            placed = await self._probing.place(
                breakpoint_, location, locations=locations, may_change=may_change
            )
        except NoProbeError as error:
            armed.refused = f"it cannot stop at {location}: {error}"
            return armed.locations.pop(key)
        armed.locations[key] = placed
        may_hold = self._probing.may_hold(breakpoint_, placed, locations)
        if placed.request is not None and placed.how == "event" and may_hold:
            busy = self._vm.companion(BusyMethods)
            busy.watch(self._vm, placed.request.request_id, self._change_busy)
        if self._probing.is_only_way and placed.code is not None:
            old_code = self._vm.companion(OldCode)
            await old_code.look(self._vm, breakpoint_, placed, self._tell_changed)
        return None

    def _may_change(self, location: BreakpointLocation) -> bool:
        """Whether not too many were put into the class already; counts it."""
        if location.code is None:
            return False
        id_ = location.code.type.id
        self._put_in[id_] = self._put_in.get(id_, 0) + 1
        return self._put_in[id_] <= _MOST_OF_A_CLASS

    async def _change_busy(self, busy: Collection[RequestId]) -> None:
        """The program runs the methods of these breakpoints much: probes for them."""
        for breakpoint_, armed in list(self._armed.items()):
            async with armed.lock:
                for key, location in list(armed.locations.items()):
                    if location.request is None or location.request.request_id not in busy:
                        continue
                    placed = await self._probing.place(
                        breakpoint_, location, locations=len(armed.locations), may_change=True
                    )
                    armed.replace(breakpoint_, key, placed)
                    if placed.how == "probe":
                        self._vm.companion(BusyMethods).forget(location.request.request_id)
                        self._tell_changed(breakpoint_)

    async def record_calls(self, breakpoint_: Breakpoint, armed: Armed) -> list[BreakpointLocation]:
        """Have the program record the calls of methods, or check stores, if the breakpoint is for
        that. Those at which nothing would stop, to be disarmed.
        """
        refused: list[BreakpointLocation] = []
        for key, location in await recorded(breakpoint_, armed):
            request, probing = location.request, self._probing
            armed.locations[key] = location
            if request is None:
                continue
            if location.how == "probe":
                self._vm.companion(BusyMethods).forget(request.request_id)
            elif probing.is_only_way and location.array_signature is not None:
                armed.refused = f"it cannot stop at {location}: {location.why_event}"
                refused.append(armed.locations.pop(key))
            elif probing.is_only_way:
                many = len(armed.locations)
                await probing.place_only(breakpoint_, location, request.request_id, many)
        return refused

    async def disarm(self, locations: Sequence[BreakpointLocation]) -> None:
        """Clear their requests, and with them the probes: together."""
        requests = [each.request for each in locations if each.request is not None]
        ids = [each.request_id for each in requests]
        await self._probing.forget(ids)
        for request_id in ids:
            self._vm.companion(BusyMethods).forget(request_id)
            if self._probing.is_only_way:
                self._vm.companion(OldCode).forget(request_id)
        async with clear_together(self._vm):
            await together([each.clear() for each in requests])

    def notice(self, breakpoint_: Breakpoint, armed: Armed) -> str | None:
        """Why nothing stops at some location, or which threads pass one for now."""
        if armed.refused is not None or not self._probing.is_only_way:
            return armed.refused
        return self._vm.companion(OldCode).text_of(breakpoint_)

    async def evaluate(
        self,
        breakpoint_: Breakpoint,
        armed: Armed,
        occurrence: LocatedOccurrence,
        key: ArmKey | None,
        limits: HitLimits,
    ) -> Hit:
        """The result of a hit; what it tells about the probe is acted on."""
        probing = self._probing
        names = await extra_variables(breakpoint_, occurrence)
        location = None if key is None else armed.locations.get(key)
        probed = await probing.last_hit(location, occurrence.thread)
        count = partial(probing.counted.count, breakpoint_, location)
        hit = await evaluate_hit(breakpoint_, occurrence.thread, names, limits, count, probed)
        if hit.message_is_new:
            self._tell_changed(breakpoint_)
        if location is None or key is None:
            return hit
        if probed is None:
            now = location
            with contextlib.suppress(VmError):  # it was removed meanwhile
                now = await probing.reconsider(breakpoint_, location)
        elif probed.has_failed and not hit.has_failed:
            reason = "the check failed where the debugger's evaluation did not"
            now = await probing.give_up(location, reason)
        else:
            now = await probing.renew(breakpoint_, location)
        if now is not location:
            armed.replace(breakpoint_, key, now)
        return hit


async def at_write(
    router: Router,
    breakpoint_: Breakpoint,
    location: BreakpointLocation,
    occurrence: LocatedOccurrence,
    decide: Callable[[LocatedOccurrence], Awaitable[Verdict]],
) -> Verdict:
    """Have `decide` told what is written, at a location of a watched variable or array."""
    if isinstance(breakpoint_.spec, ElementSpec):
        return await stored(occurrence, breakpoint_.spec, decide)
    if location.written:
        spec = breakpoint_.spec
        only = spec.instance if isinstance(spec, FieldSpec) else None
        return await written(occurrence, location, only, decide)
    if location.store is not None:
        return await follow(router, occurrence, location.store, decide)
    return await decide(occurrence)
