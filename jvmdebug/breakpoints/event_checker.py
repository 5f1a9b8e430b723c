# SPDX-License-Identifier: Apache-2.0
"""Locations that report their hits by events of the VM, and that the debugger checks: under the
JDK's agent, and under ours where it has no probes. See `location_checker`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from jvmdebug.breakpoints.location_checker import LocationChecker, why_off
from jvmdebug.breakpoints.probe_questions import question_of, why_not
from jvmdebug.breakpoints.resolver import Resolver
from jvmdebug.breakpoints.specs import FieldSpec

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from jvmdebug.breakpoints.armed_location import ArmedLocation
    from jvmdebug.breakpoints.breakpoint import Breakpoint
    from jvmdebug.breakpoints.hit import Hit
    from jvmdebug.breakpoints.location import BreakpointLocation
    from jvmdebug.breakpoints.log_drain import CallSink, Patience
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.probes import ProbeHit


class EventChecker(LocationChecker):
    """A checker for a VM that has an event for each arrival."""

    def resolver(self, breakpoint_: Breakpoint) -> Resolver:
        """The resolver of its locations. Fields are left to the watch of the VM."""
        spec, why = breakpoint_.spec, ""
        if isinstance(spec, FieldSpec) and spec.write and self._vm.agent is not None:
            why = "reads of the field stop as well" if spec.read else why_off(self._vm) or ""
        return Resolver(self._vm, spec, self._hooks.source_text, why)

    @property
    def why_no_probes(self) -> str | None:
        """Why the program checks nothing itself."""
        if not self._hooks.uses_probes():
            return "probes are off"
        is_read_only = self._vm.connection.is_read_only
        return "the session is read-only" if is_read_only else super().why_no_probes

    async def _asked(self, placed: ArmedLocation, *, may_change: bool) -> BreakpointLocation:
        del may_change
        breakpoint_, location = placed.breakpoint, placed.now
        reason = None
        if question_of(breakpoint_, self._limits(), location) is not None:
            off = "probes are off" if not self._hooks.uses_probes() else None
            reason = off or why_not(breakpoint_, location) or self.why_no_probes
        return replace(location, how="event", why_event=reason)

    # The program checks, counts and writes nothing, so the functions below have nothing to do.

    async def _recorded(self, _placed: ArmedLocation) -> None:
        pass

    async def _reconsider(
        self, _placed: ArmedLocation, _probed: ProbeHit | None, _hit: Hit
    ) -> None:
        pass

    async def end_counts(self, _placed: Sequence[ArmedLocation]) -> None:
        """Do nothing: the program counts nothing."""

    async def redefined(self, _types: Collection[ReferenceType]) -> None:
        """Do nothing: no check depends on code."""

    async def refresh_hits(self) -> None:
        """Do nothing: `hits` is exact."""

    async def flush_logs(self, *, patience: Patience = "all") -> None:
        """Do nothing: the program writes nothing."""

    def add_calls(self, _formats: Sequence[int], _sink: CallSink) -> None:
        """Do nothing: the program writes no records."""
