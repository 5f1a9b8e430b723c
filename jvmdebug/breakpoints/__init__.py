# SPDX-License-Identifier: Apache-2.0
"""Breakpoints: what was asked, where it resolved, what happens at a hit. Called by the session."""

from jvmdebug.breakpoints.arming import BreakpointHooks, BreakpointTable
from jvmdebug.breakpoints.breakpoint import (
    Breakpoint,
    BreakpointKind,
    BreakpointLocation,
    BreakpointOptions,
)
from jvmdebug.breakpoints.field_change import NEW, OLD, FieldChange
from jvmdebug.breakpoints.hit import HitLimits
from jvmdebug.breakpoints.replacing import BreakpointGroups, Wanted
from jvmdebug.breakpoints.specs import (
    BreakpointSpec,
    DataRequest,
    ExceptionRequest,
    ExceptionSpec,
    FieldSpec,
    InstructionRequest,
    LineRequest,
    MethodRequest,
    Suspend,
    parse_field,
)
from jvmdebug.sources import InstructionSpec, LineSpec, MethodSpec, parse_method

__all__ = [
    "NEW",
    "OLD",
    "Breakpoint",
    "BreakpointGroups",
    "BreakpointHooks",
    "BreakpointKind",
    "BreakpointLocation",
    "BreakpointOptions",
    "BreakpointSpec",
    "BreakpointTable",
    "DataRequest",
    "ExceptionRequest",
    "ExceptionSpec",
    "FieldChange",
    "FieldSpec",
    "HitLimits",
    "InstructionRequest",
    "InstructionSpec",
    "LineRequest",
    "LineSpec",
    "MethodRequest",
    "MethodSpec",
    "Suspend",
    "Wanted",
    "parse_field",
    "parse_method",
]
