# SPDX-License-Identifier: Apache-2.0
"""Frames against a fake VM: how few round trips, and how long they live."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from jvmdebug.errors import (
    InvalidSlotError,
    RequestTimeout,
    StateError,
    ThreadNotSuspendedError,
    TypeMismatchError,
    UnsupportedError,
)
from jvmdebug.jdwp.generated.constants import TypeTag
from jvmdebug.jdwp.ids import ObjectId, ReferenceTypeId, ThreadId
from jvmdebug.model import (
    NULL,
    LocalVariable,
    PrimitiveKind,
    PrimitiveValue,
    Thread,
    UnavailableValue,
    VirtualMachine,
)
from tests.support.fake_vm import MAIN_THREAD, FakeType, FakeVm, Refusal, location

if TYPE_CHECKING:
    from tests.support.wire_reading import Message

CART, ADD, SUM = 10, 100, 101
INT, LONG = ord("I"), ord("J")


class FakeStack:
    """The stack of the main thread; ids change with `renew`, as after an invocation."""

    def __init__(self, fake: FakeVm, *indexes: int) -> None:
        self.indexes = list(indexes)
        self.first_id = 1000
        fake.on("ThreadReference.Frames", self.frames)
        fake.on("ThreadReference.FrameCount", lambda _: {"frame_count": len(self.indexes)})

    def frames(self, request: Message) -> Any:
        start, length = request["start_frame"], request["length"]
        if start >= len(self.indexes):
            return Refusal(503)
        if length < 0:
            length = len(self.indexes) - start
        if start + length > len(self.indexes):
            return Refusal(504)
        return {
            "frames": [
                {"frame_id": self.first_id + at, "location": location(CART, ADD, self.indexes[at])}
                for at in range(start, start + length)
            ]
        }

    def renew(self) -> None:
        self.first_id += 1000


@pytest.fixture
def thread(fake_vm: FakeVm, vm: VirtualMachine) -> Thread:
    fake_vm.types[CART] = FakeType(
        "Lshop/Cart;",
        {ADD: ("add", "(IJLjava/lang/String;)I", 1), SUM: ("sum", "(J)J", 9)},
    )
    fake_vm.on("Method.VariableTableWithGeneric", Refusal(101))
    fake_vm.on("Method.Bytecodes", {"bytecodes": b""})
    return vm.thread(ThreadId(ObjectId(MAIN_THREAD)))


def trips(fake_vm: FakeVm) -> int:
    return len(fake_vm.received)


async def test_a_page_of_frames_within_the_stack(fake_vm: FakeVm, thread: Thread) -> None:
    FakeStack(fake_vm, *range(50))
    frames = await thread.frames(10, 5)
    assert [(each.depth, each.location.index) for each in frames] == [
        (depth, depth) for depth in range(10, 15)
    ]
    before = trips(fake_vm)
    again = await thread.frames(11, 3)
    assert again == frames[1:4]
    assert trips(fake_vm) == before


async def test_a_page_beyond_the_stack_gives_what_there_is(fake_vm: FakeVm, thread: Thread) -> None:
    FakeStack(fake_vm, 0, 1, 2)
    assert len(await thread.frames(0, 20)) == 3
    assert len(await thread.frames(2, 20)) == 1
    assert await thread.frames(3, 20) == []
    with pytest.raises(StateError, match="no frame at depth 7"):
        await thread.frame(7)


async def test_after_a_resume_the_last_depth_is_the_guess(fake_vm: FakeVm, thread: Thread) -> None:
    stack = FakeStack(fake_vm, 0, 1, 2)
    await thread.frames(0, 20)
    for indexes in ([5, 1, 2], [9, 5, 1, 2], [1, 2], [2]):
        thread.invalidate()
        stack.indexes = indexes
        found = await thread.frames(0, 20)
        assert [each.location.index for each in found] == indexes
    thread.invalidate()
    stack.indexes = [7]
    before = trips(fake_vm)
    await thread.frames(0, 20)
    assert fake_vm.names()[before:] == ["ThreadReference.Frames", "ThreadReference.FrameCount"]


async def test_the_topmost_frame_is_one_command(fake_vm: FakeVm, thread: Thread) -> None:
    FakeStack(fake_vm, 4, 5)
    await thread.frame(0)
    thread.invalidate()
    before = trips(fake_vm)
    await thread.frame(0)
    assert fake_vm.names()[before:] == ["ThreadReference.Frames"]


async def test_the_whole_stack(fake_vm: FakeVm, thread: Thread) -> None:
    FakeStack(fake_vm, *range(300))
    frames = await thread.frames()
    assert len(frames) == 300
    assert len(fake_vm.commands("ReferenceType.MethodsWithGeneric")) == 1


async def test_a_running_thread_has_no_frames(fake_vm: FakeVm, thread: Thread) -> None:
    fake_vm.on("ThreadReference.Frames", Refusal(13))
    fake_vm.on("ThreadReference.FrameCount", Refusal(13))
    for start, length in ((0, 1), (0, 20), (0, -1)):
        with pytest.raises(ThreadNotSuspendedError):
            await thread.frames(start, length)


async def test_arguments_by_position_without_debug_information(
    fake_vm: FakeVm, thread: Thread
) -> None:
    FakeStack(fake_vm, 4)
    frame = await thread.frame()
    variables = await frame.variables()
    assert [(each.name, each.signature, each.slot) for each in variables] == [
        ("arg0", "I", 1),
        ("arg1", "J", 2),
        ("arg2", "Ljava/lang/String;", 4),
    ]
    assert all(each.is_argument and each.is_inferred for each in variables)


async def test_only_variables_in_scope(fake_vm: FakeVm, thread: Thread) -> None:
    def entry(name: str, start: int, length: int, slot: int) -> Message:
        return {
            "start": start,
            "name": name,
            "signature": "LCart;" if name == "this" else "I",
            "generic_signature": "",
            "length": length,
            "slot": slot,
        }

    table = [
        entry("this", 0, 30, 0),
        entry("a", 0, 30, 1),
        entry("x", 4, 6, 5),
        entry("y", 10, 9, 5),
    ]
    fake_vm.on("Method.VariableTableWithGeneric", {"argument_slots": 5, "variables": table})
    FakeStack(fake_vm, 4, 10, 0)
    frames = await thread.frames()
    names = [[each.name for each in await frame.variables()] for frame in frames]
    assert names == [["a", "x"], ["a", "y"], ["a"]]
    assert [each.is_argument for each in await frames[0].variables()] == [True, False]
    assert len(fake_vm.commands("Method.VariableTableWithGeneric")) == 1


async def test_values_are_one_round_trip(fake_vm: FakeVm, thread: Thread) -> None:
    FakeStack(fake_vm, 4)
    frame = await thread.frame()
    variables = await frame.variables()
    fake_vm.on(
        "StackFrame.GetValues",
        {"values": [{"tag": INT, "value": 5}, {"tag": LONG, "value": 6}, {"tag": 115, "value": 0}]},
    )
    before = trips(fake_vm)
    values = await frame.values(variables)
    assert trips(fake_vm) == before + 1
    assert values == (
        PrimitiveValue(PrimitiveKind.INT, 5),
        PrimitiveValue(PrimitiveKind.LONG, 6),
        NULL,
    )
    assert await frame.values(()) == ()
    assert trips(fake_vm) == before + 1


async def test_a_slot_that_holds_something_else_hides_no_other_value(
    fake_vm: FakeVm, thread: Thread
) -> None:
    FakeStack(fake_vm, 4)
    frame = await thread.frame()
    variables = await frame.variables()

    def answer(request: Message) -> Any:
        slots = request["slots"]
        if any(each["slot"] == 2 for each in slots):
            return Refusal(35)
        return {"values": [{"tag": INT, "value": 5} for _ in slots]}

    fake_vm.on("StackFrame.GetValues", answer)
    values = await frame.values(variables)
    assert isinstance(values[1], UnavailableValue)
    assert "INVALID_SLOT" in str(values[1])
    assert values[0] == values[2] == PrimitiveValue(PrimitiveKind.INT, 5)
    with pytest.raises(InvalidSlotError):
        await frame.value(variables[1])


async def test_setting_converts_as_java_does(fake_vm: FakeVm, thread: Thread) -> None:
    FakeStack(fake_vm, 4)
    frame = await thread.frame()
    _, total, text = await frame.variables()
    fake_vm.on("StackFrame.SetValues", {})
    await frame.set_value(total, PrimitiveValue(PrimitiveKind.INT, 5))
    await frame.set_value(text, NULL)
    sent = [each["slots"] for each in fake_vm.commands("StackFrame.SetValues")]
    assert sent[0] == [{"slot": 2, "value": {"tag": LONG, "value": 5}}]
    assert sent[1][0]["value"]["value"] == 0
    for wrong in (PrimitiveValue(PrimitiveKind.DOUBLE, 1.5), NULL):
        with pytest.raises(TypeMismatchError, match="arg1 of type long"):
            await frame.set_value(total, wrong)
    assert len(fake_vm.commands("StackFrame.SetValues")) == 2


async def test_a_frame_is_stale_after_a_resume(fake_vm: FakeVm, thread: Thread) -> None:
    FakeStack(fake_vm, 4)
    frame = await thread.frame()
    variable = LocalVariable("x", "I", None, 5, is_argument=False)
    thread.invalidate()
    assert not frame.is_valid
    before = trips(fake_vm)
    with pytest.raises(StateError, match="its thread has run since"):
        await frame.value(variable)
    assert trips(fake_vm) == before


async def test_a_vm_wide_resume_invalidates_the_frames_of_resumed_threads(
    fake_vm: FakeVm, vm: VirtualMachine, thread: Thread
) -> None:
    FakeStack(fake_vm, 4)
    other = vm.thread(ThreadId(ObjectId(2)))
    frame, held = await thread.frame(), await other.frame()
    vm.invalidate_suspended_state(but={other})
    assert not frame.is_valid
    assert held.is_valid
    vm.invalidate_suspended_state()
    assert not held.is_valid


async def test_popping_ends_all_frames_of_the_thread(fake_vm: FakeVm, thread: Thread) -> None:
    FakeStack(fake_vm, 4, 5)
    fake_vm.on("StackFrame.PopFrames", {})
    top, caller = await thread.frames()
    await top.pop()
    assert fake_vm.commands("StackFrame.PopFrames") == [{"thread": 1, "frame": 1000}]
    assert not caller.is_valid


async def test_without_the_capability_nothing_is_sent(fake_vm: FakeVm, thread: Thread) -> None:
    FakeStack(fake_vm, 4)
    frame = await thread.frame()
    capabilities = dict.fromkeys(
        (name for name, _ in fake_vm.wire.command(1, 17).reply.fields), False
    )
    fake_vm.on("VirtualMachine.CapabilitiesNew", capabilities)
    await thread.vm.initialize()
    with pytest.raises(UnsupportedError, match=r"StackFrame\.PopFrames.*can_pop_frames.*agent"):
        await frame.pop()
    assert "StackFrame.PopFrames" not in fake_vm.names()


# Invocations


async def invoke(fake_vm: FakeVm, thread: Thread, *, single_threaded: bool = True) -> Any:
    fake_vm.on(
        "ClassType.InvokeMethod",
        {"return_value": {"tag": LONG, "value": 3}, "exception": {"tag": 76, "id": 0}},
    )
    cart = await thread.vm.reference_type(TypeTag.CLASS, ReferenceTypeId(ObjectId(CART)))
    method = next(each for each in await cart.methods() if each.name == "sum")
    argument = PrimitiveValue(PrimitiveKind.INT, 1)
    return await cart.invoke(
        method, [argument], thread, single_threaded=single_threaded, timeout_s=0.05
    )


@pytest.mark.parametrize("single_threaded", [True, False])
async def test_after_an_invocation_a_frame_finds_its_new_id(
    fake_vm: FakeVm, thread: Thread, *, single_threaded: bool
) -> None:
    stack = FakeStack(fake_vm, 4, 5)
    fake_vm.on("StackFrame.ThisObject", {"this_object": {"tag": 76, "id": 9}})
    _, caller = await thread.frames()
    result = await invoke(fake_vm, thread, single_threaded=single_threaded)
    assert result == PrimitiveValue(PrimitiveKind.LONG, 3)
    sent = fake_vm.commands("ClassType.InvokeMethod")[0]
    assert sent["arguments"] == [{"tag": LONG, "value": 1}]  # an int, for a long parameter
    stack.renew()
    assert caller.is_valid
    await caller.this_object()
    assert fake_vm.commands("StackFrame.ThisObject") == [{"thread": 1, "frame": 2001}]


async def test_another_threads_frame_that_moved_during_an_invocation_is_gone(
    fake_vm: FakeVm, thread: Thread
) -> None:
    stack = FakeStack(fake_vm, 4, 5)
    frame = await thread.frame()
    await invoke(fake_vm, thread, single_threaded=False)
    stack.renew()
    stack.indexes = [6, 5]
    with pytest.raises(StateError, match="moved on"):
        await frame.this_object()


async def test_an_invocation_that_is_given_up_still_counts_until_it_returns(
    fake_vm: FakeVm, thread: Thread
) -> None:
    invocations = thread.vm.invocations
    FakeStack(fake_vm, 4)
    fake_vm.hold("ClassType.InvokeMethod")
    with pytest.raises(RequestTimeout, match=r"shop\.Cart\.sum\(long\).*still runs"):
        await invoke(fake_vm, thread)
    assert invocations.is_invoking(thread.id)
    fake_vm.release("ClassType.InvokeMethod")
    await asyncio.wait(invocations._tasks, timeout=5)
    assert not invocations.is_invoking(thread.id)


async def test_a_cancelled_invocation_still_counts_until_it_returns(
    fake_vm: FakeVm, thread: Thread
) -> None:
    FakeStack(fake_vm, 4)
    fake_vm.hold("ClassType.InvokeMethod")
    invoking = asyncio.create_task(invoke(fake_vm, thread))
    await fake_vm.wait_for("ClassType.InvokeMethod")
    invoking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await invoking
    assert thread.vm.invocations.is_invoking(thread.id)
    await thread.vm.close()
    assert not thread.vm.invocations.any_running
