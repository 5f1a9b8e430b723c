# SPDX-License-Identifier: Apache-2.0
"""Compiling the changed files of a source set, and those that what they declare reaches.

javac writes into a folder beside the outputs, and only a success is moved there: a failure changes
nothing. If what others see of a class changed, the classes that mention it are compiled as well; if
a constant changed, everything is, since compilers copy its value. Called by `compiling`.
"""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from jvmdebug.javac import FilesToCompile, JavacFailedError
from jvmdebug.projects.class_shape import ClassShape, class_shape
from jvmdebug.projects.errors import BuildError, ProjectError, SourceProblem
from jvmdebug.projects.main_classes import source_files
from jvmdebug.regular_file import UnsuitableFileError, read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jvmdebug.javac import Answer, JavacServer
    from jvmdebug.projects.layout import SourceSet
    from jvmdebug.projects.work import Work

_MOST_SHOWN: Final = 20


@dataclass(slots=True)
class Reach:
    """What earlier source sets of the same run changed for the later ones."""

    names: set[str] = field(default_factory=set)
    """Internal names of classes that look different from outside."""
    everything: bool = False
    """A constant changed."""

    def __bool__(self) -> bool:
        return bool(self.names) or self.everything


@dataclass(slots=True)
class Written:
    """Class files of which the content changed."""

    class_files: list[Path] = field(default_factory=list)
    problems: list[SourceProblem] = field(default_factory=list)


class IncrementalCompiler:
    """Compiles one source set with one compiler."""

    def __init__(self, source_set: SourceSet, server: JavacServer, work: Work) -> None:
        if source_set.output is None:
            raise ValueError("a source set without output is not compiled")
        self._set = source_set
        self._output: Path = source_set.output
        self._server = server
        self._work = work
        self.written = Written()

    def compile(
        self,
        changed: Iterable[Path],
        removed: Iterable[Path],
        reach: Reach,
        *,
        everything: bool = False,
    ) -> None:
        """Bring the outputs up to date. Raises BuildError with the compiler's problems."""
        self._output.mkdir(parents=True, exist_ok=True)
        files = {each for each in changed if each.suffix == ".java"}
        for old in self._classes_of(set(removed)):
            reach.names.add(_internal_name(old, self._output))
            old.unlink(missing_ok=True)
        # javac has the whole of a module before it, or says that its packages are empty.
        everything = everything or reach.everything or self._set.module_name is not None
        files |= self._everything() if everything else self._mentioning(reach.names)
        while files:
            more = self._round(files, reach)
            if more <= files:
                return
            files |= more

    def _round(self, files: set[Path], reach: Reach) -> set[Path]:
        """Compile; the files that have to be compiled too, or none if it is done."""
        with tempfile.TemporaryDirectory(
            prefix=".jvmdebug-", dir=self._output.parent, ignore_cleanup_errors=True
        ) as folder:
            answer = self._javac(sorted(files), Path(folder))
            old = {each: _shape_of(each) for each in self._classes_of(files)}
            made = {
                self._output / each.relative_to(folder): _shape_of(each)
                for each in answer.class_files
            }
            changed, constants = _differences(old, made)
            reach.names |= changed
            reach.everything = reach.everything or constants
            more = self._everything() if constants else self._mentioning(changed)
            if not more <= files:
                return more
            self._replace(Path(folder), old, made)
            self.written.problems += problems_of(answer)
            return set()

    def _javac(self, files: list[Path], folder: Path) -> Answer:
        outputs = [each for each in self._set.class_folders if each != self._output]
        needed = (self._output, *outputs, *self._set.compile_path)
        options = ["-g", "-proc:none", *self._set.javac_options]
        if self._set.module_name is not None:
            options += ["--module-path", os.pathsep.join(map(str, self._set.compile_path))]
            needed = ()
        sources = self._set.all_source_folders if self._set.module_name is not None else ()
        request = FilesToCompile(files, folder, needed, sources, options)
        return compile_files(self._server, request, self._work)

    def _replace(
        self,
        folder: Path,
        old: dict[Path, ClassShape | None],
        made: dict[Path, ClassShape | None],
    ) -> None:
        for target in made:
            new = folder / target.relative_to(self._output)
            if not target.is_file() or read_bytes(target) != read_bytes(new):
                self.written.class_files.append(target)
            target.parent.mkdir(parents=True, exist_ok=True)
            new.replace(target)
        for stale in old.keys() - made.keys():
            stale.unlink(missing_ok=True)

    def _everything(self) -> set[Path]:
        return {each for each in source_files(self._set) if each.suffix == ".java"}

    def _mentioning(self, names: set[str]) -> set[Path]:
        """Sources of the classes in the output whose constants have one of these names."""
        if not names:
            return set()
        wanted = [each.encode() for each in names]
        found: set[Path] = set()
        for folder, _, files in os.walk(self._output):
            for name in files:
                if name.endswith(".class"):
                    try:
                        content = read_bytes(Path(folder, name))
                    except UnsuitableFileError:
                        continue
                    if any(each in content for each in wanted):
                        found |= self._sources_of(Path(folder), content)
        return found

    def _sources_of(self, folder: Path, content: bytes) -> set[Path]:
        shape = class_shape(content)
        if shape is None or shape.source_name is None:
            return set()
        below = folder.relative_to(self._output) / shape.source_name
        roots = self._set.all_source_folders
        return {root / below for root in roots if (root / below).is_file()}

    def _classes_of(self, sources: set[Path]) -> list[Path]:
        """The class files in the output that were made of these sources."""
        return [each for source in sources for each in class_files_of(self._set, source)]


