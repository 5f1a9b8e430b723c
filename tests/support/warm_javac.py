# SPDX-License-Identifier: Apache-2.0
"""javac for the tests: one compile server for each JDK, kept for all tests of a process.

A javac that has just been started takes 0.7 s of processor time and more for a small class, one
that has compiled before some 0.05 s. The servers are those of `jvmdebug.javac`, which sessions in
this process share: they end when nobody holds them, and this module holds them from the beginning
of the run to its end. Tests about the start and the end of a server use the fixture `own_javac`
(tests/conftest.py). Compiles sources for `debuggees` and for tests that change a program.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Final

from jvmdebug import javac as compile_servers
from jvmdebug.javac import FilesToCompile, starting
from jvmdebug.jdk import Jdk as FoundJdk
from jvmdebug.jdk import all_jdks
from tests.support import process
from tests.support.jdks import newest_compiler

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterator, Sequence
    from pathlib import Path

_start: Final = starting.started
_held: Final = contextlib.ExitStack()


class CompilationError(Exception):
    """javac refused a source; the message is what it said."""


def hold() -> None:
    """Keep each server that is started from now on; `release` ends them. Starts none."""
    starting.started = _started
    _held.callback(setattr, starting, "started", _start)
    for jdk in all_jdks():
        if jdk.javac is not None:
            _held.enter_context(compile_servers.shared(jdk))


def release() -> None:
    """End the servers that are held."""
    _held.close()


@contextlib.contextmanager
def none_held() -> Iterator[None]:
    """No server is held meanwhile: the next use starts one, and its last user ends it."""
    release()
    try:
        yield
    finally:
        hold()


def javac(
    sources: Sequence[Path],
    output: Path,
    *options: str,
    class_path: Sequence[Path] = (),
    home: Path | None = None,
) -> None:
    """Compile with the newest JDK, or that of `home`; without annotation processors unless they
    are asked for.

    `output` is made if it is not there. Raises CompilationError.
    """
    output.mkdir(parents=True, exist_ok=True)
    if not any(each.startswith("-proc") for each in options):
        options = ("-proc:none", *options)
    given = ("-nowarn", "-Xlint:-options", *options)
    request = FilesToCompile(
        [each.absolute() for each in sources], output.absolute(), class_path, (), given
    )
    with (
        compile_servers.shared(_jdk_of(home or newest_compiler().home)) as server,
        server.turn() as turn,
    ):
        answer = turn.compile_files(request)
    if not answer.is_done:
        said = (f"{each.file}:{each.line}: {each.message}" for each in answer.diagnostics)
        raise CompilationError("\n".join(said))


def _jdk_of(home: Path) -> FoundJdk:
    known = (each for each in all_jdks() if each.home.resolve() == home.resolve())
    return next(known, FoundJdk(home, None))


def _started(jdk: FoundJdk, classes: Path | None) -> subprocess.Popen[bytes]:
    """Start a server that outlives the test which uses it first."""
    server = _start(jdk, classes)
    process.OUTLIVING.add(server.pid)
    return server
