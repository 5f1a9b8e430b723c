# SPDX-License-Identifier: Apache-2.0
"""Sessions over stdio, several sessions over TCP, and programs in a terminal of the client."""

from __future__ import annotations

import asyncio
import os
import sys
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.dap_client import Refused, stdio_client, tcp_client
from tests.support.dap_server import listening_server
from tests.support.debuggees import debuggee

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.support.dap_client import Body, DapClient
    from tests.support.debuggees import Debuggee

    AttributesOf = Callable[[Debuggee], dict[str, Any]]


def loop() -> Debuggee:
    return debuggee("basics", "Loop")


async def test_over_stdio(attributes: AttributesOf) -> None:
    program = loop()
    async with stdio_client() as client:
        frame = await client.run_to(program, "done", attributes(program))
        await client.request("continue", {"threadId": frame["threadId"]})
        assert (await client.event("exited"))["exitCode"] == 0
        await client.request("disconnect")
        await client.closed()


@pytest.mark.agent
async def test_a_file_is_no_client(tmp_path: Path) -> None:
    messages = tmp_path / "messages"
    messages.write_bytes(b"")
    with messages.open("rb") as given:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "jvmdebug_cli", "dap"),
            stdin=given,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        output, errors = await process.communicate()
    assert (process.returncode, output) == (2, b"")
    said = b"jvmdebug dap: standard input is a file: an editor has to be at the end of a pipe\n"
    assert errors == said


async def test_two_sessions_of_one_server(
    attributes: AttributesOf,
) -> None:
    program = loop()
    async with (
        listening_server() as (host, port, token),
        tcp_client(host, port, token) as first,
        tcp_client(host, port, token) as second,
    ):
        one = await first.run_to(program, "square", attributes(program), condition="number == 1")
        two = await second.run_to(program, "square", attributes(program), condition="number == 2")
        assert (await first.locals_of(one))["number"]["value"] == "1"
        assert (await second.locals_of(two))["number"]["value"] == "2"
        await first.request("disconnect")
        await first.closed()
        assert (await second.locals_of(two))["number"]["value"] == "2"
        await second.request("disconnect")


async def test_in_a_terminal_of_the_client(client: DapClient, attributes: AttributesOf) -> None:
    program = loop()
    asked: list[Body] = []
    started: list[asyncio.subprocess.Process] = []

    async def run_in_terminal(request: Body) -> Body:
        arguments = request["arguments"]
        asked.append(arguments)
        process = await asyncio.create_subprocess_exec(
            *arguments["args"],
            cwd=arguments["cwd"],
            env={**os.environ, **arguments.get("env", {})},
            stdout=asyncio.subprocess.PIPE,
        )
        started.append(process)
        return {"processId": process.pid}

    client.on_request = run_in_terminal
    await client.initialize(supportsRunInTerminalRequest=True)
    launched = client.begin("launch", {**attributes(program), "console": "integratedTerminal"})
    await client.event("initialized")
    path, line = program.marked("done")
    await client.set_lines(path, line)
    await client.configured(launched)
    stop = await client.event("stopped", reason="breakpoint")
    assert asked[0]["kind"] == "integrated"
    await client.request("continue", {"threadId": stop["threadId"]})
    await client.event("terminated")
    (process,) = started
    stdout, _ = await process.communicate()
    assert stdout.decode().endswith("summing 30 120\n")


async def test_a_program_that_dies_in_a_terminal_is_not_waited_for(
    client: DapClient, attributes: AttributesOf
) -> None:
    terminal: list[asyncio.subprocess.Process] = []

    async def run_in_terminal(request: Body) -> Body:
        quiet = asyncio.subprocess.DEVNULL
        process = await asyncio.create_subprocess_exec(
            *request["arguments"]["args"], stdout=quiet, stderr=quiet
        )
        terminal.append(process)
        return {}

    client.on_request = run_in_terminal
    await client.initialize(supportsRunInTerminalRequest=True)
    wrong = {"console": "integratedTerminal", "vmArgs": "-XX:+NoSuchFlag"}
    with pytest.raises(Refused, match="ended with exit code 1 before it could be debugged; the t"):
        await client.request("launch", {**attributes(loop()), **wrong})
    assert await terminal[0].wait() == 1
