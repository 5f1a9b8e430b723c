# SPDX-License-Identifier: Apache-2.0
"""Stops: made from event sets, handed out once, resumed, ended, and what they leave behind."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from jvmdebug import Continued, SessionState, StateError, Stopped, StopReason
from jvmdebug.events import StopFor
from jvmdebug.jdwp.generated.constants import EventKind, SuspendPolicy
from jvmdebug.jdwp.generated.events import LocationOnlyModifier
from jvmdebug.session import stack_changes
from jvmdebug.session.causes import ReturnForced
from tests.support.fake_requests import BREAKPOINT
from tests.support.fake_vm import EVENT_THREAD, MAIN_THREAD
from tests.unit.session.conftest import SINGLE_STEP, WORKER_THREAD

if TYPE_CHECKING:
    from jvmdebug import Session, Stop
    from jvmdebug.events import Occurrence, Verdict
    from tests.unit.session.conftest import Program

VM_START = 90


def state_of(session: Session) -> SessionState:
    return session.state


def stops_reported(program: Program) -> list[Stop]:
    return [event.stop for event in program.reported if isinstance(event, Stopped)]


async def test_a_stop_is_made_handed_out_once_and_resumed(program: Program) -> None:
    session = program.session
    breakpoint_ = await session.break_at("shop.Cart:5")
    assert state_of(session) is SessionState.RUNNING
    await program.send(program.hit("add", 0))
    stop = await program.next()
    assert (stop.reason, stop.breakpoints, stop.thread.name) == (
        StopReason.BREAKPOINT,
        (breakpoint_,),
        "main",
    )
    assert (stop.all_threads, stop.is_current) == (True, True)
    assert session.current_stops == (stop,)
    assert state_of(session) is SessionState.STOPPED
    with pytest.raises(StateError, match="wait for a stop"):
        await session.next_stop()
    frame = stop.frame
    await stop.resume()
    assert not program.vm.is_suspended
    assert state_of(session) is SessionState.RUNNING
    with pytest.raises(StateError, match="it was resumed"):
        await frame.variables()
    assert [type(event) for event in program.reported] == [Stopped, Continued]
    assert stops_reported(program) == [stop]


async def test_a_stop_has_all_causes_of_its_event_set(program: Program) -> None:
    first = await program.session.break_at("shop.Cart:5")
    await program.send(program.hit("add", 0))
    stop = await program.next()
    line = await program.session.break_at("shop.Cart:6")
    instruction = await program.session.break_at("shop.Cart#add#4")
    await stop.step_over()
    at_line, at_instruction = program.hits("add", 4)
    await program.send(program.step("add", 4), at_instruction, at_line)
    stop = await program.next()
    assert stop.reasons == (
        StopReason.BREAKPOINT,
        StopReason.INSTRUCTION_BREAKPOINT,
        StopReason.STEP,
    )
    assert stop.reason is StopReason.BREAKPOINT
    assert stop.breakpoints == (line, instruction)
    assert (first.hits, line.hits, instruction.hits) == (1, 1, 1)
    assert program.requests.of(SINGLE_STEP) == []


async def test_a_breakpoint_for_once_is_removed_and_others_stay(program: Program) -> None:
    kept = await program.session.break_at("shop.Cart:5")
    once = await program.session.break_at("shop.Cart:5", once=True)
    await program.send(*program.hits("add", 0))
    stop = await program.next()
    assert stop.breakpoints == (kept, once)
    assert (once.is_removed, kept.is_removed) == (True, False)
    assert program.session.breakpoints == (kept,)


async def test_running_to_a_line_ends_with_any_stop(program: Program) -> None:
    await program.session.break_at("shop.Cart:5")
    await program.send(program.hit("add", 0))
    stop = await program.next()
    await stop.run_to("shop.Cart:11")
    assert len(program.requests.of(BREAKPOINT)) == 2
    await program.send(program.hit("run", 3))
    stop = await program.next()
    assert (stop.reasons, stop.breakpoints) == ((StopReason.RUN_TO,), ())
    assert len(program.requests.of(BREAKPOINT)) == 1
    await stop.run_to("shop.Cart:11")
    await program.send(program.hit("add", 0))
    stop = await program.next()
    assert stop.reasons == (StopReason.BREAKPOINT,)
    assert len(program.requests.of(BREAKPOINT)) == 1
    assert stops_reported(program)[-1] is stop


async def test_a_cause_may_want_all_threads(program: Program) -> None:
    session = program.session
    session.settings.suspend = "thread"
    await session.break_at("shop.Cart:5")
    await session.break_at("shop.Cart:5", suspend="all", condition="true")
    await program.send(*program.hits("add", 0)[:1], policy=EVENT_THREAD)
    stop = await program.next()
    assert (stop.all_threads, program.vm.threads[WORKER_THREAD]) == (False, 0)
    await stop.resume()
    await program.send(*program.hits("add", 0), policy=EVENT_THREAD)
    stop = await program.next()
    assert stop.all_threads
    assert program.vm.threads == {MAIN_THREAD: 1, WORKER_THREAD: 1}
    await stop.resume()
    assert not program.vm.is_suspended


async def test_several_single_threads_are_stopped_at_once(program: Program) -> None:
    session = program.session
    session.settings.suspend = "thread"
    await session.break_at("shop.Cart:11")
    stops = []
    for thread in (MAIN_THREAD, WORKER_THREAD):
        await program.send(program.hit("run", 3, thread), policy=EVENT_THREAD)
        stops.append(await program.next())
    assert session.current_stops == tuple(stops)
    main, worker = stops
    await main.resume()
    assert state_of(session) is SessionState.STOPPED
    assert session.current_stops == (worker,)
    await worker.thread.resume()
    assert worker.thread.stop is None, "its stop is over"
    assert state_of(session) is SessionState.RUNNING
    assert not program.vm.is_suspended


async def test_a_thread_is_resumed_alone(program: Program) -> None:
    await program.session.break_at("shop.Cart:5")
    await program.send(program.hit("add", 0))
    stop = await program.next()
    worker = next(each for each in await program.session.threads() if each.name == "worker")
    await worker.resume()
    assert worker.stop is None
    assert stop.is_current
    assert program.vm.threads == {MAIN_THREAD: 1, WORKER_THREAD: 0}
    with pytest.raises(StateError, match="'worker' is running"):
        await stop.frames(thread=worker)
    await stop.resume()
    assert not program.vm.is_suspended


async def test_the_user_suspends(program: Program) -> None:
    session = program.session
    program.vm.on("ThreadReference.Status", {"thread_status": 1, "suspend_status": 1})
    stop = await session.suspend()
    assert (stop.reasons, stop.thread.name) == ((StopReason.PAUSE,), "main")
    assert await session.suspend() is stop
    assert stops_reported(program) == [stop]
    with pytest.raises(StateError, match="wait for a stop"):
        await session.next_stop()
    await session.resume()
    worker = next(each for each in await session.threads() if each.name == "worker")
    alone = await worker.suspend()
    assert (alone.reasons, alone.all_threads) == ((StopReason.PAUSE,), False)
    assert await worker.suspend() is alone
    assert program.vm.threads == {MAIN_THREAD: 0, WORKER_THREAD: 1}
    await session.resume()
    assert not program.vm.is_suspended


async def test_later_stops_are_resumed_once_stops_are_ignored(program: Program) -> None:
    await program.session.break_at("shop.Cart:5")
    await program.send(program.hit("add", 0))
    stop = await program.next()
    await program.session._services.stops.ignore_stops()
    assert not stop.is_current
    await program.send(program.hit("add", 0))
    await program.vm.wait_until(lambda: not program.vm.is_suspended)
    assert program.session.current_stops == ()


async def test_the_end_of_the_vm_ends_its_stops(program: Program) -> None:
    await program.session.break_at("shop.Cart:5")
    await program.send(program.hit("add", 0))
    stop = await program.next()
    await program.vm.drop()
    await program.session.wait()
    assert (stop.is_current, program.session.current_stops) == (False, ())
    assert state_of(program.session) is SessionState.ENDED
    assert await program.session.next_stop() is None
    with pytest.raises(StateError, match="the link to the program is lost"):
        await stop.frames()


async def test_a_vm_suspended_at_its_start_is_no_stop(program: Program) -> None:
    session = program.session
    start = {"kind": VM_START, "request_id": 0, "thread": MAIN_THREAD}
    await program.send(start)
    async with asyncio.timeout(5):
        while state_of(session) is not SessionState.HELD:  # noqa: ASYNC110 - no event reports it
            await asyncio.sleep(0)
    assert session.current_stops == ()
    await session.start()
    assert state_of(session) is SessionState.RUNNING
    assert not program.vm.is_suspended
    assert program.reported == []


async def in_a_forced_return(program: Program) -> Stop:
    """A stop in `run`, which was called by `run` and returns nothing."""
    program.vm.on("ThreadReference.ForceEarlyReturn", {})
    run = program.cart.at("run", 0)
    program.stacks.move(MAIN_THREAD, run, run)
    await program.session.break_at("shop.Cart:10")
    await program.send(program.hit("run", 0))
    return await program.next()


async def test_a_forced_return_is_handed_its_stop_set_with_all_causes(program: Program) -> None:
    stop = await in_a_forced_return(program)
    hit = await program.session.break_at("shop.Cart:11", once=True)
    forcing = asyncio.create_task(stop.force_return())
    await program.vm.wait_for("ThreadReference.Resume")
    program.stacks.move(MAIN_THREAD, program.cart.at("run", 3))
    await program.send(program.step("run", 3), program.hit("run", 3))
    returned = await forcing
    assert returned is not None
    assert returned.reasons == (StopReason.FORCE_RETURN, StopReason.BREAKPOINT)
    assert (returned.breakpoints, hit.hits, hit.is_removed) == ((hit,), 1, True)
    assert program.session.current_stops == (returned,)
    assert not stop.is_current
    assert program.requests.of(SINGLE_STEP) == []
    assert program.vm.threads == {MAIN_THREAD: 1, WORKER_THREAD: 2}
    await returned.resume()
    assert not program.vm.is_suspended


async def test_a_forced_return_that_does_not_happen_suspends_the_thread_where_it_is(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stack_changes, "_RETURN_TIMEOUT_S", 0.01)
    stop = await in_a_forced_return(program)
    returned = await stop.force_return()
    assert returned is not None
    assert returned.reasons == (StopReason.FORCE_RETURN,)
    assert program.requests.of(SINGLE_STEP) == []
    await returned.resume()
    assert not program.vm.is_suspended


async def test_a_forced_return_that_is_cancelled_leaves_a_stop(program: Program) -> None:
    """The thread runs meanwhile: it is suspended, and the stop is there for whoever asks next."""
    stop = await in_a_forced_return(program)
    forcing = asyncio.create_task(stop.force_return())
    await program.vm.wait_for("ThreadReference.Resume")
    forcing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await forcing
    returned = await program.next()
    assert (returned.reasons, stop.is_current) == ((StopReason.FORCE_RETURN,), False)
    assert program.session.current_stops == (returned,)
    assert program.requests.of(SINGLE_STEP) == []
    assert program.vm.is_suspended
    await returned.resume()
    assert not program.vm.is_suspended


async def test_a_popped_frame_leaves_a_stop_if_its_caller_is_cancelled(program: Program) -> None:
    program.vm.on("StackFrame.PopFrames", {})
    stop = await in_a_forced_return(program)
    popping = asyncio.create_task(stop.pop_frame())
    await program.vm.wait_for("StackFrame.PopFrames")
    popping.cancel()
    with pytest.raises(asyncio.CancelledError):
        await popping
    popped = await program.next()
    assert (popped.reasons, stop.is_current) == ((StopReason.POP_FRAME,), False)
    await popped.resume()
    assert not program.vm.is_suspended


async def test_a_pause_that_is_cancelled_leaves_a_stop(program: Program) -> None:
    pausing = asyncio.create_task(program.session.suspend())
    await program.vm.wait_for("VirtualMachine.Suspend")
    pausing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await pausing
    paused = await program.next()
    assert paused.reason is StopReason.PAUSE
    await paused.resume()
    assert not program.vm.is_suspended


async def test_a_cause_that_is_no_longer_claimed_makes_no_stop(program: Program) -> None:
    """The other causes are claimed."""
    router = program.session._services.router

    async def too_late(_: Occurrence) -> Verdict:
        return StopFor(ReturnForced(claim=lambda _: False))

    (cart,) = await router.vm.classes_by_signature("Lshop/Cart;")
    place = (await cart.methods())[0].location(4)
    modifiers = (LocationOnlyModifier(place.wire),)
    await router.arm(EventKind.BREAKPOINT, modifiers, SuspendPolicy.EVENT_THREAD, too_late)
    await program.send(program.hit("add", 4), policy=EVENT_THREAD)
    await program.vm.wait_for("ThreadReference.Resume")
    assert program.session.current_stops == ()
    await program.session.break_at("shop.Cart:6")
    await program.send(*program.hits("add", 4))
    stop = await program.next()
    assert stop.reasons == (StopReason.BREAKPOINT,)
    await stop.resume()
    assert not program.vm.is_suspended
