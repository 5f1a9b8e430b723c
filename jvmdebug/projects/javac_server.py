# SPDX-License-Identifier: Apache-2.0
"""javac in a JVM that stays warm (`JavacServer.java`): the first compilation takes most of a
second, later ones some ten milliseconds.

Owns that process, from the first request to `close`; when this process dies, it reads end of file
and exits. Synchronous, one request at a time. Called by `compiling`.
"""

from __future__ import annotations

import os
import struct
import subprocess
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

from jvmdebug.projects.errors import ProjectError, SourceProblem, WorkCancelled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmdebug.jdk import Jdk
    from jvmdebug.projects.work import Work

_PROGRAM: Final = Path(__file__).with_name("JavacServer.java")
_INT: Final = struct.Struct(">i")
_OPTION_VARIABLES: Final = ("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS")


@dataclass(frozen=True, slots=True)
class JavacRequest:
    """What to compile."""

    files: Sequence[Path]
    output: Path
    """An existing folder."""
    class_path: Sequence[Path]
    source_path: Sequence[Path] = ()
    options: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class JavacAnswer:
    """What came of it."""

    is_done: bool
    problems: tuple[SourceProblem, ...]
    class_files: dict[Path, Path | None]
    """Class file → its source. Some may be written although not all was compiled."""


class JavacServer:
    """The process of one JDK; it starts with the first request, and again after a failure."""

    def __init__(self, jdk: Jdk) -> None:
        self.jdk = jdk
        self._turn = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def compile(self, request: JavacRequest, work: Work) -> JavacAnswer:
        """Compile. Raises ProjectError if the compiler cannot run, WorkCancelled after a cancel."""
        with self._turn, work.cancelled_by(self._kill):
            try:
                return self._answer(request)
            except (OSError, EOFError, struct.error) as error:
                self._kill()
                work.check()
                raise ProjectError(f"the compiler of {self.jdk.home} ended: {error!r}") from error
            except WorkCancelled:
                self._kill()
                raise

    def close(self) -> None:
        """End the process."""
        with self._turn:
            self._kill()

    def _kill(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                try:
                    stream.close()
                except OSError:  # what was still to be written
                    continue

    def _answer(self, request: JavacRequest) -> JavacAnswer:
        process = self._process
        if process is None or process.poll() is not None:
            process = self._process = self._started()
        requests, answers = process.stdin, process.stdout
        if requests is None or answers is None:
            raise EOFError("it has no pipes")
        requests.write(_encoded(request))
        requests.flush()
        is_done = _number(answers) == 1
        problems = [_problem(answers) for _ in range(_number(answers))]
        made: dict[Path, Path | None] = {}
        for _ in range(_number(answers)):
            class_file, source = _text(answers), _text(answers)
            made[Path(class_file)] = Path(source) if source else None
        return JavacAnswer(is_done, tuple(problems), made)

    def _started(self) -> subprocess.Popen[bytes]:
        environment = {
            name: value for name, value in os.environ.items() if name not in _OPTION_VARIABLES
        }
        return subprocess.Popen(  # noqa: S603 - the JDK's own java
            [
                str(self.jdk.java),
                *("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto"),
                *("-Dfile.encoding=UTF-8", str(_PROGRAM)),
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            start_new_session=True,  # Ctrl-C at a terminal is for the debugger
        )


def _encoded(request: JavacRequest) -> bytes:
    parts = [
        _sized(str(request.output)),
        _sized(os.pathsep.join(map(str, request.class_path))),
        _sized(os.pathsep.join(map(str, request.source_path))),
    ]
    for texts in (list(request.options), [str(each) for each in request.files]):
        parts.append(_INT.pack(len(texts)))
        parts += [_sized(each) for each in texts]
    return b"".join(parts)


def _sized(text: str) -> bytes:
    content = text.encode("utf-8", "surrogateescape")
    return _INT.pack(len(content)) + content


def _problem(answers: IO[bytes]) -> SourceProblem:
    is_error = _number(answers) == 1
    file, line, column = _text(answers), _number(answers), _number(answers)
    place = Path(file) if file else None
    return SourceProblem(place, line, column, _text(answers), is_error=is_error)


def _number(answers: IO[bytes]) -> int:
    (number,) = _INT.unpack(_exactly(answers, _INT.size))
    return int(number)


def _text(answers: IO[bytes]) -> str:
    return _exactly(answers, _number(answers)).decode("utf-8", "replace")


def _exactly(answers: IO[bytes], size: int) -> bytes:
    content = answers.read(size)
    if len(content) != size:
        raise EOFError("its answer is cut off")
    return content
