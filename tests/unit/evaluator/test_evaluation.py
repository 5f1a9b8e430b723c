# SPDX-License-Identifier: Apache-2.0
"""Whole evaluations on a fake VM: what is read, what is cached, late binding, errors of the VM."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from jvmdebug import evaluator
from jvmdebug.errors import EvaluationError
from jvmdebug.evaluator import CompiledExpression
from jvmdebug.jdwp.ids import ObjectId, ThreadId
from jvmdebug.model.primitives import PrimitiveKind, PrimitiveValue
from tests.support.fake_classes import STATIC, FakeClass, FakeClasses, FakeField, FakeMethod
from tests.support.fake_stacks import FakeStacks
from tests.support.fake_vm import MAIN_THREAD, FakeVm, Refusal

if TYPE_CHECKING:
    from jvmdebug.model import Frame, Location, VirtualMachine
    from tests.support.wire_reading import Message

ITEM = 700
INVALID_SLOT = 35
VALUES = {"I": 4, "L": ITEM}
RUN = FakeMethod(
    "run",
    "(ILjava/lang/Object;)V",
    STATIC,
    lines={0: 5, 9: 6},
    variables=(("count", "I"), ("object", "Ljava/lang/Object;")),
)


@dataclass
class Program:
    """A thread stands in `Cart.run(int count, Object object)`; the object is an Item."""

    fake: FakeVm
    vm: VirtualMachine
    stacks: FakeStacks
    cart: FakeClass

    async def frame(self) -> Frame:
        return await self.vm.thread(ThreadId(ObjectId(MAIN_THREAD))).frame()

    async def evaluate(self, text: str) -> object:
        value = await evaluator.evaluate(await self.frame(), text)
        return value.value if isinstance(value, PrimitiveValue) else value


@pytest.fixture
async def program(fake_vm: FakeVm, vm: VirtualMachine) -> Program:
    classes = FakeClasses(fake_vm)
    cart = classes.load("shop.Cart", RUN)
    item = classes.load("shop.Item", FakeMethod("twice", "()I"), fields=(FakeField("price"),))
    stacks = FakeStacks(fake_vm)
    stacks.put(MAIN_THREAD, "main", cart.at("run", 0))

    def values(request: Message) -> Message:
        tags = [chr(each["tag"]) for each in request["slots"]]
        return {"values": [{"tag": ord(tag), "value": VALUES[tag]} for tag in tags]}

    fake_vm.on("StackFrame.GetValues", values)
    fake_vm.on("ObjectReference.ReferenceType", {"type_tag": 1, "type_id": item.id})
    fake_vm.on("ObjectReference.GetValues", {"values": [{"tag": ord("I"), "value": 30}]})
    return Program(fake_vm, vm, stacks, cart)


async def test_the_second_time_only_the_values_are_read(program: Program) -> None:
    assert await program.evaluate("count + 1") == 5
    frame = await program.frame()
    before = len(program.fake.received)
    assert await program.evaluate("count + 1") == 5
    assert program.fake.names()[before:] == []  # they stay until the thread runs
    frame.thread.invalidate()
    await program.frame()
    before = len(program.fake.received)
    assert await program.evaluate("count + 1") == 5
    assert program.fake.names()[before:] == ["StackFrame.GetValues"]


async def test_each_location_is_bound_once(program: Program) -> None:
    expression = CompiledExpression("count * 2")
    for index in (0, 9, 0, 9):
        program.stacks.move(MAIN_THREAD, program.cart.at("run", index))
        frame = await program.frame()
        assert frame.location.index == index
        program.fake.received.clear()
        assert await expression.evaluate(frame) == PrimitiveValue(PrimitiveKind.INT, 8)
        frame.thread.invalidate()
    assert program.fake.names() == ["StackFrame.GetValues"]


async def test_a_member_of_the_run_time_class(program: Program) -> None:
    assert await program.evaluate("object.price + count") == 34
    assert await program.evaluate("count > 9 && object.price > 1") is False


async def test_a_member_that_the_run_time_class_lacks_too(program: Program) -> None:
    with pytest.raises(EvaluationError, match=r"shop\.Item has no field prise") as caught:
        await program.evaluate("1 + object.prise")
    assert "did you mean price?" in str(caught.value)
    assert caught.value.expression == "1 + object.prise"


async def test_the_static_type_needs_no_value(program: Program) -> None:
    frame = await program.frame()
    assert str(await CompiledExpression("count + 1L").static_type(frame)) == "long"
    assert await CompiledExpression("object.price").static_type(frame) is None
    assert not program.fake.commands("StackFrame.GetValues")


async def test_a_condition_has_to_be_boolean(program: Program) -> None:
    frame = await program.frame()
    assert await CompiledExpression("count == 4").test(frame)
    with pytest.raises(EvaluationError, match="expected a boolean condition, 'count' is of type"):
        await CompiledExpression("count").test(frame)


async def test_an_error_of_the_vm_names_the_expression(program: Program) -> None:
    program.fake.on("ObjectReference.GetValues", Refusal(INVALID_SLOT))
    with pytest.raises(EvaluationError, match=r"cannot evaluate 'object\.price'"):
        await program.evaluate("object.price")


async def test_the_deadline(program: Program) -> None:
    with pytest.raises(EvaluationError, match=r"is not done within 0\.01 s"):
        await evaluator.evaluate(await program.frame(), "while (true) { }", deadline_s=0.01)


async def test_read_only_invokes_nothing(program: Program) -> None:
    frame = await program.frame()
    with pytest.raises(evaluator.ReadOnlyError, match=r"twice\(\) cannot be computed by reading"):
        await evaluator.evaluate(frame, "object.twice()", read_only=True)
    with pytest.raises(EvaluationError, match="only reading is allowed"):
        await evaluator.evaluate(frame, "count = 1", read_only=True)
    assert not program.fake.commands("ObjectReference.InvokeMethod", "StackFrame.SetValues")


async def test_the_imports_of_the_source_file_are_looked_up(
    fake_vm: FakeVm, program: Program
) -> None:
    asked: list[Location] = []

    async def imports(location: Location) -> tuple[str, ...]:
        asked.append(location)
        return ("other.Thing",)

    evaluator.use_imports(program.vm, imports)
    fake_vm.on("ReferenceType.ClassObject", {"class_object": 800})
    frame = await program.frame()
    with pytest.raises(EvaluationError, match="there is no class Thing visible here"):
        await evaluator.evaluate(frame, "Thing.class", read_only=True)
    assert asked == [frame.location]
    wanted = [each["signature"] for each in fake_vm.commands("VirtualMachine.ClassesBySignature")]
    assert "Lother/Thing;" in wanted
