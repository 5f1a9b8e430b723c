# SPDX-License-Identifier: Apache-2.0
"""One event set, ordered reactions, one decision; and nothing is left suspended by mistake."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from jvmdebug.errors import InvalidLocationError, StateError
from jvmdebug.events import (
    BreakpointOccurrence,
    ClassPrepareOccurrence,
    DisconnectOccurrence,
    Occurrence,
    RequestHandle,
    Router,
    SkippedSet,
    StepOccurrence,
    StopSet,
    Verdict,
    VmDeathOccurrence,
)
from jvmdebug.jdwp.generated import virtual_machine
from jvmdebug.jdwp.generated.constants import EventKind, SuspendPolicy, TypeTag
from jvmdebug.jdwp.ids import ObjectId, ReferenceTypeId, ThreadId
from jvmdebug.model import NULL, ClassType, Thread, VirtualMachine
from tests.support.fake_vm import (
    ALL,
    EVENT_THREAD,
    MAIN_THREAD,
    NONE,
    FakeType,
    FakeVm,
    Refusal,
    location,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

CART, ADD = 10, 100
OTHER_THREAD = 2


class Stops:
    """A stop sink that remembers."""

    def __init__(self) -> None:
        self.queue: asyncio.Queue[StopSet] = asyncio.Queue()

    async def __call__(self, stop: StopSet) -> None:
        await self.queue.put(stop)

    async def next(self) -> StopSet:
        async with asyncio.timeout(5):
            return await self.queue.get()


class Failures:
    """An error sink that remembers."""

    def __init__(self) -> None:
        self.seen: list[tuple[Exception, str]] = []

    def __call__(self, error: Exception, attempt: str) -> None:
        self.seen.append((error, attempt))


@pytest.fixture
def stops() -> Stops:
    return Stops()


@pytest.fixture
def failures() -> Failures:
    return Failures()


@pytest.fixture
async def router(
    fake_vm: FakeVm, vm: VirtualMachine, stops: Stops, failures: Failures
) -> AsyncIterator[Router]:
    fake_vm.types[CART] = FakeType("Lshop/Cart;", {ADD: ("add", "(I)V", 1)})
    fake_vm.threads[OTHER_THREAD] = 0
    made = Router(vm)
    made.set_stop_sink(stops)
    made.set_error_sink(failures)
    made.start()
    await fake_vm.wait_for("EventRequest.Set")  # its own, for unloaded classes
    yield made
    await made.close()


async def stop(_: Occurrence) -> Verdict:
    return Verdict.STOP


async def run_on(_: Occurrence) -> Verdict:
    return Verdict.RESUME


async def armed(router: Router, reaction: Any = stop, policy: int = ALL) -> RequestHandle:
    return await router.arm(EventKind.BREAKPOINT, (), SuspendPolicy(policy), reaction)


def hit(request: RequestHandle, thread: int = MAIN_THREAD, index: int = 0) -> dict[str, object]:
    return {
        "kind": int(request.kind),
        "request_id": request.request_id,
        "thread": thread,
        "location": location(CART, ADD, index),
    }


async def settled(router: Router) -> None:
    """All that was sent has arrived and its handling had many turns of the loop."""
    for _ in range(10):
        await router.vm.request(virtual_machine.ReleaseEvents())


def prepare_event(request: RequestHandle, thread_id: int) -> dict[str, object]:
    return {
        "kind": 8,
        "request_id": request.request_id,
        "thread": thread_id,
        "type_tag": 1,
        "type_id": 11,
        "signature": "Lshop/Item;",
        "status": 3,
    }


def thread(router: Router, thread_id: int) -> Thread:
    return router.vm.thread(ThreadId(ObjectId(thread_id)))


async def test_a_set_that_nobody_stops_is_resumed_by_its_policy(
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
        return Verdict.RESUME

    request = await armed(router, note, NONE)
    await fake_vm.send_events(NONE, hit(request))
    await asyncio.wait_for(seen.wait(), 5)
    await router.vm.suspend()
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


async def test_all_reactions_speak_in_order_and_one_decision_is_made(
    fake_vm: FakeVm, router: Router, stops: Stops
) -> None:
    spoken: list[str] = []

    def saying(name: str, verdict: Verdict) -> Any:
        async def reaction(_: Occurrence) -> Verdict:
            spoken.append(name)
            return verdict

        return reaction

    first = await armed(router, saying("first", Verdict.STOP))
    second = await armed(router, saying("second", Verdict.RESUME))
    router.subscribe(BreakpointOccurrence, saying("subscriber", Verdict.RESUME))
    await fake_vm.send_events(ALL, hit(first), hit(second))
    stopped = await stops.next()
    assert spoken == ["first", "subscriber", "second", "subscriber"]
    assert len(stopped.occurrences) == 2
    assert stopped.stopping == (stopped.occurrences[0],)
    await router.resume(stopped)
    assert fake_vm.names().count("VirtualMachine.Resume") == 1
    assert not fake_vm.is_suspended


async def test_resuming_a_stop_ends_it(fake_vm: FakeVm, router: Router, stops: Stops) -> None:
    request = await armed(router)
    await fake_vm.send_events(ALL, hit(request))
    stopped = await stops.next()
    await router.resume(stopped)
    assert not stopped.is_current
    assert router.current_stops == ()
    with pytest.raises(StateError, match="this stop is over"):
        await router.resume(stopped)


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


async def test_without_a_stop_sink_nothing_stands_still(
    fake_vm: FakeVm, router: Router, failures: Failures
) -> None:
    router.set_stop_sink(None)
    request = await armed(router)
    await fake_vm.send_events(ALL, hit(request))
    await fake_vm.wait_for("VirtualMachine.Resume")
    assert len(failures.seen) == 1


async def test_an_event_that_cannot_be_read_does_not_hold_the_vm(
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
    assert stopped.stopping


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
        return Verdict.RESUME

    request = await armed(router, slow_at_first, EVENT_THREAD)
    for index in range(5):
        await fake_vm.send_events(EVENT_THREAD, hit(request, index=index))
    gate.set()
    await fake_vm.wait_for("ThreadReference.Resume", 5)
    assert indexes == [0, 1, 2, 3, 4]


async def test_a_reaction_may_ask_the_vm(fake_vm: FakeVm, router: Router) -> None:
    async def ask(occurrence: BreakpointOccurrence) -> Verdict:
        name = await occurrence.thread.name()
        return Verdict.STOP if name == "worker" else Verdict.RESUME

    fake_vm.on("ThreadReference.Name", {"name": "main"})
    request = await armed(router, ask)
    await fake_vm.send_events(ALL, hit(request))
    await fake_vm.wait_for("VirtualMachine.Resume")


async def test_other_stops_wait_while_all_threads_stand_still(
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


async def test_what_only_informs_does_not_wait_for_a_stop(
    fake_vm: FakeVm, router: Router, stops: Stops
) -> None:
    request = await armed(router)
    prepared = asyncio.Event()

    async def on_prepare(occurrence: ClassPrepareOccurrence) -> Verdict:
        assert occurrence.type.name == "shop.Item"
        prepared.set()
        return Verdict.RESUME

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


async def test_widening_a_stop_holds_all_and_keeps_its_frames(
    fake_vm: FakeVm, router: Router, stops: Stops
) -> None:
    request = await armed(router)
    await fake_vm.send_events(EVENT_THREAD, hit(request))
    stopped = await stops.next()
    generation = thread(router, MAIN_THREAD).generation
    await router.widen(stopped)
    assert stopped.suspends_all
    assert fake_vm.threads == {MAIN_THREAD: 1, OTHER_THREAD: 1}
    assert thread(router, MAIN_THREAD).generation == generation
    await router.resume(stopped)
    assert not fake_vm.is_suspended


async def test_a_hit_inside_an_invocation_is_skipped_and_counted(
    fake_vm: FakeVm, router: Router, stops: Stops
) -> None:
    skipped: list[SkippedSet] = []
    router.set_skip_sink(skipped.append)
    request = await armed(router)
    await fake_vm.send_events(ALL, hit(request))
    stopped = await stops.next()
    invoking = await invoke(fake_vm, router)
    generation = thread(router, MAIN_THREAD).generation
    await fake_vm.send_events(ALL, hit(request))
    await fake_vm.wait_for("VirtualMachine.Resume")
    finish_invocation(fake_vm)
    await invoking
    assert stops.queue.empty()
    assert router.skipped == {(EventKind.BREAKPOINT, request.request_id): 1}
    assert [each.kinds for each in skipped] == [(EventKind.BREAKPOINT,)]
    assert stopped.is_current
    assert thread(router, MAIN_THREAD).generation == generation
    assert fake_vm.threads == {MAIN_THREAD: 1, OTHER_THREAD: 1}


async def test_a_class_prepared_inside_an_invocation_is_told(
    fake_vm: FakeVm, router: Router, stops: Stops
) -> None:
    """Also when the invocation is made by a reaction, which keeps the router busy."""
    told = asyncio.Event()

    async def on_prepare(_: Occurrence) -> Verdict:
        told.set()
        return Verdict.STOP  # nobody may stop here

    prepare = await router.arm(EventKind.CLASS_PREPARE, (), SuspendPolicy.ALL, on_prepare)

    async def evaluate(_: Occurrence) -> Verdict:
        invoking = await invoke(fake_vm, router)
        await fake_vm.send_events(ALL, prepare_event(prepare, MAIN_THREAD))
        await asyncio.wait_for(told.wait(), 5)
        await fake_vm.wait_for("VirtualMachine.Resume")
        finish_invocation(fake_vm)
        await invoking
        return Verdict.STOP

    request = await armed(router, evaluate)
    await fake_vm.send_events(ALL, hit(request))
    stopped = await stops.next()
    assert isinstance(stopped.stopping[0], BreakpointOccurrence)
    assert fake_vm.threads == {MAIN_THREAD: 1, OTHER_THREAD: 1}


async def test_a_stop_of_all_threads_during_an_invocation_is_narrowed_and_waits(
    fake_vm: FakeVm, router: Router, stops: Stops
) -> None:
    """Else the invoking thread would be suspended for as long as its own stop lasts."""
    request = await armed(router)
    await fake_vm.send_events(ALL, hit(request))
    first = await stops.next()
    invoking = await invoke(fake_vm, router)
    await fake_vm.send_events(ALL, hit(request, OTHER_THREAD))
    await fake_vm.wait_for("VirtualMachine.Resume")
    assert fake_vm.threads == {MAIN_THREAD: 0, OTHER_THREAD: 2}
    finish_invocation(fake_vm)
    await invoking
    assert stops.queue.empty()
    await router.resume(first)
    second = await stops.next()
    assert second.thread is thread(router, OTHER_THREAD)
    assert second.suspend_policy is SuspendPolicy.EVENT_THREAD
    await router.resume(second)
    assert not fake_vm.is_suspended


async def test_vm_death_and_disconnect_are_the_last_occurrences(
    fake_vm: FakeVm, router: Router, stops: Stops, failures: Failures
) -> None:
    seen: list[type[Occurrence]] = []

    async def note(occurrence: Occurrence) -> Verdict:
        seen.append(type(occurrence))
        return Verdict.RESUME

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
    with pytest.raises(asyncio.CancelledError):
        await arming
    assert asyncio.all_tasks() - {arming} <= before


# The invocation that some tests hold open.


async def invoke(fake_vm: FakeVm, router: Router) -> asyncio.Task[Any]:
    """An invocation on the main thread that the VM has begun and not finished."""
    fake_vm.on(
        "ClassType.InvokeMethod",
        {"return_value": {"tag": ord("V"), "value": None}, "exception": {"tag": 76, "id": 0}},
    )
    fake_vm.types[CART].methods[ADD] = ("add", "(Ljava/lang/Object;)V", 9)
    fake_vm.hold("ClassType.InvokeMethod")
    cart = router.vm.known_type(TypeTag.CLASS, ReferenceTypeId(ObjectId(CART)), "Lshop/Cart;")
    assert isinstance(cart, ClassType)
    cart.forget_members()
    (method,) = await cart.methods()
    invoking = asyncio.create_task(cart.invoke(method, [NULL], thread(router, MAIN_THREAD)))
    await fake_vm.wait_for("ClassType.InvokeMethod")
    fake_vm.threads[MAIN_THREAD] -= 1
    return invoking


def finish_invocation(fake_vm: FakeVm) -> None:
    fake_vm.threads[MAIN_THREAD] += 1
    fake_vm.release("ClassType.InvokeMethod")
