# SPDX-License-Identifier: Apache-2.0
"""Steps over, into and out of, in real VMs: where they end, and that they leave no request."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from jvmdebug import NO_FILTERS, StepFilters, StopReason
from tests.support.sessions import compiled, next_stop, stop_at

if TYPE_CHECKING:
    from jvmdebug import Session
    from tests.e2e.script.conftest import Launch
    from tests.support.jdks import Jdk


@pytest.mark.full_mode_too
async def test_over_into_out(launch: Launch, jdk: Jdk) -> None:
    program = compiled("basics", "Loop", jdk)
    async with launch("basics", "Loop") as session:
        stop = await stop_at(session, compiled("basics", "Loop", jdk), "call")
        await stop.step_into()
        stop = await next_stop(session)
        assert stop.reason is StopReason.STEP
        assert stop.frame.line == program.marker("square")
        assert stop.breakpoints == ()
        await stop.step_over()
        stop = await next_stop(session)
        assert stop.frame.line == program.marker("square") + 1
        await stop.step_out()
        stop = await next_stop(session)
        assert (stop.frame.method_name, stop.frame.line) == ("main", program.marker("call"))
        await stop.step_over()
        stop = await next_stop(session)
        assert stop.frame.line == program.marker("add")
        assert stop.thread.name == "main"


async def test_over_a_recursive_call_stays_in_its_frame(launch: Launch, jdk: Jdk) -> None:
    program = compiled("recursion", "Recursion", jdk)
    async with launch("recursion", "Recursion", args=["12"]) as session:
        stop = await stop_at(session, compiled("recursion", "Recursion", jdk), "left")
        depth = await stop.frame_count()
        await stop.step_over()
        stop = await next_stop(session)
        assert stop.frame.line == program.marker("right")
        assert await stop.frame_count() == depth


async def test_instruction_steps(launch: Launch, jdk: Jdk) -> None:
    async with launch("basics", "Loop") as session:
        stop = await stop_at(session, compiled("basics", "Loop", jdk), "squared")
        line, index = stop.frame.line, stop.frame.index
        await stop.step_over("instruction")
        stop = await next_stop(session)
        assert stop.frame.line == line
        assert stop.frame.index > index


@pytest.mark.full_mode_too
async def test_into_skips_the_jdk_and_comes_back_to_lambdas(launch: Launch, jdk: Jdk) -> None:
    program = compiled("script", "Steps", jdk)
    async with launch("script", "Steps") as session:
        stop = await stop_at(session, compiled("script", "Steps", jdk), "jdk")
        await stop.step_into()
        stop = await next_stop(session)
        assert stop.frame.line == program.marker("for-each"), "List.of is the JDK's"
        await stop.step_into()
        stop = await next_stop(session)
        assert stop.frame.line == program.marker("lambda")
        await stop.step_over()
        stop = await next_stop(session)
        while stop.frame.method_name != "main" and stop.frame.line == program.marker("lambda") + 1:
            await stop.step_over()
            stop = await next_stop(session)
        assert stop.frame.type_name == "Steps", "the JDK's forEach is not shown on the way out"


async def test_into_goes_through_bridge_methods(launch: Launch, jdk: Jdk) -> None:
    program = compiled("script", "Steps", jdk)
    async with launch("script", "Steps") as session:
        stop = await stop_at(session, compiled("script", "Steps", jdk), "bridge")
        await stop.step_into()
        stop = await next_stop(session)
        assert stop.frame.line == program.marker("area")
        assert not stop.frame.is_synthetic


async def has_lines(session: Session, signature: str) -> bool:
    """Whether its methods have line tables: slim runtimes are made without, and no step by line
    ends in what has none.
    """
    (type_,) = await session.vm.classes_by_signature(signature)
    methods = [each for each in await type_.methods() if not each.is_native]
    return await methods[0].location(0).line() is not None


async def test_filters_can_be_changed(launch: Launch, jdk: Jdk) -> None:
    program = compiled("script", "Steps", jdk)
    async with launch("script", "Steps") as session:
        session.settings.step_filters = StepFilters(skip_constructors=True)
        stop = await stop_at(session, compiled("script", "Steps", jdk), "new")
        await stop.step_into()
        stop = await next_stop(session)
        assert stop.frame.line == program.marker("bridge")
        session.settings.step_filters = NO_FILTERS
        await stop.step_over()
        stop = await next_stop(session)
        assert stop.frame.line == program.marker("jdk")
        by_line = await has_lines(session, "Ljava/lang/Integer;")
        await stop.step_into("line" if by_line else "instruction")
        stop = await next_stop(session)
        while not by_line and stop.frame.line == program.marker("jdk"):
            await stop.step_into("instruction")
            stop = await next_stop(session)
        assert stop.frame.type_name.startswith("java.")
        session.settings.step_filters = StepFilters()
        here = stop.frame.type_name
        await stop.step_over()
        stop = await next_stop(session)
        assert stop.frame.type_name in (here, "Steps"), "who is inside the JDK steps inside the JDK"


async def test_a_step_stops_in_allowed_classes_only(launch: Launch, jdk: Jdk) -> None:
    program = compiled("script", "Steps", jdk)
    async with launch("script", "Steps") as session:
        stop = await stop_at(session, program, "new")
        session.settings.step_filters = replace(NO_FILTERS, allow_classes=("Steps", "shop.*"))
        for marker in ("bridge", "jdk", "for-each"):
            await stop.step_into()
            stop = await next_stop(session)
            assert stop.frame.line == program.marker(marker), "not in Steps$Square or the JDK"


async def test_a_breakpoint_ends_the_step(launch: Launch, jdk: Jdk) -> None:
    program = compiled("basics", "Loop", jdk)
    async with launch("basics", "Loop", args=["2"]) as session:
        stop = await stop_at(session, compiled("basics", "Loop", jdk), "call")
        inside = await session.break_at(f"Loop.java:{program.marker('squared')}", once=True)
        await stop.step_over()
        stop = await next_stop(session)
        assert (stop.reason, stop.breakpoints) == (StopReason.BREAKPOINT, (inside,))
        assert stop.frame.line == program.marker("squared")
        await stop.resume()
        assert await session.next_stop(timeout_s=20) is None, "the step is over and done with"


async def test_a_breakpoint_where_the_step_ends_is_reported(launch: Launch, jdk: Jdk) -> None:
    program = compiled("basics", "Loop", jdk)
    async with launch("basics", "Loop") as session:
        stop = await stop_at(session, compiled("basics", "Loop", jdk), "call")
        there = await session.break_at(f"Loop.java:{program.marker('add')}", once=True)
        await stop.step_over()
        stop = await next_stop(session)
        assert (stop.reason, stop.breakpoints) == (StopReason.BREAKPOINT, (there,))


async def test_a_breakpoint_that_does_not_hold_does_not_end_the_step(
    launch: Launch, jdk: Jdk
) -> None:
    program = compiled("basics", "Loop", jdk)
    async with launch("basics", "Loop") as session:
        stop = await stop_at(session, compiled("basics", "Loop", jdk), "call")
        await session.break_at(f"Loop.java:{program.marker('square')}", condition="number == 77")
        await stop.step_over()
        stop = await next_stop(session)
        assert (stop.reason, stop.frame.line) == (StopReason.STEP, program.marker("add"))


async def test_run_to(launch: Launch, jdk: Jdk) -> None:
    program = compiled("basics", "Loop", jdk)
    async with launch("basics", "Loop", args=["3"]) as session:
        stop = await stop_at(session, compiled("basics", "Loop", jdk), "call")
        await stop.run_to(f"Loop.java:{program.marker('total')}")
        stop = await next_stop(session)
        assert (stop.reason, stop.breakpoints) == (StopReason.RUN_TO, ())
        assert stop.frame.line == program.marker("total")
        assert session.breakpoints == ()
        await stop.resume()
        assert await session.next_stop(timeout_s=20) is None, "it was for once"


async def test_stepping_off_the_end_of_main_ends_the_program(launch: Launch, jdk: Jdk) -> None:
    async with launch("script", "Steps") as session:
        stop = await stop_at(session, compiled("script", "Steps", jdk), "end")
        await stop.step_over()
        stop = await next_stop(session)
        await stop.step_over()
        assert await session.next_stop(timeout_s=20) is None
        assert session.exit_code == 0


async def test_a_step_of_one_thread_only(launch: Launch, jdk: Jdk) -> None:
    async with launch("basics", "Loop", suspend="thread") as session:
        stop = await stop_at(session, compiled("basics", "Loop", jdk), "call")
        assert not stop.all_threads
        await stop.step_over()
        stop = await next_stop(session)
        assert not stop.all_threads
        assert stop.reason is StopReason.STEP
