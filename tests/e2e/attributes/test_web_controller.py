# SPDX-License-Identifier: Apache-2.0
"""A web application that binds request parameters by the names of its methods' parameters.

Spring asks reflection for these names. The application has to answer as it does without a debugger,
whatever watches its controllers.
"""

from __future__ import annotations

import asyncio
import os
import urllib.error
import urllib.request
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest

import jvmdebug
from tests.support import process
from tests.support.debuggees import debuggee
from tests.support.libraries import maven, web_libraries
from tests.support.sessions import STOP_TIMEOUT_S, launched, next_stop

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from tests.support.debuggees import Debuggee
    from tests.support.jdks import Jdk

pytestmark = [
    pytest.mark.agent,
    pytest.mark.network,
    pytest.mark.timeout(120),
    pytest.mark.skipif(maven() is None, reason="the libraries are fetched by Maven; no mvn here"),
]


def _program(jdk: Jdk) -> Debuggee:
    program = debuggee("library_spring", "Web", libraries=web_libraries())
    if jdk.version < program.release:
        pytest.skip(f"Spring 6 needs Java {program.release}")
    return program


def _answer(port: int, path: str) -> tuple[int, str]:
    url = f"http://127.0.0.1:{port}/{path}"
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(url, timeout=STOP_TIMEOUT_S) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


class _Port:
    """Finds in what the program prints which port it has."""

    def __init__(self) -> None:
        self._text = ""
        self._found: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    def collect(self, text: str) -> None:
        self._text += text
        for line in self._text.splitlines(keepends=True):
            if line.startswith("port ") and line.endswith("\n") and not self._found.done():
                self._found.set_result(int(line.split()[1]))

    async def get(self, path: str) -> tuple[int, str]:
        async with asyncio.timeout(STOP_TIMEOUT_S):
            port = await asyncio.shield(self._found)
            return await asyncio.to_thread(_answer, port, path)


async def _stop(session: jvmdebug.Session, asked: asyncio.Task[tuple[int, str]]) -> jvmdebug.Stop:
    """The place where that request stops, which must come before the answer."""
    stop = asyncio.ensure_future(next_stop(session))
    await asyncio.wait({stop, asked}, return_when=asyncio.FIRST_COMPLETED)
    if not stop.done():
        stop.cancel()
        pytest.fail(f"no stop, but the answer {asked.result()}")
    return stop.result()


async def test_breakpoints_in_controllers(jdk: Jdk, tmp_path: Path) -> None:
    program = _program(jdk)
    port = _Port()
    logged: list[str] = []

    def collect(event: jvmdebug.SessionEvent) -> None:
        if isinstance(event, jvmdebug.Output):
            port.collect(event.text if event.stream == "stdout" else "")
        elif isinstance(event, jvmdebug.BreakpointLogged):
            logged.append(event.text)

    async with launched(program, jdk, "jvmdebug", args=[str(tmp_path)]) as session:
        session.subscribe(collect)
        plain = await session.break_at(f"Web.java:{program.marker('plain')}")
        conditional = await session.break_at(
            f"Web.java:{program.marker('conditional')}", condition="times == 2"
        )
        await session.break_at(f"Web.java:{program.marker('logged')}", log_message="times {times}")
        await session.resume()
        for path, expected in (("plain", plain), ("conditional", conditional)):
            asked = asyncio.create_task(port.get(f"{path}?times=2&name=ab"))
            stop = await _stop(session, asked)
            assert stop.breakpoints == (expected,)
            assert await (await stop.frame.get("times")).as_text() == "2"
            await stop.resume()
            assert await asked == (200, "abab")
        assert await port.get("conditional?times=3&name=ab") == (200, "ababab")
        assert await port.get("logged?times=3&name=ab") == (200, "ababab")
        assert await port.get("unwatched?times=2&name=c") == (200, "cc")
        async with session.trace("Web$Traced#*") as calls:
            assert await port.get("traced?times=2&name=d") == (200, "dd")
            call = await anext(aiter(calls))
            assert "traced" in str(call)
        assert logged == ["times 3"]


@asynccontextmanager
async def _running(
    program: Debuggee, jdk: Jdk, folder: Path
) -> AsyncIterator[tuple[asyncio.subprocess.Process, _Port]]:
    """The program without a debugger, after its start."""
    running = await asyncio.create_subprocess_exec(
        str(jdk.java),
        "-cp",
        os.pathsep.join(map(str, program.class_path)),
        program.main_class,
        str(folder),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        port = _Port()
        assert running.stdout is not None
        async with asyncio.timeout(STOP_TIMEOUT_S):
            port.collect((await running.stdout.readline()).decode())
        yield running, port
    finally:
        running.kill()
        await running.wait()


async def test_an_application_that_is_attached_to(
    jdk: Jdk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Works also after the debugger has left: each controller is asked for the first time there."""
    program = _program(jdk)
    monkeypatch.setenv("JVMDEBUG_AGENT", str(process.agent_library()))
    async with _running(program, jdk, tmp_path) as (running, port):
        async with jvmdebug.attach(pid=running.pid, source_path=[program.source_dir]) as session:
            await session.break_at(f"Web.java:{program.marker('plain')}")
            await session.break_at(f"Web.java:{program.marker('conditional')}", condition="false")
            asked = asyncio.create_task(port.get("plain?times=2"))
            stop = await _stop(session, asked)
            assert await (await stop.frame.get("name")).as_text() == '"x"'
            await stop.resume()
            assert await asked == (200, "xx")
        assert await port.get("plain?times=2&name=z") == (200, "zz")
        assert await port.get("conditional?times=2&name=ab") == (200, "abab")
