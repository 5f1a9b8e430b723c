# SPDX-License-Identifier: Apache-2.0
"""A Java project of a test: sources in a folder, compiled with all debug information, or a folder
with a Maven or Gradle build.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import jvmdebug
from jvmdebug.jdk import all_jdks, find_jdk
from jvmdebug.os_errors import reason
from jvmdebug.regular_file import read_text

if TYPE_CHECKING:
    from collections.abc import Sequence

_TIMEOUT_S: Final = 120
_BUILDS: Final = (
    "pom.xml",
    *(f"{name}.gradle{end}" for name in ("build", "settings") for end in ("", ".kts")),
)


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
        """The place where the debugger finds the sources."""
        return (self.source,)

    def launch_options(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """What `jvmdebug.launch` takes to start a class of it, with what the test gives."""
        return {
            "class_path": [*self.class_path, *given.get("class_path", ())],
            "source_path": [*self.source_path, *given.get("source_path", ())],
        }

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
        lines = read_text(self._file(name)).splitlines()
        for number, line in enumerate(lines, 1):
            if text in line:
                return number
        raise LookupError(f"no line of {name} has {text!r}")

    def _file(self, name: str) -> Path:
        return self.source / name

    def compile(self) -> JavaProject:
        """Compile all sources; CompilationError if that fails."""
        __tracebackhide__ = True  # of pytest: the compiler's messages say it all
        sources = sorted(map(str, self.source.rglob("*.java")))
        if not sources:
            raise CompilationError(f"there is no Java source in {self.source}")
        class_path = os.pathsep.join(map(str, self.class_path))
        words = ["-g", "-encoding", "UTF-8", "-d", str(self.classes), "-cp", class_path]
        command = [*_javac(self._options), *words, *self._options, *sources]
        self.classes.mkdir(parents=True, exist_ok=True)
        try:
            ran = subprocess.run(  # noqa: S603 - the JDK's compiler
                command,
                capture_output=True,
                check=False,
                text=True,
                errors="replace",
                timeout=_TIMEOUT_S,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise CompilationError(f"cannot compile {self.source}: {reason(error)}") from error
        if ran.returncode != 0:
            messages = jvmdebug.several_lines(ran.stdout + ran.stderr)
            raise CompilationError(f"{self.source} does not compile:\n{messages}")
        return self

    def __repr__(self) -> str:
        return f"JavaProject({str(self.source)!r})"


class BuiltJavaProject(JavaProject):
    """A folder with a Maven or Gradle build, which has the class path."""

    def __init__(self, folder: Path) -> None:
        self._project = jvmdebug.projects.find(folder)
        super().__init__(folder, folder, (), ())

    @property
    def class_path(self) -> tuple[Path, ...]:
        """The class path of the module in the folder, with all that it needs."""
        return self._project.class_path

    @property
    def source_path(self) -> tuple[Path, ...]:
        """The folders of sources of all modules."""
        return self._project.source_path

    def launch_options(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The project: so a class has the class path of its own module."""
        return {"project": self.source, **given}

    def _file(self, name: str) -> Path:
        """`src/main/java/shop/Cart.java`, or `shop/Cart.java` of any folder of sources."""
        below = (folder / name for folder in (self.source, *self.source_path))
        return next((each for each in below if each.is_file()), self.source / name)

    def compile(self) -> JavaProject:
        """Compile what has changed, tests too; CompilationError if that fails."""
        __tracebackhide__ = True
        try:
            with self._project as project:
                for each in project.layout().sets:
                    if each.folder.is_relative_to(self.source):
                        project.compile(each)
                        self.classes = next(iter(each.class_folders), self.classes)
        except jvmdebug.projects.ProjectError as error:
            raise CompilationError(str(error)) from error
        return self


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
        """A project, compiled. `source` is a folder of sources, or the texts of sources by their
        names; `class_path` what they need, `options` those of javac. A folder with a build (of
        Maven, Gradle) has its class path and options from there.
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
        elif any((root / each).is_file() for each in _BUILDS):
            if class_path or options:
                raise CompilationError(f"{root} has a build: class path and options are its own")
            return BuiltJavaProject(root).compile()
        return project.compile()


def _javac(options: Sequence[str]) -> list[str]:
    """The compiler of the JDK that runs the program; of another one, for that release, if it has
    none.
    """
    runtime = find_jdk()
    release = runtime.feature_version
    for jdk in (runtime, *all_jdks()):
        if jdk.javac is not None:
            is_newer = release is not None and (jdk.feature_version or 0) > release
            asks = is_newer and "--release" not in options
            return [str(jdk.javac), *(["--release", str(release)] if asks else [])]
    raise CompilationError("there is no javac: install a JDK, or set JAVA_HOME to one")
