# SPDX-License-Identifier: Apache-2.0
"""Conditions that javac compiles, with a hit condition: the program has the count from the start,
also of hits that the debugger looks at until javac has compiled the condition.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import jvmdebug
from jvmdebug import BreakpointLogged
from jvmdebug.evaluator import COMPILED_LATER
from tests.support.bare_program import bare_program
from tests.support.sessions import compiled, next_stop

if TYPE_CHECKING:
    from jvmdebug.launch.agent_library import ProbeChoice
    from tests.e2e.script.conftest import Launch
    from tests.support.jdks import Jdk

FIRST_WITH_HIDDEN_CLASSES = 15
THREADS, TIMES = 8, 10_000


def any_of(variable: str, condition: str) -> str:
    """A condition with a lambda; `condition` is that of `each`."""
    return f"java.util.stream.IntStream.of({variable}).anyMatch(each -> {condition})"


def texts_of(session: jvmdebug.Session) -> list[str]:
    """What log points log from now on."""
    logged: list[str] = []
    session.subscribe(
        lambda event: logged.append(event.text) if isinstance(event, BreakpointLogged) else None
    )
    return logged


@pytest.mark.parametrize(("hit_condition", "times"), [("700", 1), (">= 39996", 5), ("% 8000", 5)])
async def test_hits_are_counted_exactly_by_many_threads(
    launch_ours: Launch, jdk: Jdk, hit_condition: str, times: int
) -> None:
    program = compiled("counted", "Counted", jdk)
    async with launch_ours("counted", "Counted") as session:
        session.settings.probes = "auto"
        session.settings.condition_deadline_s = 60
        logged = texts_of(session)
        at = await session.break_at(
            f"Counted.java:{program.marker('hot')}",
            condition=any_of("i", "each % 2 == 0"),
            hit_condition=hit_condition,
            log_message="hit",
        )
        await session.resume()
        assert await session.wait() == 0
    assert (at.hits, logged, at.message) == (THREADS * TIMES // 2, ["hit"] * times, None)
    if jdk.version >= FIRST_WITH_HIDDEN_CLASSES:
        assert at.locations[0].how == "probe"


async def test_each_stop_knows_which_hit_it_is(launch_ours: Launch, jdk: Jdk) -> None:
    """The first ones are looked at by the debugger, all others by the program."""
    line = compiled("probed", "Probed", jdk).marker("look")
    seen: dict[str, list[tuple[str, int]]] = {"off": [], "auto": []}
    choices: tuple[ProbeChoice, ...] = ("off", "auto")
    for probes in choices:
        async with launch_ours("probed", "Probed") as session:
            session.settings.probes = probes
            session.settings.condition_deadline_s = 60
            at = await session.break_at(
                f"Probed.java:{line}", condition=any_of("i", "each % 3 > 0"), hit_condition="% 4"
            )
            for _ in range(4):
                stop = await next_stop(session)
                seen[probes].append((await (await stop.frame.get("i")).as_text(), at.hits))
                await stop.resume()
    assert seen["auto"] == seen["off"] == [("5", 4), ("11", 8), ("17", 12), ("23", 16)]


async def test_several_locations_are_counted_together(launch_ours: Launch, jdk: Jdk) -> None:
    """javac compiles for each of them; the program counts where it has, and where it has not."""
    program = compiled("unhit", "Copied", jdk)
    async with launch_ours("unhit", "Copied") as session:
        session.settings.probes = "auto"
        session.settings.condition_deadline_s = 60
        logged = texts_of(session)
        odd = await session.break_at(
            f"Copied.java:{program.marker('copied')}",
            condition=any_of("i", "each % 2 == 1"),
            hit_condition="== 900",
            log_message="odd",
        )
        await session.resume()
        assert await session.wait() == 0
    assert len(odd.locations) > 2
    # Four threads, 500 times each.
    assert (odd.hits, logged, odd.message) == (1_000, ["odd"], None)
    if jdk.version >= FIRST_WITH_HIDDEN_CLASSES:
        how = [(each.how, each.why_event) for each in odd.locations]
        # Nothing comes to the copy for exceptions that are not caught.
        assert sorted(how) == [("event", COMPILED_LATER), *[("probe", None)] * (len(how) - 1)]


async def test_what_only_the_debugger_can_run_is_counted_too(launch_ours: Launch, jdk: Jdk) -> None:
    """It assigns a variable of the frame: the count stays in the program all the same."""
    program = compiled("counted", "Counted", jdk)
    async with launch_ours("counted", "Counted", args=["20"]) as session:
        session.settings.probes = "auto"
        session.settings.condition_deadline_s = 60
        logged = texts_of(session)
        at = await session.break_at(
            f"Counted.java:{program.marker('hot')}",
            condition=f"{any_of('i', 'each % 2 == 0')} && (total = total) >= 0",
            hit_condition="% 8",
            log_message="eighth",
        )
        await session.resume()
        assert await session.wait() == 0
    assert (at.hits, logged, at.message) == (THREADS * 10, ["eighth"] * 10, None)
    assert at.locations[0].how == "event"


@pytest.mark.agent
async def test_in_a_program_that_ran_already(jdk: Jdk) -> None:
    program = compiled("late", "Till", jdk)
    async with (
        bare_program(jdk, program=program) as running,
        jvmdebug.attach(pid=running.pid) as session,
    ):
        session.settings.condition_deadline_s = 60
        counted = await session.break_at(
            f"Till.java:{program.marker('sell')}",
            condition="items.stream().allMatch(each -> each.length() == 5)",
            hit_condition="% 5",
        )
        numbers = []
        for _ in range(3):
            stop = await next_stop(session)
            numbers.append((int(await (await stop.frame.get("count")).as_text()), counted.hits))
            await stop.resume()
        first = numbers[0][0]
        assert numbers == [(first, 5), (first + 5, 10), (first + 10, 15)]
        assert counted.locations[0].how == "probe"
