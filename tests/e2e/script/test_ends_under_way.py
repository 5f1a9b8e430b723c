# SPDX-License-Identifier: Apache-2.0
"""A program ends, in every way in which programs end, while the debugger is in the middle of
something: its end comes within a second all the same, with the program's own exit code.

Nothing may be suspended once the VM has begun to end, for nobody could resume it. When a run goes
wrong depends on moments, so each has its own; the whole table is slow, and CI takes a diagonal.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import signal
import time
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Final

import pytest

import jvmdebug
from tests.support.debuggees import debuggee
from tests.support.sessions import launched

if TYPE_CHECKING:
    from asyncio.subprocess import Process
    from collections.abc import AsyncIterator, Awaitable, Callable, Iterable

    from tests.support.jdks import Jdk
    from tests.support.process import AgentInVm

EXIT_CODES: Final = {"main": 0, "exit": 7, "halt": 8, "uncaught": 1, "interrupted": 130}
HANGS_S: Final = 20.0
LATE_S: Final = 4.0
"""What a busy machine takes for the second that is promised."""
LEAVES_S: Final = 0.4
"""Of this process's own time, as most of it is; it was 0.6 and 1.2."""


class Ending:
    """A program that ends as soon as it is told to, and its debugger."""

    def __init__(self, session: jvmdebug.Session, pid: int, how: str) -> None:
        self.session = session
        self.pid = pid
        self.how = how
        self.told = asyncio.Event()

    async def tell(self, write: Callable[[], Awaitable[None]]) -> None:
        """Let the program end."""
        await write()
        if self.how == "interrupted":
            await asyncio.sleep(0.01)  # it may be anywhere
            with suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGINT)
        self.told.set()


async def nothing(ending: Ending) -> None:
    await ending.told.wait()


async def stops(ending: Ending) -> None:
    """All threads, again and again; the program can end only between two stops."""
    await ending.session.break_at("Ends#turn")
    while stop := await ending.session.next_stop(HANGS_S):
        await stop.resume()


async def steps(ending: Ending) -> None:
    """Steps of a daemon thread, all others stopped with it."""
    breakpoint_ = await ending.session.break_at("Ends#turn")
    stop = await ending.session.next_stop(HANGS_S)
    await breakpoint_.remove()
    while stop is not None:
        await stop.step_over()
        stop = await ending.session.next_stop(HANGS_S)


async def stopped_thread(ending: Ending) -> None:
    """A daemon thread alone is stopped, and stays so for the debugger."""
    await ending.session.break_at("Ends#turn", suspend="thread")
    await ending.session.next_stop(HANGS_S)
    await ending.told.wait()


async def suspensions(ending: Ending) -> None:
    while True:
        stop = await ending.session.suspend()
        await stop.resume()


async def evaluations(ending: Ending) -> None:
    """Methods that take a while, on a daemon thread that is stopped alone."""
    await ending.session.break_at("Ends#turn", suspend="thread")
    stop = await ending.session.next_stop(HANGS_S)
    while stop is not None:
        await stop.frame.evaluate("Ends.slow()")


async def swaps(ending: Ending) -> None:
    (classes,) = debuggee("ends", "Ends").class_path
    while True:
        await ending.session.redefine(classes / "Ends.class", changed_only=False)


async def traced(ending: Ending) -> None:
    async for _ in ending.session.trace("Ends#turn"):
        pass


async def logged(ending: Ending) -> None:
    await ending.session.break_at("Ends#turn", log_message="{by}")
    await ending.told.wait()


async def sampled(ending: Ending) -> None:
    async for _ in ending.session.sample("Ends.turned", every=0.001):
        pass


async def conditions(ending: Ending) -> None:
    """Set and removed all the time."""
    while True:
        breakpoint_ = await ending.session.break_at("Ends#turn", condition="by == -123456")
        await breakpoint_.remove()


UNDER_WAY: Final = {
    each.__name__: each
    for each in (
        nothing,
        stops,
        steps,
        stopped_thread,
        suspensions,
        evaluations,
        swaps,
        traced,
        logged,
        sampled,
        conditions,
    )
}
LATE: Final = [each for each in UNDER_WAY if each not in {"stopped_thread", "evaluations"}]
"""What an agent can that was loaded into a program that ran: it calls no method."""
NOT_WITH_LIBJDWP: Final = {
    "stopped_thread": "the thread must be resumed before the VM ends",
    "evaluations": "the thread must be resumed before the VM ends",
    "conditions": "each of a million hits a second stops",
    "traced": "each of a million hits a second stops",
    "logged": "each of a million hits a second stops",
}


def diagonal(rows: Iterable[str]) -> list[tuple[str, str]]:
    """Each row once, and the ways of ending in turn."""
    return list(zip(itertools.cycle(EXIT_CODES), rows, strict=False))


