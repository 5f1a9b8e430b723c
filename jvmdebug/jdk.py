# SPDX-License-Identifier: Apache-2.0
"""Finding a Java runtime: from what the user named, else in the places of `jdk_places`.

Starts nothing but a java that is a script (a shim of jenv, asdf or mise), which is asked for the
runtime that it stands for. Called by launch, by the session for the JDK's sources, and by the
evaluator for a compiler.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from jvmdebug.errors import JdkError, LaunchError
from jvmdebug.jdk_places import JAVA_HOME_SETTING, candidates, tried
from jvmdebug.platform.programs import library, library_folder, program
from jvmdebug.regular_file import read_head, read_text

if TYPE_CHECKING:
    from collections.abc import Mapping

_RELEASE_VERSION = re.compile(r'^JAVA_VERSION="(?:1\.)?(\d+)', re.MULTILINE)

_JAVA_HOME = re.compile(r"^\s*java\.home = (.+?)\s*$", re.MULTILINE)
_SCRIPT_TIMEOUT_S = 20.0
_VM_LIBRARIES = (
    *("lib/server/libjvm.so", "lib/server/libjvm.dylib", "bin/server/jvm.dll"),
    *("jre/lib/amd64/server/libjvm.so", "lib/amd64/server/libjvm.so", "lib/client/libjvm.so"),
    *("lib/j9vm/libjvm.so", "lib/minimal/libjvm.so"),
)
"""Below the home of a runtime."""


@dataclass(frozen=True, slots=True)
class Jdk:
    """A Java runtime on disk; a JRE counts, with fewer parts."""

    home: Path
    feature_version: int | None
    """17, 21, 25; None if the runtime does not say (no `release` file)."""
    script: Path | None = None
    """What was named and runs this runtime: it may prepare something before it does."""

    @property
    def java(self) -> Path:
        """The launcher."""
        return self.script or self.home / "bin" / program("java")

    @property
    def javac(self) -> Path | None:
        """The compiler; None in a JRE."""
        path = self.home / "bin" / program("javac")
        return path if path.is_file() else None

    @property
    def vm_library(self) -> Path | None:
        """The VM itself; None if it is in none of the usual places."""
        found = (self.home / each for each in _VM_LIBRARIES)
        return next((each for each in found if each.is_file()), None)

    @property
    def has_stock_agent(self) -> bool:
        """Whether the runtime brings its own JDWP agent (some small images do not)."""
        return any(
            (self.home / path / library("jdwp")).is_file()
            for path in (library_folder(), "jre/lib/amd64", "jre/lib/aarch64", "lib/amd64")
        )

    @property
    def source_archive(self) -> Path | None:
        """The sources of the JDK's own classes."""
        for path in ("lib/src.zip", "src.zip"):
            if (self.home / path).is_file():
                return self.home / path
        return None


def find_jdk(
    java: str | os.PathLike[str] | None = None, env: Mapping[str, str] | None = None
) -> Jdk:
    """The runtime that `java` names (executable or home), else that of JVMDEBUG_JAVA_HOME, else the
    first of the other places.

    `env` is the environment that they are taken from; default: this process's. Raises LaunchError
    for a name that is no runtime; JdkError, with what was tried, if there is none.
    """
    environment = os.environ if env is None else env
    if java is not None:
        return _named(os.fspath(java), environment)
    for origin, candidate in candidates(environment):
        found = _at(candidate)
        if found is not None:
            return found
        if origin == JAVA_HOME_SETTING:
            raise JdkError(
                f"the folder that the settings name for the JDK, {candidate}, has no bin/java",
                tried=[f"{origin}: {candidate}"],
            )
    raise JdkError(
        "no Java runtime found: install a JDK, set JAVA_HOME, or name the folder of one",
        tried=tried(environment),
    )


def all_jdks(env: Mapping[str, str] | None = None) -> list[Jdk]:
    """Every runtime of this machine in the known places, the preferred ones first."""
    environment = os.environ if env is None else env
    found = (_at(candidate) for _, candidate in candidates(environment))
    return list(dict.fromkeys(jdk for jdk in found if jdk is not None))


