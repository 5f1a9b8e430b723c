# SPDX-License-Identifier: Apache-2.0
"""Breakpoints: what was asked, where it resolved, what happens at a hit. Called by the session."""

from jvmdebug.breakpoints.arming import BreakpointHooks, BreakpointTable
from jvmdebug.breakpoints.breakpoint import Breakpoint, BreakpointKind
from jvmdebug.breakpoints.breakpoint_set import BreakpointSet
from jvmdebug.breakpoints.causes import BreakpointHit, ExceptionThrown, FieldAccessed
from jvmdebug.breakpoints.field_change import NEW, OLD, FieldChange
from jvmdebug.breakpoints.hit import HitLimits
from jvmdebug.breakpoints.location import BreakpointLocation
from jvmdebug.breakpoints.specs import (
    BreakpointOptions,
    BreakpointRequest,
    BreakpointSpec,
    ExceptionSpec,
    FieldSpec,
    Suspend,
    parse_field,
)
from jvmdebug.sources import InstructionSpec, LineSpec, MethodSpec

__all__ = [
    "NEW",
    "OLD",
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
    "ExceptionSpec",
    "ExceptionThrown",
    "FieldAccessed",
    "FieldChange",
    "FieldSpec",
    "HitLimits",
    "InstructionSpec",
    "LineSpec",
    "MethodSpec",
    "Suspend",
    "parse_field",
]
