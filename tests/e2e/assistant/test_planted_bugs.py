# SPDX-License-Identifier: Apache-2.0
"""An assistant finds planted bugs through the server, in six calls at most each; with the SDK's
own client.
"""

from __future__ import annotations

import socket
import time
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest
from mcp import Client

from jvmdebug_mcp.investigation import Investigation
from jvmdebug_mcp.server import make_server
from tests.support.debuggees import debuggee

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from tests.support.debuggees import Debuggee


class Assistant:
    """Calls tools and counts."""

    def __init__(self, investigation: Investigation, client: Client, program: Debuggee) -> None:
        self.investigation = investigation
        self._client = client
        self._program = program
        self.calls = 0

    async def launch(self) -> str:
        return await self(
            "launch",
            main_class=self._program.main_class,
            class_path=[str(each) for each in self._program.class_path],
            source_path=[str(self._program.source_dir)],
        )

    async def __call__(self, tool: str, *, fails: bool = False, **arguments: Any) -> str:
        self.calls += 1
        result = await self._client.call_tool(tool, arguments)
        text = "\n".join(each.text for each in result.content if each.type == "text")
        assert bool(result.is_error) == fails, text
        return text


@asynccontextmanager
async def assistant(
    main_class: str, topic: str = "planted", **options: Any
) -> AsyncIterator[Assistant]:
    program = debuggee(topic, main_class)
    async with (
        Investigation(**options) as investigation,
        Client(make_server(investigation)) as client,
    ):
        yield Assistant(investigation, client, program)


async def test_null_chain() -> None:
    async with assistant("NullChain") as ask:
        await ask.launch()
        await ask("stop_at", where="exception java.lang.NullPointerException")
        stop = await ask("run")
        assert "NullPointerException" in stop
        assert "length(" in stop
        assert "->" in stop
        chain = "order.customerOf().address().city()"
        found = await ask("which_is_null", expression=chain)
        assert "null is order.customerOf().address()" in found
        assert "number=617" in await ask("evaluate", expression="order")
        assert ask.calls <= 6


async def test_stop_points_in_a_chain() -> None:
    async with assistant("Loop", "basics") as ask:
        await ask.launch()
        assert "is no" in await ask("stop_at", where="Loop#square", after=9, fails=True)
        await ask("stop_at", where="Loop#add", hit_condition="4")
        assert "waits for another" in await ask("stop_at", where="Loop#square", after=1)
        assert "set after was not reached" in await ask("why_not_hit", number=2)
        assert "stop point 1 in thread" in await ask("run")
        stop = await ask("run")
        assert "stop point 2 in thread" in stop
        assert "number = 4" in stop


async def test_deadlock() -> None:
    async with assistant("Deadlock") as ask:
        await ask.launch()
        assert "still running" in await ask("run", timeout_s=2)
        found = await ask("threads", frames=3)
        assert "DEADLOCK" in found
        assert "saver" in found
        assert "spender" in found
        assert "Deadlock.transfer" in found
        assert ask.calls <= 6


async def test_lost_update() -> None:
    async with assistant("LostUpdate") as ask:
        await ask.launch()
        found = await ask("who_sets", field="LostUpdate.count", stack=2, seconds=20)
        first_round = found.count("0 -> 1"), found.count("1 -> 1")
        # Both threads may be at their write before either has written.
        assert first_round in {(1, 1), (2, 0)}, "the second write of a round changes nothing"
        assert "adder-1" in found
        assert "adder-2" in found
        assert "LostUpdate.java" in found
        assert ask.calls <= 6


async def test_leak() -> None:
    async with assistant("Leak") as ask:
        await ask.launch()
        await ask("stop_at", where="Leak#done")
        await ask("run")
        assert "Leak$Request: 1000 objects" in await ask("instances", type_name="Leak$Request")
        await ask("run")
        found = await ask("instances", type_name="Leak$Request")
        assert "Leak$Request: 2000 objects" in found
        assert "number=1" in found
        assert ask.calls <= 6


