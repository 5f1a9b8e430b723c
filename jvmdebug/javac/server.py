# SPDX-License-Identifier: Apache-2.0
"""The compile server: its process, one request at a time, and who shares it.

The first compilation takes most of a second, later ones some ten milliseconds. Owns the process
from the first request until nobody holds it any more; when this process dies, it reads end of file
and exits. Synchronous and thread-safe. Called by `projects` and `tasks`.
"""

from __future__ import annotations

import contextlib
import os
import struct
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final, Protocol

from jvmdebug.javac import starting
from jvmdebug.os_errors import reason

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable, Iterator, Sequence
    from typing import TypeVar

    from jvmdebug.jdk import Jdk

    T = TypeVar("T")

_INT: Final = struct.Struct(">i")
_MOST_BYTES: Final = 64 * 1024 * 1024
_FILES, _TEXT = 1, 2
_NAMES: Final = 2
_CONTENT: Final = 3


class JavacFailedError(Exception):
    """The compiler does not run, or its answer is invalid."""


@dataclass(frozen=True, slots=True)
class FilesToCompile:
    """Source files and options."""

    files: Sequence[Path]
    output: Path
    """An existing folder."""
    class_path: Sequence[Path]
    source_path: Sequence[Path] = ()
    options: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """What javac says about a place."""

    file: Path | None
    """None if it is not about a file: a damaged jar."""
    line: int
    """From 1; 0 if unknown."""
    column: int
    """From 1; 0 if unknown."""
    message: str
    is_error: bool


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of files."""

    is_done: bool
    diagnostics: tuple[Diagnostic, ...]
    class_files: dict[Path, Path | None]
    """Class file → its source. Some may be written although not all was compiled."""


@dataclass(frozen=True, slots=True)
class TextToCompile:
    """A class of which the source is in no file."""

    name: str
    """Its binary name."""
    source: str
    class_path: Sequence[Path]
    release: int | None
    """None: that of the compiler."""
    output: Path
    """An existing folder, empty."""
    outermost: str
    """Around the code: this class and its nested ones are asked for, not read from files."""


class Classes(Protocol):
    """The classes of the program, which the server asks for while it compiles a text."""

    def names(self, package: str) -> Sequence[str]:
        """Binary names of the classes in a package, those that files have may be left out."""

    def content(self, name: str) -> bytes | None:
        """The class file; None when there is none."""


class JavacServer:
    """The process of one JDK; it starts with the first request, and again after a failure."""

    def __init__(self, jdk: Jdk) -> None:
        self.jdk = jdk
        self._turn = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._kept: Path | None = None
        """Where the classes of the process come from; None if the launcher compiled them."""

    @contextlib.contextmanager
    def turn(self) -> Iterator[Turn]:
        """Wait until no one else compiles."""
        with self._turn:
            yield Turn(self)

    def close(self) -> None:
        """End the process. The next request starts another one."""
        with self._turn:
            self.kill()

    def kill(self) -> None:
        """End the process in the midst of a request."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):  # what was still to be written
                    stream.close()

    def ask(self, request: bytes, read: Callable[[IO[bytes], IO[bytes]], T]) -> T:
        """Send a request, and `read` the answer: it gets the pipe of the answers, and that of
        requests for what the server asks meanwhile. JavacFailedError if there is no answer.
        """
        is_new = self._process is None or self._process.poll() is not None
        try:
            try:
                return self._asked(request, read)
            except EOFError:
                if not is_new or self._kept is None or self._process is None:
                    raise  # None: killed by who does not want the answer any more
                self.kill()  # classes that were damaged
                starting.forget(self._kept)
                return self._asked(request, read)
        except (OSError, EOFError, struct.error, ValueError) as error:
            self.kill()
            raise JavacFailedError(
                f"the compiler of {self.jdk.home} ended: {reason(error)}"
            ) from error
        except BaseException:
            self.kill()  # else its answer would be read as that of the next request
            raise

    def _asked(self, request: bytes, read: Callable[[IO[bytes], IO[bytes]], T]) -> T:
        process = self._process
        if process is None or process.poll() is not None:
            process = self._started()
        requests, answers = _pipes(process)
        requests.write(request)
        requests.flush()
        return read(answers, requests)

    def _started(self) -> subprocess.Popen[bytes]:
        kept = starting.kept_classes(self.jdk)
        is_kept = kept is not None and starting.is_complete(kept)
        self._kept = kept if is_kept else None
        process = self._process = starting.started(self.jdk, self._kept)
        if kept is not None and not is_kept:
            self._keep_classes(process, kept)
        return process

    def _keep_classes(self, process: subprocess.Popen[bytes], kept: Path) -> None:
        """Have the server compile itself for the next start. Not being able to is no failure."""
        requests, answers = _pipes(process)
        with contextlib.suppress(OSError), starting.folder_beside(kept) as folder:
            options = ("-proc:none", "-nowarn")
            own = FilesToCompile((starting.PROGRAM,), folder, (), (), options)
            requests.write(_encoded(own))
            requests.flush()
            if _answer(answers, requests).is_done:
                starting.complete(folder, kept)


