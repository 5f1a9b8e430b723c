# SPDX-License-Identifier: Apache-2.0
"""Exception breakpoints of the fast mode change java.lang.Throwable, as probes there do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest

from jvmdebug import StopReason
from jvmdebug.hotswap import Outcome
from jvmdebug.jdwp.generated import method
from tests.support.debuggees import debuggee
from tests.support.sessions import compiled, next_stop

if TYPE_CHECKING:
    from pathlib import Path

    from jvmdebug import Breakpoint, Session
    from tests.e2e.script.conftest import Launch
    from tests.support.jdks import Jdk

pytestmark = pytest.mark.agent

WRONG: Final = "Asked$Wrong"
IS_WRONG: Final = f'getClass().getName().equals("{WRONG}")'


async def _reasons(session: Session, times: int) -> list[str]:
    reasons = []
    for _ in range(times):
        await session.resume()
        reasons.append(str((await next_stop(session)).reason))
    return reasons


async def _code(session: Session, breakpoint_: Breakpoint) -> list[bytes]:
    places = [each.code for each in breakpoint_.locations if each.code is not None]
    ask = session.vm.connection.request
    return [(await ask(method.Bytecodes(at.type.id, at.method.id))).bytecodes for at in places]


async def test_both_are_reported(launch_ours: Launch, jdk: Jdk) -> None:
    """Whichever comes first, and when one of the two is gone."""
    compiled("asked", "Asked", jdk)
    begin = f"Asked.java:{debuggee('asked', 'Asked').marker('begin')}"
    async with launch_ours("asked", "Asked", mode="fast") as session:
        ready = await session.break_at(begin)
        await _reasons(session, 1)
        await ready.remove()
        filled = await session.break_at(
            "java.lang.Throwable#fillInStackTrace()", condition=IS_WRONG
        )
        how = [each.how for each in filled.locations]
        assert "probe" in how, [each.why_event for each in filled.locations]
        before = await _code(session, filled)
        thrown = await session.break_on_exception(WRONG)
        both = [str(StopReason.FUNCTION_BREAKPOINT), str(StopReason.EXCEPTION)]
        assert await _reasons(session, 4) == 2 * both
        assert [each.how for each in filled.locations] == how
        assert await _code(session, filled) == before
        await thrown.remove()
        assert await _reasons(session, 2) == 2 * both[:1]
        await session.break_on_exception(WRONG)  # it is just being made
        assert await _reasons(session, 4) == 2 * both[::-1]
        await filled.remove()
        assert await _reasons(session, 2) == 2 * both[1:]


async def test_constructors_look_as_they_were(launch_ours: Launch, jdk: Jdk) -> None:
    compiled("asked", "Asked", jdk)
    begin = f"Asked.java:{debuggee('asked', 'Asked').marker('begin')}"
    async with launch_ours("asked", "Asked", mode="fast") as session:
        await session.break_at(begin)
        await _reasons(session, 1)
        constructors = await session.break_at("java.lang.Throwable#<init>", condition="false")
        before = await _code(session, constructors)
        await session.break_on_exception(WRONG)
        assert await _code(session, constructors) == before
        assert await _reasons(session, 1) == [str(StopReason.EXCEPTION)]


async def test_a_hot_swap_of_throwable_keeps_exception_breakpoints(
    launch_ours: Launch, tmp_path: Path
) -> None:
    async with launch_ours("asked", "Asked", mode="fast") as session:
        await session.break_on_exception(WRONG)
        assert await _reasons(session, 1) == [str(StopReason.EXCEPTION)]
        code = tmp_path / "Throwable.class"
        code.write_bytes(await session.classes.class_file("java.lang.Throwable"))
        (swapped,) = await session.redefine(code)
        assert swapped.outcome == Outcome.REDEFINED, swapped.reason
        assert await _reasons(session, 2) == [str(StopReason.EXCEPTION)] * 2
