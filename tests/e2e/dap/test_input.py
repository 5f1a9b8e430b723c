# SPDX-License-Identifier: Apache-2.0
"""Standard input of a program: what is typed in the debug console while it runs."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.dap_client import Refused
from tests.support.debuggees import debuggee

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conftest import StartJvm
    from tests.support.dap_client import Body, DapClient
    from tests.support.debuggees import Debuggee

    AttributesOf = Callable[[Debuggee], dict[str, Any]]


def reads() -> Debuggee:
    return debuggee("script", "Reads")


async def typed(client: DapClient, line: str) -> Body:
    return await client.request("evaluate", {"expression": line, "context": "repl"})


async def test_what_is_typed_while_it_runs_is_its_input(
    client: DapClient, attributes: AttributesOf
) -> None:
    launched = await client.begin_debugging("launch", **attributes(reads()))
    path, line = reads().marked("read")
    await client.set_lines(path, {"line": line, "condition": 'line.equals("stop here")'})
    await client.configured(launched)
    await client.event("output", output="ready\n")
    assert (await typed(client, "grün"))["result"] == ""
    await client.event("output", output="read grün\n")
    assert "standard input" in client.output("console")
    await typed(client, "stop here")
    stop = await client.event("stopped", reason="breakpoint")
    assert (await typed(client, "line"))["result"] == '"stop here"'  # stopped: an expression
    await client.request("continue", {"threadId": stop["threadId"]})
    await client.event("output", output="read stop here\n")
    await typed(client, "^D")
    await client.event("exited", exitCode=2)
    assert client.output("console").count("standard input") == 1


async def test_views_and_attached_programs_do_not_type(
    client: DapClient, attributes: AttributesOf
) -> None:
    await client.run(**attributes(reads()))
    await client.event("output", output="ready\n")
    for context in ("watch", "hover", "clipboard", "variables"):
        with pytest.raises(Refused, match="the program is running"):
            await client.request("evaluate", {"expression": "x", "context": context})
    await typed(client, "^D")
    await client.event("exited", exitCode=0)


async def test_an_attached_program_has_its_own_input(
    client: DapClient, start_jvm: StartJvm
) -> None:
    jvm = await start_jvm(debuggee("script", "Spin"), suspend=False)
    attached = await client.begin_debugging("attach", port=await jvm.port())
    await client.configured(attached)
    with pytest.raises(Refused, match="the program is running"):
        await typed(client, "x")


async def test_input_in_a_terminal_of_the_client(
    client: DapClient, attributes: AttributesOf
) -> None:
    terminal: list[asyncio.subprocess.Process] = []

    async def run_in_terminal(request: Body) -> Body:
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(
            *request["arguments"]["args"], stdin=pipe, stdout=pipe
        )
        terminal.append(process)
        return {}

    client.on_request = run_in_terminal
    await client.initialize(supportsRunInTerminalRequest=True)
    launched = client.begin("launch", {**attributes(reads()), "console": "integratedTerminal"})
    await client.event("initialized")
    await client.configured(launched)
    with pytest.raises(Refused, match="the program is running"):
        await typed(client, "not here")
    printed, _ = await asyncio.wait_for(terminal[0].communicate(b"here\n"), 20)
    assert printed == b"ready\nread here\n"
    assert terminal[0].returncode == 1
    await client.event("terminated")
