# SPDX-License-Identifier: Apache-2.0
"""Events that happen while a method runs for the debugger: no deadlock."""

from __future__ import annotations

import asyncio
from typing import Any

from jvmdebug.events import (
    RESUME,
    BreakpointOccurrence,
    Occurrence,
    Router,
    StopFor,
    Verdict,
)
from jvmdebug.jdwp.generated.constants import EventKind, SuspendPolicy, TypeTag
from jvmdebug.jdwp.ids import ObjectId, ReferenceTypeId
from jvmdebug.model import NULL, ClassType
from tests.support.fake_vm import (
    ALL,
    EVENT_THREAD,
    MAIN_THREAD,
    FakeVm,
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
    thread,
)


async def test_a_hit_inside_an_invocation_is_skipped_and_counted(
    fake_vm: FakeVm, router: Router, stops: Stops
) -> None:
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
    assert stopped.is_current
    assert thread(router, MAIN_THREAD).generation == generation
    assert fake_vm.threads == {MAIN_THREAD: 1, OTHER_THREAD: 1}


async def test_a_class_prepared_inside_an_invocation_is_reported(
    fake_vm: FakeVm, router: Router, stops: Stops
) -> None:
    """It is, also when the invocation is made by a reaction, which keeps the router busy."""
    reported = asyncio.Event()

    async def on_prepare(_: Occurrence) -> Verdict:
        reported.set()
        return StopFor(Asked())  # no stop may be made here

    prepare = await router.arm(EventKind.CLASS_PREPARE, (), SuspendPolicy.ALL, on_prepare)

    async def evaluate(_: Occurrence) -> Verdict:
        invoking = await invoke(fake_vm, router)
        await fake_vm.send_events(ALL, prepare_event(prepare, MAIN_THREAD))
        await asyncio.wait_for(reported.wait(), 5)
        await fake_vm.wait_for("VirtualMachine.Resume")
        finish_invocation(fake_vm)
        await invoking
        return StopFor(Asked())

    request = await armed(router, evaluate)
    await fake_vm.send_events(ALL, hit(request))
    stopped = await stops.next()
    assert isinstance(stopped.occurrences[0], BreakpointOccurrence)
    assert stopped.causes == (Asked(),)
    assert fake_vm.threads == {MAIN_THREAD: 1, OTHER_THREAD: 1}


async def test_a_class_prepared_before_an_invocation_is_reported(
    fake_vm: FakeVm, router: Router, stops: Stops
) -> None:
    """The thread holds the class: the method that is invoked may wait for it."""
    reported = asyncio.Event()

    async def on_prepare(_: Occurrence) -> Verdict:
        reported.set()
        return RESUME

    prepare = await router.arm(EventKind.CLASS_PREPARE, (), SuspendPolicy.EVENT_THREAD, on_prepare)

    async def evaluate(_: Occurrence) -> Verdict:
        await fake_vm.send_events(EVENT_THREAD, prepare_event(prepare, OTHER_THREAD))
        await asyncio.sleep(0)
        assert not reported.is_set(), "sets are processed one after the other"
        invoking = await invoke(fake_vm, router)
        await asyncio.wait_for(reported.wait(), 5)
        finish_invocation(fake_vm)
        await invoking
        return StopFor(Asked())

    request = await armed(router, evaluate)
    await fake_vm.send_events(EVENT_THREAD, hit(request))
    stopped = await stops.next()
    assert stopped.causes == (Asked(),)
    assert fake_vm.threads == {MAIN_THREAD: 1, OTHER_THREAD: 0}


async def test_a_thread_suspended_by_two_stops_can_invoke(
    fake_vm: FakeVm, router: Router, stops: Stops
) -> None:
    """An invocation takes back one suspension; the others come back when it has returned."""
    request = await armed(router)
    await fake_vm.send_events(EVENT_THREAD, hit(request))
    first = await stops.next()
    await fake_vm.send_events(ALL, hit(request, OTHER_THREAD))
    second = await stops.next()
    assert fake_vm.threads == {MAIN_THREAD: 2, OTHER_THREAD: 1}
    generation = thread(router, MAIN_THREAD).generation
    invoking = await invoke(fake_vm, router)
    assert fake_vm.threads == {MAIN_THREAD: 0, OTHER_THREAD: 1}
    finish_invocation(fake_vm)
    await invoking
    assert fake_vm.threads == {MAIN_THREAD: 2, OTHER_THREAD: 1}
    assert thread(router, MAIN_THREAD).generation == generation
    assert (first.is_current, second.is_current) == (True, True)
    await router.resume(second)
    assert fake_vm.threads == {MAIN_THREAD: 1, OTHER_THREAD: 0}
    await router.resume(first)
    assert not fake_vm.is_suspended


async def test_one_of_two_stops_is_resumed_during_an_invocation(
    fake_vm: FakeVm, router: Router, stops: Stops
) -> None:
    request = await armed(router)
    await fake_vm.send_events(EVENT_THREAD, hit(request))
    first = await stops.next()
    await fake_vm.send_events(ALL, hit(request, OTHER_THREAD))
    second = await stops.next()
    invoking = await invoke(fake_vm, router)
    await router.resume(second)
    finish_invocation(fake_vm)
    await invoking
    assert fake_vm.threads == {MAIN_THREAD: 1, OTHER_THREAD: 0}
    await router.resume(first)
    assert not fake_vm.is_suspended


async def test_a_stop_of_all_threads_during_an_invocation_is_narrowed_and_waits(
    fake_vm: FakeVm, router: Router, stops: Stops
) -> None:
    """Otherwise the invoking thread would be suspended for as long as its own stop lasts."""
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
