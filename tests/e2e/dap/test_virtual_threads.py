# SPDX-License-Identifier: Apache-2.0
"""A virtual thread stops, shows its stack and locals, and steps, as any other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.support.debuggees import debuggee

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.dap_client import DapClient
    from tests.support.debuggees import Debuggee

    AttributesOf = Callable[[Debuggee], dict[str, Any]]


async def test_those_that_have_not_stopped(client: DapClient, attributes: AttributesOf) -> None:
    program = debuggee("virtual", "VirtualThreads")
    started = {**attributes(program), "args": ["2"], "virtualThreads": True}
    await client.run_to(program, "go", started)
    listed = (await client.request("threads"))["threads"]
    assert {"virtual-0", "virtual-1"} <= {each["name"] for each in listed}
    await client.request("disconnect")


async def test_a_breakpoint_in_a_virtual_thread(
    client: DapClient, attributes: AttributesOf
) -> None:
    program = debuggee("virtual", "VirtualThreads")
    started = {**attributes(program), "args": ["1"]}
    frame = await client.run_to(program, "first", started)
    thread_id = frame["threadId"]
    listed = (await client.request("threads"))["threads"]
    assert thread_id in {each["id"] for each in listed}
    assert await client.locals_of(frame)
    await client.request("next", {"threadId": thread_id})
    stop = await client.event("stopped", reason="step")
    assert stop["threadId"] == thread_id
    await client.request("disconnect")
