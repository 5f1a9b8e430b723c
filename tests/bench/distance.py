# SPDX-License-Identifier: Apache-2.0
"""What an editor does with a debuggee that is far away, in round trips: through a proxy that keeps
each byte for half of a round trip on its way, and without one for the commands and the bytes.

A row is the time between the editor's request, or the stop, and the last answer that it needs,
divided by the time of a round trip. Commands and bytes do not depend on the distance.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from tests.bench.proxy import Traffic, counting_proxy
from tests.bench.scenario import STOCK_AGENT, Program, Work, compiled, target
from tests.support.dap_client import DapClient, local_client

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable

    from tests.support.jdks import Jdk

ROUND_TRIPS_MS: Final = (0, 10, 100)
GOALS: Final = {
    "attach to initialized": 5.0,
    "five breakpoints in one file": 2.0,
    "first stop shown": 1.5,
    "next stop shown": 1.0,
    "step over and show": 1.3,
    "a map of 1,000 opened": 1.3,
    "first evaluate of a call": 3.0,
    "evaluate of a call again": 1.2,
    "100 breakpoints": 1.5,
    "disconnect": 1.0,
}
"""Row → round trips to reach with our agent."""


_ENTRIES: Final = 50
"""What the JDI client reads of the map where each command takes a round trip."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row of one run."""

    seconds: float
    traffic: Traffic


