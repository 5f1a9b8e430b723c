# SPDX-License-Identifier: Apache-2.0
"""The compile server: a JVM that runs `CompileServer.java` and stays warm, one for each JDK.

Starting javac takes most of a second, a request to the server about 60 ms. The process starts with
the first request and ends with the connection to the debugged VM, whose companion is
`CompileServers`; when this process dies, the server reads end of file and exits. While it compiles,
it asks for the classes of the program. Called by `javac`.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import struct
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from jvmdebug.jdk import Jdk

PROGRAM: Final = Path(__file__).with_name("CompileServer.java")
_TIMEOUT_S: Final = 60.0
_INT: Final = struct.Struct(">i")
_MAX_BYTES: Final = 64 * 1024 * 1024
_NAMES: Final = 2
_CONTENT: Final = 3
_OPTION_VARIABLES: Final = ("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS")


class ServerError(Exception):
    """The server does not run, or its answer is invalid."""


class ClassSource(Protocol):
    """The classes of the program, which the server asks for."""

    outermost: str
    """Around the code: the server takes it and its nested classes from here, not from files."""

    async def names(self, package: str) -> Sequence[str]:
        """Binary names of the classes in a package, those that files have may be left out."""

    async def content(self, name: str) -> bytes | None:
        """The class file; None when there is none."""


class CompileServers:
    """The servers of one debugged VM: `vm.companion(CompileServers)`."""

    def __init__(self) -> None:
        self._servers: dict[Jdk, CompileServer] = {}

    def of(self, jdk: Jdk) -> CompileServer:
        """The server of a JDK; it starts with its first request."""
        return self._servers.setdefault(jdk, CompileServer(jdk))

    async def close(self) -> None:
        """End all of them."""
        await asyncio.gather(*(server.close() for server in self._servers.values()))


class CompileServer:
    """One process, one request at a time. It is started again after a failure."""

    def __init__(self, jdk: Jdk) -> None:
        self._jdk = jdk
        self._process: asyncio.subprocess.Process | None = None
        self._turn = asyncio.Lock()

    async def compile(
        self,
        name: str,
        source: str,
        class_path: Sequence[Path],
        release: int | None,
        folder: Path,
        classes: ClassSource,
    ) -> dict[str, bytes] | list[tuple[int, int, str]]:
        """Class files by binary name; or errors: line from 1, column from 0, message.

        ServerError when there is no answer.
        """
        texts = (
            name,
            source,
            os.pathsep.join(map(str, class_path)),
            "" if release is None else str(release),
            str(folder),
            classes.outermost,
        )
        async with self._turn:
            try:
                async with asyncio.timeout(_TIMEOUT_S):
                    return await self._answered(texts, classes)
            except (OSError, EOFError, TimeoutError, ServerError) as error:
                await self.close()
                raise ServerError(f"the compile server of {self._jdk.home}: {error!r}") from error
            except BaseException:
                await self.close()  # else its answer would be read as that of the next request
                raise

    async def close(self) -> None:
        """End the process. The next request starts a new one."""
        process, self._process = self._process, None
        if process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()

    async def _answered(
        self, texts: Sequence[str], classes: ClassSource
    ) -> dict[str, bytes] | list[tuple[int, int, str]]:
        if self._process is None:
            self._process = await self._started()
        requests, answers = self._process.stdin, self._process.stdout
        if requests is None or answers is None:
            raise ServerError("it has no pipes")
        for text in texts:
            content = text.encode("utf-8", "replace")
            requests.write(_INT.pack(len(content)) + content)
        await requests.drain()
        status = await _number(answers)
        while status in (_NAMES, _CONTENT):
            await _reply(requests, status, await _text(answers), classes)
            status = await _number(answers)
        count = await _number(answers)
        if status == 0:
            return {await _text(answers): await _bytes(answers) for _ in range(count)}
        return [
            (await _number(answers), await _number(answers), await _text(answers))
            for _ in range(count)
        ]

    async def _started(self) -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            str(self._jdk.java),
            *("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto"),
            *("-Dfile.encoding=UTF-8", str(PROGRAM)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env=own_environment(),
        )


async def _reply(
    requests: asyncio.StreamWriter, question: int, name: str, classes: ClassSource
) -> None:
    if question == _NAMES:
        names = [each.encode("utf-8", "replace") for each in await classes.names(name)]
        requests.write(_INT.pack(len(names)))
        requests.writelines(_INT.pack(len(each)) + each for each in names)
    else:
        content = await classes.content(name)
        requests.write(_INT.pack(-1) if content is None else _INT.pack(len(content)) + content)
    await requests.drain()


def own_environment() -> Mapping[str, str]:
    """The environment without options for all JVMs, such as to wait for a debugger."""
    return {name: value for name, value in os.environ.items() if name not in _OPTION_VARIABLES}


async def _number(answers: asyncio.StreamReader) -> int:
    (number,) = _INT.unpack(await answers.readexactly(_INT.size))
    return int(number)


async def _bytes(answers: asyncio.StreamReader) -> bytes:
    size = await _number(answers)
    if not 0 <= size <= _MAX_BYTES:
        raise ServerError(f"it answered with {size} bytes")
    return await answers.readexactly(size)


async def _text(answers: asyncio.StreamReader) -> str:
    return (await _bytes(answers)).decode("utf-8", "replace")
