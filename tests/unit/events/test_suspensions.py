# SPDX-License-Identifier: Apache-2.0
"""Tests which threads a stop suspends, beside other stops, and that it resumes exactly those."""

from __future__ import annotations

import asyncio
import contextlib

import pytest

from jvmdebug.errors import StateError
from jvmdebug.events import (
    RESUME,
    BreakpointOccurrence,
    ClassPrepareOccurrence,
    Router,
    StopFor,
    Verdict,
)
from jvmdebug.jdwp.generated.constants import EventKind, SuspendPolicy
from tests.support.fake_vm import (
    ALL,
    EVENT_THREAD,
    MAIN_THREAD,
    FakeVm,
    location,
)
from tests.unit.events.conftest import (
    ADD,
    CART,
    OTHER_THREAD,
    Asked,
    Stops,
    armed,
    hit,
    prepare_event,
    settled,
    thread,
)


async def test_resuming_a_stop_ends_it(fake_vm: FakeVm, router: Router, stops: Stops) -> None:
    request = await armed(router)
    await fake_vm.send_events(ALL, hit(request))
    stopped = await stops.next()
    await router.resume(stopped)
    assert not stopped.is_current
    assert router.current_stops == ()
    with pytest.raises(StateError, match="this stop is over"):
        await router.resume(stopped)


async def test_other_stops_wait_while_all_threads_are_suspended(
    fake_vm: FakeVm, router: Router, stops: Stops
) -> None:
    request = await armed(router)
    await fake_vm.send_events(ALL, hit(request))
    first = await stops.next()
    await fake_vm.send_events(EVENT_THREAD, hit(request, OTHER_THREAD))
    await settled(router)
    assert stops.queue.empty()
    await router.resume(first)
    second = await stops.next()
    assert second.thread is thread(router, OTHER_THREAD)
    assert not first.is_current
    await router.resume(second)
    assert not fake_vm.is_suspended


async def test_stops_of_single_threads_do_not_wait_for_each_other(
    fake_vm: FakeVm, router: Router, stops: Stops
) -> None:
    request = await armed(router)
    await fake_vm.send_events(EVENT_THREAD, hit(request))
    first = await stops.next()
    await fake_vm.send_events(EVENT_THREAD, hit(request, OTHER_THREAD))
    second = await stops.next()
    assert router.current_stops == (first, second)
    await router.resume(first)
    assert second.is_current
    assert fake_vm.threads == {MAIN_THREAD: 0, OTHER_THREAD: 1}


async def test_events_of_policy_none_do_not_wait_for_a_stop(
    fake_vm: FakeVm, router: Router, stops: Stops
) -> None:
    request = await armed(router)
    prepared = asyncio.Event()

    async def on_prepare(occurrence: ClassPrepareOccurrence) -> Verdict:
        assert occurrence.type.name == "shop.Item"
        prepared.set()
        return RESUME

    prepare = await router.arm(EventKind.CLASS_PREPARE, (), SuspendPolicy.EVENT_THREAD, on_prepare)
    await fake_vm.send_events(ALL, hit(request))
    await stops.next()
    await fake_vm.send_events(EVENT_THREAD, prepare_event(prepare, OTHER_THREAD))
    await asyncio.wait_for(prepared.wait(), 5)
    await fake_vm.wait_for("ThreadReference.Resume")
    assert fake_vm.threads == {MAIN_THREAD: 1, OTHER_THREAD: 1}


async def test_a_thread_resumed_alone_may_stop_again(
    fake_vm: FakeVm, router: Router, stops: Stops
) -> None:
    request = await armed(router)
    await fake_vm.send_events(ALL, hit(request))
    first = await stops.next()
    await router.resume_thread(thread(router, OTHER_THREAD))
    assert fake_vm.threads == {MAIN_THREAD: 1, OTHER_THREAD: 0}
    assert first.is_current
    await fake_vm.send_events(EVENT_THREAD, hit(request, OTHER_THREAD))
    second = await stops.next()
    await router.resume(second)
    assert fake_vm.threads == {MAIN_THREAD: 1, OTHER_THREAD: 0}
    await router.resume(first)
    assert not fake_vm.is_suspended


async def test_resuming_all_does_not_take_away_the_stop_of_a_thread_resumed_alone(
    fake_vm: FakeVm, router: Router, stops: Stops
) -> None:
    request = await armed(router)
    await fake_vm.send_events(ALL, hit(request))
    first = await stops.next()
    await router.resume_thread(thread(router, OTHER_THREAD))
    await fake_vm.send_events(EVENT_THREAD, hit(request, OTHER_THREAD))
    second = await stops.next()
    await router.resume(first)
    assert second.is_current
    assert fake_vm.threads == {MAIN_THREAD: 0, OTHER_THREAD: 1}


