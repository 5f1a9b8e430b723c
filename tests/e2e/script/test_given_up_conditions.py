# SPDX-License-Identifier: Apache-2.0
"""What the debugger evaluates at a breakpoint and has to give up: it stops all the same, and the
program goes on afterwards. The method waits for a lock, so nothing can end it.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Literal

import pytest

from jvmdebug import BreakpointLogged, StateError
from tests.support.sessions import compiled, next_stop

if TYPE_CHECKING:
    import jvmdebug
    from tests.e2e.script.conftest import Launch
    from tests.support.jdks import Jdk

_BUSY = r"'main' still runs an evaluation that was given up"
_GIVEN_UP = "still runs; until it returns its thread is busy"
_END_S = 20.0


async def _release(session: jvmdebug.Session) -> None:
    """Has the thread with the lock leave it."""
    (holder,) = [each for each in await session.threads() if each.name == "holder"]
    if holder.stop is None:
        await holder.suspend()
    (running, *_) = await holder.frames()
    await running.evaluate("go = true")
    await holder.resume()


async def _goes_on(session: jvmdebug.Session) -> None:
    """The lock is released, and the program ends as without a debugger."""
    await _release(session)
    async with asyncio.timeout(_END_S):
        await session.wait()


def _asking(session: jvmdebug.Session, suspend: Literal["all", "thread"]) -> None:
    session.settings.probes = "off"  # else the program asks, and nothing is given up
    session.settings.suspend = suspend
    session.settings.condition_deadline_s = 0.3


@pytest.mark.parametrize("suspend", ["all", "thread"])
async def test_a_condition_stops(
    launch: Launch, jdk: Jdk, suspend: Literal["all", "thread"]
) -> None:
    line = compiled("safety", "Safety", jdk).marker("here")
    written: list[str] = []
    async with launch(
        "safety", "Safety", on_output=lambda piece: written.append(piece.text)
    ) as session:
        _asking(session, suspend)
        at = await session.break_at(f"Safety.java:{line}", condition="locked() == null")
        stop = await next_stop(session)
        assert stop.breakpoints == (at,)
        assert at.message is not None
        assert at.message.endswith(_GIVEN_UP)
        assert not stop.has_frames
        for asking in (stop.frames, stop.step_over, lambda: _frame(stop)):
            with pytest.raises(StateError, match=_BUSY):
                await asking()
        assert stop.all_threads == (suspend == "all")
        await stop.resume()
        await _goes_on(session)
    assert "".join(written) == "5\n6\n"


async def _frame(stop: jvmdebug.Stop) -> Any:
    return stop.frame


@pytest.mark.parametrize("suspend", ["all", "thread"])
async def test_frames_are_there_when_the_method_has_returned(
    launch: Launch, jdk: Jdk, suspend: Literal["all", "thread"]
) -> None:
    line = compiled("safety", "Safety", jdk).marker("here")
    async with launch("safety", "Safety") as session:
        _asking(session, suspend)
        at = await session.break_at(f"Safety.java:{line}", condition="locked() == null")
        stop = await next_stop(session)
        await _release(session)
        async with asyncio.timeout(_END_S):
            while session.vm.invocations.any_running:  # noqa: ASYNC110 - no event
                await asyncio.sleep(0.01)
        frames = await stop.frames()
        assert [(each.method.name, each.line) for each in frames] == [("main", line)]
        await at.remove()
        await stop.resume()
        async with asyncio.timeout(_END_S):
            await session.wait()


async def test_a_log_message_goes_on(launch: Launch, jdk: Jdk) -> None:
    line = compiled("safety", "Safety", jdk).marker("here")
    logged = asyncio.Event()
    texts: list[str] = []

    def note(event: jvmdebug.SessionEvent) -> None:
        if isinstance(event, BreakpointLogged):
            texts.append(event.text)
            logged.set()

    async with launch("safety", "Safety") as session:
        _asking(session, "all")
        session.subscribe(note)
        await session.break_at(f"Safety.java:{line}", log_message="{locked()}")
        await session.resume()
        async with asyncio.timeout(_END_S):
            await logged.wait()
        await _goes_on(session)
    (text,) = texts
    assert _GIVEN_UP in text
