# SPDX-License-Identifier: Apache-2.0
"""The lines that submitted a task, at a stop in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest

import jvmdebug
from jvmdebug import UnsupportedError
from tests.support.bare_program import bare_program
from tests.support.debuggees import debuggee
from tests.support.sessions import compiled, next_stop

if TYPE_CHECKING:
    from jvmdebug import Origin
    from tests.e2e.script.conftest import Launch
    from tests.support.debuggees import Debuggee
    from tests.support.jdks import Jdk

LINES: Final[dict[str, list[tuple[str, ...]]]] = {
    "thread": [("thread",)],
    "executor": [("executor",)],
    "future": [("future",), ("own-future",)],
    "scheduler": [("scheduler",)],
    "stage": [("stage",)],
    "dependent": [("dependent",)],
    "forkjoin": [("fork", "fork", "forkjoin")],
    "stream": [("stream",)],
    "timer": [("timer",)],
    "links": [("link-1", "link-2", "link-3", "link-4")],
    "again": [("again-1",), ("again-2",)],
}
"""What each kind submits: the lines at each of its stops, the nearest link first."""

VIRTUAL: Final[list[tuple[str, ...]]] = [("virtual",), ("per-task",), ("scope",)]


def _lines(origins: tuple[Origin, ...]) -> list[int | None]:
    return [None if each.place is None else each.place.line for each in origins]


def _expected(program: Debuggee, lines: tuple[str, ...]) -> list[int]:
    return [program.marker(each) for each in lines]


async def test_each_way_of_the_jdk(launch_ours: Launch, jdk: Jdk) -> None:
    program = compiled("origins", "Origins", jdk)
    async with launch_ours("origins", "Origins", args=tuple(LINES)) as session:
        await session.break_at(f"Origins.java:{program.marker('reached')}")
        async with session.origins():
            await session.resume()
            for kind, stops in LINES.items():
                for expected in stops:
                    stop = await next_stop(session)
                    found = await stop.origins()
                    assert _lines(found) == _expected(program, expected), (kind, found)
                    await stop.resume()
            assert await session.next_stop(timeout_s=30) is None


async def test_dumps_have_them_when_asked(launch_ours: Launch, jdk: Jdk) -> None:
    program = compiled("origins", "Origins", jdk)
    async with launch_ours("origins", "Origins", args=("executor",)) as session:
        await session.break_at(f"Origins.java:{program.marker('reached')}")
        async with session.origins():
            await session.resume()
            stop = await next_stop(session)
            for taken in (
                await session.snapshot(origins=True),
                await session.snapshot(variables=0, origins=True),
                await session.thread_dump(origins=True),
            ):
                thread = taken.thread(stop.thread.name)
                assert _lines(thread.origins) == _expected(program, ("executor",))
                assert "    submitted to ThreadPoolExecutor by thread main:\n" in str(taken)
                assert taken.thread("main").origins == ()
                assert taken.as_dict()
            assert (await session.snapshot()).thread(stop.thread.name).origins == ()
            with pytest.raises(jvmdebug.ArgumentError, match="consistency"):
                await session.thread_dump(origins=True, consistency="none")
            await stop.resume()


async def test_virtual_threads(launch_ours: Launch, jdk: Jdk) -> None:
    if jdk.version < 25:
        pytest.skip("structured concurrency has this form from JDK 25 on")
    program = compiled("origins_new", "OriginsNew", jdk)
    async with launch_ours("origins_new", "OriginsNew", vm_args=["--enable-preview"]) as session:
        await session.break_at(f"OriginsNew.java:{program.marker('reached')}")
        async with session.origins():
            await session.resume()
            for expected in VIRTUAL:
                stop = await next_stop(session)
                found = await stop.origins()
                assert _lines(found) == _expected(program, expected), found
                await stop.resume()
            assert await session.next_stop(timeout_s=30) is None


async def test_a_pool_that_ran_before_the_agent_came(jdk: Jdk) -> None:
    program = debuggee("origins", "Running")
    expected = _expected(program, ("inner", "outer"))
    async with (
        bare_program(jdk, program=program) as running,
        jvmdebug.attach(pid=running.pid) as session,
        session.origins() as tracking,
    ):
        await session.break_at(f"Running.java:{program.marker('ran')}")
        found: list[list[int | None]] = []
        while len(found) < 10 and expected not in found:
            stop = await next_stop(session)
            found.append(_lines(await stop.origins()))
            await stop.resume()
        assert expected in found, (found, await tracking.status())


async def test_the_agent_of_the_jdk_knows_none(launch: Launch, jdk: Jdk, agent_kind: str) -> None:
    program = compiled("origins", "Origins", jdk)
    async with launch("origins", "Origins", args=("thread",)) as session:
        await session.break_at(f"Origins.java:{program.marker('reached')}")
        if agent_kind == "jvmdebug":
            pytest.skip("our agent knows them")
        with pytest.raises(UnsupportedError, match="where tasks were submitted"):
            await session.origins().start()
        await session.resume()
        stop = await next_stop(session)
        with pytest.raises(UnsupportedError, match="where tasks were submitted"):
            await stop.origins()
        for taking in (session.snapshot(origins=True), session.thread_dump(origins=True)):
            with pytest.raises(UnsupportedError, match="where tasks were submitted"):
                await taking
        await stop.resume()
