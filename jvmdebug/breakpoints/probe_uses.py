# SPDX-License-Identifier: Apache-2.0
"""Reports which probes there are: who checks what, and how often it has held. Changes nothing.
Called by `location_checker`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmdebug.breakpoints.probe_questions import question_of
from jvmdebug.jdwp.generated import probes as wire

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from jvmdebug.breakpoints.breakpoint import Breakpoint
    from jvmdebug.breakpoints.hit import HitLimits
    from jvmdebug.breakpoints.location import BreakpointLocation
    from jvmdebug.model.method import Method
    from jvmdebug.model.virtual_machine import VirtualMachine
    from jvmdebug.probes import Probe


@dataclass(frozen=True, slots=True)
class ProbeUse:
    """A location of a breakpoint with a condition, a hit condition, a log message or a probe, and
    who checks it.
    """

    breakpoint: Breakpoint
    location: BreakpointLocation
    """The location. Its `how` and `why_event` say who checks, and why the program does not; or why
    nothing checks, for a breakpoint that was disabled because it took too much time.
    """
    hits: int | None = None
    """How often the program's own check has held; None where the debugger checks."""
    calls_methods: bool = False
    """Whether the program's own check calls methods of the program."""
    install_ms: float | None = None
    """The time that putting the check into the program took; None where the debugger checks."""
    why_not_written: str | None = None
    """Why the debugger writes the log messages in place of the program's own check."""


def asking_of(
    breakpoints: Iterable[Breakpoint],
    limits: HitLimits,
    probe_of: Callable[[BreakpointLocation], Probe | None],
) -> list[Breakpoint]:
    """The user's breakpoints that have something to check, or a probe, or that were disabled."""
    return [
        each
        for each in breakpoints
        if not each.is_own
        and (
            each.disabled_at
            or any(probe_of(at) is not None for at in each.locations)
            or question_of(each, limits) is not None
        )
    ]


async def uses_of(
    vm: VirtualMachine,
    breakpoints: Collection[Breakpoint],
    probe_of: Callable[[BreakpointLocation], Probe | None],
) -> list[ProbeUse]:
    """The ProbeUse of each location of these breakpoints, and of those where they were disabled."""
    locations = [(each, at) for each in breakpoints for at in each.locations]
    hits: dict[int, tuple[int, int]] = {}
    if any(probe_of(at) is not None for _, at in locations):
        state = await vm.request(wire.State())
        hits = {each.request_id: (each.hits, each.count) for each in state.probes}
    found = [ProbeUse(each, at) for each in breakpoints for at in each.disabled_at]
    for breakpoint_, location in locations:
        probe = probe_of(location)
        if probe is None or location.request is None or probe.install_s is None:
            found.append(ProbeUse(breakpoint_, location))
            continue
        called, counted = hits.get(int(location.request.request_id), (0, -1))
        count = counted if counted >= 0 else _held(breakpoint_, called)
        cost = probe.install_s * 1e3
        found.append(
            ProbeUse(breakpoint_, location, count, probe.calls_methods, cost, probe.why_not_written)
        )
    return found


def _held(breakpoint_: Breakpoint, called: int) -> int:
    """How often a condition has held if its check does not count. Then each hit is reported, and
    the debugger decides on those that the check leaves open; of several locations only their sum is
    known.
    """
    return breakpoint_.hits if len(breakpoint_.locations) == 1 else called


def is_same(method: Method, other: Method) -> bool:
    """Whether both are the same method, before and after a change of the class."""
    return method.id == other.id and method.declaring_type.id == other.declaring_type.id
