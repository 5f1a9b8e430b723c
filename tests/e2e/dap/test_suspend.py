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
