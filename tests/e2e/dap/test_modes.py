# SPDX-License-Identifier: Apache-2.0
"""Exception breakpoints and the agent's modes, as an editor sees them."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from jvmdebug_dap.errors import ErrorId
from tests.support.dap_client import Refused
from tests.support.debuggees import debuggee

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.dap_client import Body, DapClient
    from tests.support.debuggees import Debuggee
    from tests.support.process import AgentKind

    AttributesOf = Callable[[Debuggee], dict[str, Any]]


def exceptions() -> Debuggee:
    return debuggee("exceptions", "Exceptions")


async def catch(client: DapClient, *filters: str) -> list[Body]:
    body = await client.request("setExceptionBreakpoints", {"filters": list(filters)})
    placed: list[Body] = body["breakpoints"]
    return placed


async def line_of_stop(client: DapClient, thread_id: int) -> int:
    frame, *_rest = await client.top_frames(thread_id, 1)
    line: int = frame["line"]
    return line


async def test_filters_that_are_on_at_the_start_hit(
    client: DapClient, attributes: AttributesOf
) -> None:
    """Sends them as VS Code and nvim-dap do: lines, functions, filters, configurationDone."""
    program = exceptions()
    launched = await client.begin_debugging("launch", **attributes(program))
    path, line = program.marked("caught")
    (at_line,) = await client.set_lines(path, line)
    await client.request("setFunctionBreakpoints", {"breakpoints": []})
    (at_throw,) = await catch(client, "uncaught")
    assert at_throw["verified"] is True
    await client.configured(launched)
    assert len(client.bodies("process")) == 1
    stop = await client.event("stopped", reason="breakpoint")
    assert stop["hitBreakpointIds"] == [at_line["id"]]
    await client.request("continue", {"threadId": stop["threadId"]})
    stop = await client.event("stopped", reason="exception")
    assert await line_of_stop(client, stop["threadId"]) == program.marker("divide")
    await client.request("continue", {"threadId": stop["threadId"]})
    assert (await client.event("exited"))["exitCode"] == 1
    await client.event("terminated")


async def test_a_late_filter_hits_and_is_removed(
    client: DapClient, attributes: AttributesOf
) -> None:
    program = exceptions()
    stop = await client.run_to(program, "caught", attributes(program))
    (at_throw,) = await catch(client, "caught")
    assert at_throw["verified"] is True
    await client.request("continue", {"threadId": stop["threadId"]})
    stop = await client.event("stopped", reason="exception")
    assert await line_of_stop(client, stop["threadId"]) == program.marker("npe")
    assert await catch(client) == []
    await client.request("continue", {"threadId": stop["threadId"]})
    assert (await client.event("exited"))["exitCode"] == 1
    assert len(client.bodies("process")) == 1


async def test_a_return_value_asks_for_a_restart_in_the_full_mode(
    client: DapClient, our_attributes: AttributesOf
) -> None:
    """VS Code offers it: the program is started again with the newest configuration."""
    program = debuggee("basics", "Loop")
    attributes = our_attributes(program)
    await client.initialize(clientID="vscode")
    launched = client.begin("launch", attributes)
    await client.event("initialized")
    path, line = program.marked("squared")
    await client.set_lines(path, line)
    await client.configured(launched)
    stop = await client.event("stopped", reason="breakpoint")
    await client.request("stepOut", {"threadId": stop["threadId"]})
    stop = await client.event("stopped", reason="step")
    frame, *_ = await client.top_frames(stop["threadId"], 1)
    found = await client.request("evaluate", {"expression": "$return", "frameId": frame["id"]})
    assert found["result"] == "0"
    await client.request("next", {"threadId": stop["threadId"]})
    stop = await client.event("stopped", reason="step")
    frame, *_ = await client.top_frames(stop["threadId"], 1)
    for _ in range(2):
        with pytest.raises(Refused, match="fast mode") as refused:
            await client.request("evaluate", {"expression": "$return", "frameId": frame["id"]})
        assert refused.value.error["id"] == ErrorId.FULL_MODE
        assert "\x1b" not in refused.value.error["format"]
    offered = await client.event("jvmdebug/fullModeNeeded")
    assert '"mode": "full"' in offered["message"]
    assert len(client.bodies("jvmdebug/fullModeNeeded")) == 1

    await client.request("restart", {"arguments": {**attributes, "mode": "full"}})
    stop = await client.event("stopped", reason="breakpoint")
    await client.request("stepOut", {"threadId": stop["threadId"]})
    stop = await client.event("stopped", reason="step")
    frame, *_ = await client.top_frames(stop["threadId"], 1)
    found = await client.request("evaluate", {"expression": "$return", "frameId": frame["id"]})
    assert found["result"] == "0"


@pytest.mark.parametrize("mode", ["full", "fast"])
async def test_a_mode_in_the_configuration(
    client: DapClient, attributes: AttributesOf, agent_kind: AgentKind, mode: str
) -> None:
    program = exceptions()
    asked = {**attributes(program), "mode": mode}
    if (mode, agent_kind) == ("fast", "stock"):
        await client.initialize()
        with pytest.raises(Refused) as refused:
            await client.request("launch", asked)
        assert "no fast mode" in refused.value.error["format"]
        return
    launched = await client.begin_debugging("launch", **asked)
    (at_throw,) = await catch(client, "caught")
    assert at_throw["verified"] is True
    assert len(client.bodies("process")) == 1
    await client.configured(launched)
    await client.event("stopped", reason="exception")


async def test_in_a_terminal_the_command_is_run_once(
    client: DapClient, attributes: AttributesOf
) -> None:
    program = exceptions()
    started: list[asyncio.subprocess.Process] = []

    async def run_in_terminal(request: Body) -> Body:
        asked = request["arguments"]
        quiet = asyncio.subprocess.DEVNULL
        process = await asyncio.create_subprocess_exec(
            *asked["args"], cwd=asked["cwd"], stdout=quiet, stderr=quiet
        )
        started.append(process)
        return {"processId": process.pid}

    client.on_request = run_in_terminal
    try:
        await client.initialize(supportsRunInTerminalRequest=True)
        launched = client.begin("launch", {**attributes(program), "console": "integratedTerminal"})
        await client.event("initialized")
        await catch(client, "uncaught")
        await client.configured(launched)
        stop = await client.event("stopped", reason="exception")
        assert len(started) == 1
        await client.request("continue", {"threadId": stop["threadId"]})
        await client.event("terminated")
        await asyncio.wait_for(asyncio.gather(*(each.wait() for each in started)), 20)
    finally:
        for each in started:
            if each.returncode is None:
                each.kill()
                await each.wait()


async def test_a_mode_that_does_not_exist(client: DapClient) -> None:
    await client.initialize()
    with pytest.raises(Refused) as refused:
        await client.request("launch", {"mainClass": "Main", "mode": "quick"})
    assert "auto, full, fast" in refused.value.error["format"]
