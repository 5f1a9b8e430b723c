# SPDX-License-Identifier: Apache-2.0
"""Many breakpoints, matching classes, hits, printed lines, frames, elements: costs of an adapter.

Each of them at a size and at four times the size, in one session with a debuggee that stops after
each piece of work.
"""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import pytest

from tests.scale.adapter import Adapter, adapter, launch_attributes
from tests.scale.test_many_threads import FACTOR, MOST_MIB, STEEPEST
from tests.support.debuggees import debuggee

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from tests.support.dap_client import Body
    from tests.support.debuggees import Debuggee
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

IGNORED_S: Final = 0.4


@dataclass(frozen=True, slots=True)
class Run:
    """An adapter whose debuggee is stopped after the first of three pieces of work."""

    running: Adapter
    program: Debuggee
    thread_id: int

    async def go_on(self) -> None:
        """Have the program do the next piece."""
        await self.running.client.request("continue", {"threadId": self.thread_id})
        await self.running.client.event("stopped", reason="breakpoint")

    async def functions(self, *names: str) -> list[Body]:
        """Set function breakpoints, and clear them again."""
        client, answer = self.running.client, "setFunctionBreakpoints"
        placed = await client.request(answer, {"breakpoints": [{"name": each} for each in names]})
        await client.request(answer, {"breakpoints": []})
        found: list[Body] = placed["breakpoints"]
        return found

    async def lines_after(self, begin: str, act: Callable[[], Awaitable[None]]) -> int:
        """How many lines of output that begin so arrive while this is done."""
        before = len(self.running.client.timeline)
        await act()
        texts = (
            each["body"]["output"]
            for each in self.running.client.timeline[before:]
            if each.get("event") == "output"
        )
        return sum(line.startswith(begin) for text in texts for line in text.splitlines())


@asynccontextmanager
async def stopped(jdk: Jdk, agent: AgentKind, kind: str, count: int) -> AsyncIterator[Run]:
    """A run of pieces of work: `count`, `count` and four times as much."""
    program = debuggee("many", "many.Many")
    work = [word for size in (count, count, FACTOR * count) for word in (kind, str(size))]
    async with adapter() as running:
        started = launch_attributes(program, jdk, agent, *work)
        frame = await running.client.run_to(program, "shown", started)
        yield Run(running, program, frame["threadId"])
        assert running.most_memory_mib() < MOST_MIB
        await running.client.request("disconnect", {"terminateDebuggee": True})


async def growth(run: Run, count: int, act: Callable[[int], Awaitable[None]]) -> None:
    """Costs at `count` and at four times as much; the debuggee is where it did `count`."""
    costs = []
    for size in (count, FACTOR * count):
        before = run.running.cpu_s()
        await act(size)
        costs.append(run.running.cpu_s() - before)
    few, many = costs
    assert many < max(IGNORED_S, STEEPEST * few), f"{few:.2f} s, then {many:.2f} s"


async def test_classes_that_a_function_breakpoint_matches(jdk: Jdk, agent_kind: AgentKind) -> None:
    count: Final = 80
    async with stopped(jdk, agent_kind, "classes", count) as run:

        async def match(size: int) -> None:
            await run.go_on()
            (found,) = await run.functions("many.Copy*.work")
            assert found["verified"], (size, found)

        await run.functions("many.Copy*.work")
        await growth(run, count, match)


async def test_breakpoints(jdk: Jdk, agent_kind: AgentKind) -> None:
    count: Final = 30
    async with stopped(jdk, agent_kind, "classes", count) as run:

        async def place(size: int) -> None:
            await run.go_on()
            names = (f"many.Copy{each:06}.work" for each in range(size))
            assert all(each["verified"] for each in await run.functions(*names))

        await run.functions("many.Copy000000.work")
        await growth(run, count, place)


async def test_hits_of_a_log_point(jdk: Jdk, agent_kind: AgentKind) -> None:
    count: Final = 80  # four times as many are fewer than may be logged in a second
    async with stopped(jdk, agent_kind, "hits", count) as run:
        path, shown = run.program.marked("shown")
        _, hit = run.program.marked("hit")
        logged = {"line": hit, "logMessage": "seen {each}"}
        await run.running.client.set_lines(path, shown, logged)

        async def log(size: int) -> None:
            assert await run.lines_after("seen ", run.go_on) == size

        await growth(run, count, log)


async def test_lines_that_the_program_prints(jdk: Jdk, agent_kind: AgentKind) -> None:
    count: Final = 4_000
    async with stopped(jdk, agent_kind, "hits", count) as run:

        async def read(size: int) -> None:
            assert await run.lines_after("line ", run.go_on) == size

        await growth(run, count, read)


async def test_all_frames_of_a_stack(jdk: Jdk, agent_kind: AgentKind) -> None:
    count: Final = 500
    async with stopped(jdk, agent_kind, "frames", count) as run:

        async def show(size: int) -> None:
            await run.go_on()  # where the stack is not deep
            await run.go_on()
            assert len(await run.running.client.top_frames(run.thread_id, levels=0)) > size

        await growth(run, count, show)


@pytest.mark.parametrize("kind", ["Object[]", "HashMap"])
async def test_all_elements_of_a_collection(jdk: Jdk, agent_kind: AgentKind, kind: str) -> None:
    count: Final = 400
    async with stopped(jdk, agent_kind, kind, count) as run:
        client = run.running.client

        async def show(size: int) -> None:
            await run.go_on()
            top, *_ = await client.top_frames(run.thread_id)
            it = (await client.locals_of(top))["it"]
            found = await client.children(it["variablesReference"], start=0, count=size)
            assert len(found) >= size

        await growth(run, count, show)
