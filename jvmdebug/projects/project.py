# SPDX-License-Identifier: Apache-2.0
"""A project: what runs it, what can be run in it, and its compiler.

Owns the answer of the build tool, asked once and kept, and what was chosen to run. Synchronous and
thread-safe: a front end calls it in a thread. `find` makes it; `close` ends its compiler.
"""

from __future__ import annotations

import threading
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Self

from jvmdebug import javac
from jvmdebug.jdk import compiler_for, find_jdk, jdk_to_compile, no_runtime_for
from jvmdebug.projects import choosing, main_classes, modules
from jvmdebug.projects.compiling import Compiling
from jvmdebug.projects.detection import detect
from jvmdebug.projects.errors import ProjectError, no_compiler
from jvmdebug.projects.kept import Kept
from jvmdebug.projects.plain import plain_layout
from jvmdebug.projects.work import Work

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Mapping, Sequence

    from jvmdebug.javac import JavacServer
    from jvmdebug.jdk import Jdk
    from jvmdebug.projects.compiling import BuildTool, Compiled
    from jvmdebug.projects.declared_tests import TestClass
    from jvmdebug.projects.detection import Detected
    from jvmdebug.projects.layout import BuildChoice, Kind, Layout, Scope, SourceSet
    from jvmdebug.projects.main_classes import MainClass

_CHOICES = "choices"
_LINES = "lines-of-tests"
_FAILED = "failed-tests"


@dataclass(frozen=True, slots=True)
class Program:
    """How a class of a project is started."""

    main_class: str
    class_path: tuple[Path, ...]
    source_path: tuple[Path, ...]
    folder: Path
    """The working directory unless the user names one: the root of the project."""
    java_home: Path | None
    """Of the JDK that the project is built with; None if any will do."""
    vm_args: tuple[str, ...]
    """What its classes need: `--enable-preview`."""
    source_set: SourceSet
    module: str | None = None
    """Its module, if it has a module-info.java: it is started as `module/main_class`."""
    module_path: tuple[Path, ...] = ()


def find(path: str | os.PathLike[str], *, java: str | os.PathLike[str] | None = None) -> Project:
    """The project of a file, a folder, a build file or a jar. Runs nothing yet.

    `java`: the runtime that the program will have, if that is another one than of the project: what
    no build tool compiles is compiled for it. Raises ProjectError if nothing is there.
    """
    return Project(detect(Path(path)), java)


