# SPDX-License-Identifier: Apache-2.0
"""One event set, ordered reactions, one decision; and nothing is left suspended by mistake."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from jvmdebug.errors import (
    ConnectionLost,
    InvalidLocationError,
    StateError,
    ThreadNotSuspendedError,
)
from jvmdebug.events import (
    RESUME,
    BreakpointOccurrence,
    DisconnectOccurrence,
    Occurrence,
    Router,
    StepOccurrence,
    StopFor,
    StopSet,
    Verdict,
    VmDeathOccurrence,
)
from tests.support.fake_vm import (
    ALL,
    EVENT_THREAD,
    MAIN_THREAD,
    NONE,
    FakeVm,
    Refusal,
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
    run_on,
    stop,
    thread,
)

if TYPE_CHECKING:
    from jvmdebug.model import VirtualMachine
    from tests.support.failures import Failures


async def test_a_set_without_a_stop_is_resumed_by_its_policy(
    fake_vm: FakeVm, router: Router
) -> None:
    request = await armed(router, run_on)
    await fake_vm.send_events(ALL, hit(request))
    await fake_vm.wait_for("VirtualMachine.Resume")
    await fake_vm.send_events(EVENT_THREAD, hit(request, OTHER_THREAD))
    assert await fake_vm.wait_for("ThreadReference.Resume") == {"thread": OTHER_THREAD}
    assert not fake_vm.is_suspended


async def test_a_policy_of_none_resumes_nothing(fake_vm: FakeVm, router: Router) -> None:
    seen = asyncio.Event()

    async def note(_: Occurrence) -> Verdict:
        seen.set()
        return RESUME

    request = await armed(router, note, NONE)
    await fake_vm.send_events(NONE, hit(request))
    await asyncio.wait_for(seen.wait(), 5)
    await router.suspend_all()
    assert "VirtualMachine.Resume" not in fake_vm.names()
    assert "ThreadReference.Resume" not in fake_vm.names()


async def test_an_occurrence_carries_model_objects(
    fake_vm: FakeVm, router: Router, stops: Stops
) -> None:
    request = await armed(router)
    await fake_vm.send_events(ALL, hit(request, index=7))
    stopped = await stops.next()
    (occurrence,) = stopped.occurrences
    assert isinstance(occurrence, BreakpointOccurrence)
    assert str(occurrence.location) == "shop.Cart.add(int)#7"
    assert occurrence.thread is thread(router, MAIN_THREAD)
    assert stopped.thread is occurrence.thread
    assert (occurrence.request_id, occurrence.suspend_policy) == (request.request_id, ALL)
    assert stopped.is_current
    assert router.current_stops == (stopped,)
    assert fake_vm.is_suspended


async def test_all_reactions_run_in_order_and_give_one_decision(
    fake_vm: FakeVm, router: Router, stops: Stops
) -> None:
    spoken: list[str] = []

    def saying(name: str, verdict: Verdict = RESUME) -> Any:
        async def reaction(_: Occurrence) -> Verdict:
            spoken.append(name)
            return verdict

        return reaction

    first = await armed(router, saying("first", StopFor(Asked(name="first"))))
    second = await armed(router, saying("second"))
    router.subscribe(BreakpointOccurrence, saying("subscriber"))
    await fake_vm.send_events(ALL, hit(first), hit(second))
    stopped = await stops.next()
    assert spoken == ["first", "subscriber", "second", "subscriber"]
    assert len(stopped.occurrences) == 2
    assert stopped.causes == (Asked(name="first"),)
    await router.resume(stopped)
    assert fake_vm.names().count("VirtualMachine.Resume") == 1
    assert not fake_vm.is_suspended


async def test_a_reaction_that_meets_the_end_of_the_vm_is_no_error(
    fake_vm: FakeVm, router: Router
) -> None:
    """The end resumes all threads before it is told; an error that is logged fails a test."""

    async def read(_: Occurrence) -> Verdict:
        raise ThreadNotSuspendedError.of_code(13, "StackFrame.GetValues(…)")

    request = await armed(router, read)
    await fake_vm.send_events(EVENT_THREAD, hit(request))
    await fake_vm.wait_for("ThreadReference.Resume")
    await fake_vm.drop()
    await router.wait_ended()


@pytest.mark.logs_errors
async def test_a_failing_reaction_is_reported_and_the_vm_runs_on(
    fake_vm: FakeVm, router: Router, failures: Failures
) -> None:
    async def fail(_: Occurrence) -> Verdict:
        raise RuntimeError("a bug")

    request = await armed(router, fail)
    await fake_vm.send_events(ALL, hit(request))
    await fake_vm.wait_for("VirtualMachine.Resume")
    assert not fake_vm.is_suspended
    ((error, attempt),) = failures.seen
    assert str(error) == "a bug"
    assert "BreakpointOccurrence" in attempt


async def test_a_reaction_that_meets_the_end_of_the_session_is_no_error(
    fake_vm: FakeVm, router: Router, failures: Failures
) -> None:
    """The debugger has resumed the thread that the reaction looks at."""
    has_begun, is_left, has_met_it = (asyncio.Event() for _ in range(3))

    async def look(occurrence: Occurrence) -> Verdict:
        assert isinstance(occurrence, BreakpointOccurrence)
        has_begun.set()
        await is_left.wait()
        try:
            await occurrence.thread.frames()
        except ThreadNotSuspendedError:
            has_met_it.set()
            raise
        return RESUME

    request = await armed(router, look)
    await fake_vm.send_events(ALL, hit(request))
    async with asyncio.timeout(5):
        await has_begun.wait()
    fake_vm.on("ThreadReference.Frames", Refusal(13))
    fake_vm.on("ThreadReference.FrameCount", Refusal(13))
    await router.vm.dispose()
    is_left.set()
    async with asyncio.timeout(5):
        await has_met_it.wait()
    await router.close()
    assert failures.seen == []


@pytest.mark.logs_errors
async def test_a_failing_stop_sink_is_reported_and_the_vm_runs_on(
    fake_vm: FakeVm, router: Router, failures: Failures
) -> None:
    async def fail(_: StopSet) -> None:
        raise RuntimeError("a bug")

    router.set_stop_sink(fail)
    request = await armed(router)
    await fake_vm.send_events(ALL, hit(request))
    await fake_vm.wait_for("VirtualMachine.Resume")
    assert not fake_vm.is_suspended
    assert len(failures.seen) == 1
    assert router.current_stops == ()


@pytest.mark.logs_errors
async def test_without_a_stop_sink_nothing_stays_suspended(
    fake_vm: FakeVm, router: Router, failures: Failures
) -> None:
    router.set_stop_sink(None)
    request = await armed(router)
    await fake_vm.send_events(ALL, hit(request))
    await fake_vm.wait_for("VirtualMachine.Resume")
    assert len(failures.seen) == 1


@pytest.mark.logs_errors
async def test_an_invalid_event_does_not_leave_the_vm_suspended(
    fake_vm: FakeVm, router: Router, failures: Failures
) -> None:
    request = await armed(router)
    fake_vm.on("ReferenceType.SignatureWithGeneric", Refusal(20))
    await fake_vm.send_events(ALL, hit(request))
    await fake_vm.wait_for("VirtualMachine.Resume")
    assert not fake_vm.is_suspended
    assert "INVALID_OBJECT" in str(failures.seen[0][0])


async def test_an_event_of_a_cleared_request_is_resumed(fake_vm: FakeVm, router: Router) -> None:
    request = await armed(router)
    await request.clear()
    assert not request.is_armed
    await fake_vm.send_events(ALL, hit(request))
    await fake_vm.wait_for("VirtualMachine.Resume")
    assert fake_vm.commands("EventRequest.Clear") == [{"event_kind": 2, "request_id": 2}]
    await request.clear()
    assert len(fake_vm.commands("EventRequest.Clear")) == 1


async def test_a_vm_that_is_ending_has_nothing_to_clear(fake_vm: FakeVm, router: Router) -> None:
    request = await armed(router)
    fake_vm.on("EventRequest.Clear", Refusal(112))
    await request.clear()
    assert not request.is_armed


async def test_an_event_in_the_same_packet_as_its_request_is_not_missed(
    fake_vm: FakeVm, router: Router, stops: Stops
) -> None:
    event = {"kind": 2, "request_id": 77, "thread": 1, "location": location(CART, ADD, 0)}

    def reply(_: dict[str, Any]) -> dict[str, Any]:
        # The event goes out first: the worst order there can be.
        fake_vm._write(fake_vm.event_packet(EVENT_THREAD, event))
        return {"request_id": 77}

    fake_vm.on("EventRequest.Set", reply)
    request = await armed(router)
    assert request.request_id == 77
    stopped = await stops.next()
    assert stopped.causes == (Asked(),)


async def test_a_refused_request_raises(fake_vm: FakeVm, router: Router) -> None:
    fake_vm.on("EventRequest.Set", Refusal(24))
    with pytest.raises(InvalidLocationError):
        await armed(router)


async def test_a_cancelled_request_is_taken_back(fake_vm: FakeVm, router: Router) -> None:
    fake_vm.hold("EventRequest.Set")
    arming = asyncio.create_task(armed(router))
    await fake_vm.wait_for("EventRequest.Set", 2)
    arming.cancel()
    fake_vm.release("EventRequest.Set")
    with pytest.raises(asyncio.CancelledError):
        await arming
    assert await fake_vm.wait_for("EventRequest.Clear") == {"event_kind": 2, "request_id": 2}


async def test_sets_are_taken_in_the_order_of_arrival(fake_vm: FakeVm, router: Router) -> None:
    indexes: list[int] = []
    gate = asyncio.Event()

    async def slow_at_first(occurrence: BreakpointOccurrence) -> Verdict:
        if not indexes:
            await gate.wait()
        indexes.append(occurrence.location.index)
        return RESUME

    request = await armed(router, slow_at_first, EVENT_THREAD)
    for index in range(5):
        await fake_vm.send_events(EVENT_THREAD, hit(request, index=index))
    gate.set()
    await fake_vm.wait_for("ThreadReference.Resume", 5)
    assert indexes == [0, 1, 2, 3, 4]


async def test_a_reaction_may_ask_the_vm(fake_vm: FakeVm, router: Router) -> None:
    async def ask(occurrence: BreakpointOccurrence) -> Verdict:
        name = await occurrence.thread.name()
        return StopFor(Asked()) if name == "worker" else RESUME

    fake_vm.on("ThreadReference.Name", {"name": "main"})
    request = await armed(router, ask)
    await fake_vm.send_events(ALL, hit(request))
    await fake_vm.wait_for("VirtualMachine.Resume")


async def test_vm_death_and_disconnect_are_the_last_occurrences(
    fake_vm: FakeVm, router: Router, stops: Stops, failures: Failures
) -> None:
    seen: list[type[Occurrence]] = []

    async def note(occurrence: Occurrence) -> Verdict:
        seen.append(type(occurrence))
        return RESUME

    router.subscribe(VmDeathOccurrence, note)
    router.subscribe(DisconnectOccurrence, note)
    request = await armed(router)
    await fake_vm.send_events(ALL, hit(request))
    stopped = await stops.next()
    await fake_vm.send_events(EVENT_THREAD, hit(request, OTHER_THREAD))
    await fake_vm.send_events(NONE, {"kind": 99, "request_id": 0})
    if fake_vm._writer is not None:
        fake_vm._writer.close()
    await asyncio.wait_for(router.wait_ended(), 5)
    assert seen == [VmDeathOccurrence, DisconnectOccurrence]
    assert not stopped.is_current
    assert router.current_stops == ()
    assert failures.seen == []


async def test_unsubscribing(fake_vm: FakeVm, router: Router, stops: Stops) -> None:
    request = await armed(router, run_on)
    unsubscribe = router.subscribe(BreakpointOccurrence, stop)
    router.subscribe(StepOccurrence, stop)
    await fake_vm.send_events(ALL, hit(request))
    await router.resume(await stops.next())
    unsubscribe()
    unsubscribe()
    await fake_vm.send_events(ALL, hit(request))
    await fake_vm.wait_for("VirtualMachine.Resume", 2)
    assert stops.queue.empty()


async def test_an_unloaded_type_is_forgotten(fake_vm: FakeVm, router: Router, stops: Stops) -> None:
    request = await armed(router)
    unload = {"kind": 9, "request_id": 1, "signature": "Lshop/Cart;"}
    for count in (1, 2):
        await fake_vm.send_events(ALL, hit(request))
        await router.resume(await stops.next())
        assert len(fake_vm.commands("ReferenceType.MethodsWithGeneric")) == count
        await fake_vm.send_events(NONE, unload)


async def test_closing_leaves_no_task(fake_vm: FakeVm, vm: VirtualMachine) -> None:
    before = asyncio.all_tasks()
    router = Router(vm)
    router.start()
    with pytest.raises(StateError, match="started already"):
        router.start()
    fake_vm.hold("EventRequest.Set")
    arming = asyncio.create_task(armed(router))
    await fake_vm.wait_for("EventRequest.Set", 2)
    await router.close()
    with pytest.raises(ConnectionLost, match="the session ended while BREAKPOINT was asked for"):
        await arming  # the caller's task was not cancelled
    assert asyncio.all_tasks() - {arming} <= before


# The invocation that some tests hold open.
