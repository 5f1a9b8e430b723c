# SPDX-License-Identifier: Apache-2.0
"""Requests to go on that come while the thread runs, or while a step is under way.

The program reads its input, so a step over the read lasts until a test types a line.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any, Final

import pytest

from tests.support.dap_client import Refused
from tests.support.debuggees import debuggee

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.dap_client import Body, DapClient
    from tests.support.debuggees import Debuggee

    AttributesOf = Callable[[Debuggee], dict[str, Any]]

STEPS: Final = ("next", "stepIn", "stepOut")
REQUESTS: Final = (*STEPS, "continue", "restartFrame")


def reads() -> Debuggee:
    return debuggee("script", "Reads")


class Reader:
    """A client whose program has stopped at the line before it reads its input."""

    def __init__(self, client: DapClient, top: Body) -> None:
        self.client = client
        self.top = top
        self.thread = 1

    async def ask(self, command: str) -> Body:
        """Send a request with the thread and the topmost frame of the first stop."""
        if command == "restartFrame":
            return await self.client.request(command, {"frameId": self.top["id"]})
        return await self.client.request(command, {"threadId": self.thread})

    async def type(self, line: str) -> None:
        await self.client.request("evaluate", {"expression": line, "context": "repl"})

    async def line(self) -> int:
        top, *_ = await self.client.top_frames(self.thread)
        return int(top["line"])

    def stops(self) -> list[str]:
        return [each["reason"] for each in self.client.bodies("stopped")]


@pytest.fixture
async def reader(client: DapClient, attributes: AttributesOf) -> Reader:
    launched = await client.begin_debugging("launch", **attributes(reads()))
    path, line = reads().marked("asks")
    await client.set_lines(path, line)
    await client.configured(launched)
    stop = await client.event("stopped", reason="breakpoint")
    top, *_ = await client.top_frames(stop["threadId"])
    made = Reader(client, top)
    made.thread = stop["threadId"]
    await client.set_lines(path)
    return made


async def brought_to(reader: Reader, moment: str) -> None:
    if moment == "running":
        await reader.ask("continue")
    elif moment == "stepping":
        await reader.ask("next")
    elif moment == "ended":
        await reader.ask("continue")
        await reader.type("^D")
        await reader.client.event("terminated")


@pytest.mark.parametrize("moment", ["running", "stepping", "ended"])
async def test_a_late_request_succeeds(reader: Reader, moment: str) -> None:
    """Each of them twice, one after the other, at each moment."""
    await brought_to(reader, moment)
    for command in REQUESTS * 2:
        await reader.ask(command)
    assert reader.stops() == ["breakpoint"]
    if moment != "ended":
        with pytest.raises(Refused, match="there is no thread 77"):
            await reader.client.request("next", {"threadId": 77})
    for _ in range(2):
        await reader.client.request("pause", {"threadId": reader.thread})
    assert reader.stops() == ["breakpoint"] + ["pause"] * (moment != "ended")
    await reader.client.request("disconnect")


async def test_what_has_stopped_is_told_again_after_a_late_restart(reader: Reader) -> None:
    """VS Code takes a thread for running after the answer."""
    await reader.ask("next")
    await reader.type("one")
    await reader.client.event("stopped", reason="step")
    await reader.ask("restartFrame")
    again = await reader.client.event("stopped", preserveFocusHint=True)
    assert (again["reason"], again["threadId"]) == ("step", reader.thread)
    assert await reader.line() == reads().marker("counts")
    with pytest.raises(Refused, match="was never given out"):
        await reader.client.request("restartFrame", {"frameId": 99_999})
    await reader.client.request("pause", {"threadId": reader.thread})
    assert reader.stops() == ["breakpoint", "step", "step"]
    await reader.client.request("disconnect")


@pytest.mark.parametrize("late", STEPS)
async def test_one_step_is_kept(reader: Reader, late: str) -> None:
    """Three are sent. One is done at the end of the step, whose stop is not told."""
    await reader.ask("next")
    for _ in range(3):
        await reader.ask(late)
    assert reader.stops() == ["breakpoint"]
    await reader.type("one")
    if late == "stepOut":  # of main: it runs to its end
        await reader.client.event("output", output="read one\n")
    else:
        await reader.client.event("stopped", reason="step")
        assert await reader.line() == reads().marker("read")
    assert "continued" not in reader.client.names()
    await reader.client.request("disconnect")


async def test_continue_takes_the_place_of_a_step(reader: Reader) -> None:
    await reader.ask("next")
    await reader.ask("next")
    assert (await reader.ask("continue"))["allThreadsContinued"] is True
    await reader.type("one")
    await reader.client.event("output", output="read one\n")
    assert reader.stops() == ["breakpoint"]
    await reader.type("^D")
    await reader.client.event("exited", exitCode=1)


async def test_a_pause_drops_what_is_kept(reader: Reader) -> None:
    await reader.ask("next")
    await reader.ask("next")
    await asyncio.gather(*(reader.ask("pause") for _ in range(2)))
    await reader.client.event("stopped", reason="pause")
    await reader.client.request("continue", {"threadId": reader.thread})
    await reader.type("one")
    await reader.client.event("output", output="read one\n")
    assert reader.stops() == ["breakpoint", "pause"]
    await reader.client.request("disconnect")


async def test_a_breakpoint_drops_what_is_kept(reader: Reader) -> None:
    path, line = reads().marked("read")
    await reader.client.set_lines(path, line)
    await reader.ask("next")
    await reader.ask("next")
    await reader.type("one")
    await reader.client.event("stopped", reason="breakpoint")
    assert await reader.line() == line
    await reader.client.request("disconnect")


async def test_a_held_key_loses_no_step(client: DapClient, attributes: AttributesOf) -> None:
    """Two steps are asked for at each stop, and two are made."""
    program = debuggee("basics", "Loop")
    await client.run_to(program, "call", attributes(program))
    path, call = program.marked("call")
    await client.set_lines(path)
    thread = {"threadId": client.bodies("stopped")[-1]["threadId"]}
    for line in (call - 1, call + 1, call) * 2:
        for sent in [client.begin("next", thread) for _ in range(2)]:
            assert (await client.answer(sent))["success"]
        while True:
            await client.event("stopped", reason="step")
            with contextlib.suppress(Refused):  # the second step is under way
                top, *_ = await client.top_frames(thread["threadId"])
                if top["line"] == line:
                    break
    await client.request("disconnect")
