# SPDX-License-Identifier: Apache-2.0
"""Breakpoints that count only after another one. They are in no code until that one was reached, so
they cost nothing. Called by `breakpoint_table`.

Two kinds are armed anyway, and their hits are ignored: those that wait for a log point, which the
program writes without telling the debugger, and those in a VM where only probes stop, because
frames that run by then would lack the probe.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jvmdebug.breakpoints.breakpoint import Breakpoint
    from jvmdebug.breakpoints.location import BreakpointLocation

WHY: Final = "it waits for another breakpoint"


def is_held_back(breakpoint_: Breakpoint) -> bool:
    """Whether it waits for a breakpoint whose hits the debugger sees."""
    after = breakpoint_.options.after
    return breakpoint_.waits and after is not None and not after.log_message


def as_waiting(locations: Iterable[BreakpointLocation]) -> tuple[BreakpointLocation, ...]:
    """The locations at which it will be armed, marked as waiting."""
    return tuple(replace(each, why_event=WHY) for each in locations)


def set_after(trigger: Breakpoint, every: Iterable[Breakpoint]) -> list[Breakpoint]:
    """The breakpoints that count only after this one."""
    return [each for each in every if each.options.after is trigger]
