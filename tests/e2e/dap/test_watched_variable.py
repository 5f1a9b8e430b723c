# SPDX-License-Identifier: Apache-2.0
"""Break on Value Change of a local variable, asked for at the stop where it is written next."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.support.debuggees import debuggee

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.dap_client import Body, DapClient
    from tests.support.debuggees import Debuggee

    AttributesOf = Callable[[Debuggee], dict[str, Any]]

COUNT = "AtTheStop#main.count: "


async def stopped_at(client: DapClient, attributes: AttributesOf, marker: str) -> Body:
    """The topmost frame at the marker, where nothing else stops any more."""
    program = debuggee("written", "AtTheStop")
    frame = await client.run_to(program, marker, attributes(program))
    await client.set_lines(program.marked(marker)[0])
    return frame


async def watch(client: DapClient, frame: Body, name: str) -> None:
    info = await client.request("dataBreakpointInfo", {"name": name, "frameId": frame["id"]})
    asked = [{"dataId": info["dataId"], "accessType": "write"}]
    answer = await client.request("setDataBreakpoints", {"breakpoints": asked})
    assert answer["breakpoints"][0]["verified"]


async def next_changes(client: DapClient, count: int) -> list[str]:
    thread = {"threadId": client.bodies("stopped")[-1]["threadId"]}
    found = []
    for _ in range(count):
        await client.request("continue", thread)
        found.append((await client.event("stopped", reason="data breakpoint"))["text"])
    return found


@pytest.mark.parametrize("steps", [0, 1])
@pytest.mark.parametrize(
    ("marker", "changes"),
    [
        ("increment", ["1 -> 2", "2 -> 4", "4 -> 304", "304 -> 305"]),
        ("call", ["2 -> 4", "4 -> 304", "304 -> 305"]),
        ("much", ["4 -> 304", "304 -> 305", "305 -> 610"]),
    ],
)
async def test_no_write_is_missed(
    client: DapClient, attributes: AttributesOf, marker: str, changes: list[str], steps: int
) -> None:
    """The first one is that of the stop itself: after a breakpoint, and after a step from it."""
    frame = await stopped_at(client, attributes, marker)
    for _ in range(steps):
        thread = {"threadId": client.bodies("stopped")[-1]["threadId"]}
        await client.request("next", thread)
        await client.event("stopped", reason="step")
        frame, *_ = await client.top_frames(thread["threadId"])
    changes = changes[steps:]
    await watch(client, frame, "count")
    assert await next_changes(client, len(changes)) == [COUNT + each for each in changes]
    await client.request("disconnect")


async def test_one_that_is_removed_at_the_stop_does_not_stop(
    client: DapClient, attributes: AttributesOf
) -> None:
    frame = await stopped_at(client, attributes, "increment")
    await watch(client, frame, "count")
    await client.request("setDataBreakpoints", {"breakpoints": []})
    await client.request("continue", {"threadId": client.bodies("stopped")[-1]["threadId"]})
    await client.event("terminated")
    assert len(client.bodies("stopped")) == 1
