# SPDX-License-Identifier: Apache-2.0
"""Evaluation on threads that cannot run code, cancelled, or without debug tables."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

import jvmdebug
from jvmdebug import display, evaluator
from jvmdebug.errors import EvaluationError
from tests.e2e.evaluate.conftest import StartEvaluating, needs_interrupt
from tests.support.debuggees import debuggee
from tests.support.sessions import STOP_TIMEOUT_S

if TYPE_CHECKING:
    from jvmdebug.model.frame import Frame
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind


async def _idle(frame: Frame) -> None:
    """Wait until no method runs for us any more."""
    async with asyncio.timeout(20):
        while frame.thread.vm.invocations.any_running:  # noqa: ASYNC110 - there is no event
            await asyncio.sleep(0.01)


async def test_a_cancelled_evaluation_stops_its_invocation(
    evaluating: StartEvaluating, jdk: Jdk, agent_kind: AgentKind
) -> None:
    needs_interrupt(jdk, agent_kind)
    async with evaluating() as program:
        frame = await program.frame_at("calls")
        vm = frame.thread.vm
        # The class is loaded now, so that what is invoked below is the method itself.
        await evaluator.evaluate(frame, "java.util.concurrent.TimeUnit.SECONDS")
        text = "java.util.concurrent.TimeUnit.SECONDS.sleep(60)"
        task = asyncio.create_task(evaluator.evaluate(frame, text))
        async with asyncio.timeout(20):
            while not vm.invocations.is_invoking(frame.thread.id):  # noqa: ASYNC110 - no event
                await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await _idle(frame)
        assert await display.render(await evaluator.evaluate(frame, "twice(4)")) == "8"


async def test_what_is_evaluated_does_not_see_an_interrupt_of_the_program(
    evaluating: StartEvaluating, agent_kind: AgentKind
) -> None:
    if agent_kind == "stock":
        pytest.skip("the JDK's agent hides it or not, by chance")
    async with evaluating() as program:
        frame = await program.frame_at("calls")
        await frame.thread.interrupt()
        for _ in range(2):
            seen = await evaluator.evaluate(frame, "Thread.currentThread().isInterrupted()")
            assert await display.render(seen) == "false"


async def test_code_runs_only_on_a_thread_that_an_event_stopped(
    evaluating: StartEvaluating,
) -> None:
    async with evaluating() as program:
        frame = await program.frame_at("calls")
        others = [each for each in await frame.thread.vm.all_threads() if each != frame.thread]
        names = {await each.name(): each for each in others}
        finalizer = names["Finalizer"]
        top = (await finalizer.frames(0, 50))[-1]
        with pytest.raises(EvaluationError, match="a thread that an event"):
            await evaluator.evaluate(top, "java.lang.Thread.currentThread()")
        # Reading needs no code of the program.
        value = await evaluator.evaluate(top, "java.lang.Integer.MAX_VALUE + 1")
        assert await display.render(value) == "-2147483648"


async def test_without_debug_tables_arguments_have_names_by_position(
    jdk: Jdk, agent_kind: AgentKind
) -> None:
    program = debuggee("evaluate", "evaluate.Main", debug_tables="none")
    async with jvmdebug.launch(
        program.main_class, class_path=program.class_path, java=jdk.home, agent=agent_kind
    ) as session:
        await session.break_at("evaluate.Contexts#instance")
        stop = await session.next_stop(timeout_s=STOP_TIMEOUT_S)
        assert stop is not None
        frame = await stop.frame.frame()
        for text, expected in (
            ("arg0", '"argument"'),
            ("arg0.length() + counter", "18"),
            ("item.compareTo(items.get(0)) > 0", "true"),
        ):
            value = await evaluator.evaluate(frame, text)
            assert await display.render(value) == expected


async def test_conditions_and_log_messages_use_the_imports_of_their_file(
    evaluating: StartEvaluating,
) -> None:
    async with evaluating("constructs", "constructs.Main") as program:
        source, line = program.program.marked("imported")
        logged: list[str] = []

        def listen(event: jvmdebug.SessionEvent) -> None:
            if isinstance(event, jvmdebug.BreakpointLogged):
                logged.append(event.text)

        program.session.subscribe(listen)
        place = f"{source}:{line}"
        await program.session.break_at(place, log_message="{max(1, 2)} {SECONDS.toMillis(2)}")
        condition = 'abs(number) == 3 && PI > 3 && entry("a", 1).getValue() == 1'
        await program.session.break_at(place, condition=condition)
        stop = await program.session.next_stop(timeout_s=STOP_TIMEOUT_S)
        assert stop is not None, "the condition does not hold"
        assert stop.breakpoints[-1].message is None
        assert logged == ["2 2000"]
        shown = await (
            await stop.frame.evaluate("Stream.of(1).map(x -> max(x, 5)).toList()")
        ).as_text()
        assert shown.endswith("{5}")


async def test_imports_of_the_source_decide_between_classes_of_one_name(
    evaluating: StartEvaluating,
) -> None:
    async with evaluating() as program:
        frame = await program.frame_at("elsewhere")
        for imports in (
            ("java.util.concurrent.atomic.LongAdder",),
            ("java.util.concurrent.atomic.*",),
        ):
            value = await evaluator.evaluate(
                frame, "new LongAdder().intValue() + 1", imports=imports
            )
            assert await display.render(value) == "1"
        with pytest.raises(EvaluationError, match="there is no class Timer"):
            await evaluator.evaluate(frame, "new Timer()")
        value = await evaluator.evaluate(frame, "Timer.class", imports=("java.util.Timer",))
        assert await display.render(value) == "class java.util.Timer"
