# SPDX-License-Identifier: Apache-2.0
"""What build tools print when they fail: their own error lines, and places in source files.

Pure: lines in, an error out. Called by `maven` and `gradle`.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from jvmdebug.projects.errors import BuildError, SourceProblem
from jvmdebug.regular_file import read_text

if TYPE_CHECKING:
    from collections.abc import Sequence

_MOST_LINES: Final = 40
_MOST_BEFORE_CARET: Final = 8
_NO_JAVA: Final = re.compile(
    r"JAVA_HOME (?:environment variable )?is (?:not set|not defined|set to an invalid)"
    r"|\bjava: (?:command )?not found|'java' command could be found"
    r"|No (?:version is set|java executable found|preset version installed) for"
    r"|^jenv: (?:version|java)\b"
)
_TAB: Final = 8
_MAVEN_PLACE: Final = re.compile(
    r"^\[ERROR\] (?P<file>/.+?):\[(?P<line>\d+),(?P<column>\d+)\] (?P<text>.*)$"
)
_MAVEN_NOISE: Final = re.compile(
    r"^\[ERROR\] (?:$|-> \[Help|To see the full stack trace|Re-run Maven|For more information"
    r"|\[Help \d|After correcting the problems|  mvn <args>)"
)
_TASK: Final = r"(?::[^/\s]+?)?"
"""Older Gradles write the name of the task, and its output on the same line."""
_JAVAC_PLACE: Final = re.compile(
    rf"^{_TASK}(?P<file>/.+?\.\w+):(?P<line>\d+): error: (?P<text>.*)$"
)
_KOTLIN_PLACE: Final = re.compile(
    rf"^(?:\[ERROR\] |{_TASK}e: )(?:file://)?(?P<file>/.+?\.kts?):"
    r"(?:\s*\()?(?P<line>\d+)[:,]\s*(?P<column>\d+)\)?:?\s+(?P<text>.*)$"
)
_PLACES: Final = (_MAVEN_PLACE, _KOTLIN_PLACE, _JAVAC_PLACE)


def problems_in(lines: Sequence[str]) -> list[SourceProblem]:
    """The compiler errors that the lines name, each once."""
    found: dict[tuple[str, int, str], SourceProblem] = {}
    for index, line in enumerate(lines):
        for pattern in _PLACES:
            place = pattern.match(line)
            if place is not None:
                groups = place.groupdict()
                number = int(groups["line"])
                column = int(groups.get("column") or 0) or _caret(lines[index + 1 :])
                if pattern is _MAVEN_PLACE:
                    column = _without_tabs(Path(groups["file"]), number, column)
                problem = SourceProblem(Path(groups["file"]), number, column, groups["text"])
                found.setdefault((groups["file"], number, groups["text"]), problem)
                break
    return list(found.values())


def _without_tabs(file: Path, line: int, column: int) -> int:
    """The column, from 1, in characters: javac counts a tab as up to eight."""
    try:
        lines = read_text(file, errors="replace").splitlines()
        text = lines[line - 1]
    except (OSError, IndexError):
        return column
    at = 0
    for number, each in enumerate(text, 1):
        at = at // _TAB * _TAB + _TAB if each == "\t" else at + 1
        if at >= column:
            return number
    return column


def _caret(lines: Sequence[str]) -> int:
    """The column that javac marks with `^` below the source line, from 1; 0 if it marks none."""
    for line in lines[:_MOST_BEFORE_CARET]:
        if line.strip() == "^":
            return line.index("^") + 1
        if any(pattern.match(line) for pattern in _PLACES):
            break
    return 0


def maven_failure(root: Path, lines: Sequence[str]) -> BuildError:
    """The error of a failed Maven build."""
    problems = problems_in(lines)
    errors = [
        line.removeprefix("[ERROR] ").rstrip()
        for line in lines
        if line.startswith(("[ERROR]", "[FATAL]")) and not _MAVEN_NOISE.match(line)
    ]
    return _failure("Maven", root, problems, errors, lines)


def lack_of_java(lines: Sequence[str]) -> str:
    """What a script of Maven or Gradle, or a shim of java, says of having no Java; else empty."""
    return next((line.strip() for line in lines if _NO_JAVA.search(line)), "")


def gradle_failure(root: Path, lines: Sequence[str]) -> BuildError:
    """The error of a failed Gradle build: what went wrong, without how to ask for more."""
    errors: list[str] = []
    is_shown = False
    for line in lines:
        if line.startswith("* "):
            is_shown = line.startswith(("* What went wrong", "* Where"))
        elif is_shown and line.strip():
            errors.append(line.rstrip())
    return _failure("Gradle", root, problems_in(lines), errors, lines)


def _failure(
    tool: str,
    root: Path,
    problems: Sequence[SourceProblem],
    errors: Sequence[str],
    lines: Sequence[str],
) -> BuildError:
    if problems:
        shown = [str(each) for each in problems]
    else:
        shown = list(dict.fromkeys(errors)) or [line for line in lines if line.strip()]
    if len(shown) > _MOST_LINES:
        left = len(shown) - _MOST_LINES
        shown = [*shown[:_MOST_LINES], f"… and {left} more lines"]
    head = "the project does not compile" if problems else "the build failed"
    return BuildError("\n".join([f"{head} ({tool} in {root}):", *shown]), problems)