def no_runtime_for(release: int, what: str) -> JdkError:
    """The error that says that `what` needs a newer runtime than there is on this machine."""
    known = sorted(all_jdks(), key=lambda jdk: jdk.feature_version or 0, reverse=True)
    newest = (
        f"the newest JDK of this machine is {known[0].feature_version or 'of an unknown version'}"
        f" ({known[0].home})"
        if known
        else "there is no JDK on this machine"
    )
    found = [f"Java {jdk.feature_version or '(unknown)'}: {jdk.home}" for jdk in known]
    return JdkError(
        f"{what} needs Java {release}, and {newest}",
        tried=[*found, *tried(os.environ)],
        wanted=release,
    )


def home_of_version(feature_version: int, env: Mapping[str, str] | None = None) -> Path | None:
    """A runtime of this machine of that version, for its sources; one with src.zip if possible."""
    found = [jdk for jdk in all_jdks(env) if jdk.feature_version == feature_version]
    best = max(found, key=lambda jdk: jdk.source_archive is not None, default=None)
    return None if best is None else best.home


def jdk_to_compile(release: int) -> Jdk | None:
    """The oldest JDK of this machine whose compiler knows that Java release; None if none does."""
    compilers = [jdk for jdk in all_jdks() if jdk.javac is not None]
    fitting = [jdk for jdk in compilers if (jdk.feature_version or 0) >= release]
    return min(fitting, key=lambda jdk: jdk.feature_version or 0, default=None)


def compiler_for(runtime: Jdk) -> Jdk | None:
    """What compiles for a runtime: itself; if it has no compiler, the oldest JDK of this machine
    that knows its release, which it has to be told; else the newest, since older classes run too.
    None if there is no compiler.
    """
    if runtime.javac is not None:
        return runtime
    fitting = jdk_to_compile(runtime.feature_version or 0)
    if fitting is not None:
        return fitting
    compilers = [jdk for jdk in all_jdks() if jdk.javac is not None]
    return max(compilers, key=lambda jdk: jdk.feature_version or 0, default=None)


def _named(name: str, env: Mapping[str, str]) -> Jdk:
    path = Path(name).expanduser()
    if os.sep not in name and "/" not in name:
        on_path = shutil.which(name, path=env.get("PATH"))
        if on_path is None:
            raise LaunchError(f"no executable named {name!r} on PATH")
        path = Path(on_path)
    found = _at(path)
    if found is None:
        raise LaunchError(
            f"{name} is neither a java executable nor the home of a Java runtime: name its "
            "bin/java, or the directory above bin"
        )
    return found


def _at(path: Path) -> Jdk | None:
    """The runtime whose home, or whose `bin/java`, is `path`."""
    if path.is_dir():
        home = path.resolve()
        # macOS bundles and some archives keep the home one or two levels down.
        for below in (home, home / "Contents" / "Home"):
            if (below / "bin" / program("java")).is_file():
                return Jdk(below, _feature_version(below))
        return None
    if path.is_file() and os.access(path, os.X_OK):
        command = path.resolve()
        home = command.parent.parent
        if _is_script(command) and not (home / "release").is_file():
            return _behind(path)
        # Any other program of that directory, a shell for example, would be taken for its java.
        if command == home / "bin" / program("java"):
            return Jdk(home, _feature_version(home))
    return None


def _is_script(command: Path) -> bool:
    with contextlib.suppress(OSError):
        return read_head(command, 2) == b"#!"
    return False


def _behind(script: Path) -> Jdk | None:
    """The runtime that a script runs as java; None if it runs none."""
    asked = [str(script.absolute()), "-XshowSettings:properties", "-version"]
    try:
        ran = subprocess.run(  # noqa: S603 - the user's own java
            asked,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_SCRIPT_TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    told = _JAVA_HOME.search((ran.stdout + ran.stderr).decode(errors="replace"))
    if told is None:
        return None
    home = Path(told.group(1))
    is_runtime = (home / "bin" / program("java")).is_file()
    return Jdk(home, _feature_version(home), script.absolute()) if is_runtime else None


def _feature_version(home: Path) -> int | None:
    release = home / "release"
    if not release.is_file() and home.name == "jre":  # JDK 8: the home of java is JDK/jre
        release = home.parent / "release"
    try:
        text = read_text(release, errors="replace")
    except OSError:
        return None
    found = _RELEASE_VERSION.search(text)
    return int(found.group(1)) if found else None
