# SPDX-License-Identifier: Apache-2.0
"""Counts of passages and times between two lines, which the program notes itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import jvmdebug
from tests.support.sessions import compiled, next_stop

if TYPE_CHECKING:
    from tests.e2e.script.conftest import Launch
    from tests.support.jdks import Jdk

TOPIC, MAIN = "probed", "Probed"


async def test_passages_are_counted(launch: Launch, jdk: Jdk) -> None:
    program = compiled(TOPIC, MAIN, jdk)
    async with launch(TOPIC, MAIN) as session:
        end = await session.break_at(f"Probed.java:{program.marker('ready')}")
        look = f"Probed.java:{program.marker('look')}"
        async with (
            session.count(look) as every,
            session.count(look, condition="i % 4 == 1") as some,
        ):
            stop = await next_stop(session)
            assert end in stop.breakpoints
            assert (await every.read(), await some.read()) == (40, 10)
        assert (await every.read(), await some.read()) == (40, 10)
        with pytest.raises(jvmdebug.StateError, match="closed"):
            await every.open()
        with pytest.raises(jvmdebug.BreakpointError, match="no line"):
            await session.count("Probed.java:100000")


async def test_the_program_times_itself_between_two_lines(launch_ours: Launch, jdk: Jdk) -> None:
    program = compiled(TOPIC, MAIN, jdk)
    lines = {name: f"Probed.java:{program.marker(name)}" for name in ("first", "third", "hot")}
    async with launch_ours(TOPIC, MAIN) as session:
        begin = await session.break_at(f"Probed.java:{program.marker('ready')}")
        await next_stop(session)
        async with session.time_between(lines["first"], lines["third"]) as timing:
            assert (await timing.read()).total == jvmdebug.Times()
            end = await session.break_at("Probed#threads")
            await begin.remove()
            await session.resume()
            stop = await next_stop(session)
            assert end in stop.breakpoints
            found = await timing.read()
            # The switch comes to each of its three cases in turn, ten times.
            assert (found.total.count, list(found.by_thread), timing.missed) == (10, ["main"], 0)
            total = found.total
            assert 0 < total.least_ns <= total.mean_ns <= total.longest_ns
            assert total.least_ns <= total.percentile(50) <= total.percentile(99)
            assert total.percentile(100) == total.longest_ns
            assert sum(each.count for each in total.ranges) == 10
            assert str(found).startswith("10 times: mean ")
        assert await timing.read() == found
        loop = session.time_between("Probed#times", lines["hot"])
        await loop
        await end.remove()
        await session.resume()
        await session.wait()
        # Each call comes to the line many times, and begins once; read as the program ended.
        by_thread = (await loop.read()).by_thread
        assert {name: each.count for name, each in by_thread.items()} == {
            **{f"worker-{number}": 1 for number in range(4)},
            "main": 1,
        }


async def test_a_thread_that_is_in_the_method_is_not_timed(launch_ours: Launch, jdk: Jdk) -> None:
    line = f"Probed.java:{compiled(TOPIC, MAIN, jdk).marker('hot')}"
    async with launch_ours(TOPIC, MAIN) as session:
        await session.break_at(line, once=True)
        await next_stop(session)
        async with session.time_between("Probed#times", line) as timing:
            assert "not timed: a thread runs the method now" in str(timing.message)
            end = await session.break_at("Probed#threads")
            await session.resume()
            stop = await next_stop(session)
            assert end in stop.breakpoints
            assert (await timing.read()).total.count == 0
            assert timing.missed > 0


async def test_what_cannot_be_timed_says_why(launch: Launch, jdk: Jdk, agent_kind: str) -> None:
    line = f"Probed.java:{compiled(TOPIC, MAIN, jdk).marker('look')}"
    async with launch(TOPIC, MAIN) as session:
        with pytest.raises(jvmdebug.BreakpointError, match="choose two places"):
            session.time_between(line, line)
        await session.break_at(line, once=True)
        await next_stop(session)
        session.settings.probes = "off"
        why = "probes are off" if agent_kind == "jvmdebug" else "only the jvmdebug agent can"
        if agent_kind != "jvmdebug":
            session.settings.probes = "auto"
        with pytest.raises(jvmdebug.UnsupportedError, match=why):
            await session.time_between(line, "Probed#threads")
