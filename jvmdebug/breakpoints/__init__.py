# SPDX-License-Identifier: Apache-2.0
"""Breakpoints: what was asked, where it resolved, what happens at a hit. Called by the session."""

from jvmdebug.breakpoints.arming import BreakpointHooks, BreakpointTable
from jvmdebug.breakpoints.breakpoint import (
    Breakpoint,
    BreakpointKind,
    BreakpointLocation,
    BreakpointOptions,
)
from jvmdebug.breakpoints.hit import HitLimits
from jvmdebug.breakpoints.replacing import BreakpointGroups, Wanted
from jvmdebug.breakpoints.specs import (
    BreakpointSpec,
    ExceptionRequest,
    ExceptionSpec,
    FieldSpec,
    LineRequest,
    MethodRequest,
    Suspend,
    parse_field,
    parse_method,
)
from jvmdebug.sources import LineSpec, MethodSpec

__all__ = [
    "Breakpoint",
    "BreakpointGroups",
    "BreakpointHooks",
    "BreakpointKind",
    "BreakpointLocation",
    "BreakpointOptions",
    "BreakpointSpec",
    "BreakpointTable",
    "ExceptionRequest",
    "ExceptionSpec",
    "FieldSpec",
    "HitLimits",
    "LineRequest",
    "LineSpec",
    "MethodRequest",
    "MethodSpec",
    "Suspend",
    "Wanted",
    "parse_field",
    "parse_method",
]
