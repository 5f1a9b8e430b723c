# SPDX-License-Identifier: Apache-2.0
"""How a session ends: the program exits, a request, a client that disconnects; and restart."""

from __future__ import annotations

import asyncio
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import jvmdebug
from jvmdebug import errors
from tests.support.dap_client import Refused, tcp_client

if TYPE_CHECKING:
    from tests.support.dap_client import DapClient
    from tests.support.stub_core import StubCore

StopReason = jvmdebug.StopReason
CART = Path("/src/shop/Cart.java")


async def test_the_order_of_the_end(client: DapClient, core: StubCore) -> None:
    await client.run()
    core.session.post(jvmdebug.Output("stdout", "bye\n"))
    core.session.post(jvmdebug.Output("stderr", "oops\n"))
    core.session.end(7)
    await client.event("terminated")
    assert client.names()[-4:] == [
        "event output",
        "event output",
        "event exited",
        "event terminated",
    ]
    assert (client.output("stdout"), client.output("stderr")) == ("bye\n", "oops\n")
    assert client.bodies("exited") == [{"exitCode": 7}]
    with pytest.raises(Refused, match="has ended"):
        await client.request("evaluate", {"expression": "1"})
    late = await client.request("continue", {"threadId": 1})
    assert late == {"allThreadsContinued": True}
    assert await client.request("threads") == {"threads": []}


async def test_a_second_terminate_kills(client: DapClient, core: StubCore) -> None:
    await client.run()
    core.session.end = lambda *_: None  # type: ignore[method-assign]
    await client.request("terminate")
    await client.request("terminate")
    assert core.session.calls[-2:] == [("terminate", math.inf), ("kill",)]
    await client.request("disconnect")
    assert core.session.calls[-1] == ("kill",)
    del core.session.end


@pytest.mark.parametrize(
    ("command", "attributes", "arguments", "call"),
    [
        ("launch", {"mainClass": "M"}, {}, "terminate"),
        ("launch", {"mainClass": "M"}, {"terminateDebuggee": True}, "terminate"),
        ("launch", {"mainClass": "M"}, {"terminateDebuggee": False}, "detach"),
        ("attach", {"port": 1}, {}, "detach"),
        ("attach", {"port": 1}, {"terminateDebuggee": True}, "terminate"),
    ],
)
async def test_disconnect(
    client: DapClient, core: StubCore, command: str, attributes: Any, arguments: Any, call: str
) -> None:
    await client.configured(await client.begin_debugging(command, **attributes))
    await client.request("disconnect", arguments)
    assert core.session.calls[-1][0] == call
    assert client.names()[-2:] == ["event terminated", "response disconnect"]
    assert core.left == 1
    await client.closed()


async def test_a_client_that_closes_the_connection_without_disconnect(
    client: DapClient, core: StubCore
) -> None:
    await client.run()
    client.writer.write_eof()
    await client.closed()
    assert core.left == 1


async def test_a_disconnect_ends_a_launch_that_hangs(client: DapClient, core: StubCore) -> None:
    core.is_slow = True
    await client.initialize()
    launched = client.begin("launch", {"mainClass": "M"})
    await core.opening.wait()
    await client.request("disconnect")
    with pytest.raises(Refused):
        await client.response(launched)
    await client.closed()


async def test_terminate_gives_up_a_launch_that_hangs(client: DapClient, core: StubCore) -> None:
    await client.initialize()
    core.is_slow = True
    launched = client.begin("launch", {"mainClass": "shop.Main"})
    await core.opening.wait()
    await client.request("terminate")
    await client.event("terminated")
    await client.request("disconnect")
    with pytest.raises(Refused):
        await client.response(launched)
    await client.closed()


async def test_a_restart_keeps_breakpoints_and_their_ids(client: DapClient, core: StubCore) -> None:
    launched = await client.begin_debugging("launch", mainClass="shop.Main", args="1")
    before = await client.set_lines(CART, 10, 20)
    await client.request("setExceptionBreakpoints", {"filters": ["uncaught"]})
    await client.configured(launched)
    await client.request("threads")
    old = core.session
    old.hit(StopReason.BREAKPOINT)
    await client.event("stopped")
    newest = {"arguments": {"mainClass": "shop.Main", "args": "2"}}
    await client.request("restart", newest)
    assert ("kill",) in old.calls
    assert core.session is not old
    assert [options["args"] for options in core.options] == [["1"], ["2"]]
    assert core.session.calls == [("set again", old.breakpoints), ("start",)]
    assert client.bodies("terminated") == []
    assert {body["threadId"] for body in client.bodies("thread")} == {1, 2}
    assert await client.set_lines(CART, 10, 20) == before
    core.session.hit(StopReason.BREAKPOINT)
    await client.event("stopped")
    core.session.end(0)
    assert (await client.event("exited"))["exitCode"] == 0


async def test_a_restart_that_fails_ends_the_session(client: DapClient, core: StubCore) -> None:
    await client.run()
    core.failure = errors.LaunchError("no java any more")
    with pytest.raises(Refused, match="no java any more"):
        await client.request("restart")
    await client.event("terminated")
    await client.request("disconnect")


async def test_two_sessions_are_independent(client: DapClient, core: StubCore) -> None:
    host, port = client.writer.get_extra_info("peername")[:2]
    await client.run()
    async with tcp_client(host, port) as other:
        await other.run()
        first, second = core.sessions
        first.end(1)
        second.end(2)
        codes = await asyncio.gather(client.event("exited"), other.event("exited"))
    assert [body["exitCode"] for body in codes] == [1, 2]
