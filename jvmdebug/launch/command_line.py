# SPDX-License-Identifier: Apache-2.0
"""The java command that runs a program with an agent, from the user's request.

Owns the order and the quoting of arguments (there is no shell, so nothing is quoted), the choice
between class, jar, module and source file, and the environment. Called by the opening of a session.
"""

from __future__ import annotations

import asyncio
import dataclasses
import os
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from jvmdebug.errors import JdkError, LaunchError
from jvmdebug.jdk import Jdk, all_jdks, find_jdk
from jvmdebug.jdk_places import JAVA_HOME_SETTING
from jvmdebug.launch.agent_library import (
    AgentChoice,
    AgentKind,
    Mode,
    ModeChoice,
    ProbeChoice,
    agent_option,
    choose_library,
    choose_mode,
    stock_agent_option,
)
from jvmdebug.launch.argument_file import Shorten, is_needed, written
from jvmdebug.launch.main_class_check import release_of_main_class, why_no_main_class
from jvmdebug.launch.training_run import archive_option, training_option
from jvmdebug.platform import system
from jvmdebug.platform.paths import joined

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from jvmdebug.launch.single_file import CompiledFile

PathText: TypeAlias = str | os.PathLike[str]

_VIRTUAL_THREADS = 21
"""The first JDK that has them."""


@dataclass(frozen=True, slots=True)
class ProgramRequest:
    """What to run, as the user states it; exactly one of main_class, program and module, or a
    project. The session turns a project into a class and a class path.

    A `.java` program may have a main_class besides: which of its classes is started.
    """

    main_class: str | None = None
    program: PathText | None = None
    module: str | None = None
    class_path: Sequence[PathText] = ()
    """Beside paths, words that the session reads: `$Auto`, `$Runtime`, `$Test`, `!left/out`."""
    module_path: Sequence[PathText] = ()
    args: Sequence[str] = ()
    vm_args: Sequence[str] = ()
    cwd: PathText | None = None
    env: Mapping[str, str | None] | None = None
    java: PathText | None = None
    agent: AgentChoice = "auto"
    encoding: str | None = None
    mode: ModeChoice = "auto"
    probes: ProbeChoice = "auto"
    """"off": in the mode "auto" the program runs in the full mode. The rest is the session's."""
    virtual_threads: bool = False
    shorten: Shorten = "auto"
    project: PathText | None = None
    """A folder or build file; it has the class path. What is to run may be left out then."""
    build: Literal["auto", "always", "never"] = "auto"
    tests: Sequence[str] = ()
    """Run these tests of the project in place of a class: `shop.CartTest`, `shop.CartTest#adds`,
    `shop.CartTest#prices[2]`, `shop.*`, `*`.
    """
    launcher: Sequence[str] = ()
    """A program, and its first arguments, that gets the java command as its others and runs it."""


@dataclass(frozen=True, slots=True)
class JavaCommand:
    """What to start, what is known about it, and what to clean up afterwards."""

    request: ProgramRequest
    """What the user asked for, to make the command again from changed files."""
    java: str
    arguments: tuple[str, ...] = field(repr=False)
    """Those of the java command, without the agent's option."""
    cwd: str | None
    env: Mapping[str, str] = field(repr=False)
    encoding: str
    agent: AgentKind
    mode: Mode
    jdk: Jdk
    main_class: str | None
    """None if only the VM knows it (a module's own main class)."""
    library: Path | None = None
    """Our agent's; None for the JDK's own agent."""
    source_roots: tuple[Path, ...] = ()
    class_paths: tuple[Path, ...] = ()
    virtual_threads: bool = False
    temporary_directory: Path | None = None
    """What was compiled and written for this run."""
    test_results: Path | None = None
    """The pipe that a test runner writes to; in the temporary directory."""
    notice: str | None = None
    """What the user is told of the way the program is started, if anything."""

    def connecting_to(self, address: str) -> tuple[str, ...]:
        """The command line. The VM is held at its start, and its agent connects to us there:
        nothing ever listens in the program.
        """
        if self.agent == "jvmdebug":
            option = agent_option(
                address,
                server=False,
                mode=self.mode,
                virtual_threads=self.virtual_threads,
                library=self.library,
            )
        else:
            option = stock_agent_option(address, server=False, virtual_threads=self.virtual_threads)
        return (*self.request.launcher, self.java, option, *self.arguments)

    def remove_temporary_files(self) -> None:
        """Delete what was compiled and written for this run."""
        if self.temporary_directory is not None:
            shutil.rmtree(self.temporary_directory, ignore_errors=True)


