# SPDX-License-Identifier: Apache-2.0
"""Code that does not end, waits for suspended threads, throws, or hits breakpoints."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Final

import pytest

import jvmdebug
from jvmdebug import display, evaluator
from jvmdebug.errors import EvaluationError
from jvmdebug.model import DebuggeeException
from tests.support.sessions import STOP_TIMEOUT_S

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from jvmdebug.model.frame import Frame
    from tests.e2e.evaluate.conftest import StartEvaluating
    from tests.support.process import AgentKind
    from tests.support.sessions import DebuggeeSession

pytestmark = pytest.mark.timeout(240)

_SOON_S: Final = 20.0


async def test_endless_code_is_interrupted_then_stopped(
    evaluating: StartEvaluating, agent_kind: AgentKind
) -> None:
    async with _stoppable(evaluating, agent_kind) as (program, frame):
        with pytest.raises(EvaluationError, match=r"not done .*: .* has been interrupted"):
            await evaluator.evaluate(frame, "Thread.sleep(60000)", deadline_s=0.3)
        assert await _shown(frame, "inside(number)") == "6"
        for text in ("spin()", "1 + stubborn()"):
            with pytest.raises(EvaluationError, match=r"not done .*: .* has been stopped"):
                await evaluator.evaluate(frame, text, deadline_s=0.3)
            assert not frame.thread.vm.invocations.any_running
            assert await _shown(frame, "inside(number)") == "6"
            # The program must not meet the interrupt that was meant for the evaluation.
            assert await _shown(frame, "Thread.currentThread().isInterrupted()") == "false"
        (stop,) = program.session.current_stops
        with pytest.raises(EvaluationError, match=r"not done .* has been stopped"):
            await stop.frame.set("number", "spin()", deadline_s=0.3)


async def test_code_that_cannot_be_stopped_is_reported(
    evaluating: StartEvaluating, agent_kind: AgentKind
) -> None:
    async with _stoppable(evaluating, agent_kind) as (program, frame):
        with pytest.raises(EvaluationError, match=r"not done .* still runs"):
            await evaluator.evaluate(frame, "locked()", deadline_s=0.3)
        (stop,) = program.session.current_stops
        with pytest.raises(jvmdebug.StateError, match=r"'main' still runs .* given up"):
            await stop.frames()
        with pytest.raises(jvmdebug.StateError, match=r"'main' still runs .* given up"):
            await stop.step_over()
        (holder,) = [each for each in await program.session.threads() if each.name == "holder"]
        assert await holder.frame_count() > 0
        await stop.resume()
        await program.session.terminate()


async def test_cancelling_stops_a_busy_loop(
    evaluating: StartEvaluating, agent_kind: AgentKind
) -> None:
    async with _stoppable(evaluating, agent_kind) as (_, frame):
        invocations = frame.thread.vm.invocations
        assert await _shown(frame, "turns") == "0"
        task = asyncio.create_task(evaluator.evaluate(frame, "stubborn()"))
        async with asyncio.timeout(_SOON_S):
            while not invocations.is_invoking(frame.thread.id):  # noqa: ASYNC110 - no event
                await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert not invocations.any_running
        assert await _shown(frame, "inside(number)") == "6"


async def test_a_method_that_waits_for_suspended_threads_has_them_run(
    evaluating: StartEvaluating,
) -> None:
    async with evaluating("safety", "Safety") as program:
        frame = await program.frame_at("here")
        others = [each for each in await frame.thread.vm.all_threads() if each != frame.thread]
        before = {each: await each.suspend_count() for each in others}
        assert set(before.values()) == {1}
        assert await _shown(frame, "byOther()") == '"other"'
        # The thread that holds the lock goes on when it sees this; it is held itself.
        assert await _shown(frame, "go = true") == "true"
        assert await _shown(frame, "locked() + number") == '"locked5"'
        remaining = [each for each in await frame.thread.vm.all_threads() if each in before]
        assert {await each.suspend_count() for each in remaining} == {1}


async def test_events_of_an_evaluation_do_not_stop(evaluating: StartEvaluating) -> None:
    async with evaluating("safety", "Safety") as program:
        source, line = program.program.marked("inside")
        await program.session.break_at(f"{source}:{line}")
        await program.session.break_on_exception("java.lang.*", caught=True, uncaught=True)
        frame = await program.frame_at("here")
        assert await _shown(frame, "inside(inside(number))") == "7"
        with pytest.raises(DebuggeeException):
            await evaluator.evaluate(frame, "fail(0)")
        assert len(program.session.current_stops) == 1
        assert await _shown(frame, "number") == "5"
        # Only what the program does itself stops.
        await program.session.resume()
        stop = await program.session.next_stop(timeout_s=STOP_TIMEOUT_S)
        assert stop is not None
        assert (stop.reason, stop.frame.line) == (jvmdebug.StopReason.BREAKPOINT, line)


async def test_conditions_and_log_messages_that_hit_their_own_breakpoints(
    evaluating: StartEvaluating,
) -> None:
    async with evaluating("safety", "Safety") as program:
        logged: list[str] = []

        def listen(event: jvmdebug.SessionEvent) -> None:
            if isinstance(event, jvmdebug.BreakpointLogged):
                logged.append(event.text)

        program.session.subscribe(listen)
        source, line = program.program.marked("inside")
        place = f"{source}:{line}"
        await program.session.break_at(place, log_message="{inside(inside(number)) + 100}")
        stopping = await program.session.break_at(place, condition="inside(number) == 6")
        never = await program.session.break_at(place, condition="inside(number) > 6")
        stop = await program.session.next_stop(timeout_s=STOP_TIMEOUT_S)
        assert stop is not None
        assert stop.reason is jvmdebug.StopReason.BREAKPOINT
        assert list(stop.breakpoints) == [stopping]
        # What an expression at this stop calls is no hit either.
        frame = await stop.frame.frame()
        assert await _shown(frame, "inside(inside(inside(number)))") == "8"
        assert (stopping.hits, never.hits, logged) == (1, 0, ["107"])
        assert len(program.session.current_stops) == 1


async def test_an_exception_has_its_message_and_its_own_part_of_the_stack(
    evaluating: StartEvaluating,
) -> None:
    async with evaluating("safety", "Safety") as program:
        frame = await program.frame_at("here")
        with pytest.raises(DebuggeeException, match=r"fail\(int\) threw .*State.*: told") as caught:
            await evaluator.evaluate(frame, "if (number > 0) { fail(1); } number")
        assert caught.value.expression is not None
        head, first, second, *rest = caught.value.trace
        assert head == "java.lang.IllegalStateException: told"
        assert first.startswith("\tat Safety.fail(Safety.java:")
        assert second.startswith("\tat Safety.fail(Safety.java:")
        assert [each for each in rest if "main" in each] == []
        assert rest[-1].startswith("Caused by: java.lang.NullPointerException")


@contextlib.asynccontextmanager
async def _stoppable(
    evaluating: StartEvaluating, agent_kind: AgentKind
) -> AsyncIterator[tuple[DebuggeeSession, Frame]]:
    """The program and the frame of its main method, with an agent that can end methods."""
    if agent_kind == "stock":
        pytest.skip("the JDK's own agent can stop no method that it runs for the debugger")
    async with evaluating("safety", "Safety") as program:
        yield program, await program.frame_at("here")


async def _shown(frame: Frame, text: str) -> str:
    return await display.render(await evaluator.evaluate(frame, text, deadline_s=_SOON_S))