def _shape_of(file: Path) -> ClassShape | None:
    try:
        return class_shape(read_bytes(file))
    except UnsuitableFileError:
        return None


def class_files_of(source_set: SourceSet, source: Path) -> list[Path]:
    """The class files in the outputs that were made of a source."""
    root = next((r for r in source_set.all_source_folders if source.is_relative_to(r)), None)
    if root is None:
        return []
    found = []
    for output in source_set.class_folders or filter(None, (source_set.output,)):
        for each in sorted((output / source.relative_to(root).parent).glob("*.class")):
            shape = _shape_of(each)
            if shape is not None and shape.source_name == source.name:
                found.append(each)
    return found


def compile_files(server: JavacServer, request: FilesToCompile, work: Work) -> Answer:
    """Compile. Raises BuildError with the compiler's problems, ProjectError if the compiler cannot
    run, WorkCancelled after a cancel.
    """
    with server.turn() as turn, work.cancelled_by(turn.kill):
        try:
            answer = turn.compile_files(request)
        except JavacFailedError as error:
            work.check()
            raise ProjectError(str(error)) from error
    if not answer.is_done:
        raise _compilation_failed(problems_of(answer))
    return answer


def problems_of(answer: Answer) -> tuple[SourceProblem, ...]:
    """What the compiler says."""
    return tuple(
        SourceProblem(each.file, each.line, each.column, each.message, each.is_error)
        for each in answer.diagnostics
    )


def _compilation_failed(problems: Iterable[SourceProblem]) -> BuildError:
    """The error with the compiler's own messages."""
    errors = [each for each in problems if each.is_error]
    shown = [str(each) for each in errors[:_MOST_SHOWN]]
    if len(errors) > _MOST_SHOWN:
        shown.append(f"… and {len(errors) - _MOST_SHOWN} more")
    count = "1 error" if len(errors) == 1 else f"{len(errors)} errors"
    return BuildError("\n".join([f"the project does not compile, {count}:", *shown]), errors)


def _differences(
    old: dict[Path, ClassShape | None], new: dict[Path, ClassShape | None]
) -> tuple[set[str], bool]:
    """Names of classes that look different from outside; whether a constant changed."""
    names: set[str] = set()
    constants = False
    for path in old.keys() | new.keys():
        before, after = old.get(path), new.get(path)
        if before is None or after is None:
            names |= {each.name for each in (before, after) if each is not None}
            constants = constants or bool(before is not None and before.constants)
        elif before != after:
            names.add(after.name)
            constants = constants or before.constants != after.constants
    return names, constants


def _internal_name(class_file: Path, output: Path) -> str:
    return class_file.relative_to(output).with_suffix("").as_posix()
