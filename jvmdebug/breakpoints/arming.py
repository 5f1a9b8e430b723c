# SPDX-License-Identifier: Apache-2.0
"""The breakpoints of one program in its VM: armed, pending, hit, removed.

Owns the event requests of each breakpoint and keeps them in line with its options and with the
types that are loaded; changing one breakpoint touches no request of another. What a hit means is
`hit`'s, whether the VM then runs on the router's. Called by `BreakpointSet`, which has their list.
"""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, TypeAlias

from jvmdebug.breakpoints.causes import cause_class
from jvmdebug.breakpoints.class_watch import ClassWatch
from jvmdebug.breakpoints.condition_check import right_points, wrong_part
from jvmdebug.breakpoints.field_change import FieldChange
from jvmdebug.breakpoints.field_points import is_excluded
from jvmdebug.breakpoints.hit import HitLimits, HitResult, judge
from jvmdebug.breakpoints.placing import Place
from jvmdebug.breakpoints.points import PointKey
from jvmdebug.breakpoints.specs import ExceptionSpec
from jvmdebug.errors import (
    BreakpointError,
    ConnectionLost,
    InvalidClassError,
    InvalidMethodIdError,
    InvalidObjectError,
    UnsupportedError,
    VmError,
)
from jvmdebug.events import RESUME, ExceptionOccurrence, FieldOccurrence, StopFor
from jvmdebug.jdwp.generated.constants import EventKind, SuspendPolicy

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection

    from jvmdebug.breakpoints.breakpoint import Breakpoint
    from jvmdebug.breakpoints.points import Point
    from jvmdebug.events import LocatedOccurrence, RequestHandle, Router, Verdict
    from jvmdebug.jdwp.generated.events import Modifier
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.model.values import ObjectReference, Value
    from jvmdebug.model.virtual_machine import VirtualMachine
    from jvmdebug.sources import LineSpec

ArmKey: TypeAlias = tuple[PointKey, SuspendPolicy]


class BreakpointHooks(Protocol):
    """What the session hears, and what it is asked."""

    def breakpoint_changed(self, breakpoint_: Breakpoint) -> None:
        """Locations or message changed after it had been set."""

    async def breakpoint_logged(
        self, breakpoint_: Breakpoint, occurrence: LocatedOccurrence, text: str
    ) -> None:
        """A logpoint was reached."""

    def suspends_all(self, breakpoint_: Breakpoint) -> bool:
        """Whether a stop at it suspends all threads."""

    async def source_text(self, spec: LineSpec) -> str | None:
        """The text of the source that a line is in; None if it is not at hand."""

    def is_ours(self, exception: ObjectReference) -> bool:
        """Whether the session has it thrown, to end a thread: nobody wants to stop there."""

    def hit_limits(self) -> HitLimits:
        """What evaluation at a hit may cost."""


@dataclass(slots=True)
class _Armed:
    """What belongs to one breakpoint in the VM."""

    place: Place
    requests: dict[ArmKey, RequestHandle] = field(default_factory=dict)
    watched: dict[Modifier, None] = field(default_factory=dict)
    """The class prepare requests that it waits for."""
    has_looked: asyncio.Event = field(default_factory=asyncio.Event)
    knows_loaded_types: bool = False
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