async def test_what_goes_wrong_is_told(tmp_path: Path) -> None:
    async with assistant("Leak") as ask:
        assert "call `launch` or `attach` first" in await ask("run", fails=True)
        assert "neither HOST:PORT" in await ask("attach", target="nonsense", fails=True)
        assert "no file" in await ask("attach", target=f"unix:{tmp_path}/none", fails=True)
        await ask.launch()
        assert "does not say a line" in await ask("stop_at", where="non sense", fails=True)
        assert "not stopped" in await ask("evaluate", expression="1", fails=True)
        await ask("stop_at", where="Leak.java:1000")
        assert "nowhere in the VM" in await ask("why_not_hit", number=1)
        assert "removed 1" in await ask("remove_stop_point", number=0)
        assert "no stop point 7" in await ask("why_not_hit", number=7, fails=True)
        ended = await ask("run")
        assert "ended with exit code 0" in ended
        assert "handled 2000" in ended
        report = await ask("report")
        assert "## 1. `run()`" in report
        assert "handled 2000" in report
        assert "is over" in await ask("end")


async def test_a_target_that_is_wrong() -> None:
    async with assistant("Leak") as ask:
        for target, says in (
            ("127.0.0.1:99999", "ports are 1 to 65535"),
            ("nohost.invalid:5005", "no host of that name is known"),
            (f"{'a' * 80}:5005", "that cannot be the name of a host"),
            ("tls://nohost", "write tls://HOST:PORT"),
            ("tls://127.0.0.1:1/shop", "asks for a token"),
            ("4999999", "there is no Java program with the process id 4999999"),
        ):
            assert says in await ask("attach", target=target, fails=True)
        with socket.socket() as closed:
            closed.bind(("127.0.0.1", 0))
            target = f"127.0.0.1:{closed.getsockname()[1]}"
            began = time.monotonic()
            refused = await ask("attach", target=target, fails=True)
        assert f"cannot attach to {target}: " in refused
        assert "tried for" not in refused, "an assistant does not wait for a program to start"
        assert time.monotonic() - began < 20, "not the half minute of other front ends"


async def test_panic_undoes_everything() -> None:
    async with assistant("Leak") as ask:
        await ask.launch()
        await ask("stop_at", where="Leak#done")
        await ask("stop_at", where="exception java.lang.Throwable")
        assert "stopped: stop point 1" in await ask("run")
        assert "removed 2 stop points; the program runs" in await ask("panic")
        assert await ask.investigation.session.wait() == 0, "nothing has stopped it again"
        assert await ask("stop_points") == "none"


async def test_answers_have_a_budget() -> None:
    async with assistant("Leak") as ask:
        await ask.launch()
        await ask("stop_at", where="Leak#done")
        await ask("run")
        found = await ask("instances", type_name="Leak$Request", limit=1000)
        assert len(found) < 8100
        assert "more characters: ask for less at a time" in found
        assert "the walk of the heap took " in found, "what it has cost"
        assert " threads, suspended for " in await ask("threads")


async def test_read_only_sessions_run_nothing() -> None:
    async with assistant("Leak", read_only=True) as ask:
        await ask.launch()
        await ask("stop_at", where="Leak#done")
        await ask("run")
        assert "number = 1000" in await ask("where")
        assert "read-only" in await ask("evaluate", expression="System.gc()", fails=True)
        assert "read-only" in await ask("set_value", target="number", value="3", fails=True)
        assert "removed 1" in await ask("panic")


async def test_the_watchdog_resumes_and_says_so() -> None:
    async with assistant("Leak", watchdog_s=0.3) as ask:
        await ask.launch()
        await ask("stop_at", where="Leak#done")
        await ask("run")
        assert await ask.investigation.session.wait() == 0, "it was resumed, and came to its end"
        assert "was resumed; disabled stop points: 1" in await ask("output")


@pytest.mark.parametrize("tool", ["launch", "run", "threads", "who_sets", "report", "panic"])
async def test_each_tool_says_what_it_is_for(tool: str) -> None:
    async with assistant("Leak") as ask:
        listed = await ask._client.list_tools()
        (found,) = [each for each in listed.tools if each.name == tool]
        assert found.description
        assert len(listed.tools) <= 26
