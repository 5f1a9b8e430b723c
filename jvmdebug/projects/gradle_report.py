# SPDX-License-Identifier: Apache-2.0
"""Reads the report of `report.gradle`: source sets of a Gradle build.

Pure but for looking at folders and jars. A jar of another project of the build is replaced by the
folders of its classes, so that it need not be packed. Called by `gradle`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from jvmdebug.projects.errors import BuildError
from jvmdebug.projects.gradle_tests import TestTask, settings_of, tasks_in
from jvmdebug.projects.layout import NOT_BUILT, Layout, SourceSet
from jvmdebug.projects.processors import processor_in

if TYPE_CHECKING:
    from collections.abc import Iterable

_OF_ROOT: Final = (
    *("settings.gradle", "settings.gradle.kts", "gradle.properties", "gradle.lockfile"),
    *("gradle/libs.versions.toml", "gradle/wrapper/gradle-wrapper.properties"),
    *("gradle/verification-metadata.xml", "buildscript-gradle.lockfile"),
)
_OF_PROJECT: Final = (
    *("build.gradle", "build.gradle.kts", "gradle.properties", "gradle.lockfile"),
)
_OF_USER: Final = (".gradle/gradle.properties", ".gradle/init.gradle", ".gradle/init.gradle.kts")
_BUILD_LOGIC: Final = ("buildSrc", "build-logic")
_OF_BUILD_LOGIC: Final = (
    *("settings.gradle", "settings.gradle.kts", "build.gradle", "build.gradle.kts"),
)
_SCRIPTS: Final = (".gradle", ".kts", ".java", ".kt", ".groovy", ".toml", ".properties")
_OTHER_LANGUAGES: Final = ("*.kt", "*.groovy", "*.scala")
_SKIPPED: Final = frozenset({"build", ".gradle"})
_OF_TESTS: Final = ("gradle", "test", "testSetting")


@dataclass(slots=True)
class _Set:
    project: str
    folder: Path
    name: str
    fields: dict[str, list[list[str]]] = field(default_factory=dict)

    def paths(self, kind: str) -> tuple[Path, ...]:
        return tuple(dict.fromkeys(Path(each[0]) for each in self.fields.get(kind, [])))


def read_report(text: str, root: Path, *, is_built: bool) -> Layout:
    """The source sets of all projects. Raises BuildError for dependencies that were not found.

    `is_built`: whether Gradle has compiled, before it reported.
    """
    lines = [line.split("\t") for line in text.splitlines()]
    java_home: Path | None = None
    folders: list[Path] = []
    build_files: list[Path] = []
    sets: list[_Set] = []
    jars: dict[Path, str] = {}
    project = ""
    for kind, *fields in lines:
        if kind == "java":
            java_home = Path(fields[0])
        elif kind == "project":
            project = fields[0]
            folders.append(Path(fields[1]))
            build_files.append(Path(fields[2]))
        elif kind == "set":
            sets.append(_Set(project, folders[-1], fields[0]))
        elif kind == "jar":
            if fields[1] in ("jar", "testJar"):
                jars[Path(fields[0])] = f"{project} {'test' if fields[1] == 'testJar' else 'main'}"
        elif sets and kind not in _OF_TESTS:
            sets[-1].fields.setdefault(kind, []).append(fields)
    missing = [
        f"{each.project} {each.name}: {why[0]}"
        for each in sets
        for why in each.fields.get("unresolved", [])
    ]
    if missing:
        raise BuildError("\n".join([f"Gradle in {root} cannot find dependencies:", *missing]))
    jdks = [path for each in sets for path in each.paths("jdk")]
    outputs = {f"{each.project} {each.name}": _outputs(each) for each in sets}
    replaced = {jar: outputs[name] for jar, name in jars.items() if name in outputs}
    made = [_source_set(each, replaced, is_built=is_built) for each in sets if _is_there(each)]
    tasks = tasks_in(each for each in lines if each[0] in _OF_TESTS)
    return Layout(
        tuple(_with_tests(each, tasks, replaced) for each in made),
        _build_files(root, folders, build_files),
        jdks[0] if jdks else java_home,
        max((number for each in sets if (number := _release(each))), default=None),
    )


def _outputs(found: _Set) -> tuple[Path, ...]:
    resources = [path for path in found.paths("runtime") if path.parent.name == "resources"]
    own = [path for path in resources if path.name == found.name]
    return (*found.paths("classes"), *own[:1])


def _is_there(found: _Set) -> bool:
    return found.name == "main" or any(each.is_dir() for each in found.paths("sources"))


def _source_set(
    found: _Set, replaced: dict[Path, tuple[Path, ...]], *, is_built: bool
) -> SourceSet:
    generated = tuple(
        each for each in found.paths("sources") if each.is_relative_to(found.folder / "build")
    )
    written = tuple(each for each in found.paths("sources") if each not in generated)
    outputs = found.paths("output")
    compile_path = _expanded(found.paths("compile"), replaced)
    return SourceSet(
        found.name,
        found.project,
        found.folder,
        is_test=found.name != "main",
        source_folders=written,
        generated_folders=(*generated, *found.paths("generated")),
        resource_folders=found.paths("resources"),
        output=outputs[0] if outputs else None,
        class_folders=found.paths("classes"),
        class_path=_expanded((*_outputs(found), *found.paths("runtime")), replaced),
        compile_path=compile_path,
        javac_options=_javac_options(found),
        build_tool_because=_build_tool_because(found, written, generated, is_built=is_built),
        resources_as_they_are=False,
    )


def _with_tests(
    source_set: SourceSet,
    tasks: Iterable[TestTask],
    replaced: dict[Path, tuple[Path, ...]],
) -> SourceSet:
    """The same, with the tasks that run its tests."""
    if not source_set.is_test:
        return source_set
    settings = [
        settings_of(each, lambda paths: _expanded(paths, replaced))
        for each in tasks
        if each.is_of(source_set.class_folders)
    ]
    settings.sort(key=lambda each: not each.is_usual)
    return replace(source_set, test_settings=tuple(settings))


def _expanded(paths: tuple[Path, ...], replaced: dict[Path, tuple[Path, ...]]) -> tuple[Path, ...]:
    return tuple(dict.fromkeys(part for path in paths for part in replaced.get(path, (path,))))


def _build_tool_because(
    found: _Set, written: tuple[Path, ...], generated: tuple[Path, ...], *, is_built: bool
) -> str | None:
    if not is_built:
        return NOT_BUILT
    if any(next(each.rglob(kind), None) for each in written for kind in _OTHER_LANGUAGES):
        return "it has sources of another language than Java"
    if any(each.is_dir() and any(each.rglob("*.java")) for each in generated):
        return "sources are generated"
    if any((each / "module-info.java").is_file() for each in written):
        return "it has a module-info.java"
    return processor_in(found.paths("processor"))


def _javac_options(found: _Set) -> tuple[str, ...]:
    options: list[str] = []
    for (encoding,) in found.fields.get("encoding", []):
        options += ["-encoding", encoding] if encoding else []
    for release, source, target in found.fields.get("release", []):
        if release:
            options += ["--release", release]
        else:
            options += ["-source", source, "-target", target]
    return (*options, *(each[0] for each in found.fields.get("argument", [])))


def _release(found: _Set) -> int | None:
    for release, source, _ in found.fields.get("release", []):
        number = (release or source).removeprefix("1.")
        return int(number) if number.isdecimal() else None
    return None


def _build_files(root: Path, folders: list[Path], build_files: list[Path]) -> tuple[Path, ...]:
    files = [root / each for each in _OF_ROOT]
    files += [folder / each for folder in folders for each in _OF_PROJECT]
    files += [Path.home() / each for each in _OF_USER]
    files += build_files
    files += sorted(root.glob("*.gradle*")) + sorted(root.glob("gradle/*.gradle*"))
    files += sorted(root.glob("gradle/*.toml"))
    for name in _BUILD_LOGIC:
        files += [root / name / each for each in _OF_BUILD_LOGIC]
        for each in sorted((root / name).rglob("*")):
            below = each.relative_to(root).parts
            if each.suffix in _SCRIPTS and not _SKIPPED & set(below):
                files.append(each)
    return tuple(dict.fromkeys(each for each in files if not each.is_dir()))
