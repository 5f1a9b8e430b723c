# SPDX-License-Identifier: Apache-2.0
"""Brings the classes of source sets up to date, the quickest way that is right.

Owns the decision: nothing to do, javac on what changed, or the build tool; and what was compiled
last. javac is used where the source set is plain Java; annotation processors, generated sources
and other languages are the build tool's. Called by `project`.
"""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from jvmdebug import javac
from jvmdebug.projects import snapshot
from jvmdebug.projects.errors import BuildError, ProjectError
from jvmdebug.projects.snapshot import Changes, Snapshot
from jvmdebug.regular_file import UnsuitableFileError, read_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from jvmdebug.javac import JavacServer
    from jvmdebug.projects.errors import SourceProblem
    from jvmdebug.projects.incremental import Reach
    from jvmdebug.projects.kept import Kept
    from jvmdebug.projects.layout import BuildChoice, Layout, SourceSet
    from jvmdebug.projects.work import Work

_STATE = "compiled"


class BuildTool(Protocol):
    """Maven or Gradle, for one project."""

    name: str

    def ask(self, work: Work) -> Layout:
        """The source sets. Raises BuildError with the tool's own error lines."""

    def build(self, source_set: SourceSet, work: Work) -> Layout | None:
        """Compile a source set and what it needs; the layout if it is another one now."""

    def environment(self) -> str:
        """What the answer depends on beside the build files: the program, its JDK."""


@dataclass(frozen=True, slots=True)
class Compiled:
    """What a compilation did."""

    by: str
    """`nothing`, `javac`, `Maven`, `Gradle`."""
    class_files: tuple[Path, ...] = ()
    """Those with new content: what a hot swap has to replace."""
    problems: tuple[SourceProblem, ...] = ()
    """Warnings; errors raise BuildError."""

    @property
    def is_by_build_tool(self) -> bool:
        return self.by not in ("nothing", "javac")


