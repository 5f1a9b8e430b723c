# SPDX-License-Identifier: Apache-2.0
"""Invocations on a fake VM: results, methods that wait for others, methods that do not return."""

from __future__ import annotations

import asyncio
import contextlib
import gc
from typing import TYPE_CHECKING, Any

import pytest

from jvmdebug import evaluator
from jvmdebug.errors import ConnectionLost, EvaluationError
from jvmdebug.evaluator.run import invoker
from jvmdebug.evaluator.run.invoker import Invoker
from jvmdebug.jdwp.generated.constants import TypeTag
from jvmdebug.jdwp.ids import ObjectId, ReferenceTypeId, ThreadId
from jvmdebug.model.primitives import PrimitiveKind, PrimitiveValue
from tests.support.fake_vm import MAIN_THREAD, FakeType, FakeVm, Refusal

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Coroutine

    from jvmdebug.model import Thread, Value, VirtualMachine

CART, TOTAL = 10, 100
INVOKE = "ClassType.InvokeMethod"
INTERRUPT = "ThreadReference.Interrupt"
STATUS = "ThreadReference.Status"
FOUR = PrimitiveValue(PrimitiveKind.INT, 4)
THREAD_NOT_SUSPENDED = 13


@pytest.fixture
def cart(fake_vm: FakeVm, monkeypatch: pytest.MonkeyPatch) -> None:
    """A class with a static method that returns 4; everything that waits waits shortly."""
    fake_vm.types[CART] = FakeType("Lshop/Cart;", {TOTAL: ("total", "()I", 9)})
    fake_vm.on(
        INVOKE,
        {"return_value": {"tag": ord("I"), "value": 4}, "exception": {"tag": 76, "id": 0}},
    )
    fake_vm.on(INTERRUPT, {})
    monkeypatch.setattr(invoker, "OTHERS_HELD_S", 0.02)
    monkeypatch.setattr(invoker, "_INTERRUPTED_S", 0.02)
    monkeypatch.setattr(invoker, "_STOPPED_S", 0.02)


def main_thread(vm: VirtualMachine) -> Thread:
    return vm.thread(ThreadId(ObjectId(MAIN_THREAD)))


async def total(vm: VirtualMachine, timeout_s: float | None = None) -> Coroutine[Any, Any, Value]:
    type_ = vm.known_type(TypeTag.CLASS, ReferenceTypeId(ObjectId(CART)), "Lshop/Cart;")
    (method,) = await type_.methods()
    return type_.invoke(method, [], main_thread(vm), timeout_s=timeout_s)


@pytest.mark.usefixtures("cart")
async def test_the_result(vm: VirtualMachine) -> None:
    assert await vm.companion(Invoker).result(main_thread(vm), await total(vm)) == FOUR
    assert not evaluator.left_running(main_thread(vm))


@pytest.mark.usefixtures("cart")
async def test_a_thread_that_no_event_has_stopped(fake_vm: FakeVm, vm: VirtualMachine) -> None:
    fake_vm.on(INVOKE, Refusal(THREAD_NOT_SUSPENDED))
    with pytest.raises(EvaluationError, match="only run on a thread that an event"):
        await vm.companion(Invoker).result(main_thread(vm), await total(vm))


@pytest.mark.usefixtures("cart")
async def test_other_threads_run_while_a_method_waits_for_them(
    fake_vm: FakeVm, vm: VirtualMachine
) -> None:
    running = asyncio.Event()
    states: list[str] = []

    @contextlib.asynccontextmanager
    async def others_running(thread: Thread) -> AsyncIterator[None]:
        assert thread == main_thread(vm)
        states.append("resumed")
        running.set()
        yield
        states.append("suspended")

    evaluator.use_suspensions(vm, others_running)
    fake_vm.hold(INVOKE)
    task = asyncio.create_task(vm.companion(Invoker).result(main_thread(vm), await total(vm)))
    async with asyncio.timeout(5):
        await running.wait()
    assert states == ["resumed"]
    fake_vm.release(INVOKE)
    assert await task == FOUR
    assert states == ["resumed", "suspended"]


async def _asked(thread: Thread) -> bool:
    return bool((await thread.status()).status)


@pytest.mark.usefixtures("cart")
async def test_a_connection_that_is_lost_while_a_method_runs(
    fake_vm: FakeVm, vm: VirtualMachine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only the caller gets the error: no task is left whose exception nobody retrieves."""
    untold: list[str] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, told: untold.append(told["message"]))
    monkeypatch.setattr(invoker, "_is_waiting", _asked)
    fake_vm.hold(INVOKE)
    fake_vm.hold(STATUS)
    task = asyncio.create_task(vm.companion(Invoker).result(main_thread(vm), await total(vm)))
    await fake_vm.wait_for(STATUS)
    await fake_vm.drop()
    with pytest.raises(ConnectionLost):
        await task
    del task
    await asyncio.sleep(0)
    gc.collect()
    assert untold == []


@pytest.mark.usefixtures("cart")
async def test_a_cancelled_evaluation_interrupts_its_method(
    fake_vm: FakeVm, vm: VirtualMachine
) -> None:
    def interrupted(_: object) -> dict[str, object]:
        fake_vm.release(INVOKE)
        return {}

    fake_vm.on(INTERRUPT, interrupted)
    fake_vm.hold(INVOKE)
    task = asyncio.create_task(vm.companion(Invoker).result(main_thread(vm), await total(vm)))
    await fake_vm.wait_for(INVOKE)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    outcome = vm.companion(Invoker).abandoned_outcome(main_thread(vm))
    assert outcome == ": the method that ran has been interrupted"
    assert not evaluator.left_running(main_thread(vm))


@pytest.mark.usefixtures("cart")
async def test_a_method_that_cannot_be_stopped_is_known_to_run(
    fake_vm: FakeVm, vm: VirtualMachine
) -> None:
    fake_vm.hold(INVOKE)
    with pytest.raises(EvaluationError, match="not be interrupted and still runs"):
        await vm.companion(Invoker).result(main_thread(vm), await total(vm, timeout_s=0.01))
    assert evaluator.left_running(main_thread(vm))
    fake_vm.release(INVOKE)
    assert await vm.invocations.wait_done(main_thread(vm).id, 5.0)
    assert not evaluator.left_running(main_thread(vm))
