# SPDX-License-Identifier: Apache-2.0
"""Code without debug information: no lines, no variables, but arguments in their slots."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.conformance.jdwp.target import Target

TARGET = "Ltarget/Target;"
NUMBER, ARGUMENT, LOCAL = 0, 1, 2


def top(target: Target) -> dict[str, int]:
    return {"thread": target.thread, "frame": target.frames()[0]["frame_id"]}


def get(target: Target, slot: int, tag: str) -> Any:
    slots = [{"slot": slot, "tag": ord(tag)}]
    (value,) = target.vm.ask("StackFrame.GetValues", **top(target), slots=slots)["values"]
    return value


def put(target: Target, slot: int, tag: str, value: object) -> str:
    slots = [{"slot": slot, "value": {"tag": ord(tag), "value": value}}]
    return target.vm.refusal("StackFrame.SetValues", **top(target), slots=slots)


def test_there_is_no_table(bare_target: Target) -> None:
    target = bare_target.type(TARGET)
    stop = bare_target.method(target, "stop")
    lines = bare_target.vm.ask("Method.LineTable", type_id=target, method_id=stop)
    assert lines["start"] == 0
    assert lines["end"] > 0
    assert lines["lines"] == []
    name = "Method.VariableTable"
    assert bare_target.vm.refusal(name, type_id=target, method_id=stop) == "ABSENT_INFORMATION"
    assert (
        bare_target.vm.refusal("ReferenceType.SourceFile", type_id=target) == "ABSENT_INFORMATION"
    )


def test_arguments_are_in_their_slots(bare_target: Target) -> None:
    assert chr(get(bare_target, NUMBER, "I")["tag"]) == "I"
    assert get(bare_target, ARGUMENT, "L") == {"tag": ord("L"), "value": bare_target.object("dog")}


@pytest.mark.parametrize("slot", [-1, 100])
def test_slots_that_are_none(bare_target: Target, slot: int) -> None:
    slots = [{"slot": slot, "tag": ord("I")}]
    refusal = bare_target.vm.refusal("StackFrame.GetValues", **top(bare_target), slots=slots)
    assert refusal == "INVALID_SLOT"


def test_arguments_can_be_set(bare_target: Target) -> None:
    before = get(bare_target, NUMBER, "I")["value"]
    assert put(bare_target, NUMBER, "I", 4711) == "NONE"
    assert get(bare_target, NUMBER, "I")["value"] == 4711
    assert put(bare_target, NUMBER, "I", before) == "NONE"
    assert put(bare_target, ARGUMENT, "L", 0) == "NONE"
    assert get(bare_target, ARGUMENT, "L")["value"] == 0
    assert put(bare_target, ARGUMENT, "L", bare_target.object("dog")) == "NONE"


def test_an_argument_of_a_wrong_class(bare_target: Target) -> None:
    if bare_target.agent != "jvmdebug":
        pytest.skip("the JDK's own agent does not check this")
    assert put(bare_target, ARGUMENT, "L", bare_target.object("cat")) == "TYPE_MISMATCH"
    assert put(bare_target, ARGUMENT, "L", bare_target.object("aString")) == "TYPE_MISMATCH"
    # The type of this slot is unknown, and it holds no value yet. Since JDK-8080406 (16) the
    # VM compares types before it looks whether the slot holds anything.
    refusal = "TYPE_MISMATCH" if bare_target.jdk.version >= 16 else "INVALID_SLOT"
    assert put(bare_target, LOCAL, "L", bare_target.object("cat")) == refusal
    assert get(bare_target, ARGUMENT, "L")["value"] == bare_target.object("dog")
