# SPDX-License-Identifier: Apache-2.0
"""Compiles edited sources, to give a running program their code.

Owns the options that javac gets for that, and what its messages look like; who calls says with
which class path and for which release. Called by `session.source_replacing`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jvmdebug.errors import SourceError
from jvmdebug.javac import FilesToCompile, JavacFailedError
from jvmdebug.javac.tasks import compile_files

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from jvmdebug.jdk import Jdk

_OPTIONS: Final = ("-g", "-nowarn", "-proc:none", "-Xlint:none")


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

    @classmethod
    def of(
        cls, path: Path, line: int, column: int, message: str, *, is_error: bool
    ) -> CompilerMessage:
        """The message with javac's lines joined to one: what is wrong, then details."""
        lines = (" ".join(each.split()) for each in message.splitlines())
        text = "; ".join(each for each in lines if each)
        return cls(path, max(1, line), max(1, column), text, is_error)


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


async def compile_sources(jdk: Jdk, asked: SourcesToCompile) -> Compilation:
    """Compile. Raises SourceError if the compiler does not run or fails without a message."""
    request = FilesToCompile(
        asked.files,
        asked.output,
        asked.class_path or (asked.output,),
        asked.source_path,
        (*_OPTIONS, *asked.options),
    )
    try:
        answer = await compile_files(jdk, request)
    except JavacFailedError as error:
        raise SourceError(f"cannot compile: {error}") from error
    messages = tuple(
        CompilerMessage.of(each.file, each.line, each.column, each.message, is_error=each.is_error)
        for each in answer.diagnostics
        if each.file is not None
    )
    if not answer.is_done and not any(each.is_error for each in messages):
        said = [each.message for each in answer.diagnostics if each.is_error]
        raise SourceError(f"{jdk.javac} failed: {said[0] if said else 'it says nothing'}")
    return Compilation(messages, answer.is_done)
