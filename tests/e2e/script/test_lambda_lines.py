# SPDX-License-Identifier: Apache-2.0
"""Log messages that javac compiles: the debugger writes the first line, and the program all others
if their values are numbers, strings or boxes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import jvmdebug
from jvmdebug import BreakpointLogged
from tests.support.sessions import compiled, next_stop

if TYPE_CHECKING:
    from jvmdebug.launch.agent_library import ProbeChoice
    from tests.e2e.script.conftest import Launch
    from tests.support.jdks import Jdk

FIRST_WITH_HIDDEN_CLASSES = 15
NAMES = "orders.stream().map(each -> each.name)"
STREAM = "java.util.stream.IntStream"
WRITTEN = (
    f"{{{STREAM}.range(0, i).filter(each -> each % 2 == 0).count()}} of {{i}}",
    f"{{{STREAM}.rangeClosed(0, i).mapToObj(each -> text + each).reduce(text, (a, b) -> b)}}",
    f"{{{NAMES}.filter(each -> each.length() > 3).count()}} {{count}} {{{NAMES}.count()}}",
    "{java.util.Optional.of(text).map(each -> each.length() + i).get()}",
    f"{{{STREAM}.of(i).anyMatch(each -> each == 3)}} {{last == any}} {{sum}}",
    f"{{10 / (i - 5)}} {{{STREAM}.of(i).map(each -> 100 / (each - 7)).sum()}}",
)
BY_DEBUGGER = (
    f"{{{NAMES}.collect(java.util.stream.Collectors.toList())}}",
    f"{{java.util.List.of(i)}} {{{STREAM}.of(i).map(each -> -each).sum()}}",
)
"""Their values are objects: the program writes a list, and what may be an array the debugger."""


async def lines_by(
    launch: Launch, jdk: Jdk, probes: ProbeChoice
) -> tuple[dict[str, list[str]], list[jvmdebug.Breakpoint], dict[str, str | None]]:
    """Message → its lines; and why the debugger writes them."""
    program = compiled("probed", "Probed", jdk)
    found: dict[str, list[str]] = {}

    def note(event: jvmdebug.SessionEvent) -> None:
        if isinstance(event, BreakpointLogged):
            found.setdefault(str(event.breakpoint.log_message), []).append(event.text)

    async with launch("probed", "Probed") as session:
        session.settings.probes = probes
        session.settings.condition_deadline_s = 60
        session.settings.log_messages_per_second = 100_000
        session.subscribe(note)
        line = f"Probed.java:{program.marker('look')}"
        messages = (*WRITTEN, *BY_DEBUGGER)
        points = [await session.break_at(line, log_message=each) for each in messages]
        await session.break_at(f"Probed.java:{program.marker('ready')}")
        await next_stop(session)
        uses = await session.probes()
    why = {str(each.breakpoint.log_message): each.why_not_written for each in uses}
    return found, points, why


@pytest.mark.timeout(180)  # javac compiles ten times
async def test_the_program_writes_what_the_debugger_would_write(
    launch_ours: Launch, jdk: Jdk
) -> None:
    by_debugger, *_ = await lines_by(launch_ours, jdk, "off")
    by_program, points, why = await lines_by(launch_ours, jdk, "auto")
    assert by_program == by_debugger
    assert {len(each) for each in by_program.values()} == {40}
    assert [each.hits for each in points] == [40] * len(points)
    assert why[BY_DEBUGGER[0]], why
    if jdk.version >= FIRST_WITH_HIDDEN_CLASSES:
        assert {each: why[each] for each in WRITTEN} == dict.fromkeys(WRITTEN)


ARRAY = "int[1] {7}"


@pytest.mark.parametrize("probes", ["auto", "off"])
@pytest.mark.parametrize(
    ("message", "wanted"),
    [
        ("at {gate}: {fee}", ["at 1: 2", "at 2: 4", "at 3: 6"]),
        ("{paid}", [ARRAY, "a", ARRAY, "b", ARRAY]),
    ],
)
async def test_a_log_point_beside_a_lambda(
    launch: Launch, jdk: Jdk, probes: ProbeChoice, message: str, wanted: list[str]
) -> None:
    """Only the copies of the line that have the variables write; each hit is written once.

    The second message is written by the program in the lambda, and by the debugger outside of it.
    """
    program = compiled("tolled", "Tolled", jdk)
    logged: list[str] = []

    def note(event: jvmdebug.SessionEvent) -> None:
        if isinstance(event, BreakpointLogged):
            logged.extend(event.text.splitlines())

    async with launch("tolled", "Tolled") as session:
        session.settings.probes = probes
        session.subscribe(note)
        line = f"Tolled.java:{program.marker('pass')}:all"
        made = await session.break_at(line, log_message=message)
        assert [stop async for stop in session.stops()] == []
        assert (made.message, made.hits) == (None, len(wanted))
    assert logged == wanted
