# SPDX-License-Identifier: Apache-2.0
"""Makes a java command of what the user asked for, with the project that the program is in.

A launch goes through a project if the user names one, for a `.java` file in a project, and for a
class without a class path, in the folder of a project: this module decides that. Compiles first.
Called by the session's `launch`, and by a restart.
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import os
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from jvmdebug import projects
from jvmdebug.launch import project_paths
from jvmdebug.launch.command_line import JavaCommand, java_command
from jvmdebug.projects.errors import ProjectError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from jvmdebug.launch.command_line import ProgramRequest
    from jvmdebug.projects import Program, Project
    from jvmdebug.projects.testing import TestProgram

T = TypeVar("T")
_SOURCES: Final = (".java", ".kt")
"""What a launch can name in a project; only build tools compile Kotlin."""
_PIPE_NAME: Final = "test-results"


@dataclass(frozen=True, slots=True)
class ProjectCommand(JavaCommand):
    """What a project starts. The project stays open, and compiles edited sources at once."""

    project: Project | None = None

    def remove_temporary_files(self) -> None:
        """Delete what was compiled and written for this run, and end the project's compiler."""
        JavaCommand.remove_temporary_files(self)
        if self.project is not None:
            self.project.close()


async def program_command(
    request: ProgramRequest, on_progress: Callable[[str], object] | None = None
) -> JavaCommand:
    """The command for `request`, its classes up to date. `on_progress` gets lines of the build.

    Raises LaunchError: BuildError with the problems, MainClassNeeded with the candidates.
    """
    work = projects.Work(None if on_progress is None else _in_loop(on_progress))
    if request.tests:
        return await _tests_command(request, work)
    project, found = await in_thread(lambda: _project_program(request, work), work)
    if project is None or found is None:
        return await java_command(_paths_joined(request, (), ()))
    own = dataclasses.replace(
        _paths_joined(request, found.class_path, found.module_path),
        project=None,
        program=None,
        main_class=found.main_class if found.module is None else None,
        module=None if found.module is None else f"{found.module}/{found.main_class}",
        vm_args=(*found.vm_args, *request.vm_args),
        cwd=request.cwd or found.folder,
        java=request.java or found.java_home,
    )
    return await _command(own, project, request, found.source_path)


def _paths_joined(
    request: ProgramRequest, class_path: Sequence[Path], module_path: Sequence[Path]
) -> ProgramRequest:
    """The same with the paths of the project where they belong."""
    return dataclasses.replace(
        request,
        class_path=project_paths.joined(request.class_path, class_path, request.cwd),
        module_path=project_paths.joined(request.module_path, module_path, request.cwd),
    )


async def _command(
    own: ProgramRequest,
    project: Project,
    request: ProgramRequest,
    source_path: Sequence[Path],
    directory: Path | None = None,
) -> ProjectCommand:
    """The command for `own`, which `request` became; it owns the project."""
    try:
        made = await java_command(own, directory)
    except BaseException:
        project.close()
        raise
    values = {each.name: getattr(made, each.name) for each in dataclasses.fields(made)}
    values |= {"request": request, "source_roots": (*source_path, *made.source_roots)}
    return ProjectCommand(**values, project=project)


async def _tests_command(request: ProgramRequest, work: projects.Work) -> JavaCommand:
    """The command that runs tests. Raises ProjectError if one program cannot run them all."""
    project, found = await in_thread(lambda: _test_program(request, work), work)
    directory = Path(tempfile.mkdtemp(prefix="jvmdebug-"))
    try:
        pipe = directory / _PIPE_NAME
        os.mkfifo(pipe, 0o600)  # for the runner's results; this user alone may open it
        own = dataclasses.replace(
            _paths_joined(request, found.class_path, ()),
            project=None,
            tests=(),
            main_class=found.main_class,
            args=(str(pipe), *found.options, *found.selectors),
            vm_args=(*found.vm_args, *request.vm_args),
            cwd=request.cwd or found.folder,
            env=found.environment | dict(request.env or {}),
            java=request.java or found.java_home,
        )
        command = await _command(own, project, request, found.source_path, directory)
    except BaseException:
        project.close()
        shutil.rmtree(directory, ignore_errors=True)
        raise
    notice = _of_build(found.not_applied)
    return dataclasses.replace(command, test_results=pipe, notice=command.notice or notice)


