# SPDX-License-Identifier: Apache-2.0
"""Tests which threads a stop suspends: by the configuration, and as it is changed during the
session.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.support.debuggees import debuggee

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.dap_client import DapClient
    from tests.support.debuggees import Debuggee

    AttributesOf = Callable[[Debuggee], dict[str, Any]]


async def test_a_stop_suspends_its_own_thread_only(
    client: DapClient, attributes: AttributesOf
) -> None:
    program = debuggee("basics", "Loop")
    source, line = program.marked("add")
    await client.initialize()
    given = {**attributes(program), "args": ["8"], "suspend": "thread"}
    launched = client.begin("launch", given)
    await client.event("initialized")
    await client.set_lines(source, line)
    await client.configured(launched)
    stop = await client.event("stopped", reason="breakpoint")
    thread = {"threadId": stop["threadId"]}
    assert not stop["allThreadsStopped"]
    await client.request("next", thread)
    assert not (await client.event("stopped", reason="step"))["allThreadsStopped"]
    await client.request("jvmdebug/suspend", {"suspend": "all"})
    await client.request("continue", thread)
    assert (await client.event("stopped", reason="breakpoint"))["allThreadsStopped"]
    await client.request("jvmdebug/suspend", {"suspend": "thread"})
    await client.request("continue", thread)
    assert not (await client.event("stopped", reason="breakpoint"))["allThreadsStopped"]
    await client.set_lines(source)
    await client.request("continue", thread)
    await client.event("terminated")


async def test_pause_where_one_thread_has_stopped(
    client: DapClient, attributes: AttributesOf
) -> None:
    """Pausing one of those that run stops all; pausing the one that stands does nothing."""
    program = debuggee("threads", "ManyThreads")
    source, line = program.marked("work")
    await client.initialize()
    given = {**attributes(program), "args": ["1"], "suspend": "thread"}
    launched = client.begin("launch", given)
    await client.event("initialized")
    await client.set_lines(source, line)
    await client.configured(launched)
    stop = await client.event("stopped", reason="breakpoint")
    await client.request("pause", {"threadId": stop["threadId"]})
    assert len(client.bodies("stopped")) == 1
    listed = (await client.request("threads"))["threads"]
    (main,) = (each["id"] for each in listed if each["name"] == "main")
    await client.request("next", {"threadId": main})  # it runs, and waits for the other
    await client.request("pause", {"threadId": main})
    paused = await client.event("stopped", reason="pause")
    assert (paused["threadId"], paused["allThreadsStopped"]) == (main, True)
    await client.request("continue", {"threadId": main})
    await client.event("terminated")
    assert len(client.bodies("stopped")) == 2
