# SPDX-License-Identifier: Apache-2.0
"""Compiles edited sources, to give a running program their code.

Owns the call of javac and the reading of its messages; who calls says with which class path and for
which release. Writes class files into the directory that it is given, nowhere else. Called by
`session.source_replacing`.
"""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from jvmdebug.errors import SourceError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_TIMEOUT_S: Final = 120.0
_HEAD: Final = re.compile(r"(?P<file>.+?\.java):(?P<line>\d+): (?:(?P<kind>\w+): )?(?P<text>.*)")
_CARET: Final = re.compile(r" *\^\s*")
_COUNT: Final = re.compile(r"\d+ (error|warning)s?")


@dataclass(frozen=True, slots=True)
class CompilerMessage:
    """What the compiler says of a source; line and column from 1."""

    path: Path
    line: int
    column: int
    text: str
    is_error: bool

    def __str__(self) -> str:
        return f"{self.path.name}:{self.line}: {self.text}"


@dataclass(frozen=True, slots=True)
class Compilation:
    """What came of it; without class files where there is an error."""

    messages: tuple[CompilerMessage, ...]
    is_done: bool


@dataclass(frozen=True, slots=True)
class SourcesToCompile:
    """Sources of one program, and how it was compiled before."""

    files: Sequence[Path]
    class_path: Sequence[Path]
    source_path: Sequence[Path]
    output: Path
    """An existing directory."""
    options: Sequence[str] = ()


async def compile_sources(javac: Path, asked: SourcesToCompile) -> Compilation:
    """Compile. Raises SourceError if the compiler does not run or fails without a message."""
    command = [
        *(str(javac), "-J-Duser.language=en", "-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"),
        *("-g", "-nowarn", "-proc:none", "-Xlint:none", "-encoding", "UTF-8"),
        *("-d", str(asked.output)),
        *("-classpath", ":".join(map(str, asked.class_path)) or str(asked.output)),
        *("-sourcepath", ":".join(map(str, asked.source_path))),
        *asked.options,
        *map(str, asked.files),
    ]
    try:
        compiler = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
    except OSError as error:
        raise SourceError(f"cannot start the compiler {javac}: {error}") from error
    try:
        async with asyncio.timeout(_TIMEOUT_S):
            output, _ = await compiler.communicate()
    except TimeoutError as error:
        raise SourceError(f"{javac} took more than {_TIMEOUT_S:g} s") from error
    finally:
        if compiler.returncode is None:
            compiler.kill()
            await compiler.wait()
    text = output.decode(errors="replace")
    messages = tuple(messages_in(text))
    is_done = compiler.returncode == 0
    if not is_done and not any(each.is_error for each in messages):
        said = text.strip().splitlines()
        raise SourceError(f"{javac} failed: {said[0] if said else 'it says nothing'}")
    return Compilation(messages, is_done)


def messages_in(output: str) -> Iterator[CompilerMessage]:
    """The messages in what javac prints: a head, details, the line of the source and a caret."""
    head: re.Match[str] | None = None
    body: list[str] = []
    for line in [*output.splitlines(), "0 errors"]:
        found = _HEAD.fullmatch(line)
        if found is None and not _COUNT.fullmatch(line):
            body.append(line)
            continue
        if head is not None:
            yield _message(head, body)
        head, body = found, []


def _message(head: re.Match[str], body: list[str]) -> CompilerMessage:
    caret = next((at for at, line in enumerate(body) if _CARET.fullmatch(line)), None)
    # The source is above the caret; details are around the two.
    details = [] if caret is None else [*body[: max(0, caret - 1)], *body[caret + 1 :]]
    text = "; ".join([head["text"], *(" ".join(each.split()) for each in details if each.strip())])
    column = 1 if caret is None else body[caret].index("^") + 1
    is_error = head["kind"] in ("error", None)
    return CompilerMessage(Path(head["file"]), int(head["line"]), column, text, is_error)
