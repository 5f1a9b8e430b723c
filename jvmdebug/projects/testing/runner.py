# SPDX-License-Identifier: Apache-2.0
"""Our test runner as a jar, compiled once for each set of frameworks and kept.

A jar, so that a debugger takes it for a library and steps past it. Used by `program`.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

from jvmdebug.cache import cache_folder, write_whole
from jvmdebug.jdk import compiler_for, find_jdk
from jvmdebug.projects.errors import ProjectError, no_compiler

if TYPE_CHECKING:
    from jvmdebug.projects.testing.frameworks import Frameworks
    from jvmdebug.projects.work import Work

MAIN_CLASS: Final = "jvmdebug.runner.Main"

_SOURCES: Final = Path(__file__).with_name("runner")
_OLDEST_JAVA: Final = 11
_ALWAYS: Final = ("Main", "Kinds", "Options", "Results", "Selection", "UniqueId")
_BESIDE: Final = {"Platform": ("PlatformFilter",), "TestNg": ("TestNgChoice", "TestNgNeeds")}
"""What is compiled with a runner."""


def runner_jar(found: Frameworks, java_home: Path | None, work: Work) -> Path:
    """The runner for these frameworks. Raises ProjectError if it does not compile."""
    beside = (name for runner in found.runners for name in _BESIDE.get(runner, ()))
    files = [_SOURCES / f"{name}.java" for name in (*_ALWAYS, *found.runners, *beside)]
    jars = [*found.jars, *found.extra]
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.read_bytes())
    for jar in jars:
        digest.update(f"{jar}:{jar.stat().st_size}\n".encode("utf-8", "surrogateescape"))
    kept = cache_folder() / "tests" / f"runner-{digest.hexdigest()[:16]}.jar"
    if not kept.is_file():
        work.say("compiling the test runner")
        write_whole(kept, _compiled(files, jars, java_home, work))
    return kept


def _compiled(files: list[Path], jars: list[Path], java_home: Path | None, work: Work) -> bytes:
    runtime = find_jdk(java_home)
    jdk = compiler_for(runtime)
    if jdk is None:
        raise no_compiler(runtime)
    with tempfile.TemporaryDirectory(prefix="jvmdebug-") as name:
        folder = Path(name)
        command = [
            str(jdk.javac),
            *("--release", str(_OLDEST_JAVA), "-encoding", "UTF-8"),
            *("-proc:none", "-nowarn", "-Xlint:none", "-d", str(folder)),
            *("-classpath", os.pathsep.join(map(str, jars)), *map(str, files)),
        ]
        ran = work.run(command, folder=folder)
        if ran.exit_code != 0:
            said = "\n".join(ran.lines)
            names = ", ".join(jar.name for jar in jars)
            raise ProjectError(f"the test runner does not compile against {names}:\n{said}")
        archive_name = folder / "runner.jar"
        with zipfile.ZipFile(archive_name, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in sorted(folder.rglob("*.class")):
                archive.write(file, file.relative_to(folder))
        return archive_name.read_bytes()
