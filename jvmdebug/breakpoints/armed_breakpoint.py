# SPDX-License-Identifier: Apache-2.0
"""The state of one breakpoint in the VM: its locations, the types that it waits for, and what it
has seen.

Changed by `breakpoint_table`, which says what each change means.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from jvmdebug.breakpoints.condition_check import checked
from jvmdebug.breakpoints.rethrows import Rethrows
from jvmdebug.breakpoints.specs import ElementSpec, LocalSpec
from jvmdebug.jdwp.generated.constants import SuspendPolicy

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from jvmdebug.breakpoints.armed_location import ArmedLocation, ArmKey
    from jvmdebug.breakpoints.breakpoint import Breakpoint
    from jvmdebug.breakpoints.class_watch import PrepareFilter
    from jvmdebug.breakpoints.condition_check import Checked
    from jvmdebug.breakpoints.hooks import BreakpointHooks
    from jvmdebug.breakpoints.loaded_types import LoadedTypes
    from jvmdebug.breakpoints.location import BreakpointLocation, Resolution
    from jvmdebug.breakpoints.resolver import Resolver
    from jvmdebug.jdwp.ids import RequestId
    from jvmdebug.model.reference_type import ReferenceType

_OTHER: Final = {
    SuspendPolicy.ALL: SuspendPolicy.EVENT_THREAD,
    SuspendPolicy.EVENT_THREAD: SuspendPolicy.ALL,
}


@dataclass(frozen=True, slots=True)
class Plan:
    """The locations at which to arm a breakpoint, and how."""

    found: Resolution
    candidates: tuple[BreakpointLocation, ...]
    """The locations that it would have if its code were right."""
    check: Checked
    wanted: tuple[BreakpointLocation, ...]
    policy: SuspendPolicy
    may_stay: bool
    """Whether an armed location may keep a request with another policy."""

    def keys(
        self, armed: ArmedBreakpoint, may_keep: Callable[[ArmedLocation], bool]
    ) -> dict[ArmKey, BreakpointLocation]:
        """The wanted locations by the key of the request that each gets. `may_keep`: whether an
        armed location may keep its present request.
        """
        found: dict[ArmKey, BreakpointLocation] = {}
        for location in self.wanted:
            other = location.key, _OTHER[self.policy]
            known = armed.locations.get(other)
            is_kept = self.may_stay and known is not None and may_keep(known)
            found[other if is_kept else (location.key, self.policy)] = location
        return found


@dataclass(slots=True, eq=False)
class ArmedBreakpoint:
    """The state of one breakpoint in the VM."""

    breakpoint: Breakpoint
    resolver: Resolver
    locations: dict[ArmKey, ArmedLocation] = field(default_factory=dict)
    """The locations with an event request in the VM."""
    watched: dict[PrepareFilter, None] = field(default_factory=dict)
    """The class prepare requests that it waits for."""
    has_searched: asyncio.Event = field(default_factory=asyncio.Event)
    knows_loaded_types: bool = False
    wrong: str | None = None
    """What is wrong with the breakpoint's code."""
    refused: str | None = None
    """Why nothing stops at some wanted location."""
    has_unreported: bool = False
    """Whether some location may have a reason why nothing stops there any more."""
    rethrows: Rethrows = field(default_factory=Rethrows)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    def search_by(self, resolver: Resolver, loaded: LoadedTypes) -> list[PrepareFilter] | None:
        """Find the locations in this way from now on. Returns the filters that it no longer waits
        for, or None if the way is the same: only that of a watched field depends on the
        breakpoint's options.
        """
        if resolver.spec == self.resolver.spec:
            self.resolver.why_watched = resolver.why_watched
            return None
        loaded.forget(self)
        self.resolver = resolver
        wanted = resolver.prepare_filters()
        dropped = [each for each in self.watched if each not in wanted]
        self.watched = dict.fromkeys(each for each in self.watched if each in wanted)
        return dropped

    async def planned(self, hooks: BreakpointHooks, *, adds: bool, waits: bool) -> Plan:
        """Find where to arm it now. `adds`: only locations that are new; `waits`: it is in no code
        for now.
        """
        found = await self.resolver.resolve(changed_only=adds)
        candidates = found.locations if self.breakpoint.enabled else ()
        check = await checked(self.breakpoint, candidates)
        policy = self._suspend_policy(hooks, check.locations)
        may_stay = hooks.suspends_all(self.breakpoint) and not self.breakpoint.log_message
        wanted = () if waits else check.locations
        return Plan(found, candidates, check, wanted, policy, may_stay=may_stay)

    def _suspend_policy(
        self, hooks: BreakpointHooks, locations: Collection[BreakpointLocation]
    ) -> SuspendPolicy:
        """The policy for its requests. It suspends one thread if there is something to evaluate, so
        that the others keep running when it does not stop.
        """
        breakpoint_, options = self.breakpoint, self.breakpoint.options
        evaluates = breakpoint_.has_code or options.hit_condition or options.after
        is_watch = isinstance(breakpoint_.spec, LocalSpec | ElementSpec)
        is_watch = is_watch or any(each.written for each in locations)
        is_alone = breakpoint_.observer is not None or is_watch
        if evaluates or is_alone or not hooks.suspends_all(breakpoint_):
            return SuspendPolicy.EVENT_THREAD
        return SuspendPolicy.ALL

    def is_checked_under(self, key: ArmKey, policy: SuspendPolicy) -> bool:
        """Whether the debugger checks the location, and its request has another policy
        than this.
        """
        armed = self.locations.get(key)
        return armed is not None and key[1] is not policy and armed.now.why_event is not None

    def requests(self) -> list[RequestId]:
        """All requests of the breakpoint."""
        every = (each.request_id for each in self.locations.values())
        return [each for each in every if each is not None]

    def has_any(self, requests: Collection[RequestId]) -> bool:
        """Whether one of these requests is its own."""
        return any(each in requests for each in self.requests())

    def without(self, types: Collection[ReferenceType]) -> list[ArmedLocation]:
        """Take the locations in these types from it. Returns those that were armed."""

        def is_in(location: BreakpointLocation) -> bool:
            return location.code is not None and location.code.type in types

        known = self.breakpoint.locations
        self.breakpoint.locations = tuple(each for each in known if not is_in(each))
        keys = [key for key, each in self.locations.items() if is_in(each.now)]
        return [self.locations.pop(key) for key in keys]

    def shown(self) -> tuple[BreakpointLocation, ...]:
        """The breakpoint's locations as they are now."""
        return tuple(each.now for each in self.locations.values())
