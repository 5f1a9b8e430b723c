# SPDX-License-Identifier: Apache-2.0
"""Programs of other languages to debug: `tests/debuggees/<topic>/*.kt`, `.scala` and `.groovy`,
compiled once and cached.

Owns their compilation, with the compilers that Maven fetches (`libraries`); tests that use it are
marked `network`. Markers are as in Java: `// @marker`.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from tests.support.debuggees import (
    COMPILED,
    SHORT_LIVED,
    SOURCES,
    Debuggee,
    folder_to_fill,
)
from tests.support.jdks import discover
from tests.support.libraries import groovy, kotlin_compiler, kotlin_coroutines, library, scala
from tests.support.warm_javac import CompilationError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_RELEASE = 11
_TIMEOUT_S = 120
_KOTLIN = "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler"
_SCALA = {2: "scala.tools.nsc.Main", 3: "dotty.tools.dotc.Main"}
_COMPILED_TOGETHER = (
    "coroutines",
    "coverage_kotlin",
    "kotlin",
    "kotlin_names",
    "line_parts_kotlin",
    "onepasskotlin",
    "origins_kotlin",
)
"""Topics of Kotlin: its compiler takes seconds to begin."""
_GROOVY = "org.codehaus.groovy.tools.FileSystemCompiler"


@cache
def kotlin_debuggee(topic: str, main_class: str, *, libraries: tuple[Path, ...] = ()) -> Debuggee:
    """Compile the topic unless that was done before, and say what to start.

    `libraries` are jars beside the standard library that the program has.
    """
    standard = library("kotlin-stdlib")
    options = ["-no-stdlib", "-no-reflect", "-jvm-target", str(_RELEASE)]
    jars = (standard, kotlin_coroutines())
    made = _compiled(topic, main_class, "kt", kotlin_compiler(), jars, [_KOTLIN, *options])
    return replace(made, class_path=(made.class_path[0], standard, *libraries))


@cache
def scala_debuggee(topic: str, main_class: str, version: int) -> Debuggee:
    """The same with Scala 2 or 3; its compiler is on the class path of the program too."""
    jars = scala(version)
    return _compiled(topic, main_class, "scala", jars, jars, [_SCALA[version]])


@cache
def groovy_debuggee(topic: str, main_class: str) -> Debuggee:
    """The same with Groovy."""
    return _compiled(topic, main_class, "groovy", groovy(), groovy(), [_GROOVY])


def _compiled(
    topic: str,
    main_class: str,
    suffix: str,
    compiler: tuple[Path, ...],
    jars: tuple[Path, ...],
    command: Sequence[str],
) -> Debuggee:
    """`command`: the main class of the compiler, and options."""
    source_dir = SOURCES / topic
    topics = _COMPILED_TOGETHER if topic in _COMPILED_TOGETHER else (topic,)
    sources = sorted(each for name in topics for each in (SOURCES / name).rglob(f"*.{suffix}"))
    digest = hashlib.sha256(repr([command, *(each.name for each in (*compiler, *jars))]).encode())
    for source in sources:
        digest.update(source.name.encode() + b"\0" + source.read_bytes())
    classes = COMPILED / f"{topics[0]}-{digest.hexdigest()[:16]}"
    made = Debuggee(topic, main_class, (classes, *jars), source_dir, _RELEASE)
    if classes.exists():
        return made
    with folder_to_fill(classes) as unfinished:
        if unfinished is not None:
            # The compilers know no JDK that is newer than themselves.
            jdk = min((each for each in discover()), key=lambda each: each.version)
            whole = [str(jdk.java), *SHORT_LIVED, "-cp", os.pathsep.join(map(str, compiler))]
            whole += [*command, "-classpath", os.pathsep.join(map(str, jars))]
            whole += ["-d", str(unfinished), *map(str, sources)]
            ran = subprocess.run(
                whole, capture_output=True, text=True, check=False, timeout=_TIMEOUT_S
            )
            if ran.returncode != 0:
                raise CompilationError(f"debuggee {topic!r}:\n{ran.stdout}{ran.stderr}")
    return made
