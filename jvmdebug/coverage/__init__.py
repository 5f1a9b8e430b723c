# SPDX-License-Identifier: Apache-2.0
"""Coverage of a program: which of its lines, branches and methods have run.

Owns the plan (which classes), the talk with our agent (command set Coverage), what the agent's
flags mean, the results with their sums, and the files that they are written to and read from.
Knows no session. Begin with `model` and `recording`.
"""

from typing import TYPE_CHECKING, Final

from jvmdebug.later import names

if TYPE_CHECKING:
    from jvmdebug.coverage.counters import Bits, Counter, Counters, LineCoverage, LineStatus
    from jvmdebug.coverage.errors import CoverageError
    from jvmdebug.coverage.model import (
        Coverage,
        CoverageFormat,
        CoveredClass,
        CoveredFile,
        CoveredMethod,
    )
    from jvmdebug.coverage.plan import CoveragePlan, classes_in, plan_for
    from jvmdebug.coverage.reading import read_coverage
    from jvmdebug.coverage.recording import CoverageRecording
    from jvmdebug.coverage.writing import format_of

_HOMES: Final = {
    "counters": ("Bits", "Counter", "Counters", "LineCoverage", "LineStatus"),
    "errors": ("CoverageError",),
    "model": ("Coverage", "CoverageFormat", "CoveredClass", "CoveredFile", "CoveredMethod"),
    "plan": ("CoveragePlan", "classes_in", "plan_for"),
    "reading": ("read_coverage",),
    "recording": ("CoverageRecording",),
    "writing": ("format_of",),
}

if not TYPE_CHECKING:  # a name that does not exist is an error of the type checker
    __getattr__ = names(__name__, _HOMES)

__all__ = [
    "Bits",
    "Counter",
    "Counters",
    "Coverage",
    "CoverageError",
    "CoverageFormat",
    "CoveragePlan",
    "CoverageRecording",
    "CoveredClass",
    "CoveredFile",
    "CoveredMethod",
    "LineCoverage",
    "LineStatus",
    "classes_in",
    "format_of",
    "plan_for",
    "read_coverage",
]
