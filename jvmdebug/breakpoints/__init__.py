# SPDX-License-Identifier: Apache-2.0
"""Breakpoints: what the user asked for, where it resolved, and what happens at a hit.

Owns the request (`specs`), the breakpoint (`breakpoint`, `breakpoint_set`), its locations in loaded
classes (`resolver`, `location`), what is armed (`breakpoint_table`), and how a location reports its
hits (`location_checker`). Decides that a hit stops, but neither suspends nor resumes. Called by the
session. Begin with `breakpoint_set`, then `breakpoint_table`, then `location_checker`.
"""

from typing import TYPE_CHECKING, Final

from jvmdebug.later import names

if TYPE_CHECKING:
    from jvmdebug.breakpoints.breakpoint import Breakpoint, BreakpointKind, Observer
    from jvmdebug.breakpoints.breakpoint_set import BreakpointSet
    from jvmdebug.breakpoints.breakpoint_table import BreakpointTable
    from jvmdebug.breakpoints.causes import BreakpointHit, ExceptionThrown, FieldAccessed
    from jvmdebug.breakpoints.element_stores import INDEX, ElementStored
    from jvmdebug.breakpoints.field_change import NEW, OLD, FieldChange
    from jvmdebug.breakpoints.hit import HitLimits
    from jvmdebug.breakpoints.hooks import BreakpointHooks
    from jvmdebug.breakpoints.line_parts import BreakablePart
    from jvmdebug.breakpoints.local_writes import LocalWritten
    from jvmdebug.breakpoints.location import BreakpointLocation
    from jvmdebug.breakpoints.probe_uses import ProbeUse
    from jvmdebug.breakpoints.specs import (
        AllocationSpec,
        BreakpointOptions,
        BreakpointRequest,
        BreakpointSpec,
        ElementSpec,
        ExceptionSpec,
        FieldSpec,
        LocalSpec,
        Suspend,
        parse_field,
        parse_local,
    )
    from jvmdebug.sources.spec import InstructionSpec, LineSpec, MethodSpec

_HOMES: Final = {
    "breakpoint_table": ("BreakpointTable",),
    "breakpoint": ("Breakpoint", "BreakpointKind", "Observer"),
    "breakpoint_set": ("BreakpointSet",),
    "causes": ("BreakpointHit", "ExceptionThrown", "FieldAccessed"),
    "element_stores": ("INDEX", "ElementStored"),
    "field_change": ("NEW", "OLD", "FieldChange"),
    "hit": ("HitLimits",),
    "hooks": ("BreakpointHooks",),
    "line_parts": ("BreakablePart",),
    "local_writes": ("LocalWritten",),
    "location": ("BreakpointLocation",),
    "probe_uses": ("ProbeUse",),
    "specs": (
        "AllocationSpec",
        "BreakpointOptions",
        "BreakpointRequest",
        "BreakpointSpec",
        "ElementSpec",
        "ExceptionSpec",
        "FieldSpec",
        "LocalSpec",
        "Suspend",
        "parse_field",
        "parse_local",
    ),
    "jvmdebug.sources.spec": ("InstructionSpec", "LineSpec", "MethodSpec"),
}

if not TYPE_CHECKING:  # the type checker reports names that do not exist
    __getattr__ = names(__name__, _HOMES)

__all__ = [
    "INDEX",
    "NEW",
    "OLD",
    "AllocationSpec",
    "BreakablePart",
    "Breakpoint",
    "BreakpointHit",
    "BreakpointHooks",
    "BreakpointKind",
    "BreakpointLocation",
    "BreakpointOptions",
    "BreakpointRequest",
    "BreakpointSet",
    "BreakpointSpec",
    "BreakpointTable",
    "ElementSpec",
    "ElementStored",
    "ExceptionSpec",
    "ExceptionThrown",
    "FieldAccessed",
    "FieldChange",
    "FieldSpec",
    "HitLimits",
    "InstructionSpec",
    "LineSpec",
    "LocalSpec",
    "LocalWritten",
    "MethodSpec",
    "Observer",
    "ProbeUse",
    "Suspend",
    "parse_field",
    "parse_local",
]
