# SPDX-License-Identifier: Apache-2.0
"""`System.exit` and `Runtime.halt` in code that runs for the debugger end the program, at once."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.debuggees import debuggee

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.dap_client import DapClient
    from tests.support.debuggees import Debuggee

    AttributesOf = Callable[[Debuggee], dict[str, Any]]

EXIT, HALT = "System.exit(7)", "Runtime.getRuntime().halt(7)"
# Without the cure it takes the deadline of the evaluation at least, which is longer.
AT_ONCE_S = 4.0


async def ends_with_7(client: DapClient, began: float) -> None:
    assert (await client.event("exited"))["exitCode"] == 7
    await client.event("terminated")
    assert time.monotonic() - began < AT_ONCE_S
    assert client.output("important") == ""


@pytest.mark.parametrize("call", [EXIT, HALT])
@pytest.mark.parametrize("request_", ["evaluate", "setVariable"])
async def test_a_request_that_ends_the_program(
    client: DapClient, attributes: AttributesOf, request_: str, call: str
) -> None:
    program = debuggee("basics", "Loop")
    frame = await client.run_to(program, "square", attributes(program))
    began = time.monotonic()
    if request_ == "evaluate":
        asked = client.begin("evaluate", {"expression": call, "frameId": frame["id"]})
    else:
        (scope, *_) = (await client.request("scopes", {"frameId": frame["id"]}))["scopes"]
        where = {"variablesReference": scope["variablesReference"], "name": "number"}
        value = f"ends(7, {'true' if call == HALT else 'false'})"
        asked = client.begin("setVariable", {**where, "value": value})
    answer = await client.answer(asked)
    assert answer["message"] == f"`{request_}`: the program has ended"
    assert not answer["body"]["error"].get("showUser")
    await ends_with_7(client, began)


@pytest.mark.parametrize(
    "options", [{"condition": "exits(7)"}, {"logMessage": "{System.exit(7)} seen"}]
)
async def test_a_breakpoint_that_ends_the_program(
    client: DapClient, attributes: AttributesOf, options: dict[str, str]
) -> None:
    program = debuggee("basics", "Hello")
    launched = await client.begin_debugging("launch", **attributes(program))
    path, line = program.marked("print")
    await client.set_lines(path, {"line": line, **options})
    began = time.monotonic()
    await client.configured(launched)
    await ends_with_7(client, began)
    assert client.bodies("stopped") == []


async def test_a_virtual_thread_ends_the_program(
    client: DapClient, attributes: AttributesOf
) -> None:
    program = debuggee("virtual", "VirtualThreads")
    frame = await client.run_to(program, "first", {**attributes(program), "args": "1"})
    began = time.monotonic()
    client.begin("evaluate", {"expression": EXIT, "frameId": frame["id"]})
    await ends_with_7(client, began)


async def test_a_thread_that_runs_alone_ends_the_program(
    client: DapClient, attributes: AttributesOf
) -> None:
    """All others stay suspended while it does."""
    program = debuggee("basics", "Hello")
    frame = await client.run_to(program, "exit", {**attributes(program), "args": "7"})
    began = time.monotonic()
    await client.request("continue", {"threadId": frame["threadId"], "singleThread": True})
    await ends_with_7(client, began)
