# SPDX-License-Identifier: Apache-2.0
"""`jvmdebug swap`: new code for the classes of a program that runs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import jvmdebug
from jvmdebug_cli.exit_codes import DONE, FAILED, WrongUsageError
from jvmdebug_cli.subcommands.asking import Commands, add_command, add_target, ask, printers
from jvmdebug_cli.swapped import why_not

if TYPE_CHECKING:
    import argparse

_DESCRIPTION = """\
Give the loaded classes of a running program the code of class files, of those in directories, or of
.java files, which are compiled with the class path of their project. A class that the VM refuses
keeps its code, and the reason is printed; then the exit code is 1. Of directories, and a program on
this machine named by its process id, what is older than its start is left out.

  jvmdebug swap localhost:5005 build/classes
  jvmdebug swap 4711 build/classes/shop/Cart.class
  jvmdebug swap 4711 src/main/java/shop/Cart.java
"""


def add(commands: Commands) -> None:
    """The arguments."""
    parser = add_command(commands, "swap", "replace the code of loaded classes", _DESCRIPTION)
    add_target(parser)
    parser.add_argument(
        "paths",
        nargs="+",
        metavar="PATH",
        help="a class file, a directory with class files, or a .java file",
    )
    parser.set_defaults(run=_run)


def _run(parsed: argparse.Namespace) -> int:
    started = _start_of(parsed.target)
    for path in parsed.paths:
        if not Path(path).exists():
            raise WrongUsageError(f"{path}: there is no such class file or directory")
    paths = list(map(Path, parsed.paths))
    sources = [each for each in paths if each.suffix == ".java" and not _has_build(each)]
    out, errors = printers(parsed)
    try:
        files = [file for each in paths if each not in sources for file in _changed(each, started)]
    except jvmdebug.projects.BuildError as error:
        errors.write(f"jvmdebug: {jvmdebug.several_lines(str(error))}")
        return FAILED

    async def question(session: jvmdebug.Session) -> int:
        if sources:
            compiled = await session.replace_sources(*sources, class_files=files)
            if lines := why_not(compiled):
                for line in lines:
                    errors.write(f"jvmdebug: {line}")
                return FAILED
            found = compiled.classes
        else:
            found = await session.redefine(*files, changed_only=False)
        if parsed.json:
            out.write_json([_plain(each) for each in found])
        else:
            for line in _lines(found) or [
                "No class file there is newer than the program."
                if files or not sources
                else "The program has the code of these sources already."
            ]:
                out.write(line)
        bad = (jvmdebug.Outcome.REFUSED, jvmdebug.Outcome.UNREADABLE)
        return FAILED if any(each.outcome in bad for each in found) else DONE

    return ask(parsed, question)


def _has_build(source: Path) -> bool:
    """Whether Maven or Gradle compiles it; else javac does, for the program as it runs."""
    with jvmdebug.projects.find(source) as project:
        return project.kind in ("maven", "gradle")


def _start_of(target: str) -> float | None:
    """The time when a process of this machine was started, in seconds since 1970."""
    jvm = jvmdebug.local_jvm(int(target)) if target.isascii() and target.isdecimal() else None
    return None if jvm is None else jvm.started_at


def _changed(path: Path, started: float | None) -> list[Path]:
    """A file; of a source its class files; a directory, or what in it was written since the start.

    Raises BuildError for a source that does not compile.
    """
    if path.suffix == ".java":
        return _compiled(path.resolve())
    if started is None or not path.is_dir():
        return [path]
    return [each for each in path.rglob("*.class") if each.stat().st_mtime > started]


def _compiled(source: Path) -> list[Path]:
    """All class files of a source, and those of others that had to be compiled with it."""
    with jvmdebug.projects.find(source) as project:
        files = set(project.compile_changed([source]).class_files)
        return sorted(files.union(project.class_files_of(source)))


def _plain(it: jvmdebug.RedefinedClass) -> dict[str, str | None]:
    return {
        "path": str(it.path),
        "type": it.type_name,
        "outcome": str(it.outcome),
        "reason": it.reason,
    }


def _lines(found: tuple[jvmdebug.RedefinedClass, ...]) -> list[str]:
    lines, not_loaded = [], 0
    for each in found:
        reason = "" if each.reason is None else f": {each.reason}"
        if each.outcome is jvmdebug.Outcome.NOT_LOADED and each.reason is None:
            not_loaded += 1
        else:
            name = each.type_name or each.path
            lines.append(jvmdebug.one_line(f"{each.outcome}: {name}{reason}"))
    if not_loaded:
        classes, them = ("class is", "it") if not_loaded == 1 else ("classes are", "them")
        lines.append(f"{not_loaded} {classes} not loaded: nothing to do for {them}")
    return lines
