# SPDX-License-Identifier: Apache-2.0
"""The state of one breakpoint in the VM: its event requests, what it waits for, what it has seen.

Changed by `arming` only, which says what each change means.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeAlias

from jvmdebug.breakpoints.rethrows import Rethrows
from jvmdebug.breakpoints.specs import ElementSpec, LocalSpec
from jvmdebug.jdwp.generated.constants import SuspendPolicy

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from jvmdebug.breakpoints.breakpoint import Breakpoint
    from jvmdebug.breakpoints.class_watch import PrepareFilter
    from jvmdebug.breakpoints.hooks import BreakpointHooks
    from jvmdebug.breakpoints.location import BreakpointLocation, LocationKey
    from jvmdebug.breakpoints.resolver import Resolver
    from jvmdebug.jdwp.ids import RequestId

ArmKey: TypeAlias = "tuple[LocationKey, SuspendPolicy]"

_OTHER: Final = {
    SuspendPolicy.ALL: SuspendPolicy.EVENT_THREAD,
    SuspendPolicy.EVENT_THREAD: SuspendPolicy.ALL,
}


def suspend_policy(
    breakpoint_: Breakpoint, hooks: BreakpointHooks, locations: Collection[BreakpointLocation]
) -> SuspendPolicy:
    """Suspend one thread if there is something to evaluate: the others keep running when it does
    not stop.
    """
    options = breakpoint_.options
    evaluates = breakpoint_.has_code or options.hit_condition or options.after
    is_watch = isinstance(breakpoint_.spec, LocalSpec | ElementSpec)
    is_watch = is_watch or any(each.written for each in locations)
    is_alone = breakpoint_.observer is not None or is_watch
    if evaluates or is_alone or not hooks.suspends_all(breakpoint_):
        return SuspendPolicy.EVENT_THREAD
    return SuspendPolicy.ALL


@dataclass(slots=True)
class Armed:
    """The state of one breakpoint in the VM."""

    resolver: Resolver
    locations: dict[ArmKey, BreakpointLocation] = field(default_factory=dict)
    """Those with an event request in the VM."""
    watched: dict[PrepareFilter, None] = field(default_factory=dict)
    """The class prepare requests that it waits for."""
    has_searched: asyncio.Event = field(default_factory=asyncio.Event)
    knows_loaded_types: bool = False
    wrong: str | None = None
    """What is wrong with the breakpoint's code."""
    refused: str | None = None
    """Why nothing stops at a location that was wanted, where there is one."""
    rethrows: Rethrows = field(default_factory=Rethrows)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    def search_by(self, resolver: Resolver, loaded: LoadedTypes) -> list[PrepareFilter] | None:
        """Find the locations in this way from now on: what it waits for no longer. None if it is
        the same: only that of a watched field depends on the breakpoint's options.
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

    def keys_of(
        self, locations: Iterable[BreakpointLocation], policy: SuspendPolicy, *, may_stay: bool
    ) -> dict[ArmKey, BreakpointLocation]:
        """Under which request each is wanted. `may_stay`: one with a probe keeps its request though
        the policy of that is another, so that the program's code stays as it is.
        """
        found: dict[ArmKey, BreakpointLocation] = {}
        for location in locations:
            other = location.key, _OTHER[policy]
            known = self.locations.get(other) if may_stay else None
            is_kept = known is not None and known.how == "probe"
            found[other if is_kept else (location.key, policy)] = location
        return found

    def is_checked_under(self, key: ArmKey, policy: SuspendPolicy) -> bool:
        """Whether the debugger checks it, and its request has another policy than this."""
        location = self.locations.get(key)
        return location is not None and key[1] is not policy and location.why_event is not None

    def requests(self) -> list[RequestId]:
        """All of it."""
        placed = self.locations.values()
        return [each.request.request_id for each in placed if each.request is not None]

    def has_any(self, requests: Collection[RequestId]) -> bool:
        """Whether one of these requests is for it."""
        return any(each in requests for each in self.requests())

    def replace(self, breakpoint_: Breakpoint, key: ArmKey, location: BreakpointLocation) -> None:
        """Keep a location that is armed as before, but checked by somebody else."""
        self.locations[key] = location
        breakpoint_.locations = tuple(
            location if each.key == location.key else each for each in breakpoint_.locations
        )


class LoadedTypes:
    """Breakpoints of one source look for its loaded types once."""

    def __init__(self) -> None:
        self._oldest: dict[tuple[object, ...], Armed] = {}

    async def add_to(self, armed: Armed) -> None:
        """Take the types of an older breakpoint of the same source, else request all of the VM."""
        scope = armed.resolver.scope
        older = self._oldest.setdefault(scope, armed)
        if older is not armed:
            await older.has_searched.wait()
            if older.knows_loaded_types:
                await armed.resolver.adopt(older.resolver)
                return
            self._oldest[scope] = armed  # the older one has failed
        await armed.resolver.add_loaded_types()

    def forget(self, armed: Armed) -> None:
        """It is removed, and hears of no further types."""
        if self._oldest.get(armed.resolver.scope) is armed:
            del self._oldest[armed.resolver.scope]
