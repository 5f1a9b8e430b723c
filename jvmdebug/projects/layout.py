# SPDX-License-Identifier: Apache-2.0
"""What a project consists of: source sets with their folders and class paths.

Owns these types and their form as JSON. Who finds them out is `plain`, `maven` and `gradle`. Paths
are absolute. Used by everything in this package.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

from jvmdebug.projects.errors import ProjectError
from jvmdebug.projects.test_settings import TestSettings

Kind: TypeAlias = Literal["maven", "gradle", "folder", "file", "jar"]
BuildChoice: TypeAlias = Literal["auto", "always", "never"]
"""What compiles before a start: what is quickest (auto), the build tool (always), nothing."""
Scope: TypeAlias = Literal["auto", "runtime", "test"]
"""Which class path a class gets: its own, that of its module without the tests, that with them."""

NOT_BUILT = "it has not been built yet"
"""Why the build tool compiles what no build has told of."""
_ROOT = ":"
"""What Gradle calls the root of a build."""


@dataclass(frozen=True, slots=True, repr=False)
class SourceSet:
    """Sources that are compiled together, `main` and `test` of each module."""

    name: str
    """`main`, `test`, or what the build calls it."""
    module: str
    """Of the build: Maven's `group:artifact`, Gradle's `:path`; empty if there is only one."""
    folder: Path
    """Of the module."""
    is_test: bool = False
    source_folders: tuple[Path, ...] = ()
    generated_folders: tuple[Path, ...] = ()
    """Sources that the build makes; the folders may not exist."""
    resource_folders: tuple[Path, ...] = ()
    output: Path | None = None
    """Where javac puts classes; None if nothing is compiled (a jar)."""
    class_folders: tuple[Path, ...] = ()
    """Where its own classes are: `output`, and those of other languages."""
    class_path: tuple[Path, ...] = ()
    """To run it: its own outputs first. Those of other source sets are folders, not jars."""
    compile_path: tuple[Path, ...] = ()
    module_name: str | None = None
    """If it has a module-info.java."""
    javac_options: tuple[str, ...] = ()
    build_tool_because: str | None = None
    """Why javac alone cannot compile it: "annotation processors (lombok-1.18.jar)"; None if it
    can.
    """
    resources_as_they_are: bool = False
    """Whether resources are copied without a change, so that we can do it."""
    test_settings: tuple[TestSettings, ...] = ()
    """How the build runs its tests, the usual ones first; none if it does not say."""

    def __repr__(self) -> str:
        return f"SourceSet({self.title}, {str(self.folder)!r})"

    @property
    def title(self) -> str:
        """What to call it in a message: `shop:core test`; `test` of the root of a Gradle build."""
        return f"{'' if self.module == _ROOT else self.module} {self.name}".strip()

    @property
    def all_source_folders(self) -> tuple[Path, ...]:
        """Written and generated ones."""
        return (*self.source_folders, *self.generated_folders)

    def has(self, file: Path) -> bool:
        """Whether the file is one of its sources."""
        return any(file.is_relative_to(each) for each in self.all_source_folders)


@dataclass(frozen=True, slots=True)
class Layout:
    """All source sets of a project."""

    sets: tuple[SourceSet, ...]
    build_files: tuple[Path, ...] = ()
    """The answer is valid as long as these have the same content (or are still absent)."""
    java_home: Path | None = None
    """Of the JDK that the build uses; None if it does not say."""
    release: int | None = None
    """The Java release that the build compiles for."""

    def in_scope(self, source_set: SourceSet, scope: Scope) -> SourceSet:
        """The source set of the same module with that class path; itself if there is none."""
        if scope == "auto" or source_set.is_test == (scope == "test"):
            return source_set
        named = "test" if scope == "test" else "main"
        of_module = [
            each
            for each in self.sets
            if each.module == source_set.module and each.is_test == (scope == "test")
        ]
        of_module.sort(key=lambda each: each.name != named)
        return of_module[0] if of_module else source_set

    def needed_by(self, source_set: SourceSet) -> tuple[SourceSet, ...]:
        """The source sets on its class path, those without dependencies first, itself last."""
        order: list[SourceSet] = []
        self._collect(source_set, order, set())
        return tuple(order)

    def _collect(self, source_set: SourceSet, order: list[SourceSet], seen: set[int]) -> None:
        if id(source_set) in seen:
            return
        seen.add(id(source_set))
        by_output = {folder: each for each in self.sets for folder in each.class_folders}
        for path in (*source_set.compile_path, *source_set.class_path):
            other = by_output.get(path)
            if other is not None and other is not source_set:
                self._collect(other, order, seen)
        order.append(source_set)

    def with_built(self, before: Layout) -> Layout:
        """The same, with what an earlier answer for the same build files tells of source sets that
        were not built this time.
        """
        known = {(each.title, each.folder): each for each in before.sets}
        sets = [
            known.get((each.title, each.folder), each)
            if each.build_tool_because == NOT_BUILT
            else each
            for each in self.sets
        ]
        return dataclasses.replace(self, sets=tuple(sets))

    def to_json(self) -> dict[str, Any]:
        """The parts as JSON values."""
        return {
            "sets": [_set_to_json(each) for each in self.sets],
            "build_files": [str(each) for each in self.build_files],
            "java_home": None if self.java_home is None else str(self.java_home),
            "release": self.release,
        }

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> Layout:
        """The inverse of `to_json`. Raises ProjectError if it is not that."""
        try:
            home = value["java_home"]
            return cls(
                sets=tuple(_set_from_json(each) for each in value["sets"]),
                build_files=tuple(Path(each) for each in value["build_files"]),
                java_home=None if home is None else Path(home),
                release=value["release"],
            )
        except (KeyError, TypeError, AttributeError) as error:
            raise ProjectError(f"the kept description of a project is damaged: {error}") from error


def _set_to_json(source_set: SourceSet) -> dict[str, Any]:
    def converted(value: object) -> object:
        if isinstance(value, TestSettings):
            return value.to_json()
        if isinstance(value, Path):
            return str(value)
        if not isinstance(value, tuple):
            return value
        return [converted(each) for each in value]

    fields = dataclasses.fields(source_set)
    return {each.name: converted(getattr(source_set, each.name)) for each in fields}


def _set_from_json(value: dict[str, Any]) -> SourceSet:
    given = dict(value)
    for name in ("source_folders", "generated_folders", "resource_folders"):
        given[name] = tuple(map(Path, given[name]))
    for name in ("class_folders", "class_path", "compile_path"):
        given[name] = tuple(map(Path, given[name]))
    given["javac_options"] = tuple(given["javac_options"])
    given["test_settings"] = tuple(map(TestSettings.from_json, given["test_settings"]))
    given["folder"] = Path(given["folder"])
    given["output"] = None if given["output"] is None else Path(given["output"])
    return SourceSet(**given)
