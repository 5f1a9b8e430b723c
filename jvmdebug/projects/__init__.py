# SPDX-License-Identifier: Apache-2.0
"""Java projects: from a file, a folder or a jar to its class path, main classes, tests, compiler.

Owns what the build tool says (Maven, Gradle), the conventions of projects without one, and
compiling what changed. Starts no program: the session does, with what `Project.program` says.
Synchronous; front ends call it in a thread. Begin with `project`.
"""

from typing import TYPE_CHECKING, Final

from jvmdebug.later import names

if TYPE_CHECKING:
    from jvmdebug.projects.build_output import problems_in
    from jvmdebug.projects.compiling import Compiled
    from jvmdebug.projects.declared_tests import TestClass, TestMethod
    from jvmdebug.projects.errors import (
        BuildError,
        MainClassNeeded,
        ProjectError,
        SourceProblem,
        WorkCancelled,
    )
    from jvmdebug.projects.layout import BuildChoice, Kind, Layout, SourceSet
    from jvmdebug.projects.main_classes import MainClass
    from jvmdebug.projects.naming import folder_called
    from jvmdebug.projects.project import Program, Project, find
    from jvmdebug.projects.test_settings import ClassFilter, TestSettings
    from jvmdebug.projects.testing import (
        ChosenTests,
        TestEvent,
        TestFailure,
        TestGroup,
        TestProgram,
        choose_tests,
        class_of,
        programs_of_tests,
        select_tests,
    )
    from jvmdebug.projects.work import Work

_HOMES: Final = {
    "build_output": ("problems_in",),
    "compiling": ("Compiled",),
    "declared_tests": ("TestClass", "TestMethod"),
    "errors": ("BuildError", "MainClassNeeded", "ProjectError", "SourceProblem", "WorkCancelled"),
    "layout": ("BuildChoice", "Kind", "Layout", "SourceSet"),
    "main_classes": ("MainClass",),
    "naming": ("folder_called",),
    "project": ("Program", "Project", "find"),
    "test_settings": ("ClassFilter", "TestSettings"),
    "testing": (
        *("ChosenTests", "TestEvent", "TestFailure", "TestGroup", "TestProgram"),
        *("choose_tests", "class_of", "programs_of_tests", "select_tests"),
    ),
    "work": ("Work",),
}

if not TYPE_CHECKING:  # a name that does not exist is an error of the type checker
    __getattr__ = names(__name__, _HOMES)

__all__ = [
    "BuildChoice",
    "BuildError",
    "ChosenTests",
    "ClassFilter",
    "Compiled",
    "Kind",
    "Layout",
    "MainClass",
    "MainClassNeeded",
    "Program",
    "Project",
    "ProjectError",
    "SourceProblem",
    "SourceSet",
    "TestClass",
    "TestEvent",
    "TestFailure",
    "TestGroup",
    "TestMethod",
    "TestProgram",
    "TestSettings",
    "Work",
    "WorkCancelled",
    "choose_tests",
    "class_of",
    "find",
    "folder_called",
    "problems_in",
    "programs_of_tests",
    "select_tests",
]
