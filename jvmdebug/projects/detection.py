# SPDX-License-Identifier: Apache-2.0
"""Tells which project a file or folder belongs to: a build tool's, a plain folder, a single file.

Looks at names and at the few build files that list modules; runs nothing. Called by `find`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from jvmdebug.os_errors import reason
from jvmdebug.projects.errors import ProjectError
from jvmdebug.regular_file import read_text
from jvmdebug.source_text import package_declared

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jvmdebug.projects.layout import Kind

POM: Final = "pom.xml"
GRADLE_SETTINGS: Final = ("settings.gradle", "settings.gradle.kts", "settings.gradle.dcl")
GRADLE_BUILDS: Final = ("build.gradle", "build.gradle.kts", "build.gradle.dcl")
_MODULE: Final = re.compile(r"<(?:module|subproject)>\s*([^<]+?)\s*</(?:module|subproject)>")
_SOURCE_SUFFIXES: Final = (".java", ".kt", ".kts", ".groovy", ".scala")
_SOURCE_FOLDERS: Final = ("src", "test", "tests")
_LIBRARY_FOLDERS: Final = ("lib", "libs")
_OUTPUT_FOLDERS: Final = ("bin", "classes")
_OF_EDITORS: Final = (".classpath", ".project")
_BOUNDARIES: Final = (".git", ".hg", ".svn")


@dataclass(frozen=True, slots=True)
class Detected:
    """A project, and what of it was named."""

    kind: Kind
    root: Path
    """The folder of the whole build; of a single file and a jar: that file."""
    focus: Path
    """The file or folder that was named."""


def detect(path: Path) -> Detected:
    """The project around `path`. Raises ProjectError if nothing is there."""
    focus = path.expanduser().absolute()
    if not focus.exists():
        raise ProjectError(f"there is no project in {path}: no such file or directory")
    focus = focus.resolve()
    if focus.suffix == ".jar" and focus.is_file():
        return Detected("jar", focus, focus)
    named = _named_build(focus)
    if named is not None:
        return named
    folder = focus if focus.is_dir() else focus.parent
    for each in _upwards(folder):
        found = _build_in(each)
        if found is not None:
            kind, root = found
            return Detected(kind, root, focus)
    if focus.is_dir():
        return Detected("folder", _above_sources(focus) or focus, focus)
    if focus.suffix not in _SOURCE_SUFFIXES:
        raise ProjectError(
            f"{focus} is no project: name a folder, a build file (pom.xml, build.gradle), a source "
            "file or a jar"
        )
    around = _above_sources(source_root_of(focus))
    if around is None:
        return Detected("file", focus, focus)
    return Detected("folder", around, focus)


def source_root_of(file: Path) -> Path:
    """The folder above the folders of the package that the file declares."""
    try:
        text = read_text(file, errors="replace")
    except OSError as error:
        raise ProjectError(f"cannot read {file}: {reason(error)}") from error
    package = package_declared(text) or ""
    names = package.split(".") if package else []
    folder = file.parent
    if names and list(folder.parts[-len(names) :]) == names:
        return folder.parents[len(names) - 1]
    return folder


def _named_build(focus: Path) -> Detected | None:
    if not focus.is_file():
        return None
    if focus.name == POM or (focus.suffix == ".xml" and "<modelVersion>" in _text(focus)):
        return Detected("maven", _maven_root(focus.parent), focus.parent)
    if focus.name in (*GRADLE_SETTINGS, *GRADLE_BUILDS):
        return Detected("gradle", _gradle_root(focus.parent), focus.parent)
    return None


def _upwards(folder: Path) -> Iterator[Path]:
    """The folder and those above it, up to a repository's root or the home folder."""
    home = Path.home()
    for each in (folder, *folder.parents):
        if each == home and each != folder:
            return
        yield each
        if any((each / name).exists() for name in _BOUNDARIES):
            return


def _build_in(folder: Path) -> tuple[Kind, Path] | None:
    is_maven = (folder / POM).is_file()
    is_gradle = any((folder / name).is_file() for name in (*GRADLE_BUILDS, *GRADLE_SETTINGS))
    if is_maven and is_gradle:  # the one that has been used here
        used_gradle = (folder / "build").is_dir() or (folder / ".gradle").is_dir()
        is_maven = not used_gradle or (folder / "target").is_dir()
    if is_maven:
        return "maven", _maven_root(folder)
    return ("gradle", _gradle_root(folder)) if is_gradle else None


def _maven_root(folder: Path) -> Path:
    """The topmost folder whose pom.xml has this one among its modules, directly or not."""
    root = folder
    for each in folder.parents:
        pom = each / POM
        if pom.is_file() and root in _modules(pom):
            root = each
    return root


def _modules(pom: Path) -> set[Path]:
    found = set()
    for name in _MODULE.findall(_text(pom)):
        module = (pom.parent / name).resolve()
        found.add(module.parent if module.suffix == ".xml" else module)
    return found


def _gradle_root(folder: Path) -> Path:
    """The nearest folder above with a settings file, as Gradle itself looks for it."""
    for each in _upwards(folder):
        if any((each / name).is_file() for name in GRADLE_SETTINGS):
            return each
    return folder


def _above_sources(sources: Path) -> Path | None:
    """The project folder around a folder of sources; None if nothing says that there is one.

    `src` alone says nothing: people keep all they have in such folders.
    """
    if sources.parent.name in ("main", "test") and sources.parents[1].name == "src":
        return sources.parents[2]
    if sources.name in ("test", "tests") and not (sources.parent / "src").is_dir():
        return None
    if sources.name in _SOURCE_FOLDERS and _is_project(sources.parent):
        return sources.parent
    return sources if _is_project(sources) else None


def _is_project(folder: Path) -> bool:
    has_libraries = any(next((folder / name).glob("*.jar"), None) for name in _LIBRARY_FOLDERS)
    has_output = any((folder / name).is_dir() for name in _OUTPUT_FOLDERS)
    return has_libraries or has_output or any((folder / name).is_file() for name in _OF_EDITORS)


def _text(file: Path) -> str:
    try:
        return read_text(file, errors="replace")
    except OSError:
        return ""
