# SPDX-License-Identifier: Apache-2.0
"""Frames popped, restarted and returned from early, in real programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.support.dap_client import Refused
from tests.support.debuggees import debuggee

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.dap_client import DapClient
    from tests.support.debuggees import Debuggee
    from tests.support.process import AgentKind

    AttributesOf = Callable[[Debuggee], dict[str, Any]]


def loop() -> Debuggee:
    return debuggee("basics", "Loop")


async def test_a_frame_is_popped_and_returned_from_early(
    client: DapClient, attributes: AttributesOf
) -> None:
    program = loop()
    frame = await client.run_to(program, "squared", attributes(program), condition="number == 2")
    thread_id = frame["threadId"]
    await client.request("jvmdebug/popFrame", {"frameId": frame["id"]})
    popped = await client.event("stopped")
    assert popped["threadId"] == thread_id
    (caller,) = await client.top_frames(thread_id)
    assert caller["line"] == program.marker("call")
    await client.request("stepIn", {"threadId": thread_id})
    await client.event("stopped", reason="step")
    again, _ = await client.top_frames(thread_id)
    assert again["line"] == program.marker("square")
    await client.request(
        "jvmdebug/forceEarlyReturn", {"frameId": again["id"], "expression": "number + 1000"}
    )
    await client.event("stopped")
    (caller,) = await client.top_frames(thread_id)
    assert caller["line"] == program.marker("call")
    path, _ = program.marked("squared")
    await client.set_lines(path)
    await client.request("continue", {"threadId": thread_id})
    await client.event("terminated")
    assert client.output("stdout") == f"summing {0 + 1 + 1002 + 9 + 16} 120\n"


async def test_a_frame_is_restarted(client: DapClient, attributes: AttributesOf) -> None:
    program = loop()
    frame = await client.run_to(program, "squared", attributes(program), condition="number == 2")
    assert frame["canRestart"] is True
    await client.request("restartFrame", {"frameId": frame["id"]})
    await client.event("stopped")
    again, _ = await client.top_frames(frame["threadId"])
    assert again["line"] == program.marker("square")
    assert (await client.locals_of(again))["number"]["value"] == "2"
    await client.request("disconnect")


@pytest.mark.full_mode_too
async def test_a_forced_return_that_ends_at_a_breakpoint_reports_its_id(
    client: DapClient, attributes: AttributesOf
) -> None:
    program = debuggee("script", "Changes")
    frame = await client.run_to(program, "quiet", attributes(program))
    path, line = program.marked("printed")
    (placed,) = await client.set_lines(path, line)
    await client.request("jvmdebug/forceEarlyReturn", {"frameId": frame["id"]})
    stopped = await client.event("stopped")
    assert (stopped["reason"], stopped["description"]) == ("step", "Returned early")
    assert stopped["hitBreakpointIds"] == [placed["id"]]
    (caller,) = await client.top_frames(frame["threadId"])
    assert caller["line"] == line
    await client.request("continue", {"threadId": frame["threadId"]})
    await client.event("terminated")


async def test_a_thread_jumps_to_a_line(
    client: DapClient, attributes: AttributesOf, agent_kind: AgentKind
) -> None:
    program = debuggee("jumps", "Around")
    frame = await client.run_to(program, "counted-from", attributes(program))
    thread_id = frame["threadId"]
    line = program.marker("counted-to")
    found = await client.request("gotoTargets", {"source": frame["source"], "line": line})
    (target,) = found["targets"]
    assert (target["label"], target["line"]) == (f"line {line}", line)
    arguments = {"threadId": thread_id, "targetId": target["id"]}
    if agent_kind != "jvmdebug":
        with pytest.raises(Refused, match="needs jvmdebug's own agent"):
            await client.request("goto", arguments)
        return
    await client.request("goto", arguments)
    stopped = await client.event("stopped")
    assert (stopped["reason"], stopped["threadId"]) == ("goto", thread_id)
    (again, *_) = await client.top_frames(thread_id)
    assert again["line"] == line
    other = {"path": frame["source"]["path"] + "x"}
    nowhere = await client.request("gotoTargets", {"source": other, "line": line})
    assert nowhere["targets"] == []
    with pytest.raises(Refused, match="belongs to a stop that is over"):
        await client.request("goto", arguments)
    found = await client.request(
        "gotoTargets", {"source": frame["source"], "line": program.marker("main")}
    )
    arguments = {"threadId": thread_id, "targetId": found["targets"][0]["id"]}
    with pytest.raises(Refused, match="no code of counted begins there"):
        await client.request("goto", arguments)