class Compiling:
    """What was compiled of one project, and how to compile it again."""

    def __init__(
        self, kept: Kept, tool: BuildTool | None, server: Callable[[], JavacServer]
    ) -> None:
        self._kept = kept
        self._tool = tool
        self._server = server
        state = kept.read(_STATE) or {}
        self._snapshots = {
            key: found
            for key, value in state.items()
            if (found := Snapshot.from_json(value)) is not None
        }
        self._rebuilt: Layout | None = None

    def take_rebuilt(self) -> Layout | None:
        """The layout that the last build reported, once."""
        found, self._rebuilt = self._rebuilt, None
        return found

    def update(
        self, layout: Layout, source_set: SourceSet, how: BuildChoice, work: Work
    ) -> Compiled:
        """Compile what is needed to run the source set. Raises BuildError."""
        needed = [each for each in layout.needed_by(source_set) if each.output is not None]
        if how == "never" or not needed:
            return Compiled("nothing")
        now = [snapshot.take_inputs(each) for each in needed]
        found = [self._changes(each, taken) for each, taken in zip(needed, now, strict=True)]
        _spread(found)
        if how == "auto" and not any(found):
            return Compiled("nothing")
        reason = self._why_build_tool(needed, found) if how == "auto" else "asked for"
        if self._tool is not None and reason is not None:
            return self._with_tool(layout, source_set, needed, now, work)
        if reason is not None and how == "auto":
            raise ProjectError(f"{source_set.folder} needs a build tool to be compiled: {reason}")
        return self._with_javac(layout, needed, found, now, work)

    def update_files(self, layout: Layout, files: Sequence[Path], work: Work) -> Compiled:
        """Compile these files and what they reach, whatever else changed."""
        sets = [each for each in layout.sets if any(each.has(file) for file in files)]
        strangers = [file for file in files if not any(each.has(file) for each in layout.sets)]
        if strangers:
            raise ProjectError(f"{strangers[0]} is not a source of the project")
        taken = [snapshot.take_inputs(each) for each in sets]
        if not _is_java(files) or any(each.build_tool_because for each in sets):
            return self._with_tool(layout, sets[-1], sets, taken, work)
        changed = [Changes(tuple(file for file in files if each.has(file))) for each in sets]
        kept = [self._snapshots.get(_key(each)) for each in sets]
        done = self._with_javac(layout, sets, changed, taken, work)
        for each, before, now, files_of in zip(sets, kept, taken, changed, strict=True):
            if before is not None:  # other changed files are still to be compiled
                own = {str(file): now.sources[str(file)] for file in files_of.sources}
                merged = Snapshot({**before.sources, **own}, before.resources)
                self._snapshots[_key(each)] = snapshot.with_classes(merged, each)
        self._save()
        return done

    # --- by javac --------------------------------------------------------------------------------

    def _with_javac(
        self,
        layout: Layout,
        needed: list[SourceSet],
        found: list[Changes],
        now: list[Snapshot],
        work: Work,
    ) -> Compiled:
        from jvmdebug.projects.incremental import Reach  # noqa: PLC0415 - slow to import

        reach = Reach()
        compiled: list[Compiled] = []
        try:
            for each, changed, taken in zip(needed, found, now, strict=True):
                compiled.append(self._compile_set(each, changed, reach, work))
                self._snapshots[_key(each)] = snapshot.with_classes(taken, each)
        finally:
            if reach:  # those that were not compiled against the new classes
                self._mark_stale(layout, needed[: len(compiled)])
            self._save()
        return _joined("javac", compiled)

    def _mark_stale(self, layout: Layout, compiled: list[SourceSet]) -> None:
        done = {_key(each) for each in compiled}
        for each in layout.sets:
            before = self._snapshots.get(_key(each))
            depends = any(_key(other) in done for other in layout.needed_by(each))
            if before is not None and depends and _key(each) not in done:
                self._snapshots[_key(each)] = dataclasses.replace(before, is_stale=True)

    def _compile_set(
        self, source_set: SourceSet, changed: Changes, reach: Reach, work: Work
    ) -> Compiled:
        done = Compiled("javac")
        if changed.sources or changed.removed or changed.everything or reach:
            work.say(f"javac: compiling {source_set.title}")
            from jvmdebug.projects.incremental import IncrementalCompiler  # noqa: PLC0415 - slow to import

            compiler = IncrementalCompiler(source_set, self._server(), work)
            compiler.compile(changed.sources, changed.removed, reach, everything=changed.everything)
            written = compiler.written
            done = Compiled("javac", tuple(written.class_files), tuple(written.problems))
        for each in changed.resources:
            _copy_resource(each, source_set)
        return done

    def compile_single(self, source_set: SourceSet, file: Path, work: Work) -> Compiled:
        """Compile one file, and of its neighbours what it refers to."""
        output = source_set.output
        if output is None:
            return Compiled("nothing")
        key = " ".join(("file", str(file), *source_set.javac_options))
        before = self._snapshots.get(key)
        if before is not None and not _is_outdated(before):
            return Compiled("nothing")
        work.say(f"javac: compiling {file.name}")
        shutil.rmtree(output, ignore_errors=True)
        output.mkdir(parents=True)
        from jvmdebug.projects.incremental import (  # noqa: PLC0415 - slow to import
            compile_files,
            problems_of,
        )

        request = javac.FilesToCompile(
            (file,),
            output,
            (output, *source_set.compile_path),
            source_set.source_folders,
            ("-g", "-proc:none", "-implicit:class", *source_set.javac_options),
        )
        try:
            answer = compile_files(self._server(), request, work)
        except BuildError:
            shutil.rmtree(output, ignore_errors=True)
            raise
        sources = {str(each): _stamp(each) for each in answer.class_files.values() if each}
        classes = {str(each): _stamp(each) for each in answer.class_files}
        self._snapshots[key] = Snapshot(sources, {}, classes)
        self._save()
        return Compiled("javac", tuple(answer.class_files), problems_of(answer))

    # --- by the build tool -----------------------------------------------------------------------

    def _with_tool(
        self,
        layout: Layout,
        source_set: SourceSet,
        needed: list[SourceSet],
        now: list[Snapshot],
        work: Work,
    ) -> Compiled:
        tool = self._tool
        if tool is None:
            raise ProjectError(f"{source_set.folder} has no build tool")
        before = _contents_of_classes(needed)
        self._rebuilt = tool.build(source_set, work)
        rebuilt = {_key(each): each for each in (self._rebuilt or layout).sets}
        for each, taken in zip(needed, now, strict=True):
            inputs = snapshot.with_generated(taken, rebuilt.get(_key(each), each))
            self._snapshots[_key(each)] = snapshot.with_classes(inputs, each)
        after = _contents_of_classes(needed)
        if after != before:
            self._mark_stale(layout, needed)
        self._save()
        changed = [path for path, stamp in after.items() if before.get(path) != stamp]
        return Compiled(tool.name, tuple(changed))

    def _why_build_tool(self, needed: list[SourceSet], found: list[Changes]) -> str | None:
        """Why javac alone would be wrong for these changes; None if it is right."""
        for source_set, changed in zip(needed, found, strict=True):
            if not changed:
                continue
            others = [each for each in changed.sources if each.suffix != ".java"]
            if source_set.build_tool_because is not None:
                return source_set.build_tool_because
            if others or any(each.suffix != ".java" for each in changed.removed):
                return f"{others[0].name if others else 'a removed file'} is not Java"
            if self._tool is not None and (
                changed.lost_classes or _key(source_set) not in self._snapshots
            ):
                return "it was not compiled before"
            if changed.resources and not source_set.resources_as_they_are:
                return "resources changed"
        return None

    def _changes(self, source_set: SourceSet, now: Snapshot) -> Changes:
        before = self._snapshots.get(_key(source_set))
        if before is not None:
            found = snapshot.changes(before, now, source_set)
            if found.by_others:
                self._snapshots[_key(source_set)] = snapshot.with_classes(now, source_set)
            return found
        if snapshot.is_built(source_set, now):
            self._snapshots[_key(source_set)] = snapshot.with_classes(now, source_set)
            return Changes()
        return Changes(tuple(map(Path, now.sources)), (), tuple(map(Path, now.resources)))

    def _save(self) -> None:
        self._kept.write(_STATE, {key: each.to_json() for key, each in self._snapshots.items()})


