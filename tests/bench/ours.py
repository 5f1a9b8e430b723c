# SPDX-License-Identifier: Apache-2.0
"""Runs our core through its public API, doing exactly what the baseline does."""

from __future__ import annotations

import asyncio
import time
from typing import Final

import jvmdebug
from tests.bench.scenario import STOCK_AGENT, Measured, Program, Target, Work, target

_RUN_TIMEOUT_S: Final = 120.0


class _Phases:
    """Takes the time and the counters at the end of each phase."""

    def __init__(self, debuggee: Target) -> None:
        self.measured = Measured()
        self._debuggee = debuggee
        self._before = debuggee.traffic.copy()

    def end(self, name: str, since_ns: int) -> None:
        self.measured.nanoseconds[name] = time.monotonic_ns() - since_ns
        self.measured.traffic[name] = self._debuggee.traffic - self._before
        self._before = self._debuggee.traffic.copy()

    def skip(self) -> None:
        """What happened since the last phase belongs to none."""
        self._before = self._debuggee.traffic.copy()


async def _stop(session: jvmdebug.Session) -> jvmdebug.Stop:
    stop = await session.next_stop(timeout_s=60)
    assert stop is not None, "the debuggee ended"
    return stop


async def show(stop: jvmdebug.Stop) -> str:
    """What an editor shows at a stop: the frames, and the topmost one's variables as text."""
    frames = await stop.frames(0, 20)
    lines = [frame.location for frame in frames]
    this = await stop.frame.this()
    shown = [*([this] if this is not None else []), *await stop.frame.variables()]
    texts = await asyncio.gather(*(variable.as_text() for variable in shown))
    lines += [f"{each.name} = {text}" for each, text in zip(shown, texts, strict=True)]
    assert len(lines) > len(frames)
    return "\n".join(lines)


async def run(program: Program, work: Work, *, counted: bool, agent: str = STOCK_AGENT) -> Measured:
    """One debugging session; with `counted`, through the proxy."""
    async with (
        asyncio.timeout(_RUN_TIMEOUT_S),
        target(program, work, counted=counted, agent=agent) as debuggee,
        jvmdebug.attach("127.0.0.1", debuggee.port) as session,
    ):
        phases = _Phases(debuggee)
        await session.break_at(f"BenchTarget:{program.line('show')}")
        stop = await _stop(session)
        phases.end("first_stop", debuggee.started_ns)

        start = time.monotonic_ns()
        await show(stop)
        phases.end("show", start)

        await session.break_at(f"BenchTarget:{program.line('step')}", once=True)
        await stop.resume()
        stop = await _stop(session)
        phases.skip()
        start = time.monotonic_ns()
        for _ in range(work.steps):
            await stop.step_over()
            stop = await _stop(session)
        phases.end("step_over", start)

        last = work.hits - 1
        await session.break_at(f"BenchTarget:{program.line('hot')}", condition=f"i == {last}")
        phases.skip()
        start = time.monotonic_ns()
        await stop.resume()
        stop = await _stop(session)
        phases.end("condition", start)
        assert (await (await stop.frame.get("i")).as_text()) == str(last)
        for breakpoint_ in session.breakpoints:
            await breakpoint_.remove()
        await stop.resume()
        await session.wait()
        return phases.measured
