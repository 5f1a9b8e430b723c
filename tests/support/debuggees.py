# SPDX-License-Identifier: Apache-2.0
"""Java programs to debug: `tests/debuggees/<topic>/**/*.java`, compiled once and cached.

Owns compilation (with the newest javac, for Java 11 unless the topic says otherwise, so that one
compilation serves every JDK of a run) and the `// @marker` lines. Does not start anything:
`process.py` and `jvmdebug.launch` do. A topic that needs other compiler options has a file
`javac.options` beside its sources, for example `--release 21`; one that is compiled together with
the sources of other topics names them in a file `shared.topics`. A file `<name>.c` there becomes
`lib<name>.so` beside the classes.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest

from tests.support.jdks import REPOSITORY, discover, newest_compiler
from tests.support.time_limits import uncounted
from tests.support.warm_javac import CompilationError, javac

if TYPE_CHECKING:
    from collections.abc import Iterator

SOURCES = REPOSITORY / "tests" / "debuggees"
COMPILED = REPOSITORY / "build" / "debuggees"

DebugTables = Literal["all", "lines", "none"]
"""Tables in the class files: everything (-g), lines without variables, nothing (-g:none)."""

_DEBUG_OPTION = {"all": "-g", "lines": "-g:source,lines", "none": "-g:none"}
_MARKER = re.compile(r"//\s*@([\w-]+)")
_OLDEST_RELEASE = 11
SHORT_LIVED = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
"""Options of a VM that compiles one program and ends: it takes a third less of the processor."""


@dataclass(frozen=True, slots=True)
class Debuggee:
    """A compiled program: what to start, from where, and where its sources are."""

    topic: str
    main_class: str
    class_path: tuple[Path, ...]
    source_dir: Path
    release: int
    """The least Java version that runs it."""

    def marker(self, name: str) -> int:
        """The line (from 1) of the comment `// @name`, which must be unique in the topic."""
        return self.marked(name)[1]

    def marked(self, name: str) -> tuple[Path, int]:
        """The source file and the line of the comment `// @name`."""
        everywhere = [
            (source, number)
            for source in sorted(self.source_dir.rglob("*.*"))
            if source.suffix in (".java", ".kt", ".scala", ".groovy")
            for number, line in enumerate(source.read_text(encoding="utf-8").splitlines(), 1)
            if name in _MARKER.findall(line)
        ]
        if len(everywhere) != 1:
            places = [f"{source.name}:{number}" for source, number in everywhere] or "nowhere"
            raise LookupError(f"// @{name} in debuggee {self.topic!r}: {places}, not one place")
        return everywhere[0]

    def source(self, name: str) -> Path:
        """The source file of that path below the topic, for example `shop/Cart.java`."""
        path = self.source_dir / name
        if not path.exists():
            raise LookupError(f"no {name} among the sources of debuggee {self.topic!r}")
        return path


@cache
def debuggee(
    topic: str,
    main_class: str,
    *,
    debug_tables: DebugTables = "all",
    libraries: tuple[Path, ...] = (),
) -> Debuggee:
    """Compile the topic unless that was done before, and say what to start.

    `libraries` are jars to compile against, and on the class path of the program.
    Raises CompilationError, or NoJdkError when there is no compiler. Skips the test when the
    topic is for a newer Java than any compiler of this machine.
    """
    source_dir = SOURCES / topic
    options = _topic_options(source_dir)
    release = _release(options)
    if newest_compiler().version < release:
        pytest.skip(f"debuggee {topic} needs javac {release}", allow_module_level=True)
    classes = _compile(source_dir, (*options, _DEBUG_OPTION[debug_tables]), libraries)
    return Debuggee(topic, main_class, (classes, *libraries), source_dir, release)


def _compile_native(source: Path, folder: Path) -> list[str]:
    """The command that makes a library of it, with the compiler that comes with g++."""
    headers = next(jdk.home / "include" for jdk in discover() if jdk.has_headers)
    includes = [f"-I{headers}", f"-I{headers / 'linux'}"]
    library = folder / f"lib{source.stem}.so"
    return [
        "cc",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-shared",
        "-fPIC",
        "-pthread",
        *includes,
        "-o",
        str(library),
        str(source),
    ]


def _topic_options(source_dir: Path) -> tuple[str, ...]:
    declared = source_dir / "javac.options"
    options = declared.read_text(encoding="utf-8").split() if declared.exists() else []
    if "--release" not in options:
        options = ["--release", str(_OLDEST_RELEASE), *options]
    return tuple(options)


def _folders(source_dir: Path) -> list[Path]:
    """The folders of the sources of a topic: its own folder, and those of the topics that it
    shares.
    """
    shared = source_dir / "shared.topics"
    topics = shared.read_text(encoding="utf-8").split() if shared.exists() else []
    return [source_dir, *(SOURCES / topic for topic in topics)]


def _release(options: tuple[str, ...]) -> int:
    return int(options[options.index("--release") + 1])


def _compile(source_dir: Path, options: tuple[str, ...], libraries: tuple[Path, ...]) -> Path:
    sources = [each for folder in _folders(source_dir) for each in sorted(folder.rglob("*.java"))]
    natives = [each for folder in _folders(source_dir) for each in sorted(folder.glob("*.c"))]
    if not sources:
        raise LookupError(f"no debuggee sources in {source_dir}")
    jdk = newest_compiler()
    digest = hashlib.sha256(repr((jdk.home, options, libraries)).encode())
    for source in (*sources, *natives):
        digest.update(str(source.relative_to(SOURCES)).encode() + b"\0" + source.read_bytes())
    classes = COMPILED / f"{source_dir.name}-{digest.hexdigest()[:16]}"
    if classes.exists():
        return classes
    with folder_to_fill(classes) as unfinished:
        if unfinished is None:
            return classes
        try:
            javac(sources, unfinished, *options, class_path=libraries)
        except CompilationError as error:
            raise CompilationError(f"debuggee {source_dir.name!r}:\n{error}") from error
        for command in (_compile_native(source, unfinished) for source in natives):
            ran = subprocess.run(command, capture_output=True, text=True, check=False)
            if ran.returncode != 0:
                raise CompilationError(f"debuggee {source_dir.name!r}:\n{ran.stdout}{ran.stderr}")
    return classes


@contextlib.contextmanager
def folder_to_fill(classes: Path) -> Iterator[Path | None]:
    """A folder that takes the place of `classes` in the end, unless there is an exception.

    None if another process has made that meanwhile: workers that need one program compile it once.
    """
    COMPILED.mkdir(parents=True, exist_ok=True)
    with uncounted(), (COMPILED / f".{classes.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if classes.exists():
            yield None
            return
        unfinished = Path(tempfile.mkdtemp(prefix=f".{classes.name}-", dir=COMPILED))
        try:
            yield unfinished
            unfinished.rename(classes)
        finally:
            shutil.rmtree(unfinished, ignore_errors=True)