def _of_build(not_applied: Sequence[str]) -> str | None:
    """What the user is told of settings that do not hold."""
    if not not_applied:
        return None
    return f"not as the build runs these tests: {'; '.join(not_applied)}"


def _test_program(request: ProgramRequest, work: projects.Work) -> tuple[Project, TestProgram]:
    if request.main_class or request.program or request.module or request.args:
        raise ProjectError("tests are run by themselves: leave program, main class and args out")
    folder = Path(request.cwd or ".")
    project = projects.find(folder / (request.project or "."), java=request.java)
    with _closed_on_failure(project):
        found = projects.programs_of_tests(project, request.tests, how=request.build, work=work)
        _check_one_module(found)
    return project, found[0]


@contextlib.contextmanager
def _closed_on_failure(project: Project) -> Iterator[None]:
    try:
        yield
    except BaseException:
        project.close()
        raise


def _check_one_module(found: Sequence[TestProgram]) -> None:
    if len(found) > 1:
        titles = ", ".join(each.title for each in found)
        raise ProjectError(
            f"these tests are in several modules, which one program cannot run ({titles}): name"
            " tests of one, or the folder of one as the project"
        )


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


def _project_program(
    request: ProgramRequest, work: projects.Work
) -> tuple[Project, Program] | tuple[None, None]:
    """The project, open, and how it starts the program, compiled; None if there is no project."""
    file = None if request.program is None else Path(request.cwd or ".") / request.program
    main_class = request.main_class or _class_of_module(request)
    project = _project(request, file or main_class)
    if project is None:
        return None, None
    with _closed_on_failure(project):
        if request.project is None and file and project.source_set_of(file, work) is None:
            project.close()
            return None, None  # a file beside the sources: it is run alone
        scope = project_paths.scope_of(request)
        found = project.program(main_class or file, work, scope=scope)
        compiled = project.compile(found.source_set, how=request.build, work=work)
        if compiled.is_by_build_tool:  # which may have made folders of generated sources
            found = project.program(main_class or file, work, scope=scope)
    return project, found


def _class_of_module(request: ProgramRequest) -> str | None:
    """The main class of `module/shop.Main`; None for a module of the JDK: it needs no project."""
    module, _, main_class = (request.module or "").partition("/")
    return None if module.startswith(("java.", "jdk.")) else main_class or None


def _project(request: ProgramRequest, main: str | Path | None) -> Project | None:
    if request.project is not None:
        is_jar = isinstance(main, Path) and main.suffix not in _SOURCES
        if is_jar or (request.module is not None and main is None):
            what = request.module or main
            raise ProjectError(f"{what} is run as it is: leave the project out")
        return projects.find(Path(request.cwd or ".") / request.project, java=request.java)
    if project_paths.has_own_paths(request):
        return None
    if isinstance(main, Path):
        if main.suffix not in _SOURCES or not main.is_file():
            return None
        found = projects.find(main, java=request.java)
        has_compiler = main.suffix == ".java" or found.kind in ("maven", "gradle")
        return found if has_compiler and found.kind != "file" else None
    return _of_folder(request, main)


def _of_folder(request: ProgramRequest, main: str | None) -> Project | None:
    """The project of the working directory, if an entry of a path asks for it, or if the directory
    has a build or the source of the class, and does not hold the class itself.
    """
    folder = Path(request.cwd or ".")
    if project_paths.names_project(request):
        return projects.find(folder, java=request.java)
    if main is None or (request.env or os.environ).get("CLASSPATH"):
        return None
    if (folder / f"{main.replace('.', '/')}.class").is_file():
        return None
    try:
        found = projects.find(folder, java=request.java)
    except ProjectError:
        return None
    if found.kind in ("maven", "gradle") or _has_source(found, main):
        return found
    found.close()
    return None


def _has_source(plain: Project, main: str) -> bool:
    """Whether a folder without a build has the class; all sources are read for it only if they
    have a folder of their own.
    """
    if plain.kind != "folder" or plain.source_set_of(main) is not None:
        return plain.kind == "folder"
    has_folder = any(folder != plain.root for folder in plain.source_path)
    return has_folder and any(each.name.rpartition(".")[2] == main for each in plain.main_classes())
