# SPDX-License-Identifier: Apache-2.0
"""A small Java project of a test: sources in a folder, compiled with all debug information."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

import jvmdebug
from jvmdebug.jdk import all_jdks, find_jdk

if TYPE_CHECKING:
    from collections.abc import Sequence

_TIMEOUT_S: Final = 120


class CompilationError(jvmdebug.JvmDebugError):
    """The sources do not compile; the message has the compiler's."""


class JavaProject:
    """Sources and their classes."""

    def __init__(
        self, source: Path, classes: Path, class_path: Sequence[Path], options: Sequence[str]
    ) -> None:
        self.source = source
        """The folder that the packages' folders begin in."""
        self.classes = classes
        """The folder with the class files."""
        self._added = tuple(class_path)
        self._options = tuple(options)

    @property
    def class_path(self) -> tuple[Path, ...]:
        """The classes and what they need, for `jvmdebug_session` and `jvmdebug.launch`."""
        return (self.classes, *self._added)

    @property
    def source_path(self) -> tuple[Path, ...]:
        """Where the debugger finds the sources."""
        return (self.source,)

    def write(self, name: str, text: str) -> Path:
        """Write a source, `shop/Cart.java`, to be compiled by the next `compile`."""
        file = self.source / name
        if not file.resolve().is_relative_to(self.source.resolve()):
            raise CompilationError(f"{name!r} is not inside the project: write shop/Cart.java")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return file

    def line(self, name: str, text: str) -> int:
        """The number of the first line of a source that has `text` in it. LookupError if none."""
        lines = (self.source / name).read_text(encoding="utf-8").splitlines()
        for number, line in enumerate(lines, 1):
            if text in line:
                return number
        raise LookupError(f"no line of {name} has {text!r}")

    def compile(self) -> JavaProject:
        """Compile all sources; CompilationError if that fails."""
        __tracebackhide__ = True  # of pytest: the compiler's messages say it all
        sources = sorted(map(str, self.source.rglob("*.java")))
        if not sources:
            raise CompilationError(f"there is no Java source in {self.source}")
        class_path = os.pathsep.join(map(str, self.class_path))
        words = ["-g", "-encoding", "UTF-8", "-d", str(self.classes), "-cp", class_path]
        command = [str(_javac()), *words, *self._options, *sources]
        self.classes.mkdir(parents=True, exist_ok=True)
        try:
            ran = subprocess.run(  # noqa: S603 - the JDK's compiler
                command, capture_output=True, check=False, text=True, timeout=_TIMEOUT_S
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise CompilationError(f"cannot compile {self.source}: {error}") from error
        if ran.returncode != 0:
            messages = jvmdebug.several_lines(ran.stdout + ran.stderr)
            raise CompilationError(f"{self.source} does not compile:\n{messages}")
        return self

    def __repr__(self) -> str:
        return f"JavaProject({str(self.source)!r})"


class MakeJavaProject:
    """Makes Java projects in a folder of the test; see the fixture `java_project`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._count = 0

    def __call__(
        self,
        source: str | os.PathLike[str] | Mapping[str, str],
        *,
        class_path: Sequence[str | os.PathLike[str]] = (),
        options: Sequence[str] = (),
    ) -> JavaProject:
        """A project, compiled. `source` is a folder, or the texts of sources by their names;
        `class_path` what they need, `options` those of javac.
        """
        __tracebackhide__ = True
        self._count += 1
        folder = self._folder / str(self._count)
        root = folder / "src" if isinstance(source, Mapping) else Path(source).resolve()
        needed = [Path(each).resolve() for each in class_path]
        project = JavaProject(root, folder / "classes", needed, options)
        if isinstance(source, Mapping):
            for name, text in source.items():
                project.write(name, text)
        elif not root.is_dir():
            raise CompilationError(f"there is no folder {root}")
        return project.compile()


def _javac() -> Path:
    """The compiler of the JDK that runs the program; of another one if that has none."""
    for jdk in (find_jdk(), *all_jdks()):
        if jdk.javac is not None:
            return jdk.javac
    raise CompilationError("there is no javac: install a JDK, or set JAVA_HOME to one")
