# SPDX-License-Identifier: Apache-2.0
"""Kotlin programs to debug: `tests/debuggees/<topic>/*.kt`, compiled once and cached.

Owns their compilation, with the compiler that Maven fetches (`libraries`); tests that use it are
marked `network`. Markers are as in Java: `// @marker`.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
from functools import cache
from typing import TYPE_CHECKING

from tests.support.debuggees import (
    COMPILED,
    SHORT_LIVED,
    SOURCES,
    CompilationError,
    Debuggee,
    folder_to_fill,
)
from tests.support.jdks import discover
from tests.support.libraries import kotlin_compiler, library

if TYPE_CHECKING:
    from pathlib import Path

_RELEASE = 11
_MAIN = "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler"
_TIMEOUT_S = 120


@cache
def kotlin_debuggee(topic: str, main_class: str, *, libraries: tuple[Path, ...] = ()) -> Debuggee:
    """Compile the topic unless that was done before, and say what to start.

    `libraries` are jars beside the standard library.
    """
    source_dir = SOURCES / topic
    jars = (library("kotlin-stdlib"), *libraries)
    return Debuggee(topic, main_class, (_compiled(source_dir, jars), *jars), source_dir, _RELEASE)


def _compiled(source_dir: Path, jars: tuple[Path, ...]) -> Path:
    sources = sorted(source_dir.rglob("*.kt"))
    digest = hashlib.sha256(repr([each.name for each in (*kotlin_compiler(), *jars)]).encode())
    for source in sources:
        digest.update(source.name.encode() + b"\0" + source.read_bytes())
    classes = COMPILED / f"{source_dir.name}-{digest.hexdigest()[:16]}"
    if classes.exists():
        return classes
    with folder_to_fill(classes) as unfinished:
        if unfinished is None:
            return classes
        # It knows no JDK that is newer than itself.
        jdk = min(discover(), key=lambda each: each.version)
        compiler = os.pathsep.join(map(str, kotlin_compiler()))
        command = [str(jdk.java), *SHORT_LIVED, "-cp", compiler, _MAIN]
        command += ["-no-stdlib", "-no-reflect", "-jvm-target", str(_RELEASE), "-cp"]
        command += [os.pathsep.join(map(str, jars))]
        command += ["-d", str(unfinished), *map(str, sources)]
        ran = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=_TIMEOUT_S
        )
        if ran.returncode != 0:
            raise CompilationError(f"debuggee {source_dir.name!r}:\n{ran.stdout}{ran.stderr}")
    return classes
