# SPDX-License-Identifier: Apache-2.0
"""Tests of a project: which ones are meant, what runs them, what they report.

Owns our runner (`runner/*.java`), which drives JUnit 3 to 6 and TestNG through their own APIs and
writes results as lines of JSON; it is compiled once against what the project's class path has.
Begin with `program`; the session starts it, and `results` reads what it writes.
"""

from typing import TYPE_CHECKING, Final

from jvmdebug.later import names

if TYPE_CHECKING:
    from jvmdebug.projects.testing.program import TestProgram, programs_of_tests
    from jvmdebug.projects.testing.results import (
        Results,
        TestEvent,
        TestFailure,
        TestKind,
        TestStatus,
    )
    from jvmdebug.projects.testing.selection import (
        ChosenTests,
        TestGroup,
        choose_tests,
        class_of,
        select_tests,
        selector_of,
    )

_HOMES: Final = {
    "program": ("TestProgram", "programs_of_tests"),
    "results": ("Results", "TestEvent", "TestFailure", "TestKind", "TestStatus"),
    "selection": (
        "ChosenTests",
        "TestGroup",
        "choose_tests",
        "class_of",
        "select_tests",
        "selector_of",
    ),
}

if not TYPE_CHECKING:  # a name that does not exist is an error of the type checker
    __getattr__ = names(__name__, _HOMES)

__all__ = [
    "ChosenTests",
    "Results",
    "TestEvent",
    "TestFailure",
    "TestGroup",
    "TestKind",
    "TestProgram",
    "TestStatus",
    "choose_tests",
    "class_of",
    "programs_of_tests",
    "select_tests",
    "selector_of",
]
