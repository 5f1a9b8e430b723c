# SPDX-License-Identifier: Apache-2.0
"""Stepping: one step as an object with a life, and the filters of step into."""

from typing import Literal, TypeAlias

from jvmdebug.stepping.filters import JDK_PATTERNS, NO_FILTERS, StepFilters

Granularity: TypeAlias = Literal["line", "instruction"]
"""How far one step goes."""

__all__ = ["JDK_PATTERNS", "NO_FILTERS", "Granularity", "StepFilters"]