class BreakpointTable:
    """All breakpoints of a VM."""

    def __init__(self, vm: VirtualMachine, router: Router, hooks: BreakpointHooks) -> None:
        self._vm = vm
        self._router = router
        self._hooks = hooks
        self._watch = ClassWatch(router)
        self._armed: dict[Breakpoint, _Armed] = {}
        self._lets_go = False

    @property
    def breakpoints(self) -> tuple[Breakpoint, ...]:
        """Those that are not removed, in the order in which they were armed."""
        return tuple(self._armed)

    async def arm(self, breakpoint_: Breakpoint) -> None:
        """Arm it wherever its types are loaded; it is pending for the others.

        If that fails or is cancelled, nothing of it stays in the VM. Raises VmError, or
        UnsupportedError if the VM cannot.
        """
        armed = self._armed[breakpoint_] = _Armed(
            Place(self._vm, breakpoint_.spec, self._hooks.source_text)
        )
        try:
            await self._watch_and_place(breakpoint_, armed)
        except (VmError, UnsupportedError, asyncio.CancelledError):
            await self.remove(breakpoint_)
            raise

    async def rearm(self, breakpoint_: Breakpoint) -> None:
        """Bring the VM in line with the breakpoint's options."""
        armed = self._armed.get(breakpoint_)
        if armed is None:
            raise BreakpointError(f"breakpoint {breakpoint_} was removed; set a new one")
        await self._place(breakpoint_, armed, tell=False)

    async def remove(self, breakpoint_: Breakpoint) -> None:
        """Take it out of the VM and forget it."""
        armed = self._armed.pop(breakpoint_, None)
        breakpoint_.is_removed = True
        if armed is None:
            return
        async with armed.lock:
            requests = list(armed.requests.values())
            armed.requests.clear()
            breakpoint_.locations = ()
            modifiers = list(armed.watched)
            try:
                await asyncio.gather(
                    *(request.clear() for request in requests),
                    *(self._watch.remove(modifier, breakpoint_) for modifier in modifiers),
                )
                await breakpoint_.release()
            except ConnectionLost:
                return  # no VM, no requests

    async def let_go(self) -> None:
        """Take all out of the VM, which is to end: none is hit any more, all are known still."""
        self._lets_go = True
        requests = [each for armed in self._armed.values() for each in armed.requests.values()]
        with contextlib.suppress(ConnectionLost):  # no VM, no requests
            await asyncio.gather(self._watch.let_go(), *(each.clear() for each in requests))

    async def redefined(self, types: Collection[ReferenceType]) -> None:
        """These types have new code, and the VM has dropped the breakpoints in the old."""
        ids = {type_.id for type_ in types}
        for breakpoint_, armed in list(self._armed.items()):
            async with armed.lock:
                # key: the kind of event, the type, the method, the code index
                lost = [
                    key
                    for key in armed.requests
                    if key[0][0] is EventKind.BREAKPOINT and key[0][1] in ids
                ]
                await asyncio.gather(*(armed.requests.pop(key).clear() for key in lost))
            if await armed.place.renew(types) or lost:
                await self._place(breakpoint_, armed, tell=True)

    async def _watch_and_place(self, breakpoint_: Breakpoint, armed: _Armed) -> None:
        # First the events, then the loaded types: a type in between is seen by both.
        try:
            armed.place.require_possible()
            modifiers = armed.place.prepare_modifiers()
            await self._watch_for(breakpoint_, armed, modifiers, armed.place.add_type)
            await self._add_loaded_types(armed)
            armed.knows_loaded_types = True
        finally:
            armed.has_looked.set()
        await self._watch_subtypes(breakpoint_, armed)
        await self._place(breakpoint_, armed, tell=False)

    async def _watch_for(
        self,
        breakpoint_: Breakpoint,
        armed: _Armed,
        modifiers: tuple[Modifier, ...],
        take_note: Callable[[ReferenceType], Awaitable[bool]],
    ) -> None:
        async def on_type(type_: ReferenceType) -> None:
            if await take_note(type_):
                await self._watch_subtypes(breakpoint_, armed)
                await self._place(breakpoint_, armed, tell=True)

        new = [modifier for modifier in modifiers if modifier not in armed.watched]
        armed.watched.update(dict.fromkeys(new))
        await asyncio.gather(*(self._watch.add(each, breakpoint_, on_type) for each in new))

    async def _watch_subtypes(self, breakpoint_: Breakpoint, armed: _Armed) -> None:
        """What implements a method may come at any time later."""
        if breakpoint_ in self._armed and armed.place.subtype_modifiers:
            modifiers = armed.place.subtype_modifiers
            await self._watch_for(breakpoint_, armed, modifiers, armed.place.add_subtype)

    async def _add_loaded_types(self, armed: _Armed) -> None:
        """What an older breakpoint of the same source knows, else ask the VM for all types."""
        for older in list(self._armed.values()):
            if older is armed:
                break
            if older.place.scope == armed.place.scope:
                await older.has_looked.wait()
                if older.knows_loaded_types:
                    armed.place.adopt(older.place)
                    return
        await armed.place.add_loaded_types()

    async def _place(self, breakpoint_: Breakpoint, armed: _Armed, *, tell: bool) -> None:
        async with armed.lock:
            if breakpoint_ not in self._armed:
                return
            placement = await armed.place.placement()
            policy = self._policy(breakpoint_)
            points = placement.points if breakpoint_.enabled else ()
            points, wrong = await right_points(breakpoint_, points)
            wrong = wrong or await wrong_part(breakpoint_, points)
            wanted = {(point.key, policy): point for point in points}
            new = {key: point for key, point in wanted.items() if key not in armed.requests}
            await self._arm_all(breakpoint_, armed, new)
            obsolete = [armed.requests.pop(key) for key in set(armed.requests) - set(wanted)]
            await asyncio.gather(*(request.clear() for request in obsolete))
            armed_points = [p for p in points if (p.key, policy) in armed.requests]
            locations = tuple(point.location for point in armed_points)
            message = (wrong or placement.message) if breakpoint_.enabled else None
            changed = (breakpoint_.locations, breakpoint_.message) != (locations, message)
            breakpoint_.locations, breakpoint_.message = locations, message
            breakpoint_.is_pending = placement.is_pending and breakpoint_.enabled
        if tell and changed:
            self._hooks.breakpoint_changed(breakpoint_)

    def _policy(self, breakpoint_: Breakpoint) -> SuspendPolicy:
        """One thread while there is something to evaluate: the others run on if it says no."""
        evaluates = breakpoint_.condition or breakpoint_.log_message or breakpoint_.hit_condition
        if evaluates or not self._hooks.suspends_all(breakpoint_):
            return SuspendPolicy.EVENT_THREAD
        return SuspendPolicy.ALL

    async def _arm_all(
        self, breakpoint_: Breakpoint, armed: _Armed, new: dict[ArmKey, Point]
    ) -> None:
        """Arm all; each that the VM took is known in `armed` at once, whatever the others do."""

        async def arm(key: ArmKey, point: Point) -> None:
            request = await self._arm(breakpoint_, point, key[1])
            if request is not None:
                armed.requests[key] = request

        results = await asyncio.gather(
            *(arm(*each) for each in new.items()), return_exceptions=True
        )
        for failure in results:
            if failure is not None:
                raise failure

    async def _arm(
        self, breakpoint_: Breakpoint, point: Point, policy: SuspendPolicy
    ) -> RequestHandle | None:
        """The request; None if the type was unloaded since it was seen."""

        async def on_hit(occurrence: LocatedOccurrence) -> Verdict:
            if point.method is not None and occurrence.location.method is not point.method:
                return RESUME
            if point.receivers and not await _is_on(point.receivers, occurrence):
                return RESUME
            return await self._hit(breakpoint_, occurrence)

        try:
            return await self._router.arm(point.kind, point.modifiers, policy, on_hit)
        except (InvalidClassError, InvalidObjectError, InvalidMethodIdError):
            return None

    async def _hit(self, breakpoint_: Breakpoint, occurrence: LocatedOccurrence) -> Verdict:
        if breakpoint_ not in self._armed or not breakpoint_.enabled or self._lets_go:
            return RESUME
        if isinstance(occurrence, ExceptionOccurrence) and self._hooks.is_ours(
            occurrence.exception
        ):
            return RESUME
        if await _is_left_out(breakpoint_, occurrence):
            return RESUME
        names = await _given_names(breakpoint_, occurrence)
        hit = await judge(breakpoint_, occurrence.thread, names, self._hooks.hit_limits())
        if hit.message_is_new:
            self._hooks.breakpoint_changed(breakpoint_)
        match hit.result:
            case HitResult.PASS:
                return RESUME
            case HitResult.LOG:
                await self._hooks.breakpoint_logged(breakpoint_, occurrence, hit.log_text)
                return RESUME
            case HitResult.STOP:
                cause = breakpoint_.own_cause or cause_class(occurrence)
                suspends_all = self._hooks.suspends_all(breakpoint_)
                return StopFor(
                    cause(breakpoint=breakpoint_, occurrence=occurrence, suspends_all=suspends_all)
                )


async def _is_on(receivers: Collection[str], occurrence: LocatedOccurrence) -> bool:
    """Whether `this` is of one of these types; a native frame does not tell, and counts."""
    this = await (await occurrence.thread.frame(0)).this_object()
    if this is None:
        return True
    type_ = await this.type()
    return any([await type_.is_subtype_of(name) for name in receivers])


async def _given_names(breakpoint_: Breakpoint, occurrence: LocatedOccurrence) -> dict[str, Value]:
    """What a condition and a log message may name beside the program's own names."""
    if isinstance(occurrence, ExceptionOccurrence):
        return {"$exception": occurrence.exception}
    if isinstance(occurrence, FieldOccurrence) and breakpoint_.has_code:
        return (await FieldChange.read(occurrence)).names()
    return {}


async def _is_left_out(breakpoint_: Breakpoint, occurrence: LocatedOccurrence) -> bool:
    spec = breakpoint_.spec
    if not isinstance(occurrence, ExceptionOccurrence) or not isinstance(spec, ExceptionSpec):
        return False
    return bool(spec.excluded) and await is_excluded(spec, await occurrence.exception.type())
