# SPDX-License-Identifier: Apache-2.0
"""How the tests that somebody names are started: one program for each source set.

Compiles the project, completes the class path, chooses the runner. Starts nothing itself.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from jvmdebug.projects.test_settings import TestSettings
from jvmdebug.projects.testing.frameworks import frameworks
from jvmdebug.projects.testing.runner import MAIN_CLASS, runner_jar
from jvmdebug.projects.testing.selection import choose_tests, class_of
from jvmdebug.projects.work import Work

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from jvmdebug.projects.layout import BuildChoice, SourceSet
    from jvmdebug.projects.project import Project
    from jvmdebug.projects.testing.selection import TestGroup


@dataclass(frozen=True, slots=True)
class TestProgram:
    """A Java program that runs tests. Its arguments are where to write results, `options`, then
    `selectors`; it exits with 0 if all passed.
    """

    __test__ = False

    main_class: str
    class_path: tuple[Path, ...]
    selectors: tuple[str, ...]
    options: tuple[str, ...]
    vm_args: tuple[str, ...]
    environment: dict[str, str | None]
    """Variables to set; None: to remove."""
    folder: Path
    """The working directory: that of the module, unless the build names another."""
    source_path: tuple[Path, ...]
    java_home: Path | None
    source_set: SourceSet
    title: str
    not_applied: tuple[str, ...] = ()
    """What the build has set for its tests that does not hold here."""


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
    for group in choose_tests(project, selectors or ("*",), task, how=how).groups:
        project.compile(group.source_set, how=how, work=task)
        made.append(_program(project, _newest(project, group, task), task))
    return made


def _newest(project: Project, group: TestGroup, work: Work) -> TestGroup:
    """The same as the build tool knows it after compiling, when plugins have set properties."""
    for each in project.layout(work).sets:
        if (each.title, each.folder) == (group.source_set.title, group.source_set.folder):
            named = None if group.settings is None else group.settings.name
            settings = next((of for of in each.test_settings if of.name == named), None)
            return replace(group, source_set=each, settings=settings)
    return group


def _program(project: Project, group: TestGroup, work: Work) -> TestProgram:
    source_set, settings = group.source_set, group.settings or TestSettings("")
    class_path = settings.class_path or source_set.class_path
    java_home = settings.java or project.java_home(work)
    found = frameworks(class_path, project, work)
    jar = runner_jar(found, java_home, work)
    preview = "--enable-preview"
    needed = (preview,) if preview in source_set.javac_options else ()
    given = (*(("-ea",) if settings.has_assertions else ()), *needed)
    folder = settings.folder or source_set.folder
    if settings.folder is not None:
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)  # as Maven and Gradle do
    return TestProgram(
        MAIN_CLASS,
        (*class_path, *found.extra, jar),
        group.selectors,
        settings.runner_options,
        (*given, *(each for each in settings.vm_args if each not in given)),
        dict(settings.environment),
        folder,
        project.source_path,
        java_home,
        source_set,
        group.title,
        (*settings.not_applied, *_of_one_program(group, settings)),
    )


def _of_one_program(group: TestGroup, settings: TestSettings) -> Iterator[str]:
    """What does not hold because these tests are in one program, on its class path."""
    classes = {class_of(each) for each in group.selectors}
    if settings.is_forked_each and len(classes) > 1:
        yield "forks: the build starts a JVM for each class, and these are in one"
    of_maven = settings.name.startswith("surefire")
    main = (settings.class_path or ())[1:2]
    if of_maven and any((each / "module-info.class").is_file() for each in main):
        yield "modules: the tests run on the class path"
