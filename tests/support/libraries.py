# SPDX-License-Identifier: Apache-2.0
"""Published Java libraries that the end-to-end tests debug, with their sources jars.

Owns `build/libraries`, which Maven fills from the projects in `tests/e2e/libraries` and
`tests/e2e/testing`. Does nothing when it is filled already. Tests that use it are marked `network`.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
from functools import cache
from typing import TYPE_CHECKING

from tests.support.debuggees import SHORT_LIVED
from tests.support.jdks import REPOSITORY
from tests.support.time_limits import uncounted

if TYPE_CHECKING:
    from pathlib import Path

_PROJECTS = REPOSITORY / "tests" / "e2e" / "libraries"
_TESTING = REPOSITORY / "tests" / "e2e" / "testing"
POM = _PROJECTS / "pom.xml"
KOTLIN_POM = _PROJECTS / "kotlin-compiler.xml"
COROUTINES_POM = _PROJECTS / "coroutines.xml"
CLOJURE_POM = _PROJECTS / "clojure.xml"
ECLIPSE_POM = _PROJECTS / "eclipse-compiler.xml"
VALUES_POM = _PROJECTS / "values.xml"
OLDER_VALUES_POM = _PROJECTS / "older-values.xml"
JACOCO_POM = _PROJECTS / "jacoco.xml"
WEB_POM = _PROJECTS / "web.xml"
PROGRAMS_POM = _PROJECTS / "programs.xml"
HEAP_READER_POM = REPOSITORY / "tests" / "e2e" / "heap" / "reader.xml"
FOLDER = REPOSITORY / "build" / "libraries"
_TIMEOUT_S = 300


def maven() -> str | None:
    """The Maven command, if this machine has one."""
    return shutil.which("mvn")


@cache
def libraries() -> Path:
    """The folder with the jars and the `-sources.jar`s, fetched if need be."""
    only_named = "-DexcludeTransitive=true"
    return _fetched(POM, (only_named,), (only_named, "-Dclassifier=sources"))


@cache
def kotlin_compiler() -> tuple[Path, ...]:
    """The jars of the Kotlin compiler (60 MB), fetched if need be."""
    return tuple(sorted(_fetched(KOTLIN_POM, ()).glob("*.jar")))


@cache
def kotlin_coroutines() -> Path:
    """The jar of Kotlin's coroutines (1.5 MB), fetched if need be."""
    (jar,) = _fetched(COROUTINES_POM, ("-DexcludeTransitive=true",)).glob("*.jar")
    return jar


@cache
def scala(version: int) -> tuple[Path, ...]:
    """The jars of Scala 2 or 3 with its compiler (20 and 40 MB), fetched if need be."""
    return tuple(sorted(_fetched(_PROJECTS / f"scala-{version}.xml", ()).glob("*.jar")))


@cache
def groovy() -> tuple[Path, ...]:
    """The jar of Groovy (8 MB), which has its compiler too, fetched if need be."""
    return tuple(sorted(_fetched(_PROJECTS / "groovy.xml", ()).glob("*.jar")))


@cache
def guice() -> tuple[Path, ...]:
    """The jars of Guice and what it needs (4 MB), fetched if need be."""
    return tuple(sorted(_fetched(_PROJECTS / "guice.xml", ()).glob("*.jar")))


@cache
def eclipse_compiler() -> Path:
    """The jar of Eclipse's compiler (3 MB), fetched if need be; it needs Java 17."""
    (jar,) = _fetched(ECLIPSE_POM, ()).glob("ecj-*.jar")
    return jar


@cache
def clojure() -> tuple[Path, ...]:
    """The jars of Clojure (5 MB), fetched if need be."""
    return tuple(sorted(_fetched(CLOJURE_POM, ()).glob("*.jar")))


@cache
def real_programs() -> tuple[Path, ...]:
    """The programs that run under a storm (60 MB), with what they need; fetched if need be."""
    return tuple(sorted(_fetched(PROGRAMS_POM, ()).glob("*.jar")))


