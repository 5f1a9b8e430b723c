# SPDX-License-Identifier: Apache-2.0
"""A launched program ends with its adapter unless it was let go, and nothing listens in it."""

from __future__ import annotations

import asyncio
import os
import signal
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.dap_client import stdio_adapter
from tests.support.debuggees import debuggee
from tests.support.listening import ended, is_running, listening_sockets
from tests.support.process import OUTLIVING, java_processes

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.support.dap_client import Body, DapClient
    from tests.support.debuggees import Debuggee

    AttributesOf = Callable[[Debuggee], dict[str, Any]]


def spin() -> Debuggee:
    return debuggee("script", "Spin")


async def started(client: DapClient, attributes: AttributesOf, **more: Any) -> int:
    """Launch a program that does not end by itself; its process id."""
    await client.run(**attributes(spin()), **more)
    pid = (await client.event("process")).get("systemProcessId")
    while client.output("stdout") != "spinning\n":  # Java 11 writes a line and its end apart
        await client.event("output")
    assert isinstance(pid, int)
    return pid


@pytest.mark.parametrize("is_stopped", [False, True])
async def test_a_killed_adapter_takes_its_program_along(
    attributes: AttributesOf, *, is_stopped: bool
) -> None:
    async with stdio_adapter() as (client, adapter):
        pid = await started(client, attributes)
        if is_stopped:
            await client.request("pause", {"threadId": 1})
            await client.event("stopped")
        assert listening_sockets(pid) == []
        adapter.kill()
        await ended(pid)


async def test_a_program_that_was_let_go_goes_on_and_does_not_listen(
    attributes: AttributesOf,
) -> None:
    async with stdio_adapter() as (client, adapter):
        pid = await started(client, attributes)
        try:
            await client.request("disconnect", {"terminateDebuggee": False})
            await client.closed()
            assert await asyncio.wait_for(adapter.wait(), 20) == 0
            assert is_running(pid)
            assert listening_sockets(pid) == []
        finally:
            os.kill(pid, signal.SIGKILL)
        await ended(pid)


async def test_a_killed_adapter_takes_the_program_in_a_terminal_along(
    attributes: AttributesOf,
) -> None:
    terminal: list[asyncio.subprocess.Process] = []

    async def run_in_terminal(request: Body) -> Body:
        quiet = asyncio.subprocess.DEVNULL
        process = await asyncio.create_subprocess_exec(*request["arguments"]["args"], stdout=quiet)
        terminal.append(process)
        return {"processId": process.pid}

    async with stdio_adapter() as (client, adapter):
        client.on_request = run_in_terminal
        await client.initialize(supportsRunInTerminalRequest=True)
        launched = client.begin("launch", {**attributes(spin()), "console": "integratedTerminal"})
        await client.event("initialized")
        await client.configured(launched)
        (process,) = terminal
        assert listening_sockets(process.pid) == []
        adapter.kill()
        assert await asyncio.wait_for(process.wait(), 20) in (143, 128 + signal.SIGKILL)


async def test_a_lost_client_ends_the_program_in_a_terminal(
    client: DapClient, attributes: AttributesOf
) -> None:
    terminal: list[asyncio.subprocess.Process] = []

    async def run_in_terminal(request: Body) -> Body:
        quiet = asyncio.subprocess.DEVNULL
        process = await asyncio.create_subprocess_exec(*request["arguments"]["args"], stdout=quiet)
        terminal.append(process)
        return {}

    client.on_request = run_in_terminal
    await client.initialize(supportsRunInTerminalRequest=True)
    launched = client.begin("launch", {**attributes(spin()), "console": "integratedTerminal"})
    await client.event("initialized")
    await client.configured(launched)
    client.writer.close()
    assert await asyncio.wait_for(terminal[0].wait(), 20) == 143


async def test_a_killed_adapter_leaves_no_files(attributes: AttributesOf, tmp_path: Path) -> None:
    source = tmp_path / "Endless.java"
    source.write_text(
        "public class Endless {\n"
        "    public static void main(String[] args) throws Exception {\n"
        '        System.out.print("begun\\n");\n'
        "        Thread.sleep(600_000);\n"
        "    }\n"
        "}\n"
    )
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    asked = {name: attributes(spin())[name] for name in ("javaExec", "agent")}
    async with stdio_adapter(TMPDIR=str(temporary), XDG_RUNTIME_DIR="") as (client, adapter):
        launched = await client.begin_debugging("launch", program=str(source), **asked)
        await client.configured(launched)
        await client.event("output", output="begun\n")
        assert len(list(temporary.iterdir())) == 1  # the class file, and no socket any more
        adapter.kill()
        async with asyncio.timeout(20):
            while list(temporary.iterdir()):  # noqa: ASYNC110 - nothing reports it
                await asyncio.sleep(0.02)
    assert java_processes() <= OUTLIVING