class Turn:
    """Requests of one who has the server for himself."""

    def __init__(self, server: JavacServer) -> None:
        self._server = server

    def kill(self) -> None:
        """End the request that is under way; from another thread too."""
        self._server.kill()

    def compile_files(self, request: FilesToCompile) -> Answer:
        """Compile source files. JavacFailedError when there is no answer."""
        return self._server.ask(_encoded(request), _answer)

    def compile_text(
        self, request: TextToCompile, classes: Classes
    ) -> dict[str, bytes] | list[tuple[int, int, str]]:
        """Class files by binary name; or errors: line from 1, column from 0, message.

        JavacFailedError when there is no answer.
        """
        texts = (
            request.name,
            request.source,
            os.pathsep.join(map(str, request.class_path)),
            "" if request.release is None else str(request.release),
            str(request.output),
            request.outermost,
        )
        content = _INT.pack(_TEXT) + b"".join(_sized(each, "replace") for each in texts)
        return self._server.ask(
            content, lambda answers, requests: _text_answer(answers, requests, classes)
        )


_servers: Final[dict[Jdk, _Shared]] = {}
_servers_lock: Final = threading.Lock()


@dataclass(slots=True)
class _Shared:
    server: JavacServer
    holders: int = 0


@contextlib.contextmanager
def shared(jdk: Jdk) -> Iterator[JavacServer]:
    """The server of a JDK, which everybody in this process shares: it ends when nobody holds it."""
    with _servers_lock:
        found = _servers.setdefault(jdk, _Shared(JavacServer(jdk)))
        found.holders += 1
    try:
        yield found.server
    finally:
        with _servers_lock:
            found.holders -= 1
            is_last = found.holders == 0
            if is_last:
                del _servers[jdk]
        if is_last:
            found.server.close()


def _pipes(process: subprocess.Popen[bytes]) -> tuple[IO[bytes], IO[bytes]]:
    if process.stdin is None or process.stdout is None:
        raise EOFError("it has no pipes")
    return process.stdin, process.stdout


def _encoded(request: FilesToCompile) -> bytes:
    parts = [
        _INT.pack(_FILES),
        _sized(str(request.output)),
        _sized(os.pathsep.join(map(str, request.class_path))),
        _sized(os.pathsep.join(map(str, request.source_path))),
    ]
    for texts in (list(request.options), [str(each) for each in request.files]):
        parts.append(_INT.pack(len(texts)))
        parts += [_sized(each) for each in texts]
    return b"".join(parts)


def _sized(text: str, errors: str = "surrogateescape") -> bytes:
    content = text.encode("utf-8", errors)
    return _INT.pack(len(content)) + content


def _answer(answers: IO[bytes], _requests: IO[bytes]) -> Answer:
    is_done = _number(answers) == 1
    diagnostics = [_diagnostic(answers) for _ in range(_number(answers))]
    made: dict[Path, Path | None] = {}
    for _ in range(_number(answers)):
        class_file, source = _text(answers), _text(answers)
        made[Path(class_file)] = Path(source) if source else None
    return Answer(is_done, tuple(diagnostics), made)


def _diagnostic(answers: IO[bytes]) -> Diagnostic:
    is_error = _number(answers) == 1
    file, line, column = _text(answers), _number(answers), _number(answers)
    place = Path(file) if file else None
    return Diagnostic(place, line, column, _text(answers), is_error)


def _text_answer(
    answers: IO[bytes], requests: IO[bytes], classes: Classes
) -> dict[str, bytes] | list[tuple[int, int, str]]:
    status = _number(answers)
    while status in (_NAMES, _CONTENT):
        _reply(requests, status, _text(answers), classes)
        status = _number(answers)
    count = _number(answers)
    if status == 0:
        return {_text(answers): _sized_bytes(answers) for _ in range(count)}
    return [(_number(answers), _number(answers), _text(answers)) for _ in range(count)]


def _reply(requests: IO[bytes], question: int, name: str, classes: Classes) -> None:
    if question == _NAMES:
        names = classes.names(name)
        requests.write(_INT.pack(len(names)) + b"".join(_sized(each, "replace") for each in names))
    else:
        content = classes.content(name)
        requests.write(_INT.pack(-1) if content is None else _INT.pack(len(content)) + content)
    requests.flush()


def _number(answers: IO[bytes]) -> int:
    (number,) = _INT.unpack(_exactly(answers, _INT.size))
    return int(number)


def _text(answers: IO[bytes]) -> str:
    return _sized_bytes(answers).decode("utf-8", "replace")


def _sized_bytes(answers: IO[bytes]) -> bytes:
    size = _number(answers)
    if not 0 <= size <= _MOST_BYTES:
        raise EOFError(f"it answers with {size} bytes")
    return _exactly(answers, size)


def _exactly(answers: IO[bytes], size: int) -> bytes:
    content = answers.read(size)
    if len(content) != size:
        raise EOFError("its answer is cut off")
    return content
