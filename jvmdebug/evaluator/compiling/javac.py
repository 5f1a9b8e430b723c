# SPDX-License-Identifier: Apache-2.0
"""Finding a compiler and compiling one class with it.

The compiler of the debuggee's own JDK is preferred; another one that is not older compiles with
`--release` of the debuggee. Called by `compiled_code`.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from jvmdebug.errors import EvaluationError
from jvmdebug.javac import JavacFailedError
from jvmdebug.javac.server import TextToCompile
from jvmdebug.javac.tasks import compile_text
from jvmdebug.jdk import Jdk, jdk_to_compile

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmdebug.javac import JavacServer
    from jvmdebug.javac.tasks import ClassSource


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A compiler error; line from 1, column from 0, in the compiled source."""

    line: int
    column: int
    message: str


@dataclass(frozen=True, slots=True)
class Unit:
    """A class to compile, with its binary name."""

    name: str
    source: str


class CompilationError(Exception):
    """The compiler rejected the source."""

    def __init__(self, diagnostics: Sequence[Diagnostic], output: str) -> None:
        super().__init__(output)
        self.diagnostics = tuple(diagnostics)


def find_compiler(release: int) -> Jdk:
    """A JDK of this machine whose compiler supports that Java release.

    EvaluationError that says what to install when there is none.
    """
    found = jdk_to_compile(release)
    if found is None:
        raise EvaluationError(
            "lambdas, method references and anonymous classes need the compiler of a JDK "
            f"{release} or newer on this machine, and none was found: install one, or set JAVA_HOME"
        )
    return found


async def compile_class(
    server: JavacServer,
    jdk: Jdk,
    unit: Unit,
    class_path: Sequence[Path],
    release: int,
    classes: ClassSource,
) -> dict[str, bytes]:
    """The class files, by binary name.

    CompilationError when the compiler rejects the source, EvaluationError when it does not run.
    """
    other = None if jdk.feature_version == release else release
    with tempfile.TemporaryDirectory(prefix="jvmdebug-") as folder:
        output = Path(folder) / "classes"
        output.mkdir()
        try:
            request = TextToCompile(
                unit.name, unit.source, class_path, other, output, classes.outermost
            )
            answer = await compile_text(server, request, classes)
        except JavacFailedError as error:
            raise EvaluationError(f"cannot compile: {error}") from error
    if isinstance(answer, dict):
        return answer
    diagnostics = [Diagnostic(line, column, _joined(text)) for line, column, text in answer]
    raise CompilationError(diagnostics, "\n".join(each.message for each in diagnostics))


def _joined(message: str) -> str:
    """The message in one line."""
    return "; ".join(" ".join(line.split()) for line in message.splitlines() if line.strip())
