# SPDX-License-Identifier: Apache-2.0
"""Breakpoints: what was asked, where it resolved, what happens at a hit. Called by the session."""

from jvmdebug.breakpoints.breakpoint import Breakpoint, BreakpointKind, BreakpointLocation
from jvmdebug.breakpoints.specs import (
    BreakpointSpec,
    ExceptionRequest,
    ExceptionSpec,
    FieldSpec,
    LineRequest,
    MethodRequest,
    MethodSpec,
    SourceLineSpec,
    Suspend,
    TypeLineSpec,
)

__all__ = [
    "Breakpoint",
    "BreakpointKind",
    "BreakpointLocation",
    "BreakpointSpec",
    "ExceptionRequest",
    "ExceptionSpec",
    "FieldSpec",
    "LineRequest",
    "MethodRequest",
    "MethodSpec",
    "SourceLineSpec",
    "Suspend",
    "TypeLineSpec",
]
