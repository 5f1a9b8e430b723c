# SPDX-License-Identifier: Apache-2.0
"""The test frameworks on a class path, and the jars that JUnit needs beside them.

Builds name JUnit's API, and often its engine; the launcher is brought by the tool that runs tests.
So do we: from where the build tool keeps jars, else it fetches them. Used by `program`.
"""

from __future__ import annotations

import os
import re
import zipfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from jvmdebug.projects.errors import ProjectError
from jvmdebug.regular_file import open_archive, read_entry

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from jvmdebug.projects.project import Project
    from jvmdebug.projects.work import Work

_JUNIT4: Final = "org/junit/runner/JUnitCore.class"
_TESTNG: Final = "org/testng/TestNG.class"
_COMMONS: Final = "org/junit/platform/commons/JUnitException.class"
_ENGINE: Final = "org/junit/platform/engine/TestEngine.class"
_LAUNCHER: Final = "org/junit/platform/launcher/Launcher.class"
_JUPITER: Final = "org/junit/jupiter/api/Test.class"
_JUPITER_ENGINE: Final = "org/junit/jupiter/engine/JupiterTestEngine.class"
_ALL: Final = (_JUNIT4, _TESTNG, _COMMONS, _ENGINE, _LAUNCHER, _JUPITER, _JUPITER_ENGINE)
_MAY_LACK: Final = (
    (_LAUNCHER, _COMMONS, "org.junit.platform", "junit-platform-launcher"),
    (_ENGINE, _COMMONS, "org.junit.platform", "junit-platform-engine"),
    (_JUPITER_ENGINE, _JUPITER, "org.junit.jupiter", "junit-jupiter-engine"),
)
"""A class, one whose jar has the same version, and the jar to bring."""
_LIKELY: Final = re.compile(r"junit|testng|jupiter", re.IGNORECASE)
_VERSION: Final = re.compile(r"-(\d[\w.\-]*)\.jar")
_STATED_VERSION: Final = re.compile(rb"^Implementation-Version: *(\S+)", re.MULTILINE)
_MANIFEST: Final = "META-INF/MANIFEST.MF"


@dataclass(frozen=True, slots=True)
class Frameworks:
    """What can run the tests of a class path."""

    extra: tuple[Path, ...]
    """Jars to add to it."""
    runners: tuple[str, ...]
    """Which of our runner's classes compile: `Platform`, `JUnit4`, `TestNg`."""
    jars: tuple[Path, ...]
    """What they are compiled against."""


def frameworks(class_path: Sequence[Path], project: Project, work: Work) -> Frameworks:
    """What is there, completed. Raises ProjectError if there is none, or a jar cannot be had."""
    places = _places(class_path)
    extra = tuple(_lacking(places, project, work))
    runners = []
    if _LAUNCHER in places or extra:
        runners.append("Platform")
    if _JUNIT4 in places:
        runners.append("JUnit4")
    if _TESTNG in places:
        runners.append("TestNg")
    if not runners:
        raise ProjectError(
            "the class path of the tests has no JUnit and no TestNG: add one to the build"
        )
    return Frameworks(extra, tuple(runners), tuple(dict.fromkeys(places.values())))


def _places(class_path: Sequence[Path]) -> dict[str, Path]:
    """The jar or folder that has each of the classes we look for."""
    likely = [path for path in class_path if _LIKELY.search(path.name)]
    found: dict[str, Path] = {}
    for path in likely:
        for name in _classes_in(path):
            found.setdefault(name, path)
    if not found:  # jars with names of their own
        for path in class_path:
            for name in _classes_in(path):
                found.setdefault(name, path)
    return found


def _classes_in(path: Path) -> list[str]:
    if path.is_dir():
        return [name for name in _ALL if (path / name).is_file()]
    with suppress(OSError, zipfile.BadZipFile), open_archive(path) as archive:
        names = set(archive.namelist())
        return [name for name in _ALL if name in names]
    return []


def _lacking(places: dict[str, Path], project: Project, work: Work) -> Iterator[Path]:
    for name, of_version, group, artifact in _MAY_LACK:
        if name not in places and of_version in places:
            version = _version(places[of_version])
            yield _jar(group, artifact, version, places.values(), project, work)


def _version(jar: Path) -> str:
    if named := _VERSION.search(jar.name):
        return named[1]
    with suppress(OSError, KeyError, zipfile.BadZipFile), open_archive(jar) as archive:
        if stated := _STATED_VERSION.search(read_entry(archive, _MANIFEST)):
            return stated[1].decode("ascii", "replace")
    raise ProjectError(f"{jar} does not say which version of JUnit it is")


def _jar(
    group: str, artifact: str, version: str, known: Iterable[Path], project: Project, work: Work
) -> Path:
    """The jar from a repository of this machine; else the build tool fetches it."""
    folders = dict.fromkeys(_repositories(known))
    if found := _kept(folders, group, artifact, version):
        return found
    name = f"{group}:{artifact}:{version}"
    work.say(f"fetching {name}")
    if project.fetch(name, work) and (found := _kept(folders, group, artifact, version)):
        return found
    looked = ", ".join(map(str, folders))
    raise ProjectError(
        f"{name} is needed to run these tests; it is not on their class path, nor in {looked}: add "
        f'it to the build (Gradle: testRuntimeOnly("{group}:{artifact}"))'
    )


def _repositories(known: Iterable[Path]) -> Iterator[Path]:
    """The folders that the jars on the class path come from, then the usual ones."""
    for jar in known:
        parts = jar.parts
        for index in range(len(parts) - 1, 0, -1):
            in_maven = parts[index] == "org" and parts[index + 1] == "junit"
            if in_maven or parts[index] in ("org.junit.platform", "org.junit.jupiter"):
                yield Path(*parts[:index])
    yield Path.home() / ".m2" / "repository"
    gradle = os.environ.get("GRADLE_USER_HOME")
    base = Path(gradle) if gradle else Path.home() / ".gradle"
    yield base / "caches" / "modules-2" / "files-2.1"


def _kept(folders: Iterable[Path], group: str, artifact: str, version: str) -> Path | None:
    file = f"{artifact}-{version}.jar"
    for folder in folders:
        in_maven = folder / group.replace(".", "/") / artifact / version / file
        if in_maven.is_file():
            return in_maven
        for in_gradle in (folder / group / artifact / version).glob(f"*/{file}"):
            return in_gradle
    return None
