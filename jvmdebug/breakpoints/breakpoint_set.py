# SPDX-License-Identifier: Apache-2.0
"""The breakpoints of one program: set alone or as a group, numbered, set again in the next program.

Owns their ids and which belong to which group (one source file, the function breakpoints, the
exception breakpoints); a group is replaced by a new list, as editors do, and only what differs is
changed. The event requests are the `BreakpointTable`'s. Called by the session.
"""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import replace
from typing import TYPE_CHECKING

from jvmdebug.breakpoints.breakpoint import Breakpoint
from jvmdebug.breakpoints.causes import ExceptionThrown
from jvmdebug.breakpoints.specs import (
    BreakpointOptions,
    BreakpointRequest,
    ElementSpec,
    ExceptionSpec,
    FieldSpec,
)
from jvmdebug.errors import BreakpointError, ConnectionLost, UnsupportedError, VmError

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Sequence

    from jvmdebug.breakpoints.breakpoint import Observer
    from jvmdebug.breakpoints.breakpoint_table import BreakpointTable
    from jvmdebug.breakpoints.causes import BreakpointHit
    from jvmdebug.breakpoints.location_checker import LocationChecker
    from jvmdebug.breakpoints.probe_uses import ProbeUse
    from jvmdebug.breakpoints.recorder import CallRecorder
    from jvmdebug.breakpoints.specs import BreakpointSpec
    from jvmdebug.probes import Timing