async def test_others_run_for_an_invocation_and_are_suspended_again(
    fake_vm: FakeVm, router: Router, stops: Stops
) -> None:
    fake_vm.on("VirtualMachine.AllThreads", {"threads": [MAIN_THREAD, OTHER_THREAD]})
    request = await armed(router)
    await fake_vm.send_events(ALL, hit(request))
    stopped = await stops.next()
    async with router.others_running(thread(router, MAIN_THREAD)):
        assert fake_vm.threads == {MAIN_THREAD: 1, OTHER_THREAD: 0}
        assert not stopped.holds(thread(router, OTHER_THREAD))
        await fake_vm.send_events(EVENT_THREAD, hit(request, OTHER_THREAD))
        await settled(router)
        assert stops.queue.empty(), "it waits for the stop of all threads"
    assert fake_vm.threads == {MAIN_THREAD: 1, OTHER_THREAD: 2}
    async with router.others_running(thread(router, MAIN_THREAD)):
        assert fake_vm.threads[OTHER_THREAD] == 1, "held by an event set that waits"
    await router.resume(stopped)
    await router.resume(await stops.next())
    assert not fake_vm.is_suspended


async def test_a_stop_resumed_while_others_run_suspends_no_thread_afterwards(
    fake_vm: FakeVm, router: Router, stops: Stops
) -> None:
    fake_vm.on("VirtualMachine.AllThreads", {"threads": [MAIN_THREAD, OTHER_THREAD]})
    request = await armed(router)
    for policy, alone in ((ALL, False), (EVENT_THREAD, False), (ALL, True)):
        await fake_vm.send_events(policy, hit(request, OTHER_THREAD))
        stopped = await stops.next()
        async with router.others_running(thread(router, MAIN_THREAD)):
            if alone:
                await router.resume_thread(thread(router, OTHER_THREAD))
            await router.resume(stopped)
        assert not fake_vm.is_suspended, (policy, alone)


async def test_others_that_run_keep_the_suspensions_that_are_not_of_the_stop(
    fake_vm: FakeVm, router: Router, stops: Stops
) -> None:
    """One was resumed alone and has a stop of its own; one hits a breakpoint while it runs."""
    fake_vm.on("VirtualMachine.AllThreads", {"threads": [MAIN_THREAD, OTHER_THREAD]})
    request = await armed(router)
    other = thread(router, OTHER_THREAD)
    await fake_vm.send_events(ALL, hit(request))
    stopped = await stops.next()
    await router.resume_thread(other)
    await fake_vm.send_events(EVENT_THREAD, hit(request, OTHER_THREAD))
    own = await stops.next()
    async with router.others_running(thread(router, MAIN_THREAD)):
        assert fake_vm.threads[OTHER_THREAD] == 0
    assert fake_vm.threads[OTHER_THREAD] == 1
    await router.resume(own)
    await router.resume(stopped)
    await fake_vm.send_events(ALL, hit(request))
    stopped = await stops.next()
    async with router.others_running(thread(router, MAIN_THREAD)):
        await fake_vm.send_events(EVENT_THREAD, hit(request, OTHER_THREAD))
        await settled(router)
        await router.resume(stopped)
        own = await stops.next()
        assert fake_vm.threads == {MAIN_THREAD: 0, OTHER_THREAD: 1}
    assert fake_vm.threads == {MAIN_THREAD: 0, OTHER_THREAD: 1}
    await router.resume(own)
    assert not fake_vm.is_suspended


async def test_a_stop_resumed_while_its_thread_runs_a_method(
    fake_vm: FakeVm, router: Router, stops: Stops
) -> None:
    """The agent gives the suspension back that it has taken for the method: nobody needs it."""
    request = await armed(router)
    main = thread(router, MAIN_THREAD)
    for policy in (ALL, EVENT_THREAD):
        for others_run in (False, True):
            await fake_vm.send_events(policy, hit(request))
            stopped = await stops.next()
            async with contextlib.AsyncExitStack() as stack:
                if others_run:
                    await stack.enter_async_context(router.others_running(main))
                async with router._invoking(main):
                    fake_vm.threads[MAIN_THREAD] -= 1
                    await router.resume(stopped)
                    assert not fake_vm.is_suspended
                    fake_vm.threads[MAIN_THREAD] += 1
            assert not fake_vm.is_suspended, (policy, others_run)


