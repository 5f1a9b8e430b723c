# SPDX-License-Identifier: Apache-2.0
"""The exceptions of projects, as a branch of the tree in `jvmdebug.errors`.

LaunchError
└── ProjectError           a project cannot be read, or what to run is not in it
├── BuildError         the build failed; has the problems in source files
├── MainClassNeeded    several classes have a `main` method; has their names
└── WorkCancelled      the work was cancelled by whoever asked for it
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmdebug.errors import JdkError, LaunchError
from jvmdebug.jdk_places import tried

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from jvmdebug.jdk import Jdk


@dataclass(frozen=True, slots=True)
class SourceProblem:
    """What a compiler says about a place in a source file."""

    file: Path | None
    """None if it is not about a file: a damaged jar."""
    line: int
    """From 1; 0 if unknown."""
    column: int
    """From 1; 0 if unknown."""
    message: str
    is_error: bool = True

    def __str__(self) -> str:
        text = self.message if self.is_error else f"warning: {self.message}"
        if self.file is None:
            return text
        return f"{self.file}:{self.line}: {text}" if self.line else f"{self.file}: {text}"


class ProjectError(LaunchError):
    """A project cannot be read, or has no such thing to run."""


class BuildError(ProjectError):
    """The build of a project failed; the message has its own error lines."""

    def __init__(self, message: str, problems: Sequence[SourceProblem] = ()) -> None:
        super().__init__(message)
        self.problems = tuple(problems)


class MainClassNeeded(ProjectError):  # noqa: N818 - what to do
    """Several classes of a project have a `main` method, and none was chosen."""

    def __init__(self, message: str, candidates: Sequence[str]) -> None:
        super().__init__(message)
        self.candidates = tuple(candidates)


class WorkCancelled(ProjectError):  # noqa: N818 - what happened
    """Work on a project was cancelled by whoever asked for it."""


def no_compiler(runtime: Jdk) -> JdkError:
    """There is no JDK on this machine."""
    return JdkError(
        f"{runtime.home} is a Java runtime without a compiler, and no JDK was found on this machine"
        ": install one, or set JAVA_HOME to one",
        tried=tried(os.environ),
    )
