# SPDX-License-Identifier: Apache-2.0
"""Tests of a project: which ones are meant, what runs them, what they report.

Owns our runner (`runner/*.java`), which drives JUnit 3 to 6 and TestNG through their own APIs and
writes results as lines of JSON; it is compiled once against what the project's class path has.
Begin with `program`; the session starts it, and `results` reads what it writes.
"""

from jvmdebug.projects.testing.program import TestProgram, programs_of_tests
from jvmdebug.projects.testing.results import Results, TestEvent, TestFailure, TestKind, TestStatus
from jvmdebug.projects.testing.selection import select_tests, selector_of

__all__ = [
    "Results",
    "TestEvent",
    "TestFailure",
    "TestKind",
    "TestProgram",
    "TestStatus",
    "programs_of_tests",
    "select_tests",
    "selector_of",
]