def _spread(found: list[Changes]) -> None:
    """What others have compiled has changed what comes after it, unless they did that as well."""
    is_foreign = False
    for index, each in enumerate(found):
        is_foreign = is_foreign or each.by_others
        if is_foreign and not each.by_others:
            found[index] = dataclasses.replace(each, everything=True)


def _key(source_set: SourceSet) -> str:
    return " ".join((source_set.module, source_set.name, *source_set.javac_options))


def _is_java(files: Iterable[Path]) -> bool:
    return all(each.suffix == ".java" for each in files)


def _joined(by: str, compiled: list[Compiled]) -> Compiled:
    files = [file for each in compiled for file in each.class_files]
    problems = [problem for each in compiled for problem in each.problems]
    return Compiled(by, tuple(files), tuple(problems))


def _stamp(file: Path) -> list[int]:
    try:
        status = file.stat()
    except OSError:
        return [0, 0]
    return [status.st_mtime_ns, status.st_size]


def _is_outdated(before: Snapshot) -> bool:
    changed = any(_stamp(Path(name)) != stamp for name, stamp in before.sources.items())
    return changed or not all(Path(each).is_file() for each in before.classes)


def _contents_of_classes(sets: Iterable[SourceSet]) -> dict[Path, bytes]:
    """The digest of each class file: build tools write what has not changed again."""
    found = {}
    for each in sets:
        for folder in each.class_folders:
            for path in folder.rglob("*.class"):
                with contextlib.suppress(UnsuitableFileError):
                    found[path] = hashlib.blake2b(read_bytes(path)).digest()
    return found


def _copy_resource(resource: Path, source_set: SourceSet) -> None:
    """Copy it to the output as the build does; a removed one is removed there."""
    root = next((r for r in source_set.resource_folders if resource.is_relative_to(r)), None)
    if root is None or root in source_set.class_path or source_set.output is None:
        return
    target = source_set.output / resource.relative_to(root)
    if resource.is_file():
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(resource, target)
    else:
        target.unlink(missing_ok=True)
