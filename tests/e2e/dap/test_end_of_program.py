# SPDX-License-Identifier: Apache-2.0
"""The end of a program is never an error: what an editor asks while it happens is answered."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.debuggees import debuggee
from tests.support.fault_proxy import FaultProxy

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conftest import StartJvm
    from tests.support.dap_client import Body, DapClient
    from tests.support.debuggees import Debuggee

    AttributesOf = Callable[[Debuggee], dict[str, Any]]

LISTS = ("threads", "loadedSources", "modules")


async def ask_at_each_event(client: DapClient) -> list[Body]:
    """The responses to everything that an editor asks after every event, until `terminated`."""
    asked: list[int] = []
    seen = 0
    while True:
        new = client.timeline[seen:]
        seen += len(new)
        if any(each["type"] == "event" for each in new):
            asked += [client.begin(command) for command in LISTS]
        if any(each.get("event") == "terminated" for each in new):
            return [await client.answer(each) for each in asked]
        await client.until(lambda now=seen: len(client.timeline) > now)  # type: ignore[misc]


@pytest.mark.parametrize("main_class", ["Hello", "java.lang.Object"])
async def test_requests_under_way_at_the_end_are_answered(
    client: DapClient, attributes: AttributesOf, main_class: str
) -> None:
    started = {**attributes(debuggee("basics", "Hello")), "mainClass": main_class}
    launched = await client.begin_debugging("launch", **started)
    asking = asyncio.create_task(ask_at_each_event(client))
    await client.configured(launched)
    answers = await asking
    assert [each for each in answers if not each["success"]] == []
    assert (await client.event("exited"))["exitCode"] == (0 if main_class == "Hello" else 1)
    assert client.output("important") == ""
    if main_class != "Hello":
        assert main_class in client.output("stderr")  # the one message, the java launcher's


async def test_an_attached_program_that_ends_while_it_is_asked_has_not_lost_the_connection(
    client: DapClient, start_jvm: StartJvm
) -> None:
    """Neither a write that fails nor a reset may hide that the VM has said goodbye."""
    jvm = await start_jvm(debuggee("basics", "Hello"))
    attached = await client.begin_debugging("attach", port=await jvm.port())
    asking = asyncio.create_task(ask_at_each_event(client))
    await client.configured(attached)
    assert [each for each in await asking if not each["success"]] == []
    assert client.bodies("output") == []
    assert await jvm.wait() == 0


async def test_requests_after_the_end(client: DapClient, attributes: AttributesOf) -> None:
    program = debuggee("basics", "Hello")
    await client.run(**attributes(program))
    await client.event("terminated")
    path, line = program.marked("print")
    (breakpoint_,) = await client.set_lines(path, line)
    assert breakpoint_ == {"verified": False, "message": "the program has ended"}
    for command in (*LISTS, "terminate"):
        await client.request(command)
    await client.request("continue", {"threadId": 1})  # as when it comes late
    answer = await client.answer(client.begin("evaluate", {"expression": "1 + 1", "frameId": 1}))
    assert answer["message"] == "`evaluate`: the program has ended: start a new session"
    assert not answer["body"]["error"].get("showUser")


async def test_requests_after_a_lost_link(client: DapClient, start_jvm: StartJvm) -> None:
    """The program lives: it is not said that it has ended."""
    program = debuggee("basics", "Loop")
    jvm = await start_jvm(program)
    path, line = program.marked("call")
    with contextlib.ExitStack() as cut:
        proxy = cut.enter_context(FaultProxy(await jvm.port()))
        attached = await client.begin_debugging("attach", port=proxy.port, reconnect=0)
        await client.set_lines(path, line)
        await client.configured(attached)
        thread = (await client.event("stopped"))["threadId"]
        (frame,) = await client.top_frames(thread, 1)
        await asyncio.to_thread(cut.close)
        await client.event("terminated")
    assert "closed the connection" in client.output("important")
    (breakpoint_,) = await client.set_lines(path, line)
    assert breakpoint_ == {"verified": False, "message": "the link to the program is lost"}
    asked = {"expression": "1 + 1", "frameId": frame["id"]}
    answer = await client.answer(client.begin("evaluate", asked))
    assert answer["message"] == "`evaluate`: the link to the program is lost: start a new session"
