# SPDX-License-Identifier: Apache-2.0
"""Stepping: one step as an object with a life, and the filters of step into."""

from jvmdebug.stepping.call_sites import CallSite, calls_ahead
from jvmdebug.stepping.filters import JDK_PATTERNS, NO_FILTERS, StepFilters
from jvmdebug.stepping.returned import why_unknown
from jvmdebug.stepping.stepper import Granularity, Stepper

__all__ = [
    "JDK_PATTERNS",
    "NO_FILTERS",
    "CallSite",
    "Granularity",
    "StepFilters",
    "Stepper",
    "calls_ahead",
    "why_unknown",
]
