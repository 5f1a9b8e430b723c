# SPDX-License-Identifier: Apache-2.0
"""Expressions that wait for other threads, virtual ones above all; and the program afterwards."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

import pytest

import jvmdebug
from jvmdebug.errors import EvaluationError
from jvmdebug.evaluator.run import invoker
from jvmdebug.model.primitives import PrimitiveKind, PrimitiveValue
from jvmdebug.model.reference_type import ClassType
from tests.support.sessions import DebuggeeSession, compiled, launched, stop_at

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from jvmdebug.model import VirtualMachine
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

pytestmark = pytest.mark.timeout(240)

Kind: TypeAlias = Literal["platform", "virtual", "twins"]

_DEADLINE_S: Final = 30.0
_GIVEN_UP_S: Final = 0.6
_END_S: Final = 40.0
# A thread that stops, or runs a method for the debugger, keeps its carrier.
_CARRIERS: Final = "-Djdk.virtualThreadScheduler.parallelism=4"
_WAITING: Final = (
    "submitted(people)",
    "joined(people)",
    "chained(people)",
    "streamed(people)",
    "completed(people)",
    "locked(people)",
)


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(invoker, "OTHERS_HELD_S", 0.1)


@pytest.mark.parametrize("kind", ["platform", "virtual"])
async def test_expressions_that_wait_for_other_threads(
    jdk: Jdk, agent_kind: AgentKind, kind: Kind
) -> None:
    async with _awaiting(jdk, agent_kind, kind) as program:
        stop = await stop_at(program.session, program.program, "visit")
        vm = stop.thread.thread.vm
        for text in (*_WAITING, "Thread.ofVirtual().start(() -> fare(people)).join(); people * 3"):
            shown = await (await stop.frame.evaluate(text, deadline_s=_DEADLINE_S)).as_text()
            assert shown == "12", text
            counts = [await each.suspend_count() for each in await vm.all_threads()]
            assert set(counts) == {1}, text
        assert stop.is_current
        await _ends(program)


@pytest.mark.parametrize("kind", ["platform", "virtual"])
@pytest.mark.parametrize("how", ["deadline", "cancel"])
async def test_the_program_goes_on_after_an_evaluation_that_was_given_up(
    jdk: Jdk, agent_kind: AgentKind, kind: Kind, how: str
) -> None:
    """The method waits for a lock that a virtual thread has: nothing ends it before its time."""
    async with _awaiting(jdk, agent_kind, kind) as program:
        stop = await stop_at(program.session, program.program, "visit")
        vm = stop.thread.thread.vm
        if how == "deadline":
            with pytest.raises(EvaluationError, match=r"not done .* still runs"):
                await stop.frame.evaluate("blocked(people)", deadline_s=_GIVEN_UP_S)
        else:
            task = asyncio.create_task(stop.frame.evaluate("blocked(people)"))
            await _running(stop)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
        await program.session.resume()
        await _release(vm)
        assert await _ended(program)


async def test_a_program_that_is_resumed_during_an_evaluation(
    jdk: Jdk, agent_kind: AgentKind
) -> None:
    async with _awaiting(jdk, agent_kind, "virtual") as program:
        stop = await stop_at(program.session, program.program, "visit")
        vm = stop.thread.thread.vm
        task = asyncio.create_task(stop.frame.evaluate("blocked(people)"))
        await _running(stop)
        await program.session.resume()
        await _release(vm)
        assert await _ended(program)
        with contextlib.suppress(jvmdebug.JvmDebugError):
            await task


async def test_evaluations_on_two_stopped_threads(jdk: Jdk, agent_kind: AgentKind) -> None:
    async with _awaiting(jdk, agent_kind, "twins") as program:
        breakpoint_ = await program.break_at("visit")
        await program.session.resume()
        first = await program.expect_stop("visit")
        other = "second" if first.thread.name == "first" else "first"
        (thread,) = [each for each in await program.session.threads() if each.name == other]
        await thread.resume()
        second = await program.expect_stop("visit")
        assert second.thread.name == other
        await breakpoint_.remove()
        values = await asyncio.gather(
            *(
                stop.frame.evaluate(text, deadline_s=_DEADLINE_S)
                for stop, text in ((first, "submitted(people)"), (second, "chained(people + 1)"))
            )
        )
        assert [await each.as_text() for each in values] == ["12", "15"]
        # Each event has suspended all threads; `second` was resumed alone in between.
        threads = await first.thread.thread.vm.all_threads()
        counts = {each: await each.suspend_count() for each in threads}
        assert counts.pop(second.thread.thread) == 1
        assert set(counts.values()) == {2}
        await second.resume()
        await first.resume()
        assert await _ended(program)


@pytest.mark.parametrize("kind", ["platform", "virtual"])
async def test_conditions_and_log_messages_that_wait_for_virtual_threads(
    jdk: Jdk, agent_kind: AgentKind, kind: Kind
) -> None:
    async with _awaiting(jdk, agent_kind, kind) as program:
        logged: list[str] = []

        def listen(event: jvmdebug.SessionEvent) -> None:
            if isinstance(event, jvmdebug.BreakpointLogged):
                logged.append(event.text)

        program.session.subscribe(listen)
        source, line = program.program.marked("visit")
        place = f"{source}:{line}"
        await program.session.break_at(place, condition="chained(people) == 13")
        await program.session.break_at(place, log_message="{submitted(people)} {joined(people)}")
        await program.break_at("behind", condition="completed(people) == 12")
        await program.session.resume()
        stop = await program.expect_stop("behind")
        assert stop.breakpoints[-1].message is None
        assert logged == ["12 12"]
        await _ends(program)


@contextlib.asynccontextmanager
async def _awaiting(jdk: Jdk, agent_kind: AgentKind, kind: Kind) -> AsyncIterator[DebuggeeSession]:
    program = compiled("awaiting", "Awaiting", jdk)
    options = {"args": [kind], "vm_args": [_CARRIERS], "virtual_threads": kind == "twins"}
    async with launched(program, jdk, agent_kind, **options) as session:
        yield DebuggeeSession(session, program)


async def _running(stop: jvmdebug.Stop) -> None:
    """Wait until the stopped thread runs a method for the debugger."""
    async with asyncio.timeout(_DEADLINE_S):
        while (await stop.thread.thread.status()).is_suspended:  # noqa: ASYNC110 - there is no event
            await asyncio.sleep(0.01)


async def _release(vm: VirtualMachine) -> None:
    """Let the virtual thread that holds the lock go on."""
    (type_,) = await vm.classes_by_signature("LAwaiting;")
    assert isinstance(type_, ClassType)
    (go,) = [each for each in await type_.fields() if each.name == "go"]
    await type_.set_static_value(go, PrimitiveValue(PrimitiveKind.BOOLEAN, value=True))


async def _ends(program: DebuggeeSession) -> None:
    for each in program.session.breakpoints:
        await each.remove()
    await program.session.resume()
    assert await _ended(program)


async def _ended(program: DebuggeeSession) -> bool:
    async with asyncio.timeout(_END_S):
        assert await program.session.wait() == 0
    return program.printed.endswith("over\n")
