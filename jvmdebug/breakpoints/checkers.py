# SPDX-License-Identifier: Apache-2.0
"""Chooses how the locations of breakpoints report their hits in a VM. Called by `breakpoint_table`.

To add a way: (1) its `LocationChecker` in a file of its own, (2) its case here, (3) a row in the
test of this choice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug.breakpoints.event_checker import EventChecker
from jvmdebug.breakpoints.late_checker import LateChecker
from jvmdebug.breakpoints.probe_checker import ProbeChecker
from jvmdebug.model.agent import AgentCapability

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmdebug.breakpoints.breakpoint import Breakpoint
    from jvmdebug.breakpoints.hooks import BreakpointHooks
    from jvmdebug.breakpoints.location_checker import LocationChecker
    from jvmdebug.events import Router
    from jvmdebug.model.virtual_machine import VirtualMachine


def checker_for(
    vm: VirtualMachine,
    router: Router,
    hooks: BreakpointHooks,
    tell_changed: Callable[[Breakpoint], None],
) -> LocationChecker:
    """Make the checker for what the agent of a VM can do."""
    if not vm.agent_can(AgentCapability.BREAKPOINT_EVENTS):
        return LateChecker(vm, router, hooks, tell_changed)
    if vm.agent_can(AgentCapability.PROBES):
        return ProbeChecker(vm, router, hooks, tell_changed)
    return EventChecker(vm, router, hooks, tell_changed)
