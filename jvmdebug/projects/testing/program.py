# SPDX-License-Identifier: Apache-2.0
"""How the tests that somebody names are started: one program for each source set.

Compiles the project, completes the class path, chooses the runner. Starts nothing itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmdebug.projects.testing.frameworks import frameworks
from jvmdebug.projects.testing.runner import MAIN_CLASS, runner_jar
from jvmdebug.projects.testing.selection import select_tests
from jvmdebug.projects.work import Work

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from jvmdebug.projects.layout import BuildChoice, SourceSet
    from jvmdebug.projects.project import Project


@dataclass(frozen=True, slots=True)
class TestProgram:
    """A Java program that runs tests. Its arguments are where to write results, then `selectors`;
    it exits with 0 if all passed.
    """

    __test__ = False

    main_class: str
    class_path: tuple[Path, ...]
    selectors: tuple[str, ...]
    vm_args: tuple[str, ...]
    folder: Path
    """The working directory: that of the module, as build tools have it."""
    source_path: tuple[Path, ...]
    java_home: Path | None
    source_set: SourceSet


def programs_of_tests(
    project: Project,
    selectors: Sequence[str],
    *,
    how: BuildChoice = "auto",
    work: Work | None = None,
) -> list[TestProgram]:
    """How to run these tests (`selection` has the forms), compiled. None named: all.

    Raises ProjectError: BuildError with the problems.
    """
    task = work or Work()
    made = []
    for source_set, chosen in select_tests(project, selectors or ("*",), task, how=how):
        project.compile(source_set, how=how, work=task)
        made.append(_program(project, source_set, chosen, task))
    return made


def _program(
    project: Project, source_set: SourceSet, selectors: list[str], work: Work
) -> TestProgram:
    java_home = project.java_home(work)
    found = frameworks(source_set.class_path, project, work)
    jar = runner_jar(found, java_home, work)
    preview = "--enable-preview"
    return TestProgram(
        MAIN_CLASS,
        (*source_set.class_path, *found.extra, jar),
        tuple(selectors),
        ("-ea", *((preview,) if preview in source_set.javac_options else ())),
        source_set.folder,
        project.source_path,
        java_home,
        source_set,
    )
