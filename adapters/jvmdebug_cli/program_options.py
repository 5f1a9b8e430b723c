# SPDX-License-Identifier: Apache-2.0
"""The options that say what program to start, as arguments of `jvmdebug.launch`.

Shared by `launch` and by the subcommands that start a program to observe it. Owns their help texts
and the checks of paths, which the user has just typed.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from jvmdebug_cli.exit_codes import WrongUsageError

if TYPE_CHECKING:
    import argparse

_PROGRAM_SUFFIXES: Final = (".java", ".jar")


def add_program_options(parser: argparse._ActionsContainer) -> None:
    """Class path, JDK, directory, agent: all but the program itself and its arguments."""
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


def launch_arguments(parsed: argparse.Namespace) -> dict[str, Any]:
    """Of `jvmdebug.launch`: the program, its arguments, and these options."""
    given: dict[str, Any] = {}
    program: str = parsed.program
    if program.endswith(_PROGRAM_SUFFIXES):
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
        "virtual_threads": parsed.virtual_threads,
        "timeout_s": parsed.timeout,
    }


def source_path(parsed: argparse.Namespace) -> list[str | Path]:
    """Where sources are; here, if it was not said."""
    return [*existing_paths(parsed, "source_path")] or [Path.cwd()]


def existing_paths(parsed: argparse.Namespace, name: str) -> list[str]:
    """The parts of that option: WrongUsageError for what is not there. Those of a program are
    relative to its directory; `lib/*` is all jars of a directory.
    """
    text: str | None = getattr(parsed, name)
    parts = [part for part in (text or "").split(os.pathsep) if part]
    base = Path("." if name == "source_path" else parsed.cwd or ".")
    for part in parts:
        if not (base / part.removesuffix("*")).exists():
            option = f"--{name.replace('_', '-')}"
            raise WrongUsageError(f"{option} {part}: there is no such file or directory")
    return parts
