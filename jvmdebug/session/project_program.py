# SPDX-License-Identifier: Apache-2.0
"""From what the user asked for to a java command, through the project that it is in.

Owns when a launch goes through a project: when one is named; for a `.java` file in one; for a class
without a class path, in the folder of one. Compiles first. Called by `opening` and by a restart.
"""

from __future__ import annotations

import asyncio
import dataclasses
import os
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from jvmdebug import projects
from jvmdebug.launch.command_line import java_command
from jvmdebug.projects.errors import ProjectError
from jvmdebug.projects.testing import programs_of_tests
from jvmdebug.session.test_results import make_pipe

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmdebug.launch.command_line import JavaCommand, ProgramRequest
    from jvmdebug.projects import Program, Project
    from jvmdebug.projects.testing import TestProgram

T = TypeVar("T")
_SOURCES: Final = (".java", ".kt")
"""What a launch can name in a project; only build tools compile Kotlin."""


async def program_command(
    request: ProgramRequest, on_progress: Callable[[str], object] | None = None
) -> JavaCommand:
    """The command for `request`, its classes up to date. `on_progress` gets lines of the build.

    Raises LaunchError: BuildError with the problems, MainClassNeeded with the candidates.
    """
    work = projects.Work(None if on_progress is None else _in_loop(on_progress))
    if request.tests:
        return await _tests_command(request, work)
    found = await in_thread(lambda: _project_program(request, work), work)
    if found is None:
        return await java_command(request)
    own = dataclasses.replace(
        request,
        project=None,
        program=None,
        main_class=found.main_class if found.module is None else None,
        module=None if found.module is None else f"{found.module}/{found.main_class}",
        module_path=(*request.module_path, *found.module_path),
        class_path=(*request.class_path, *found.class_path),
        vm_args=(*found.vm_args, *request.vm_args),
        cwd=request.cwd or found.folder,
        java=request.java or found.java_home,
    )
    command = await java_command(own)
    roots = (*found.source_path, *command.source_roots)
    return dataclasses.replace(command, request=request, source_roots=roots)


async def _tests_command(request: ProgramRequest, work: projects.Work) -> JavaCommand:
    """The command that runs tests. Raises ProjectError if one program cannot run them all."""
    found = await in_thread(lambda: _test_program(request, work), work)
    directory = Path(tempfile.mkdtemp(prefix="jvmdebug-"))
    try:
        pipe = make_pipe(directory)
        own = dataclasses.replace(
            request,
            project=None,
            tests=(),
            main_class=found.main_class,
            class_path=(*request.class_path, *found.class_path),
            args=(str(pipe), *found.selectors),
            vm_args=(*found.vm_args, *request.vm_args),
            cwd=request.cwd or found.folder,
            java=request.java or found.java_home,
        )
        command = await java_command(own, directory)
    except BaseException:
        shutil.rmtree(directory, ignore_errors=True)
        raise
    roots = (*found.source_path, *command.source_roots)
    return dataclasses.replace(command, request=request, source_roots=roots, test_results=pipe)


def _test_program(request: ProgramRequest, work: projects.Work) -> TestProgram:
    if request.main_class or request.program or request.module or request.args:
        raise ProjectError("tests are run by themselves: leave program, main class and args out")
    folder = Path(request.cwd or ".")
    with projects.find(folder / (request.project or ".")) as project:
        found = programs_of_tests(project, request.tests, how=request.build, work=work)
    if len(found) > 1:
        titles = ", ".join(each.source_set.title for each in found)
        raise ProjectError(
            f"these tests are in several modules, which one program cannot run ({titles}): name"
            " tests of one, or the folder of one as the project"
        )
    return found[0]


def _in_loop(on_progress: Callable[[str], object]) -> Callable[[str], None]:
    """The same, called from a thread."""
    loop = asyncio.get_running_loop()

    def report(line: str) -> None:
        loop.call_soon_threadsafe(on_progress, line)

    return report


async def in_thread(call: Callable[[], T], work: projects.Work) -> T:
    """Run `call` in a thread; when this task is cancelled, the work is too."""
    try:
        return await asyncio.to_thread(call)
    except asyncio.CancelledError:
        work.cancel()
        raise


def _project_program(request: ProgramRequest, work: projects.Work) -> Program | None:
    """How the project starts it, compiled; None if there is no project."""
    file = None if request.program is None else Path(request.cwd or ".") / request.program
    project = _project(request, file or request.main_class)
    if project is None:
        return None
    with project:
        if request.project is None and file and project.source_set_of(file, work) is None:
            return None  # a file beside the sources: it is run alone
        found = project.program(request.main_class or file, work)
        project.compile(found.source_set, how=request.build, work=work)
        return found


def _project(request: ProgramRequest, main: str | Path | None) -> Project | None:
    if request.project is not None:
        if request.module is not None or (isinstance(main, Path) and main.suffix not in _SOURCES):
            what = request.module or main
            raise ProjectError(f"{what} is run as it is: leave the project out")
        return projects.find(Path(request.cwd or ".") / request.project)
    if request.class_path or request.module_path or request.module is not None:
        return None
    if isinstance(main, Path):
        if main.suffix not in _SOURCES or not main.is_file():
            return None
        found = projects.find(main)
        has_compiler = main.suffix == ".java" or found.kind in ("maven", "gradle")
        return found if has_compiler and found.kind != "file" else None
    if main is None or (request.env or os.environ).get("CLASSPATH"):
        return None
    return _of_folder(Path(request.cwd or "."), main)


def _of_folder(folder: Path, main: str) -> Project | None:
    """That of the working directory, if it has a build and does not hold the class itself."""
    if (folder / f"{main.replace('.', '/')}.class").is_file():
        return None
    try:
        found = projects.find(folder)
    except ProjectError:
        return None
    return found if found.kind in ("maven", "gradle") else None
