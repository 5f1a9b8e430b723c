# SPDX-License-Identifier: Apache-2.0
"""Compiling while the event loop goes on, which answers what the compiler asks of the program.

Owns the thread that waits for the server, and its end when the caller is cancelled. Called by the
evaluator, hot swap and the launch of a single file.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from contextlib import ExitStack
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

from jvmdebug.javac.server import JavacFailedError, shared

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator, Sequence
    from concurrent.futures import Future
    from typing import Any

    from jvmdebug.javac.server import Answer, FilesToCompile, JavacServer, TextToCompile, Turn
    from jvmdebug.jdk import Jdk

T = TypeVar("T")
_TIMEOUT_S: Final = 120.0


class ClassSource(Protocol):
    """The classes of the program, which the compiler asks for."""

    @property
    def outermost(self) -> str:
        """The class around the code, which the compiler takes with its nested classes from here,
        not from files. `*`: all classes of the program.
        """

    async def names(self, package: str) -> Sequence[str]:
        """Binary names of the classes in a package, those that files have may be left out."""

    async def content(self, name: str) -> bytes | None:
        """The class file; None when there is none."""


class Compilers:
    """The servers that one debugged VM holds: `vm.companion(Compilers)`."""

    def __init__(self) -> None:
        self._servers: dict[Jdk, JavacServer] = {}
        self._held = ExitStack()

    def of(self, jdk: Jdk) -> JavacServer:
        """The server of a JDK; it starts with its first request."""
        found = self._servers.get(jdk)
        if found is None:
            found = self._servers[jdk] = self._held.enter_context(shared(jdk))
        return found

    async def close(self) -> None:
        """Hold none of them any more."""
        await asyncio.to_thread(self._held.close)


async def compile_files(jdk: Jdk, request: FilesToCompile) -> Answer:
    """Does what `Turn.compile_files` does; the compiler is ended when it takes too long or nobody
    waits.
    """
    with shared(jdk) as server:
        return await _in_thread(server, _Waiting(), lambda turn: turn.compile_files(request))


async def compile_text(
    server: JavacServer, request: TextToCompile, classes: ClassSource
) -> dict[str, bytes] | list[tuple[int, int, str]]:
    """Does what `Turn.compile_text` does; the compiler is ended when it takes too long or nobody
    waits.
    """
    asking = _Asking(classes)
    return await _in_thread(server, asking, lambda turn: turn.compile_text(request, asking))


async def _in_thread(server: JavacServer, waiting: _Waiting, call: Callable[[Turn], T]) -> T:
    def called() -> T:
        with server.turn() as turn, waiting.ended_by(turn.kill):
            return call(turn)

    try:
        async with asyncio.timeout(_TIMEOUT_S):
            return await asyncio.to_thread(called)
    except TimeoutError as error:
        waiting.end()
        raise JavacFailedError(
            f"the compiler of {server.jdk.home} took more than {_TIMEOUT_S:g} s"
        ) from error
    except BaseException:
        waiting.end()
        raise


class _Waiting:
    """Ends the thread that compiles when nobody waits for it any more."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._is_ended = False
        self._kill: Callable[[], None] | None = None
        self._question: Future[Any] | None = None

    def end(self) -> None:
        """Have the thread end."""
        with self._lock:
            self._is_ended = True
            if self._question is not None:
                self._question.cancel()
            if self._kill is not None:
                self._kill()

    @contextlib.contextmanager
    def ended_by(self, kill: Callable[[], None]) -> Iterator[None]:
        """A context around a turn. Raises JavacFailedError if nobody waits for it any more."""
        with self._lock:
            self._check()
            self._kill = kill
        try:
            yield
        finally:
            with self._lock:
                self._kill = None

    def ask(self, loop: asyncio.AbstractEventLoop, question: Coroutine[Any, Any, T]) -> T:
        """What the event loop answers."""
        with self._lock:
            try:
                self._check()
            except BaseException:
                question.close()
                raise
            asked = asyncio.run_coroutine_threadsafe(question, loop)
            self._question = asked
        return asked.result()

    def _check(self) -> None:
        if self._is_ended:
            raise JavacFailedError("nobody waits for it")


class _Asking(_Waiting):
    """The classes of the program for the thread that compiles."""

    def __init__(self, classes: ClassSource) -> None:
        super().__init__()
        self._classes = classes
        self._loop = asyncio.get_running_loop()

    def names(self, package: str) -> Sequence[str]:
        return self.ask(self._loop, self._classes.names(package))

    def content(self, name: str) -> bytes | None:
        return self.ask(self._loop, self._classes.content(name))