@cache
def jacoco() -> tuple[Path, Path]:
    """The jars of JaCoCo's agent and of its command line (1 MB), fetched if need be."""
    only_named = ("-DexcludeTransitive=true",)
    (agent,) = _fetched(JACOCO_POM, only_named).glob("org.jacoco.agent-*.jar")
    (command,) = _fetched(JACOCO_POM, only_named).glob("org.jacoco.cli-*.jar")
    return agent, command


@cache
def values_libraries() -> tuple[Path, ...]:
    """The libraries whose objects have views (45 MB), with what they need; fetched if need be."""
    return tuple(sorted(_fetched(VALUES_POM, ()).glob("*.jar")))


@cache
def older_values_libraries() -> tuple[Path, ...]:
    """Older versions of some of them."""
    return tuple(sorted(_fetched(OLDER_VALUES_POM, ()).glob("*.jar")))


@cache
def web_libraries() -> tuple[Path, ...]:
    """Spring MVC and Tomcat (12 MB), with what they need; fetched if need be."""
    return tuple(sorted(_fetched(WEB_POM, ()).glob("*.jar")))


@cache
def async_libraries() -> tuple[Path, ...]:
    """Reactor, RxJava, Netty and Spring's context (12 MB), with what they need."""
    return tuple(sorted(_fetched(_PROJECTS / "async.xml", ()).glob("*.jar")))


@cache
def frameworks(name: str = "frameworks") -> tuple[Path, ...]:
    """The jars of JUnit 4 and 5 and TestNG, or of `junit-6`, fetched if need be."""
    return tuple(sorted(_fetched(_TESTING / f"{name}.xml", ()).glob("*.jar")))


@cache
def gradle_library() -> tuple[Path, ...]:
    """All of Gradle 8.10 as a library (180 MB), with what it needs; fetched if need be."""
    return tuple(sorted(_fetched(_PROJECTS / "gradle-api.xml", ()).glob("*.jar")))


@cache
def maven_distribution(version: str) -> Path:
    """The command of that Maven, fetched with the one of this machine if need be."""
    folder = _fetched(_PROJECTS / f"maven-{version}.xml", ("-DexcludeTransitive=true",))
    home = folder / f"apache-maven-{version}"
    if not home.is_dir():
        (archive,) = folder.glob("*.zip")
        shutil.unpack_archive(archive, folder)
    command = home / "bin" / "mvn"
    command.chmod(0o755)
    return command


@cache
def heap_reader() -> tuple[Path, ...]:
    """VisualVM's reader of heap dumps (2 MB), fetched if need be."""
    return tuple(sorted(_fetched(HEAP_READER_POM, ()).glob("*.jar")))


def _fetched(pom: Path, *copies: tuple[str, ...]) -> Path:
    """The folder with what Maven copied, once for each tuple of options."""
    wanted = FOLDER / hashlib.sha256(pom.read_bytes()).hexdigest()[:16]
    wanted.mkdir(parents=True, exist_ok=True)
    complete = wanted / ".complete"
    # Test workers take turns: the first one fetches.
    with uncounted(), (FOLDER / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not complete.exists():
            for options in copies:
                _copy(pom, wanted, *options)
            complete.touch()
    return wanted


def _copy(pom: Path, folder: Path, *options: str) -> None:
    command = [maven() or "mvn", "-q", "-B", "-f", str(pom), "dependency:copy-dependencies"]
    command += [f"-DoutputDirectory={folder}", *options]
    ran = subprocess.run(
        command,
        env={"MAVEN_OPTS": " ".join(SHORT_LIVED), **os.environ},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=_TIMEOUT_S,
        check=False,
    )
    assert ran.returncode == 0, f"{' '.join(command)}:\n{ran.stdout}{ran.stderr}"


def library(name: str) -> Path:
    """The one jar of that artifact (`h2`), not its sources."""
    found = [
        jar
        for jar in libraries().glob(f"{name}-[0-9]*.jar")
        if not jar.name.endswith("-sources.jar")
    ]
    assert len(found) == 1, f"{name}: {found}"
    return found[0]


def sources_of(name: str) -> Path:
    """The sources jar of that artifact."""
    (found,) = libraries().glob(f"{name}-[0-9]*-sources.jar")
    return found