async def java_command(request: ProgramRequest, directory: Path | None = None) -> JavaCommand:
    """The command for `request`. Compiles a `.java` program; starts nothing else. `directory` is a
    temporary one that goes with the command.

    Raises LaunchError that names what cannot be used.
    """
    _check_one_program(request)
    env = _environment(request.env)
    cwd = _directory(request.cwd)
    jdk = find_jdk(request.java, env)
    library = choose_library(request.agent, jdk)
    agent: AgentKind = "jvmdebug" if library is not None else "stock"
    archive = archive_option(request.vm_args, env, Path(cwd or "."))
    if archive is not None:
        raise LaunchError(
            f"{archive} makes the JVM write a CDS archive, and it refuses every native agent for"
            " that, the JDK's own too: write the archive in a run without the debugger"
        )
    recording = training_option(request.vm_args, env, Path(cwd or "."))
    mode = choose_mode(request.mode, agent, request.probes, recording)
    notice = None
    if recording is not None and request.mode == "auto" and request.probes != "off":
        notice = f"full mode, as {recording} makes the JVM record classes: exceptions are slow"
    virtual_threads = request.virtual_threads and (jdk.feature_version or 0) >= _VIRTUAL_THREADS
    vm_args = [*_encoding_args(request.encoding), *request.vm_args]
    compiled: CompiledFile | None = None
    source_roots: tuple[Path, ...] = ()
    _check_no_directory(request, cwd)
    if request.module is not None:
        tail, main_class = _module_tail(request)
    elif request.program is not None:
        program = _existing(request.program, cwd)
        if program.suffix == ".jar":
            tail, main_class = _jar_tail(program)
        elif program.suffix == ".java":
            from jvmdebug.launch.single_file import compile_file  # noqa: PLC0415 - slow to import

            paths = [_text(path) for path in request.class_path]
            compiled = await compile_file(
                program, jdk, class_path=_absolute(paths, cwd), vm_args=request.vm_args
            )
            source_roots = (compiled.source_root,)
            try:
                tail, main_class = _source_tail(request, program, compiled)
            except LaunchError:
                compiled.remove()
                raise
        else:
            hint = " (Kotlin is started in a Maven or Gradle project)"
            text = f"{program} is neither a .java nor a .jar file"
            raise LaunchError(text + hint if program.suffix == ".kt" else text)
    else:
        main_class = str(request.main_class).replace("/", ".")
        tail = [*_class_path_args(request.class_path), main_class]
        await _check_main_class(main_class, request, env, Path(cwd or "."), jdk)
    arguments = (*vm_args, *_module_path_args(request.module_path), *tail, *request.args)
    directory = directory if compiled is None else compiled.directory
    if is_needed(arguments, request.shorten):
        file = written(arguments, directory)
        arguments, directory = (f"@{file}",), file.parent
    return JavaCommand(
        request=request,
        java=str(jdk.java),
        arguments=arguments,
        cwd=cwd,
        env=env,
        encoding=request.encoding or system.code_page(),
        agent=agent,
        mode=mode,
        jdk=jdk,
        main_class=main_class,
        library=library,
        source_roots=source_roots,
        class_paths=_searched_class_paths(request, compiled, cwd),
        virtual_threads=virtual_threads,
        temporary_directory=directory,
        notice=notice if agent == "jvmdebug" else None,
    )


def _check_one_program(request: ProgramRequest) -> None:
    if request.program is not None and _text(request.program).endswith(".java"):
        request = dataclasses.replace(request, main_class=None)
    named = {
        "main_class": request.main_class,
        "program": request.program,
        "module": request.module,
    }
    given = [name for name, value in named.items() if value is not None]
    if len(given) != 1:
        got = "none of them" if not given else " and ".join(given)
        raise LaunchError(f"exactly one of {', '.join(named)} says what to run; got {got}")


def _check_no_directory(request: ProgramRequest, cwd: str | None) -> None:
    """A directory in place of a class: the VM would look for a module or class of that name."""
    name = request.module or request.main_class
    directory = Path(cwd or ".") / (name or "")
    if name is None or not directory.is_dir():
        return
    class_path = [directory.parent / _text(path) for path in request.class_path or (".",)]
    if "/" in name or not any(
        path.suffix == ".jar" or path.name == "*" or (path / f"{name}.class").is_file()
        for path in class_path
    ):
        raise LaunchError(
            f"{name} is a directory: name a class (with the directory on the class path), a .java "
            "or a .jar file"
        )


