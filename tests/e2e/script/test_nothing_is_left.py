# SPDX-License-Identifier: Apache-2.0
"""What observes a program leaves nothing in it, whenever it ends: asked of the agent."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

import jvmdebug
from tests.support import process
from tests.support.debuggees import debuggee
from tests.support.what_is_left import (
    Commands,
    changes_left,
    probes_left,
    requests_of,
    sampling_left,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Iterable

    from tests.support.jdks import Jdk
    from tests.support.process import Jvm

pytestmark = pytest.mark.agent

_LISTENS: Final = "transport=dt_socket,server=y,suspend=n,address=127.0.0.1:0"
_CLASS: Final = "left/Zoo"
_SETTLED_S: Final = 15.0
_SLOWER: Final = 20
_TICK_S: Final = 1 / os.sysconf("SC_CLK_TCK")
_FEW: Final = (0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144)


def _line(marker: str) -> str:
    return f"Zoo.java:{debuggee('left', 'left.Zoo').marker(marker)}"


async def _events(observation: jvmdebug.Trace | Any) -> None:
    async with observation as it:
        async for _ in it:
            break


async def _collected(observation: Any) -> None:
    await observation.collect()


async def _measured(measuring: Any) -> None:
    async with measuring as it:
        while not _passages(await it.read()):  # noqa: ASYNC110 - the program tells nobody
            await asyncio.sleep(0.01)


def _passages(read: Any) -> int:
    return int(read if isinstance(read, int) else read.total.count)


async def _allocated(allocations: Any) -> None:
    async with allocations as it:
        await it.profile()


WAYS: dict[str, Callable[[jvmdebug.Session, int | None], Awaitable[Any]]] = {
    "trace": lambda s, n: (_collected if n else _events)(s.trace("left.Zoo#*", limit=n)),
    "trace that stops": lambda s, n: (_collected if n else _events)(
        s.trace("left.Zoo#*", limit=n, recorded=False)
    ),
    "who_sets": lambda s, n: (_collected if n else _events)(s.who_sets("left.Zoo.food", limit=n)),
    "who_reads": lambda s, n: (_collected if n else _events)(
        s.who_reads("left.Zoo.rounds", limit=n)
    ),
    "sample": lambda s, n: (_collected if n else _events)(
        s.sample("food", at=_line("walk"), limit=n)
    ),
    "sample at intervals": lambda s, n: (_collected if n else _events)(
        s.sample("left.Zoo.rounds", every=0.01, limit=n)
    ),
    "contention": lambda s, n: (_collected if n else _events)(s.contention(limit=n and min(n, 20))),
    "count": lambda s, _: _measured(s.count(_line("once"))),
    "time": lambda s, _: _measured(s.time_between(_line("walk"), _line("twice"))),
    "allocations": lambda s, _: _allocated(s.allocations()),
    "profile": lambda s, _: s.profile(seconds=0.05),
    "profile of locks": lambda s, _: s.profile_locks(seconds=0.05),
    "profile of allocations": lambda s, _: s.profile_allocations(seconds=0.05),
}


_EACH: Final = pytest.mark.parametrize("way", WAYS.values(), ids=WAYS.keys())
_IN_SHORT: Final = ("trace", "count")
_SHORT: Final = pytest.mark.parametrize("way", [WAYS[each] for each in _IN_SHORT], ids=_IN_SHORT)


@contextlib.asynccontextmanager
async def _visit(jdk: Jdk) -> AsyncIterator[Jvm]:
    """The program runs with our agent."""
    agent = process.agent_argument("jvmdebug", _LISTENS)
    jvm = await process.Jvm.start(jdk, debuggee("left", "left.Visit"), agent=agent)
    try:
        yield jvm
    finally:
        await jvm.end()


@contextlib.asynccontextmanager
async def _zoo(jdk: Jdk) -> AsyncIterator[tuple[Jvm, jvmdebug.Session]]:
    """Starts it, and a session is attached to it."""
    async with _visit(jdk) as jvm, jvmdebug.attach("127.0.0.1", await jvm.port()) as session:
        yield jvm, session


async def _rounds(session: jvmdebug.Session, jvm: Jvm) -> float:
    """How many rounds the program makes in a second of processor time: another program that runs
    meanwhile takes time, and no rounds.
    """
    number, used = await _rounds_so_far(session, jvm)
    await asyncio.sleep(0.3)
    later, used_later = await _rounds_so_far(session, jvm)
    return (later - number) / max(used_later - used, _TICK_S)


async def _rounds_so_far(session: jvmdebug.Session, jvm: Jvm) -> tuple[float, float]:
    """How many it has made, and the seconds of processor time until then."""
    (sample,) = await session.sample("left.Zoo.rounds", limit=1).collect()
    assert sample.number is not None
    return sample.number, _processor_time(jvm.pid)


def _processor_time(pid: int) -> float:
    user, system = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) * _TICK_S


async def _is_as_fast(session: jvmdebug.Session, jvm: Jvm, before: float) -> None:
    """Waits until the VM has compiled the methods again: interpreted, it makes a hundredth of the
    rounds. A seventh is what it makes, also later, if the VM compiles the loop before it knows how
    often the new methods are called, and so does not inline them.
    """
    now = 0.0
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_SETTLED_S):
            while now < before / _SLOWER:
                now = await _rounds(session, jvm)
    assert now >= before / _SLOWER, f"{now:.0f} rounds a second, {before:.0f} before"


async def _left(session: jvmdebug.Session, before: set[str]) -> list[str]:
    """What is left when all that is under way is over; `before`: the requests of the session."""
    class_path = debuggee("left", "left.Visit").class_path[0]
    left: list[str] = []
    try:
        async with asyncio.timeout(_SETTLED_S):
            while True:
                left = await probes_left(session)
                left += await changes_left(session, class_path, _CLASS)
                left += await sampling_left(session)
                left += sorted(await requests_of(session) - before)
                if not left:
                    return []
                await asyncio.sleep(0.05)
    except TimeoutError:
        return left


@_SHORT
async def test_a_limit_leaves_nothing(jdk: Jdk, way: Any) -> None:
    async with _zoo(jdk) as (jvm, session):
        rounds, requests = await _rounds(session, jvm), await requests_of(session)
        for limit in (1, 200):
            async with asyncio.timeout(30):
                await way(session, limit)
            assert await _left(session, requests) == []
        await _is_as_fast(session, jvm, rounds)


@pytest.mark.slow
@_EACH
async def test_each_leaves_nothing(jdk: Jdk, way: Any) -> None:
    await test_a_limit_leaves_nothing(jdk, way)


async def _cancelled(session: jvmdebug.Session, way: Any, commands: Commands, number: int) -> bool:
    """Cancel it as soon as its command of that number was sent; whether it sent so many."""
    task = asyncio.ensure_future(way(session, None))
    commands.begin(number, task.cancel)
    await asyncio.wait({task}, timeout=30)
    assert task.done(), "it goes on though it was cancelled"
    if not task.cancelled() and task.exception() is not None:
        raise task.exception()
    return commands.has_begun


async def _cancelled_at(jdk: Jdk, way: Any, numbers: Iterable[int]) -> None:
    async with _zoo(jdk) as (jvm, session):
        rounds, requests = await _rounds(session, jvm), await requests_of(session)
        commands = Commands(session)
        for number in numbers:
            if not await _cancelled(session, way, commands, number):
                break
            assert await _left(session, requests) == [], f"at command {number}"
        await _is_as_fast(session, jvm, rounds)


@_SHORT
async def test_a_cancel_leaves_nothing(jdk: Jdk, way: Any) -> None:
    await _cancelled_at(jdk, way, (1, 8, 34))


@pytest.mark.slow
@_EACH
async def test_a_cancel_at_each_command_leaves_nothing(jdk: Jdk, way: Any) -> None:
    await _cancelled_at(jdk, way, range(200))


@pytest.mark.slow
@_EACH
async def test_a_lost_link_leaves_nothing(jdk: Jdk, way: Any) -> None:
    """Another session asks."""
    async with _visit(jdk) as jvm:
        port = await jvm.port()
        async with jvmdebug.attach("127.0.0.1", port) as first:
            rounds, requests = await _rounds(first, jvm), await requests_of(first)
        for number in _FEW:
            async with jvmdebug.attach("127.0.0.1", port) as lost:
                commands = Commands(lost)
                task = asyncio.ensure_future(way(lost, None))
                commands.begin(number, commands.lose_link)
                await asyncio.wait({task}, timeout=30)
                assert task.done(), "it goes on though there is no link"
                error = task.exception()
                assert error is None or isinstance(error, jvmdebug.JvmDebugError), error
            async with jvmdebug.attach("127.0.0.1", port) as other:
                assert await _left(other, await requests_of(other)) == [], f"at command {number}"
                assert len(await requests_of(other)) == len(requests)
                await _is_as_fast(other, jvm, rounds)
            if not commands.has_begun:
                break


@pytest.mark.slow
@_EACH
@pytest.mark.parametrize("number", [0, 3, 13, 34])
async def test_the_end_of_the_program_ends_it(jdk: Jdk, way: Any, number: int) -> None:
    async with _zoo(jdk) as (jvm, session):
        commands = Commands(session)
        task = asyncio.ensure_future(way(session, None))
        commands.begin(number, lambda: os.kill(jvm.pid, signal.SIGTERM))
        await asyncio.wait({task}, timeout=30)
        assert task.done(), "it goes on though the program has ended"
        error = task.exception()
        assert error is None or isinstance(error, jvmdebug.JvmDebugError), error
        if commands.has_begun:
            assert await jvm.wait(timeout_s=10) == 128 + signal.SIGTERM
