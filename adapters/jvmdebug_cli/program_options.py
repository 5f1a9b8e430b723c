# SPDX-License-Identifier: Apache-2.0
"""The options that say what program to start, as arguments of `jvmdebug.launch`.

Shared by `launch` and by the subcommands that start a program to observe it. Owns their help texts
and the checks of paths, which the user has just typed.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

import jvmdebug
from jvmdebug_cli.exit_codes import WrongUsageError
from jvmdebug_cli.project_choice import BuildProgress, is_project_folder, main_class_of

if TYPE_CHECKING:
    import argparse
    from contextlib import AbstractAsyncContextManager

_PROGRAM_SUFFIXES: Final = (".java", ".jar", ".kt")


def add_program_options(parser: argparse._ActionsContainer) -> None:
    """Project, class path, JDK, directory, agent: all but the program and its arguments."""
    parser.add_argument(
        "--project",
        metavar="DIR",
        help="a folder or build file (Maven, Gradle, or src and lib): it has the class path, and"
        " what changed is compiled first; a .java file finds its project itself",
    )
    parser.add_argument(
        "--build",
        choices=("auto", "always", "never"),
        default="auto",
        help="what compiles a project: whatever is quickest (auto), the build tool, nothing",
    )
    parser.add_argument("--class-path", "-cp", metavar="PATH", help="directories and jars")
    parser.add_argument("--module-path", metavar="PATH", help="directories and modular jars")
    parser.add_argument(
        "--vm-arg",
        action="append",
        default=[],
        metavar="OPTION",
        help="an option of the JVM; may be repeated",
    )
    parser.add_argument("--java", metavar="PATH", help="the java command, or a JDK's directory")
    parser.add_argument("--cwd", metavar="DIR", help="working directory of the program")
    parser.add_argument(
        "--agent",
        choices=("auto", "jvmdebug", "stock"),
        default="auto",
        help="the agent in the JVM: ours, the JDK's (stock), or ours if it can be loaded (auto)",
    )
    parser.add_argument(
        "--mode",
        choices=("auto", "full", "fast"),
        default="auto",
        help="fast: the program runs at full speed, and what a method returns is not known; full:"
        " all is known, and the program's exceptions are slow; auto: fast where our agent is",
    )
    parser.add_argument(
        "--virtual-threads",
        action="store_true",
        help="list all virtual threads, also parked ones; starting one takes longer then",
    )


def add_source_path(parser: argparse._ActionsContainer) -> None:
    """`--source-path`."""
    parser.add_argument(
        "--source-path", metavar="PATH", help="where sources are: directories, jars"
    )


def launch_opening(
    parsed: argparse.Namespace,
    *,
    stdin: Literal["null", "pipe", "inherit"],
    suspend: Literal["all", "thread"] = "all",
) -> AbstractAsyncContextManager[jvmdebug.Session]:
    """`jvmdebug.launch` of the program with its arguments and these options. While a project is
    built, a line shows how far it is.
    """
    progress = BuildProgress()
    arguments = _launch_arguments(parsed, progress)
    opening = jvmdebug.launch(**arguments, stdin=stdin, suspend=suspend, on_progress=progress.say)
    return progress.around(opening)


def _launch_arguments(parsed: argparse.Namespace, progress: BuildProgress) -> dict[str, Any]:
    given: dict[str, Any] = {}
    program: str | None = parsed.program
    project: str | None = parsed.project
    has_paths = parsed.class_path is not None or parsed.module_path is not None
    named = None if has_paths or project is not None else program
    if named is not None and is_project_folder(named, parsed.cwd):
        project, program = program, None
    if program is None:
        given["main_class"] = main_class_of(str(Path(parsed.cwd or ".") / str(project)), progress)
    elif program.endswith(_PROGRAM_SUFFIXES):
        given["program"] = program
    elif "/" in program:
        given["module"] = program
    else:
        given["main_class"] = program
    return given | {
        "class_path": existing_paths(parsed, "class_path"),
        "module_path": existing_paths(parsed, "module_path"),
        "args": parsed.args,
        "vm_args": parsed.vm_arg,
        "cwd": parsed.cwd,
        "java": parsed.java,
        "source_path": source_path(parsed),
        "agent": parsed.agent,
        "mode": parsed.mode,
        "probes": getattr(parsed, "probes", "auto"),  # not each command has the option
        "virtual_threads": parsed.virtual_threads,
        "timeout_s": parsed.timeout,
        "project": project,
        "build": parsed.build,
    }


def source_path(parsed: argparse.Namespace) -> list[str | Path]:
    """The places of sources; here, if it was not said."""
    return [*existing_paths(parsed, "source_path")] or [Path.cwd()]


def existing_paths(parsed: argparse.Namespace, name: str) -> list[str]:
    """The parts of that option: WrongUsageError for what is not there. Those of a program are
    relative to its directory; `lib/*` is all jars of a directory.
    """
    text: str | None = getattr(parsed, name)
    parts = [part for part in (text or "").split(os.pathsep) if part]
    base = Path("." if name == "source_path" else getattr(parsed, "cwd", None) or ".")
    for part in parts:
        if not (base / part.removesuffix("*")).exists():
            option = f"--{name.replace('_', '-')}"
            raise WrongUsageError(f"{option} {part}: there is no such file or directory")
    return parts