@contextlib.asynccontextmanager
async def delayed(port: int, round_trip_s: float) -> AsyncIterator[int]:
    """Forward to the port; each byte arrives half of a round trip after it was sent."""
    tasks: set[asyncio.Task[None]] = set()
    loop = asyncio.get_running_loop()

    async def pump(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        on_their_way: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()

        async def deliver() -> None:
            while True:
                due, data = await on_their_way.get()
                await asyncio.sleep(due - loop.time())
                if not data:
                    sink.close()
                    return
                sink.write(data)

        delivering = asyncio.create_task(deliver())
        try:
            while data := await source.read(1 << 16):
                on_their_way.put_nowait((loop.time() + round_trip_s / 2, data))
        finally:
            on_their_way.put_nowait((loop.time() + round_trip_s / 2, b""))
            await delivering

    async def forward(client: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        agent, out = await asyncio.open_connection("127.0.0.1", port)
        with contextlib.suppress(ConnectionError):
            await asyncio.gather(pump(client, out), pump(agent, back))

    def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        tasks.add(asyncio.create_task(forward(reader, writer)))

    server = await asyncio.start_server(accept, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


class Editor:
    """Does the rows one after the other."""

    def __init__(self, client: DapClient, program: Program, traffic: Traffic) -> None:
        self.client = client
        self._program = program
        self._traffic = traffic
        self._path = program.source("Distance")
        self.rows: dict[str, Row] = {}

    async def timed(self, name: str, work: Awaitable[Any]) -> Any:
        before, started = self._traffic.copy(), time.monotonic()
        result = await work
        self.rows[name] = Row(time.monotonic() - started, self._traffic - before)
        return result

    async def run(self, port: int) -> None:
        client = self.client
        attached = await self.timed("attach to initialized", self._attach(port))
        first = self._program.line("add", "Distance")
        lines = [{"line": first + each} for each in range(5)]
        body = {"source": {"path": str(self._path)}, "breakpoints": lines[:1]}
        await client.request("setBreakpoints", body)
        await client.configured(attached)
        stop = await client.event("stopped", reason="breakpoint")
        await self.timed("first stop shown", self.show(stop))
        five = {**body, "breakpoints": lines}
        await self.timed("five breakpoints in one file", client.request("setBreakpoints", five))
        await client.request("setBreakpoints", body)
        for _ in range(2):
            await client.request("continue", {"threadId": stop["threadId"]})
            stop = await client.event("stopped", reason="breakpoint")
            await self.timed("next stop shown", self.show(stop))
        await self.timed("step over and show", self._step(stop))
        frame = await self.timed("step over and show", self._step(stop))
        stock = await self._map(frame)
        entries = await self.timed("a map of 1,000 opened", client.children(stock))
        assert len(entries) >= 100, len(entries)
        for name in ("first evaluate of a call", "evaluate of a call again"):
            asked = {"expression": "price(before)", "frameId": frame["id"], "context": "repl"}
            await self.timed(name, client.request("evaluate", asked))
        many = {**body, "breakpoints": [{"line": line} for line in range(1, 101)]}
        await self.timed("100 breakpoints", client.request("setBreakpoints", many))
        await self.timed("disconnect", client.request("disconnect", {"terminateDebuggee": False}))

    async def _attach(self, port: int) -> int:
        asked = {"hostName": "127.0.0.1", "port": port, **self.sources}
        return await self.client.begin_debugging("attach", **asked)

    @property
    def sources(self) -> dict[str, Any]:
        """Attributes that say where the sources are."""
        return {"sourcePaths": [str(self._path.parent)]}

    async def break_at_first(self, attached: int) -> None:
        """Set a breakpoint in the loop, and let the program go."""
        lines = [{"line": self._program.line("add", "Distance")}]
        body = {"source": {"path": str(self._path)}, "breakpoints": lines}
        await self.client.request("setBreakpoints", body)
        await self.client.configured(attached)

    async def show(self, stop: Any) -> Any:
        """What VS Code asks at a stop."""
        threads, frames = await asyncio.gather(
            self.client.request("threads"), self.client.top_frames(stop["threadId"])
        )
        assert threads
        await self.client.locals_of(frames[0])
        return frames[0]

    async def _step(self, stop: Any) -> Any:
        await self.client.request("next", {"threadId": stop["threadId"]})
        return await self.show(await self.client.event("stopped", reason="step"))

    async def _map(self, frame: Any) -> int:
        local = await self.client.locals_of(frame)
        fields = await self.client.children(local["this"]["variablesReference"])
        reference: int = fields["stock"]["variablesReference"]
        return reference


async def measure(program: Program, agent: str, round_trip_s: float) -> dict[str, Row]:
    """One session of an editor."""
    work = Work(0, 0)
    async with (
        target(program, work, counted=False, agent=agent, main_class="Distance") as debuggee,
        counting_proxy(debuggee.port) as (counted, traffic),
        delayed(counted, round_trip_s) as far,
        local_client() as client,
    ):
        client.is_judged = False  # it takes half of the time of a large answer
        editor = Editor(client, program, traffic)
        await editor.run(far)
        return editor.rows


async def measure_jdi(program: Program, agent: str, round_trip_s: float) -> dict[str, Row]:
    """The same by `java/JdiDistance.java`; it counts nothing."""
    async with (
        target(program, Work(0, 0), counted=False, agent=agent, main_class="Distance") as debuggee,
        delayed(debuggee.port, round_trip_s) as far,
    ):
        client = await asyncio.create_subprocess_exec(
            *(str(program.jdk.java), "-cp", str(program.classes), "--add-modules", "jdk.jdi"),
            *("JdiDistance", str(far), str(program.line("add", "Distance"))),
            str(_ENTRIES if round_trip_s else 1000),
            stdout=asyncio.subprocess.PIPE,
        )
        printed, _ = await client.communicate()
    rows = (each.split(" ", 1) for each in printed.decode().splitlines())
    return {name: Row(int(took) / 1e9, Traffic()) for took, name in rows}


async def table(jdk: Jdk, agents: dict[str, str]) -> str:
    """The rows of each agent at each distance, and those of a plain JDI client with the JDK's."""
    lines = [f"JDK {jdk.version}: round trips of an editor (at {ROUND_TRIPS_MS[-1]} ms), ms at 0"]
    with compiled(jdk, only="*Distance.java") as program:
        for name, agent in agents.items():
            found = {ms: await measure(program, agent, ms / 1000) for ms in ROUND_TRIPS_MS}
            lines += _shown(name, found)
        found = {ms: await measure_jdi(program, STOCK_AGENT, ms / 1000) for ms in ROUND_TRIPS_MS}
        lines += _shown("a plain JDI client", found, counted=False)
    return "\n".join(lines)


def _shown(name: str, found: dict[int, dict[str, Row]], *, counted: bool = True) -> list[str]:
    near, far = found[ROUND_TRIPS_MS[0]], found[ROUND_TRIPS_MS[-1]]
    title = f"{name:32}{'round trips':>12}{'goal':>6}{'at 10 ms':>9}{'ms at 0':>9}"
    lines = [title + f"{'commands':>9}{'bytes':>9}" * counted]
    for row, goal in GOALS.items():
        trips = far[row].seconds * 1000 / ROUND_TRIPS_MS[-1]
        ten = found[10][row].seconds * 1000 / 10
        at_0, counts = near[row].seconds * 1000, near[row].traffic
        line = f"  {row:30}{trips:>12.1f}{goal:>6.1f}{ten:>9.1f}{at_0:>9.1f}"
        lines.append(line + f"{counts.commands:>9}{counts.bytes:>9}" * counted)
    return lines
