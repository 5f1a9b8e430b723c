# SPDX-License-Identifier: Apache-2.0
"""Debuggees that a certain compiler makes for a certain Java: javac of several versions, Eclipse's.

For tests about what compilers write; all others take `debuggees`, which this adds to.
"""

from __future__ import annotations

import hashlib
import subprocess
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Literal

from tests.support.debuggees import (
    COMPILED,
    SHORT_LIVED,
    SOURCES,
    Debuggee,
    folder_to_fill,
)
from tests.support.jdks import discover
from tests.support.libraries import eclipse_compiler
from tests.support.warm_javac import CompilationError, javac

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_TIMEOUT_S = 120


@dataclass(frozen=True)
class Compiler:
    """A compiler of Java and the version that it compiles for."""

    kind: Literal["javac", "ecj"]
    release: int
    version: int | None = None
    """Of the JDK that it comes from, or that runs it; None for the newest one."""

    def __str__(self) -> str:
        return f"{self.kind}{self.version or ''}-{self.release}"

    @property
    def is_there(self) -> bool:
        """Whether this machine has it."""
        return self._home() is not None

    def _home(self) -> Path | None:
        known = [each for each in discover() if (each.home / "bin" / "javac").exists()]
        fitting = [each for each in known if self.version in (None, each.version)]
        return max(fitting, key=lambda each: each.version).home if fitting else None

    def options(self) -> tuple[str, ...]:
        """The options that are always the same."""
        return ("-nowarn", "-g", "--release", str(self.release))

    def compile(self, sources: Sequence[Path], output: Path) -> None:
        """Raises CompilationError."""
        home = self._home()
        assert home is not None, f"no JDK for {self}"
        if self.kind == "javac":
            javac(sources, output, *self.options(), home=home)
            return
        command = [str(home / "bin/java"), *SHORT_LIVED, "-jar", str(eclipse_compiler())]
        command += [*self.options(), "-d", str(output), *map(str, sources)]
        ran = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=_TIMEOUT_S
        )
        if ran.returncode != 0:
            raise CompilationError(f"{ran.stdout}{ran.stderr}")


@cache
def compiled_by(compiler: Compiler, topics: tuple[str, ...], main_class: str) -> Debuggee:
    """The sources of the topics, compiled together unless that was done before."""
    folders = [SOURCES / topic for topic in topics]
    sources = [each for folder in folders for each in sorted(folder.rglob("*.java"))]
    digest = hashlib.sha256(repr((compiler, compiler.options())).encode())
    for source in sources:
        digest.update(source.name.encode() + b"\0" + source.read_bytes())
    classes = COMPILED / f"{topics[0]}-{compiler}-{digest.hexdigest()[:16]}"
    if not classes.exists():
        with folder_to_fill(classes) as unfinished:
            if unfinished is not None:
                compiler.compile(sources, unfinished)
    return Debuggee(topics[0], main_class, (classes,), folders[0], compiler.release)
