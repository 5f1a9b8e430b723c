# SPDX-License-Identifier: Apache-2.0
"""Data breakpoints in a recording: who wrote this last, and who writes it next."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.support.dap_client import DapClient, local_client

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from tests.support.debuggees import Debuggee


@pytest.fixture
async def client(recorded: Path, till: Debuggee) -> AsyncIterator[DapClient]:
    """A client that has the recording open, at its end."""
    async with local_client() as connected:
        attached = await connected.begin_debugging(
            "attach", recording=str(recorded), sourcePaths=[str(till.source_dir)]
        )
        await connected.configured(attached)
        await connected.event("stopped")
        yield connected


async def _watch(client: DapClient, name: str, reference: int) -> None:
    asked = {"name": name, "variablesReference": reference}
    offered = await client.request("dataBreakpointInfo", asked)
    assert offered["dataId"], offered
    assert offered["accessTypes"] == ["write"], "what is read is not recorded"
    wanted = {"breakpoints": [{"dataId": offered["dataId"], "accessType": "write"}]}
    (placed,) = (await client.request("setDataBreakpoints", wanted))["breakpoints"]
    assert placed["verified"], placed


async def _top(client: DapClient) -> dict[str, Any]:
    threads = (await client.request("threads"))["threads"]
    (top, *_) = await client.top_frames(threads[0]["id"])
    return top


async def _locals(client: DapClient) -> int:
    scopes = await client.request("scopes", {"frameId": (await _top(client))["id"]})
    (found,) = [each for each in scopes["scopes"] if each["name"] == "Locals"]
    return int(found["variablesReference"])


async def _goes(client: DapClient, command: str) -> tuple[str, int]:
    """The reason and the line of the next stop."""
    thread = (await client.request("threads"))["threads"][0]["id"]
    await client.request(command, {"threadId": thread})
    stopped = await client.event("stopped")
    return stopped["reason"], (await _top(client))["line"]


async def test_a_local_variable(client: DapClient, till: Debuggee) -> None:
    await _watch(client, "sum", await _locals(client))
    caught, called = till.marker("caught"), till.marker("called")
    assert await _goes(client, "reverseContinue") == ("data breakpoint", caught)
    for _ in range(3):
        assert await _goes(client, "reverseContinue") == ("data breakpoint", called)
    assert await _goes(client, "continue") == ("data breakpoint", called)
    assert await _goes(client, "reverseContinue") == ("data breakpoint", called)
    assert await _goes(client, "reverseContinue") == ("data breakpoint", till.marker("sum"))
    reason, _ = await _goes(client, "reverseContinue")
    assert reason == "pause", "the beginning"
    lines = [await _goes(client, "continue") for _ in range(6)]
    expected = [till.marker("sum"), called, called, called, caught]
    assert lines[:5] == [("data breakpoint", line) for line in expected]
    assert lines[5] == ("pause", till.marker("end"))


async def test_a_local_variable_tells_its_values(client: DapClient) -> None:
    await _watch(client, "sum", await _locals(client))
    await _goes(client, "reverseContinue")
    here = {"frameId": (await _top(client))["id"], "expression": "$old + 1000 * $new"}
    assert (await client.request("evaluate", here))["result"] == "4030"


async def test_a_field(client: DapClient, till: Debuggee) -> None:
    variables = await client.locals_of(await _top(client))
    await _watch(client, "total", variables["till"]["variablesReference"])
    added = ("data breakpoint", till.marker("added"))
    assert [await _goes(client, "reverseContinue") for _ in range(3)] == [added] * 3
    assert (await client.locals_of(await _top(client)))["price"]["value"] == "0"
    assert await _goes(client, "continue") == added
    assert (await client.locals_of(await _top(client)))["price"]["value"] == "10"
    assert await _goes(client, "reverseContinue") == added
    assert (await client.locals_of(await _top(client)))["price"]["value"] == "0"
    reason, _ = await _goes(client, "reverseContinue")
    assert reason == "pause", "the beginning"
    assert [await _goes(client, "continue") for _ in range(3)] == [added] * 3
    assert await _goes(client, "continue") == ("pause", till.marker("end"))


async def test_what_cannot_be_watched_says_why(client: DapClient) -> None:
    variables = await client.locals_of(await _top(client))
    fields = await client.children(variables["till"]["variablesReference"])
    asked = {"name": "[0]", "variablesReference": fields["prices"]["variablesReference"]}
    offered = await client.request("dataBreakpointInfo", asked)
    assert offered["dataId"] is None
    why = "elements of arrays are not watched in a recording: ask who wrote till.prices[0]"
    assert offered["description"] == why