class BreakpointSet:
    """All breakpoints of one program."""

    def __init__(self, table: BreakpointTable) -> None:
        self._table = table
        self._groups: dict[Hashable, list[Breakpoint]] = {}
        self._uncaught: Breakpoint | None = None
        self._last_id = 0
        self._lock = asyncio.Lock()

    @property
    def breakpoints(self) -> tuple[Breakpoint, ...]:
        """The user's breakpoints that are not removed, by id."""
        return tuple(each for each in self._table.breakpoints if not each.is_own)

    async def add(self, spec: BreakpointSpec, options: BreakpointOptions) -> Breakpoint:
        """Add a breakpoint that is in no group.

        Raises BreakpointError for options that do not parse, UnsupportedError if the VM cannot.
        """
        made = Breakpoint(BreakpointRequest(spec, options))
        await self._set(made)
        return made

    async def copy(self, breakpoint_: Breakpoint) -> Breakpoint:
        """Set a breakpoint of another program here too, with its number and zero hits.

        BreakpointError for one of an object or a thread, which only its program has; else as `add`.
        """
        request = _in_new_program(breakpoint_.request)
        if request.error is not None:
            raise BreakpointError(request.error)
        made = Breakpoint(request)
        made.id, made.set_by = breakpoint_.id, breakpoint_.set_by
        self._last_id = max(self._last_id, made.id)
        await self._set(made)
        if not breakpoint_.enabled:
            await made.disable()
        return made

    async def probes(self) -> list[ProbeUse]:
        """Report for each location who checks the condition of the user's breakpoint."""
        return await self._table.checker.describe(self._table.breakpoints)

    @property
    def checker(self) -> LocationChecker:
        """How locations report their hits."""
        return self._table.checker

    async def refresh_hits(self) -> None:
        """Set `hits` of the breakpoints whose hits the program counts. At a stop they are exact."""
        await self._table.checker.refresh_hits()

    async def add_own(self, spec: BreakpointSpec, cause: type[BreakpointHit]) -> Breakpoint:
        """A temporary breakpoint that the user never sees; its stop has this cause."""
        request = BreakpointRequest(spec, BreakpointOptions(once=True))
        made = Breakpoint(request, own_cause=cause)
        await self._set(made)
        return made

    @property
    def stops_at_uncaught(self) -> bool:
        """Whether each exception that nothing catches stops the program; see `stop_at_uncaught`."""
        return self._uncaught is not None

    async def stop_at_uncaught(self, *, enabled: bool) -> None:
        """Set whether each exception that nothing catches stops, without a breakpoint of
        the user.
        """
        async with self._lock:
            if enabled == self.stops_at_uncaught:
                return
            old, self._uncaught = self._uncaught, None
            if old is not None:
                await old.remove()
            else:
                request = BreakpointRequest(ExceptionSpec(caught=False), BreakpointOptions())
                made = Breakpoint(request, own_cause=ExceptionThrown)
                await self._set(made)
                self._uncaught = made

    async def add_observed(
        self,
        spec: BreakpointSpec,
        options: BreakpointOptions,
        observer: Observer,
        timing: Timing | None = None,
        recorder: CallRecorder | None = None,
    ) -> Breakpoint:
        """Add a breakpoint that never stops and that the user does not see; `observer` gets its
        hits.
        """
        made = Breakpoint(
            BreakpointRequest(spec, options), observer=observer, timing=timing, recorder=recorder
        )
        await self._set(made)
        return made

    async def replace(
        self, group: Hashable, requests: Sequence[BreakpointRequest]
    ) -> tuple[Breakpoint, ...]:
        """Make `requests` the breakpoints of `group`; one Breakpoint each, in order.

        A breakpoint with the same spec stays, and gets the new options if they differ. One that
        cannot be set has failed: it is in no list, and its message says why.
        """
        async with self._lock:
            free = [each for each in self._groups.get(group, []) if not each.is_removed]
            kept: list[Breakpoint | None] = []
            for request in requests:
                same = next((each for each in free if each.spec == request.spec), None)
                if same is not None:
                    free.remove(same)
                kept.append(same)
            await self.remove(free)
            done = {at: old for at, old in enumerate(kept) if old is not None}

            async def set_at(at: int, request: BreakpointRequest) -> None:
                done[at] = await self._reuse_or_set(request, kept[at])

            try:
                async with self._table.together():
                    await asyncio.gather(*(set_at(*each) for each in enumerate(requests)))
            finally:  # if cancelled, the group has those that were set
                self._groups[group] = [done[at] for at in sorted(done)]
            return tuple(self._groups[group])

    async def remove(self, breakpoints: Collection[Breakpoint]) -> None:
        """Remove these breakpoints; their probes leave the program together."""
        with contextlib.suppress(ConnectionLost):  # without a VM there are no counts
            await self._table.end_counts(breakpoints)
        async with self._table.together():
            await asyncio.gather(*(each.remove() for each in breakpoints))

    async def set_again(self, old: BreakpointSet) -> None:
        """Set the breakpoints of a program that has ended in this one, with zero hits.

        They are the same objects, with their ids and groups. One that had failed is tried again;
        one that cannot be set now fails: a watch on one object, for example, since the object is
        gone.
        """
        self._last_id, self._groups = old._last_id, old._groups
        failed = [each for group in self._groups.values() for each in group if each.has_failed]
        again = sorted([*old.breakpoints, *failed], key=lambda each: each.id)
        for each in again:
            each.request = _in_new_program(each.request)
        async with self._table.together():
            await asyncio.gather(*map(self._set_or_fail, again))
        await self.stop_at_uncaught(enabled=old.stops_at_uncaught)

    async def _reuse_or_set(self, request: BreakpointRequest, old: Breakpoint | None) -> Breakpoint:
        made = Breakpoint(request)
        if old is None:
            await self._set_or_fail(made)
            return made
        error = request.error
        try:
            if error is None:
                await old.set_options(request.options)
                return old
        except (BreakpointError, UnsupportedError, VmError) as failure:
            error = str(failure)
        await old.remove()
        self._fail(made, error)
        return made

    async def _set_or_fail(self, breakpoint_: Breakpoint) -> None:
        error = breakpoint_.request.error
        if error is not None:
            self._fail(breakpoint_, error)
            return
        try:
            await self._set(breakpoint_)
        except (BreakpointError, UnsupportedError, VmError) as failure:
            self._fail(breakpoint_, str(failure))

    def _fail(self, breakpoint_: Breakpoint, error: str) -> None:
        self._number(breakpoint_)
        breakpoint_.fail(error)

    async def _set(self, breakpoint_: Breakpoint) -> None:
        breakpoint_.begin(self._table)
        if not breakpoint_.is_own:
            self._number(breakpoint_)
        await self._table.arm(breakpoint_)

    def _number(self, breakpoint_: Breakpoint) -> None:
        if not breakpoint_.id:
            self._last_id += 1
            breakpoint_.id = self._last_id


def _in_new_program(request: BreakpointRequest) -> BreakpointRequest:
    spec = request.spec
    if isinstance(spec, ElementSpec):
        return replace(request, error=f"the array {spec.name} is gone with its program")
    options = request.options
    if options.only_thread is not None or options.only_object is not None:
        gone = "thread" if options.only_thread is not None else "object"
        return replace(request, error=f"the {gone} whose hits alone count is gone with its program")
    if not isinstance(spec, FieldSpec) or spec.instance is None:
        return request
    error = f"the object whose {spec.field_name} was watched is gone with its program"
    return replace(request, error=error)