async def _check_main_class(
    main_class: str, request: ProgramRequest, env: Mapping[str, str], directory: Path, jdk: Jdk
) -> None:
    if request.module_path:
        return
    paths = [_text(path) for path in request.class_path]
    missing = await asyncio.to_thread(
        why_no_main_class, main_class, paths, request.vm_args, env, directory
    )
    if missing is not None:
        raise LaunchError(missing)
    needed = release_of_main_class(main_class, paths, request.vm_args, env, directory)
    if needed is not None and jdk.feature_version is not None and needed > jdk.feature_version:
        raise JdkError(
            f"{main_class} was compiled for Java {needed}, and the Java that was to run it is"
            f" {jdk.feature_version} ({jdk.home})",
            tried=[f"Java {each.feature_version}: {each.home}" for each in all_jdks(env)],
            wanted=needed,
        )


def _environment(overlay: Mapping[str, str | None] | None) -> dict[str, str]:
    env = dict(os.environ)
    if "JAVA_HOME" in (overlay or {}):
        env.pop(JAVA_HOME_SETTING, None)  # what is said of this program alone comes first
    for name, value in (overlay or {}).items():
        if value is None:
            env.pop(name, None)
        else:
            env[name] = value
    return env


def _directory(cwd: PathText | None) -> str | None:
    if cwd is None:
        return None
    if not Path(cwd).is_dir():
        raise LaunchError(f"the working directory {os.fspath(cwd)} is not a directory")
    return os.fspath(cwd)


def _existing(program: PathText, cwd: str | None) -> Path:
    path = Path(cwd or ".") / program
    if not path.is_file():
        what = f"{path} is a directory" if path.is_dir() else f"there is no file {path.absolute()}"
        raise LaunchError(f"{what}: name a .java or .jar file by its path, or a class by its name")
    # Not through symbolic links: editors have the file open by the path that was named.
    return path.resolve() if ".." in path.parts else path.absolute()


def _encoding_args(encoding: str | None) -> list[str]:
    """What makes the VM write `encoding`: one property up to 17, others from 18 on (JEP 400)."""
    if encoding is None:
        return []
    return [f"-D{name}={encoding}" for name in ("file.encoding", "stdout.encoding")] + [
        f"-D{name}={encoding}"
        for name in ("stderr.encoding", "sun.stdout.encoding", "sun.stderr.encoding")
    ]


def _class_path_args(class_path: Sequence[PathText]) -> list[str]:
    return ["-classpath", joined(map(_text, class_path))] if class_path else []


def _module_path_args(module_path: Sequence[PathText]) -> list[str]:
    return ["--module-path", joined(map(_text, module_path))] if module_path else []


def _module_tail(request: ProgramRequest) -> tuple[list[str], str | None]:
    _, _, main_class = str(request.module).partition("/")
    tail = [*_class_path_args(request.class_path), "--module", str(request.module)]
    return tail, main_class or None


def _jar_tail(jar: Path) -> tuple[list[str], str]:
    from jvmdebug.launch.main_type import jar_main_class  # noqa: PLC0415 - slow to import

    main_class = jar_main_class(jar)
    if main_class is None:
        raise LaunchError(
            f"{jar} names no Main-Class in its manifest; "
            "name its main class as the program, and the jar as the class path"
        )
    return ["-jar", str(jar)], main_class


def _source_tail(
    request: ProgramRequest, program: Path, compiled: CompiledFile
) -> tuple[list[str], str]:
    main_class = request.main_class or compiled.main_class
    if compiled.directory is None:
        if main_class != compiled.main_class:
            raise LaunchError(
                f"{request.main_class} is not the first class of {program.name} with a main method:"
                " another one can be started only where a JDK with its compiler is installed"
            )
        return [*_class_path_args(request.class_path), str(program)], main_class
    if not (compiled.directory / f"{main_class.replace('.', '/')}.class").is_file():
        raise LaunchError(f"{program.name} has no class {main_class}")
    class_path = [compiled.directory, *request.class_path]
    return [*_class_path_args(class_path), main_class], main_class


def _searched_class_paths(
    request: ProgramRequest, compiled: CompiledFile | None, cwd: str | None
) -> tuple[Path, ...]:
    """The places of classes, and perhaps of sources beside them: the class path and module path,
    the program if it is a jar file, and what was compiled.
    """
    texts = [_text(path) for path in (*request.class_path, *request.module_path)]
    if request.program is not None and _text(request.program).endswith(".jar"):
        texts.append(_text(request.program))
    if compiled is not None and compiled.directory is not None:
        texts.append(str(compiled.directory))
    return tuple(Path(text) for text in _absolute(texts, cwd))


def _absolute(paths: Sequence[str], cwd: str | None) -> list[str]:
    base = Path(cwd or ".").resolve()
    return [str(base / path) for path in paths]


def _text(path: PathText) -> str:
    return os.fspath(path)
