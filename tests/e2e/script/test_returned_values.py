# SPDX-License-Identifier: Apache-2.0
"""What the last call of a line has returned, after a step over it, in both modes of our agent."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.debuggees import debuggee
from tests.support.sessions import next_stop

if TYPE_CHECKING:
    from jvmdebug import Session, Stop
    from tests.e2e.script.conftest import Launch
    from tests.support.jdks import Jdk

pytestmark = pytest.mark.agent

PROGRAM = debuggee("lastcalls", "LastCalls")
NO_CALL = "IntUnaryOperator lambda = LastCalls::twice;"
"""The VM makes a method for it, which the full mode reports."""
LINES = PROGRAM.source("LastCalls.java").read_text().splitlines()


async def told(stop: Stop) -> str:
    if stop.returned is None:
        return str(stop.why_not_returned)
    method = stop.returned.name.partition("(")[0].rpartition(".")[2]
    return f"{method} {await stop.returned.as_text()}"


async def over_all(session: Session) -> list[tuple[str, str]]:
    """The lines of `main`, and what each has returned."""
    await session.break_at(f"LastCalls.java:{PROGRAM.marker('first')}", once=True)
    stop = await next_stop(session)
    found = []
    while (line := stop.frame.line or 0) != PROGRAM.marker("last"):
        await stop.step_over()
        stop = await next_stop(session)
        found.append((LINES[line - 1].strip(), await told(stop)))
    return found


async def test_steps_over_each_line(launch_ours: Launch, jdk: Jdk) -> None:
    del jdk
    async with launch_ours("lastcalls", "LastCalls", mode="fast") as session:
        fast = await over_all(session)
    async with launch_ours("lastcalls", "LastCalls", mode="full") as session:
        full = await over_all(session)
    assert len(fast) > 30
    assert (NO_CALL, "None") in fast
    assert [each for each in fast if each[0] != NO_CALL] == [
        each for each in full if each[0] != NO_CALL
    ]
