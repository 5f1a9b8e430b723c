# SPDX-License-Identifier: Apache-2.0
"""What is done at a hit of a probe ends where it does at one that the debugger has checked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import jvmdebug
from tests.support.sessions import compiled, texts

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from jvmdebug.launch.agent_library import ProbeChoice
    from tests.e2e.script.conftest import Launch
    from tests.support.jdks import Jdk

    Action = Callable[[jvmdebug.Stop], Awaitable[object]]

TOPIC, MAIN = "script", "Changes"
_AFTER = 3
"""Steps that follow the action."""


async def _restart_caller(stop: jvmdebug.Stop) -> None:
    await stop.restart_frame((await stop.frames())[1])


async def _pop_caller(stop: jvmdebug.Stop) -> jvmdebug.Stop:
    return await stop.pop_frame((await stop.frames())[1])


ACTIONS: dict[str, Action] = {
    "over": jvmdebug.Stop.step_over,
    "into": jvmdebug.Stop.step_into,
    "out": jvmdebug.Stop.step_out,
    "instruction": lambda stop: stop.step_over("instruction"),
    "run to": lambda stop: stop.run_to("Changes.java:29"),
    "pop": jvmdebug.Stop.pop_frame,
    "pop two": _pop_caller,
    "restart": jvmdebug.Stop.restart_frame,
    "restart caller": _restart_caller,
    "force return": lambda stop: stop.force_return("value * 10"),
}


async def _seen(stop: jvmdebug.Stop) -> dict[str, object]:
    """What a user sees of a stop."""
    frames = await stop.frames()
    return {
        "reasons": stop.reasons,
        "breakpoints": [(each.condition, each.hits) for each in stop.breakpoints],
        "frames": [each.location for each in frames],
        "locals": [await texts(each) for each in frames],
        "returned": None if stop.returned is None else await stop.returned.as_text(),
    }


async def _told(
    launch: Launch, jdk: Jdk, probes: ProbeChoice, conditions: dict[str, str], action: Action
) -> list[object]:
    """Each stop from the first hit on, and what the program has printed."""
    program = compiled(TOPIC, MAIN, jdk)
    written: list[str] = []
    told: list[object] = []
    async with launch(
        TOPIC, MAIN, probes=probes, on_output=lambda piece: written.append(piece.text)
    ) as session:
        for marker, condition in conditions.items():
            spec = f"Changes.java:{program.marker(marker)}"
            await session.break_at(spec, condition=condition)
        await session.resume()
        acts = [action, *[jvmdebug.Stop.step_over] * _AFTER]
        while (stop := await session.next_stop(timeout_s=30)) is not None:
            told.append(await _seen(stop))
            if len(told) == 1:
                ways = {each.how for at in session.breakpoints for each in at.locations}
                assert ways == {"probe" if probes == "auto" else "event"}
            if not acts:
                await stop.resume()
                continue
            replaced = await acts.pop(0)(stop)
            if isinstance(replaced, jvmdebug.Stop):  # it takes the place of this one
                told.append(await _seen(replaced))
                await replaced.step_over()
        told.append((session.exit_code, "".join(written)))
    return told


@pytest.mark.parametrize("name", ACTIONS)
async def test_an_action_at_a_hit(launch_ours: Launch, jdk: Jdk, name: str) -> None:
    """There are hits of other probes on the way: in the caller, and where steps end."""
    conditions = {"inner": "value > 1", "call-inner": "result < 0", "number": "start > 5"}
    both = [
        await _told(launch_ours, jdk, way, conditions, ACTIONS[name]) for way in ("auto", "off")
    ]
    assert both[0] == both[1]
    assert len(both[0]) > 1


@pytest.mark.parametrize("name", ["over", "into", "out", "instruction", "run to"])
async def test_an_action_through_lines_that_hit(launch_ours: Launch, jdk: Jdk, name: str) -> None:
    """A step that ends at a hit is one stop; one that passes hits ends there."""
    conditions = {"call-number": "args.length == 0", "number": "start == 1", "inner": "value == 2"}
    both = [
        await _told(launch_ours, jdk, way, conditions, ACTIONS[name]) for way in ("auto", "off")
    ]
    assert both[0] == both[1]
    assert len(both[0]) > 3