async def test_two_stops_whose_threads_run_methods_that_wait(
    fake_vm: FakeVm, router: Router, stops: Stops
) -> None:
    request = await armed(router)
    main, other = thread(router, MAIN_THREAD), thread(router, OTHER_THREAD)
    await fake_vm.send_events(ALL, hit(request))
    first = await stops.next()
    await router.resume_thread(other)
    await fake_vm.send_events(ALL, hit(request, OTHER_THREAD))
    second = await stops.next()
    before = dict(fake_vm.threads)
    assert before == {MAIN_THREAD: 2, OTHER_THREAD: 1}
    waiting, running = contextlib.AsyncExitStack(), contextlib.AsyncExitStack()
    for each in (main, other):
        await running.enter_async_context(router._invoking(each))
        fake_vm.threads[each.id] -= 1
    for each in (main, other):
        await waiting.enter_async_context(router.others_running(each))
    assert fake_vm.threads == {MAIN_THREAD: 0, OTHER_THREAD: 0}
    for each in (main, other):
        fake_vm.threads[each.id] += 1
    await running.aclose()  # methods return before the other threads are suspended again
    await waiting.aclose()
    assert fake_vm.threads == before
    await router.resume(second)
    await router.resume(first)
    assert not fake_vm.is_suspended


async def test_all_threads_are_suspended_for_a_while(
    fake_vm: FakeVm, router: Router, stops: Stops
) -> None:
    request = await armed(router)
    async with router.all_suspended():
        assert fake_vm.threads == {MAIN_THREAD: 1, OTHER_THREAD: 1}
        await fake_vm.send_events(EVENT_THREAD, hit(request, OTHER_THREAD))
        await settled(router)
        assert stops.queue.empty()
    stopped = await stops.next()
    assert fake_vm.threads == {MAIN_THREAD: 0, OTHER_THREAD: 1}
    await router.resume(stopped)
    await fake_vm.send_events(ALL, hit(request))
    stopped = await stops.next()
    known = len(fake_vm.names())
    async with router.all_suspended():
        pass
    assert fake_vm.names()[known:] == [], "they are suspended already"
    with pytest.raises(RuntimeError, match="a bug"):
        async with router.all_suspended():
            raise RuntimeError("a bug")
    await router.resume(stopped)
    assert not fake_vm.is_suspended


async def test_suspending_on_demand_and_resuming(fake_vm: FakeVm, router: Router) -> None:
    everything = await router.suspend_all()
    assert everything.suspends_all
    assert everything.occurrences == ()
    one = await router.suspend_thread(thread(router, OTHER_THREAD))
    assert fake_vm.threads == {MAIN_THREAD: 1, OTHER_THREAD: 2}
    await router.resume(everything)
    assert fake_vm.threads == {MAIN_THREAD: 0, OTHER_THREAD: 1}
    await router.resume(one)
    assert not fake_vm.is_suspended


async def test_a_cause_of_all_threads_suspends_them_and_keeps_the_frames(
    fake_vm: FakeVm, router: Router, stops: Stops
) -> None:
    generation = 0

    async def stop_all(occurrence: BreakpointOccurrence) -> Verdict:
        nonlocal generation
        generation = occurrence.thread.generation
        return StopFor(Asked(suspends_all=True))

    request = await armed(router, stop_all)
    await fake_vm.send_events(EVENT_THREAD, hit(request))
    stopped = await stops.next()
    assert stopped.suspends_all
    assert fake_vm.threads == {MAIN_THREAD: 1, OTHER_THREAD: 1}
    assert thread(router, MAIN_THREAD).generation == generation
    await router.resume(stopped)
    assert not fake_vm.is_suspended


async def test_frames_are_stale_after_a_resume_and_types_are_not_asked_again(
    fake_vm: FakeVm, router: Router, stops: Stops
) -> None:
    fake_vm.on(
        "ThreadReference.Frames", {"frames": [{"frame_id": 1, "location": location(CART, ADD, 0)}]}
    )
    request = await armed(router)
    await fake_vm.send_events(ALL, hit(request))
    first = await stops.next()
    frame = await thread(router, MAIN_THREAD).frame(0)
    await router.resume(first)
    assert not frame.is_valid
    await fake_vm.send_events(ALL, hit(request))
    await stops.next()
    fresh = await thread(router, MAIN_THREAD).frame(0)
    assert fresh is not frame
    assert fresh.location == frame.location
    assert len(fake_vm.commands("ReferenceType.SignatureWithGeneric")) == 1
    assert len(fake_vm.commands("ReferenceType.MethodsWithGeneric")) == 1