class Project:
    """One project. Methods that may take long have `work`, for progress and cancelling."""

    def __init__(self, found: Detected, java: str | os.PathLike[str] | None = None) -> None:
        self.kind: Kind = found.kind
        self.root = found.root
        """The folder of the whole build; a single file or a jar is its own."""
        self.focus = found.focus
        """The file or folder by which it was found."""
        self._found = found
        self._java = java
        self._lock = threading.RLock()
        self._kept = Kept(found.root, found.kind)
        self._tool = _build_tool(found)
        self._layout: Layout | None = None
        self._server: JavacServer | None = None
        self._held = ExitStack()
        self._compiling = Compiling(self._kept, self._tool, self._javac)

    def __repr__(self) -> str:
        return f"Project({self.kind}, {str(self.root)!r})"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the compiler. The project can still be used, and starts it again."""
        with self._lock:
            self._server = None
            self._held.close()

    # --- what it consists of ---------------------------------------------------------------------

    def layout(self, work: Work | None = None) -> Layout:
        """All source sets. Asks the build tool if the kept answer no longer holds.

        Raises BuildError with the build's own error lines.
        """
        with self._lock:
            if self._tool is None:
                return plain_layout(self._found, self._older_release())
            environment = self._tool.environment()
            self._layout = self._kept.layout(environment)
            if self._layout is None:
                self._layout = self._tool.ask(work or Work())
                self._kept.keep_layout(self._layout, environment)
            return self._layout

    @property
    def source_set(self) -> SourceSet:
        """The source set of the file or folder by which the project was found."""
        return self._focused(self.layout())

    @property
    def class_path(self) -> tuple[Path, ...]:
        """The class path to run what is in `source_set`; test dependencies are in it if that is a
        test.
        """
        return self.source_set.class_path

    @property
    def source_path(self) -> tuple[Path, ...]:
        """All folders with sources, generated ones too."""
        layout = self.layout()
        folders = [folder for each in layout.sets for folder in each.all_source_folders]
        return tuple(each for each in dict.fromkeys(folders) if each.is_dir())

    def source_set_of(self, name: str | Path, work: Work | None = None) -> SourceSet | None:
        """The source set of a source file, or of a class by its binary name; None if in none."""
        layout = self.layout(work)
        if isinstance(name, Path):
            file = name.absolute()
            return next((each for each in layout.sets if each.has(file)), None)
        return next(iter(self._sets_with(name, layout)), None)

    def _sets_with(self, name: str, layout: Layout) -> list[SourceSet]:
        """The source sets that have the source of a class; else those with its class file."""
        source = name.partition("$")[0].replace(".", "/")
        sources = (f"{source}.java", f"{source}.kt")
        of_source = [each for each in layout.sets if _has_any(each.all_source_folders, sources)]
        compiled = (f"{name.replace('.', '/')}.class",)
        return of_source or [each for each in layout.sets if _has_any(each.class_folders, compiled)]

    # --- what can be run -------------------------------------------------------------------------

    def main_classes(self, work: Work | None = None) -> list[MainClass]:
        """Classes with a `main` method, below the named folder; those of tests come last."""
        layout = self.layout(work)
        release = self._release(layout)
        if self.kind == "file":
            return main_classes.main_classes_in(self.root, release)
        found: list[MainClass] = []
        for each in layout.sets:
            if self._is_in_focus(each):
                (work or Work()).check()
                found += main_classes.main_classes_of(each, release)
        return sorted(found, key=lambda each: each.is_test)

    def tests(self, work: Work | None = None) -> list[TestClass]:
        """Test classes with their methods, by source file."""
        from jvmdebug.projects import declared_tests  # noqa: PLC0415 - slow to import

        found: list[TestClass] = []
        for each in self.test_sets(work):
            found += declared_tests.classes_of(each)
        return found

    def test_sets(self, work: Work | None = None) -> list[SourceSet]:
        """The source sets below the named folder: any may have tests."""
        return [each for each in self.layout(work).sets if self._is_in_focus(each)]

    def program(
        self, main: str | Path | None = None, work: Work | None = None, *, scope: Scope = "auto"
    ) -> Program:
        """How to start `main`: a class by its name, also without package if only one has it, or the
        class of a source file. None: the class of the file by which the project was found, the one
        chosen before, or the only one. `scope`: with which class path of its module.

        Raises MainClassNeeded if there are several, ProjectError if there is none.
        """
        name, source_set = self._chosen(main, work)
        layout = self.layout(work)
        own, source_set = source_set, layout.in_scope(source_set, scope)
        modular = modules.paths_of(source_set, layout)
        preview = ("--enable-preview",) if "--enable-preview" in source_set.javac_options else ()
        return Program(
            name,
            source_set.class_path if modular is None else modular.class_path,
            self.source_path,
            self.root if self.root.is_dir() else self.root.parent,
            self._java_home(layout),
            preview if modular is None else (*preview, *modular.vm_args),
            source_set if source_set.is_test else own,
            None if modular is None else modular.module,
            () if modular is None else modular.module_path,
        )

    def java_home(self, work: Work | None = None) -> Path | None:
        """The home of the JDK to run its classes with; None if any will do."""
        return self._java_home(self.layout(work))

    def fetch(self, artifact: str, work: Work | None = None) -> bool:
        """Have the build tool put `group:artifact:version` into the repository of this machine;
        False if it did not.
        """
        fetch = getattr(self._tool, "fetch", None)
        return fetch is not None and bool(fetch(artifact, work or Work()))

    def remember_failed(self, selectors: Sequence[str]) -> None:
        """Keep which tests have failed, until the next time."""
        self._kept.write(_FAILED, {"selectors": list(selectors)})

    def failed_tests(self) -> list[str]:
        """The failed tests of the last run; empty if there were none, or no run."""
        return [str(each) for each in (self._kept.read(_FAILED) or {}).get("selectors", ())]

    def remember_lines(self, tests: Mapping[str, Mapping[str, tuple[int, ...]]]) -> None:
        """Keep which lines each of these tests has run, by file; what others have run stays."""
        self._kept.write(_LINES, {"tests": {**self.remembered_lines(), **tests}})

    def remembered_lines(self) -> dict[str, dict[str, tuple[int, ...]]]:
        """The same of all tests that were ever recorded."""
        kept: dict[str, dict[str, list[int]]] = (self._kept.read(_LINES) or {}).get("tests", {})
        return {
            test: {file: tuple(lines) for file, lines in ran.items()} for test, ran in kept.items()
        }

    def remember_main_class(self, name: str) -> None:
        """Take this class the next time when none is named."""
        self._kept.write(_CHOICES, {"main": {self._focus_key(): name}})

    # --- compiling -------------------------------------------------------------------------------

    def compile(
        self,
        source_set: SourceSet | None = None,
        *,
        how: BuildChoice = "auto",
        work: Work | None = None,
    ) -> Compiled:
        """Bring the classes of a source set (default: `source_set`), and of those that it needs, up
        to date.

        Raises BuildError with the problems.
        """
        with self._lock:
            task = work or Work()
            layout = self.layout(task)
            wanted = source_set or self._focused(layout)
            if self.kind == "file" and how != "never":
                return self._compiling.compile_single(wanted, self.root, task)
            return self._update_layout(self._compiling.update(layout, wanted, how, task))

    def compile_changed(
        self, files: Iterable[str | os.PathLike[str]], work: Work | None = None
    ) -> Compiled:
        """Compile source files that were edited while the program runs, with the class path of
        their source sets; the classes to replace are in the result.

        Raises BuildError with the problems, ProjectError for a file that is not of this project.
        """
        with self._lock:
            task = work or Work()
            if self.kind == "file":
                return self.compile(work=task)
            paths: Sequence[Path] = [Path(each).absolute() for each in files]
            layout = self.layout(task)
            return self._update_layout(self._compiling.update_files(layout, paths, task))

    def class_files_of(self, source: str | os.PathLike[str]) -> list[Path]:
        """The class files that were made of a source file; empty if it is not of this project."""
        file = Path(source).absolute()
        source_set = self.source_set_of(file)
        if source_set is None:
            return []
        from jvmdebug.projects.incremental import class_files_of  # noqa: PLC0415 - slow to import

        return class_files_of(source_set, file)

    def _update_layout(self, compiled: Compiled) -> Compiled:
        rebuilt = self._compiling.take_rebuilt()
        if rebuilt is not None and self._tool is not None:
            environment = self._tool.environment()
            before = self._kept.layout(environment)  # None if a build file has changed meanwhile
            built = rebuilt if before is None else rebuilt.with_built(before)
            self._kept.keep_layout(built, environment)
        return compiled

    def _javac(self) -> JavacServer:
        if self._server is None:
            self._server = self._held.enter_context(javac.shared(self._compiler()))
        return self._server

    def _compiler(self) -> Jdk:
        runtime = find_jdk(self._java_home(self.layout()))
        jdk = compiler_for(runtime)
        if jdk is None:
            raise no_compiler(runtime)
        return jdk

    # --- choosing --------------------------------------------------------------------------------

    def _focused(self, layout: Layout) -> SourceSet:
        """The first of several that is not a test."""
        for each in layout.sets:
            if self.focus.is_file() and each.has(self.focus):
                return each
        in_focus = [each for each in layout.sets if self._is_in_focus(each)] or layout.sets
        if not in_focus:
            raise ProjectError(f"{self.root} has no Java sources")
        return next((each for each in in_focus if not each.is_test), in_focus[0])

    def _is_in_focus(self, source_set: SourceSet) -> bool:
        if not self.focus.is_dir():
            return True
        return source_set.folder.is_relative_to(self.focus) or any(
            self.focus.is_relative_to(each) for each in source_set.all_source_folders
        )

    def _java_home(self, layout: Layout) -> Path | None:
        """The build's own, or one that is new enough for what it compiles."""
        release = layout.release
        if release is None:
            return layout.java_home
        own = find_jdk(layout.java_home)
        if own.feature_version is None or own.feature_version >= release:
            return layout.java_home
        newer = jdk_to_compile(release)
        if newer is None:
            raise no_runtime_for(release, self.root.name)
        return newer.home

    def _older_release(self) -> int | None:
        """The release of the runtime if the compiler has a newer one; classes of that do not run
        there.
        """
        compiler = compiler_for(find_jdk())
        own = None if compiler is None else compiler.feature_version
        runtime = find_jdk(self._java).feature_version
        return runtime if runtime is not None and own is not None and runtime < own else None

    def _release(self, layout: Layout) -> int | None:
        if layout.release is not None:
            return layout.release
        return find_jdk(layout.java_home).feature_version

    def _chosen(self, main: str | Path | None, work: Work | None) -> tuple[str, SourceSet]:
        if main is None and self.focus.suffix in (".java", ".kt"):
            main = self.focus
        if isinstance(main, Path):
            return self._of_file(main.resolve(), work)
        if main is not None and (known := self._sets_with(main, self.layout(work))):
            in_focus = [each for each in known if self._is_in_focus(each)]
            return main, choosing.one_module(main, in_focus or known, self.root)
        candidates = self.main_classes(work)
        if main is None:
            kept = (self._kept.read(_CHOICES) or {}).get("main", {}).get(self._focus_key())
            found = choosing.only(candidates, kept, self.focus)
        else:
            found = choosing.named(main, candidates, self.root)
        return found.name, found.source_set or self._focused(self.layout(work))

    def _of_file(self, file: Path, work: Work | None) -> tuple[str, SourceSet]:
        source_set = self.source_set_of(file, work)
        if source_set is None:
            raise ProjectError(f"{file} is in no source folder of the project in {self.root}")
        declared = main_classes.main_classes_in(file, self._release(self.layout(work)))
        if not declared:
            raise ProjectError(f"{file} has no class with a main method")
        return declared[0].name, source_set

    def _focus_key(self) -> str:
        return str(self.focus)


def _has_any(folders: Iterable[Path], names: Sequence[str]) -> bool:
    return any((folder / name).is_file() for folder in folders for name in names)


def _build_tool(found: Detected) -> BuildTool | None:
    match found.kind:
        case "maven":
            from jvmdebug.projects.maven import Maven  # noqa: PLC0415 - slow to import

            return Maven(found.root)
        case "gradle":
            from jvmdebug.projects.gradle import Gradle  # noqa: PLC0415 - slow to import

            return Gradle(found.root)
        case _:
            return None
