# SPDX-License-Identifier: Apache-2.0
"""Finding javac and compiling one class: by the compile server, or else by the command.

The compiler of the debuggee's own JDK is preferred; another one that is not older compiles with
`--release` of the debuggee. Called by `compiled_code`.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from jvmdebug.errors import EvaluationError
from jvmdebug.evaluator.compiling.server import ServerError, own_environment
from jvmdebug.jdk import Jdk, jdk_to_compile

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmdebug.evaluator.compiling.server import CompileServer

_TIMEOUT_S: Final = 60.0
_ERROR: Final = re.compile(r"^.*\.java:(\d+): error: (.*)$")
_COUNT: Final = re.compile(r"^\d+ (errors?|warnings?)$")


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
    server: CompileServer, jdk: Jdk, unit: Unit, class_path: Sequence[Path], release: int
) -> dict[str, bytes]:
    """The class files, by binary name.

    CompilationError when the compiler rejects the source, EvaluationError when it does not run.
    """
    other = None if jdk.feature_version == release else release
    with tempfile.TemporaryDirectory(prefix="jvmdebug-") as folder:
        output = Path(folder) / "classes"
        output.mkdir()
        try:
            answer = await server.compile(unit.name, unit.source, class_path, other, output)
        except ServerError:
            return await _compile_by_command(jdk, unit, class_path, other)
    if isinstance(answer, dict):
        return answer
    diagnostics = [Diagnostic(line, column, _joined(text)) for line, column, text in answer]
    raise CompilationError(diagnostics, "\n".join(each.message for each in diagnostics))


async def _compile_by_command(
    jdk: Jdk, unit: Unit, class_path: Sequence[Path], release: int | None
) -> dict[str, bytes]:
    """As `compile_class`, by the command."""
    with tempfile.TemporaryDirectory(prefix="jvmdebug-") as folder:
        output = Path(folder) / "classes"
        output.mkdir()
        file = Path(folder) / f"{unit.name.rpartition('.')[2]}.java"
        file.write_text(unit.source, encoding="utf-8", errors="surrogatepass")
        command = [
            str(jdk.javac),
            *("-proc:none", "-nowarn", "-g", "-encoding", "UTF-8", "-implicit:none"),
            *("-Xlint:none", "-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC", "-J-Xshare:auto"),
            *("-d", str(output), "-cp", ":".join(map(str, class_path))),
        ]
        if release is not None:
            command += ["--release", str(release)]
        status, text = await _run([*command, str(file)])
        if status != 0:
            raise CompilationError(_diagnostics(text), text)
        return {
            ".".join(each.relative_to(output).with_suffix("").parts): each.read_bytes()
            for each in output.rglob("*.class")
        }


async def _run(command: list[str]) -> tuple[int, str]:
    """Exit status and output. The process is killed when the caller is cancelled."""
    try:
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            env=own_environment(),
        )
    except OSError as error:
        raise EvaluationError(f"cannot run the compiler {command[0]}: {error}") from error
    try:
        async with asyncio.timeout(_TIMEOUT_S):
            output, _ = await process.communicate()
    except TimeoutError as error:
        raise EvaluationError(
            f"the compiler {command[0]} is not done within {_TIMEOUT_S} s"
        ) from error
    finally:
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()
    return process.returncode or 0, output.decode("utf-8", "replace")


def _joined(message: str) -> str:
    """The message of the server in one line, as that of the command."""
    return "; ".join(" ".join(line.split()) for line in message.splitlines() if line.strip())


def _diagnostics(output: str) -> list[Diagnostic]:
    """Parse output: per error a line, the source line, a caret below the column, and details."""
    found: list[Diagnostic] = []
    lines = output.splitlines()
    for number, line in enumerate(lines):
        header = _ERROR.match(line)
        if header is None:
            continue
        details: list[str] = []
        column = 0
        for following in lines[number + 1 :]:
            if _ERROR.match(following) or _COUNT.match(following):
                break
            if following.strip() == "^":
                column = following.index("^")
                details.clear()  # the line before is the source line
            else:
                details.append(" ".join(following.split()))
        message = "; ".join([header.group(2), *(each for each in details if each)])
        found.append(Diagnostic(int(header.group(1)), column, message))
    return found
