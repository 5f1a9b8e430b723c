# SPDX-License-Identifier: Apache-2.0
"""The folder of a project that is called by a name, as Eclipse's projects are in launch.json files.

Owns what a project is called: by its folder, Maven's artifact, Gradle's path or root project,
Eclipse's `.project`. Reads names and heads of build files below a folder; runs nothing.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from jvmdebug.projects.detection import GRADLE_BUILDS, GRADLE_SETTINGS, POM
from jvmdebug.regular_file import read_text

if TYPE_CHECKING:
    from collections.abc import Iterator

_SKIPPED: Final = frozenset({"node_modules", "target", "build", "out", "bin", "src"})
_DEEPEST: Final = 6
_MOST_FOLDERS: Final = 5000
_OF_ECLIPSE: Final = ".project"
_PARENT: Final = re.compile(r"<(parent|dependencies|build|profiles)>.*?</\1>", re.DOTALL)
_ARTIFACT: Final = re.compile(r"<artifactId>\s*([^<]+?)\s*</artifactId>")
_ECLIPSE_NAME: Final = re.compile(r"<name>\s*([^<]+?)\s*</name>")
_ROOT_PROJECT: Final = re.compile(r"rootProject\.name\s*=\s*['\"]([^'\"]+)['\"]")
_HASH: Final = re.compile(r"_[0-9a-f]{6,}\Z")
"""What a language server adds to the name of a folder without a build."""


def folder_called(name: str, below: str | os.PathLike[str]) -> Path | None:
    """The folder of that project, the nearest to `below`; None if nothing is called so.

    Maven's may be named with its group (`shop:core`), Gradle's by its path (`:libs:core`).
    """
    simple = _HASH.sub("", name).rpartition(":")[2]
    path = f"/{name.strip(':').replace(':', '/')}"
    by_name: Path | None = None
    for each in _folders(Path(below).absolute()):
        names = _names(each)
        if name in names or (names and each.as_posix().endswith(path)):
            return each
        if by_name is None and simple in names:
            by_name = each
    return by_name


def _folders(root: Path) -> Iterator[Path]:
    """The folder and those below it, by depth, but for the sources and outputs of projects."""
    level = [root]
    seen = 0
    for _ in range(_DEEPEST):
        below: list[Path] = []
        for each in level:
            yield each
            seen += 1
            if seen > _MOST_FOLDERS:
                return
            try:
                inside = sorted(each.iterdir())
            except OSError:
                continue
            below += [
                path
                for path in inside
                if not path.name.startswith(".") and path.name not in _SKIPPED and path.is_dir()
            ]
        level = below


def _names(folder: Path) -> set[str]:
    """What its build calls it; its own name too, if it is a project or has sources."""
    found: set[str] = set()
    names = {each.name for each in _entries(folder)}
    if names & {POM, *GRADLE_BUILDS, *GRADLE_SETTINGS, _OF_ECLIPSE, "src"}:
        found.add(folder.name)
    if POM in names:
        own = _PARENT.sub("", _head(folder / POM))
        found.update(_ARTIFACT.findall(own)[:1])
    if _OF_ECLIPSE in names:
        found.update(_ECLIPSE_NAME.findall(_head(folder / _OF_ECLIPSE))[:1])
    for each in GRADLE_SETTINGS:
        if each in names:
            found.update(_ROOT_PROJECT.findall(_head(folder / each))[:1])
    return found


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:
        return []


def _head(file: Path) -> str:
    try:
        return read_text(file, errors="replace")
    except OSError:
        return ""
