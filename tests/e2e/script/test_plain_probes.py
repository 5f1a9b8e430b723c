# SPDX-License-Identifier: Apache-2.0
"""Breakpoints that ask nothing: the VM compiles no method that holds one of its own, so that they
are probes too where that takes nothing from the program.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from jvmdebug import BreakpointChanged, StopReason
from tests.support.sessions import compiled, next_stop

if TYPE_CHECKING:
    import jvmdebug
    from jvmdebug.launch.agent_library import ProbeChoice
    from tests.e2e.script.conftest import Launch
    from tests.support.jdks import Jdk

pytestmark = pytest.mark.agent

TOPIC, MAIN = "unhit", "Unhit"
_FIRST = 17
_HOT_S = 30


def _needs_probes(jdk: Jdk) -> None:
    if jdk.version < _FIRST:
        pytest.skip("only conditions change a class there: docs/reference/jdks.md")


def _how(*breakpoints: jvmdebug.Breakpoint) -> list[tuple[str, str | None]]:
    return [(at.how, at.why_event) for each in breakpoints for at in each.locations]


async def test_a_class_gets_its_probes_before_it_runs(launch_ours: Launch, jdk: Jdk) -> None:
    _needs_probes(jdk)
    program = compiled(TOPIC, MAIN, jdk)
    written: list[str] = []
    async with launch_ours(TOPIC, MAIN, on_output=lambda piece: written.append(piece.text)) as it:
        rare, ready = [
            await it.break_at(f"Unhit.java:{program.marker(each)}") for each in ("rare", "ready")
        ]
        passed = await it.break_at("Unhit#passed")
        stop = await next_stop(it)
        assert stop.breakpoints == (passed,)
        assert _how(rare, ready, passed) == [("probe", None)] * 3
        uses = {each.breakpoint: each for each in await it.probes()}
        assert [uses[each].hits for each in (rare, ready, passed)] == [0, 0, 1]
        await passed.set_condition("i == 2")  # no frame has to leave the method for it
        assert _how(passed) == [("probe", None)]
        await stop.resume()
        stop = await next_stop(it)
        assert await (await stop.frame.get("i")).as_text() == "2"
        await passed.set_condition(None)
        assert _how(passed) == [("probe", None)]
        await passed.remove()
        await stop.resume()
        stop = await next_stop(it)
        assert stop.breakpoints == (ready,)
        await stop.frame.evaluate("Unhit.ends = true")
        await ready.remove()
        await stop.resume()
        stop = await next_stop(it)
        assert (stop.breakpoints, stop.frame.line) == ((rare,), program.marker("rare"))
        assert (ready.hits, rare.hits) == (1, 1)
        await rare.remove()
        await stop.resume()
        assert await it.wait() == 0
    # Removing them has not changed the class under the frame that runs it.
    assert f"Unhit.main(Unhit.java:{program.marker('trace')})" in "".join(written)


async def test_a_class_with_many_is_not_changed_for_each(launch_ours: Launch, jdk: Jdk) -> None:
    _needs_probes(jdk)
    async with launch_ours(TOPIC, MAIN) as it:
        many = [await it.break_at("Unhit#passed") for _ in range(20)]
        stop = await next_stop(it)
        assert set(stop.breakpoints) == set(many)
        assert _how(*many) == [("probe", None)] * 20
        assert await (await stop.frame.evaluate("Unhit.class.classRedefinedCount")).as_text() == "1"
        await it.kill()


async def test_a_class_that_runs_keeps_its_code_until_a_method_is_hot(
    launch_ours: Launch, jdk: Jdk
) -> None:
    _needs_probes(jdk)
    program = compiled(TOPIC, MAIN, jdk)
    async with launch_ours(TOPIC, MAIN) as session:
        first = await session.break_at(f"Unhit.java:{program.marker('call')}", once=True)
        stop = await next_stop(session)
        rare, calm = [
            await session.break_at(f"Unhit.java:{program.marker(each)}")
            for each in ("rare", "passed")
        ]
        assert _how(rare, calm) == [("event", None)] * 2
        assert first.is_removed
        is_changed = asyncio.Event()

        def note(event: jvmdebug.SessionEvent) -> None:
            if isinstance(event, BreakpointChanged) and event.breakpoint is rare:
                is_changed.set()

        session.subscribe(note)
        for _ in range(2):
            await stop.resume()
            stop = await next_stop(session)
            assert stop.breakpoints == (calm,)
        await stop.resume()
        async with asyncio.timeout(_HOT_S):
            await is_changed.wait()
        assert _how(rare) == [("probe", None)]
        assert _how(calm) == [("event", None)]
        stop = await session.suspend()
        main = next(each for each in await session.threads() if each.name == "main")
        await (await main.frames())[-1].evaluate("Unhit.ends = true")
        await stop.resume()
        stop = await next_stop(session)
        assert (stop.breakpoints, stop.frame.line) == ((rare,), program.marker("rare"))
        await stop.resume()
        assert await session.wait() == 0
    assert (calm.hits, rare.hits) == (2, 1)


@pytest.mark.parametrize("probes", ["auto", "off"])
async def test_what_happens_at_one_place_is_one_stop(
    launch_ours: Launch, jdk: Jdk, probes: ProbeChoice
) -> None:
    program = compiled(TOPIC, MAIN, jdk)
    at = f"Unhit.java:{program.marker('passed')}"
    async with launch_ours(TOPIC, MAIN, probes=probes) as session:
        call = await session.break_at(f"Unhit.java:{program.marker('call')}")
        plain = await session.break_at(at)
        stop = await next_stop(session)
        assert stop.breakpoints == (call,)
        once = await session.break_at(at, once=True)
        asking = await session.break_at(at, condition="i == 1")
        await stop.step_into()
        stop = await next_stop(session)
        assert set(stop.breakpoints) == {plain, once, asking}
        assert stop.frame.line == program.marker("passed")
        await stop.step_out()
        stop = await next_stop(session)
        assert (stop.reason, stop.frame.method_name) == (StopReason.STEP, "main")
        await stop.resume()
        stop = await next_stop(session)
        assert stop.breakpoints == (plain,)
        await stop.step_over()
        stop = await next_stop(session)
        assert (stop.reason, stop.frame.line) == (StopReason.STEP, program.marker("passed") + 1)
        assert (plain.hits, once.hits, asking.hits) == (2, 1, 1)


async def test_a_class_whose_instructions_the_vm_would_move_has_none(
    launch_ours: Launch, jdk: Jdk
) -> None:
    """HotSpot takes each Float.NaN of a changed class for a new constant, by a longer ldc."""
    program = compiled("constructs", "constructs.Main", jdk)
    source, line = program.marked("numbers")
    async with launch_ours("constructs", "constructs.Main") as session:
        plain = await session.break_at(f"{source.name}:{line}")
        asking = await session.break_at(f"{source.name}:{line}", condition="i > 0")
        stop = await next_stop(session)
        assert set(stop.breakpoints) == {plain, asking}
        assert _how(plain, asking) == [
            ("event", None),
            ("event", "the VM would move the instructions of a class that has Float.NaN"),
        ]


async def test_code_that_the_vm_has_moved_has_no_breakpoints_inside_of_instructions(
    launch_ours: Launch, jdk: Jdk
) -> None:
    """HotSpot would write them over operands, and die where it reads these."""
    program = compiled("constructs", "constructs.Main", jdk)
    source, last = program.marked("numbers")
    async with launch_ours("constructs", "constructs.Main") as session:
        await session.break_at("constructs.Main#main", once=True)
        stop = await next_stop(session)
        await stop.frame.evaluate('Class.forName("constructs.Primitives")')
        first = last - 5  # behind several uses of the constant
        many = [await session.break_at(f"{source.name}:{line}") for line in range(first, last + 1)]
        assert set(_how(*many)) == {("event", None)}
        await session.classes.retransform("constructs.Primitives")
        for each in many:
            await each.remove()
        at_last = await session.break_at(f"{source.name}:{last}")
        await stop.resume()
        stop = await next_stop(session)
        assert stop.breakpoints == (at_last,)
        await at_last.remove()
        await stop.resume()
        assert await session.wait() == 0