DIAGONAL: Final = diagonal(UNDER_WAY)
LATE_DIAGONAL: Final = diagonal(["steps", "suspensions", "swaps", "traced"])


async def keep_at_it(what: str, ending: Ending) -> None:
    """Does it until the program is over, which may be noticed in any way that is ours."""
    with suppress(jvmdebug.JvmDebugError):
        await UNDER_WAY[what](ending)
    with suppress(jvmdebug.JvmDebugError):
        # An end that was met in the middle may have left it stopped for the debugger.
        await ending.session.resume()


async def run(ending: Ending, what: str, write: Callable[[], Awaitable[None]]) -> float:
    """The program to its end; for how long its end took when it was on its way."""
    work = asyncio.create_task(keep_at_it(what, ending))
    await asyncio.sleep(0.2)  # in the middle
    async with asyncio.timeout(HANGS_S):
        await ending.tell(write)
        began = time.monotonic()
        await ending.session.wait()
        took = time.monotonic() - began
        await work
    return took


async def launched_end(jdk: Jdk, agent: AgentInVm, how: str, what: str) -> None:
    """The end of a program that the session has launched, whose exit code it therefore knows."""
    program = debuggee("ends", "Ends")
    async with launched(program, jdk, agent, args=[how], stdin="pipe") as session:
        await session.start()
        assert session.pid is not None
        took = await run(Ending(session, session.pid, how), what, lambda: session.write_stdin("\n"))
        assert session.exit_code == EXIT_CODES[how]
        assert took < LATE_S


@asynccontextmanager
async def waiting(jdk: Jdk, how: str) -> AsyncIterator[Process]:
    """The program, without an agent, which waits for a byte."""
    process = await asyncio.create_subprocess_exec(
        str(jdk.java),
        *("-cp", str(debuggee("ends", "Ends").class_path[0]), "Ends", how),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        assert process.stdout is not None
        await process.stdout.readline()
        yield process
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()


async def attached_end(jdk: Jdk, how: str, what: str) -> None:
    """The end of a program that was started without an agent."""
    async with waiting(jdk, how) as process, jvmdebug.attach(pid=process.pid) as session:

        async def write() -> None:
            assert process.stdin is not None
            process.stdin.write(b"\n")
            await process.stdin.drain()

        took = await run(Ending(session, process.pid, how), what, write)
        async with asyncio.timeout(HANGS_S):
            assert await process.wait() == EXIT_CODES[how]
        assert took < LATE_S


@pytest.mark.parametrize(("how", "what"), DIAGONAL)
async def test_end(jdk: Jdk, how: str, what: str) -> None:
    await launched_end(jdk, "jvmdebug", how, what)


@pytest.mark.parametrize(("how", "what"), LATE_DIAGONAL)
async def test_end_of_a_program_that_was_attached_to(jdk: Jdk, how: str, what: str) -> None:
    await attached_end(jdk, how, what)


@pytest.mark.slow
@pytest.mark.full_mode_too
@pytest.mark.parametrize("what", UNDER_WAY)
@pytest.mark.parametrize("how", EXIT_CODES)
async def test_every_end(jdk: Jdk, agent_kind: AgentInVm, how: str, what: str) -> None:
    if agent_kind == "stock" and what in NOT_WITH_LIBJDWP:
        pytest.skip(f"libjdwp waits, or has not what it takes: {NOT_WITH_LIBJDWP[what]}")
    await launched_end(jdk, agent_kind, how, what)


@pytest.mark.slow
@pytest.mark.parametrize("what", LATE)
@pytest.mark.parametrize("how", EXIT_CODES)
async def test_every_end_of_a_program_that_was_attached_to(jdk: Jdk, how: str, what: str) -> None:
    await attached_end(jdk, how, what)


@pytest.mark.slow  # it compares processor time, which a busy machine stretches
@pytest.mark.parametrize("leaves", ["terminate", "detach"])
async def test_leaving_while_a_hot_method_is_traced(jdk: Jdk, leaves: str) -> None:
    """Nobody waits until all of its calls are known: it is called a million times a second."""
    program = debuggee("ends", "Ends")
    async with launched(program, jdk, "jvmdebug", args=["main"], stdin="pipe") as session:
        await session.start()
        pid = session.pid
        assert pid is not None
        trace = await session.trace("Ends#turn")
        async with asyncio.timeout(HANGS_S):
            for _ in range(3_000):
                await trace.next()
        began = time.process_time()
        await (session.terminate(HANGS_S) if leaves == "terminate" else session.detach())
        assert time.process_time() - began < LEAVES_S
        if leaves == "terminate":
            assert session.exit_code == 143, "it was killed"
        else:
            os.kill(pid, signal.SIGKILL)
