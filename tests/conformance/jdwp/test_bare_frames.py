# SPDX-License-Identifier: Apache-2.0
"""Code without debug information: no lines, no variables, but arguments in their slots."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.conformance.jdwp.zoo import Zoo

ZOO = "Lzoo/Zoo;"
NUMBER, ARGUMENT, LOCAL = 0, 1, 2


def top(zoo: Zoo) -> dict[str, int]:
    return {"thread": zoo.thread, "frame": zoo.frames()[0]["frame_id"]}


def get(zoo: Zoo, slot: int, tag: str) -> Any:
    slots = [{"slot": slot, "tag": ord(tag)}]
    (value,) = zoo.vm.ask("StackFrame.GetValues", **top(zoo), slots=slots)["values"]
    return value


def put(zoo: Zoo, slot: int, tag: str, value: object) -> str:
    slots = [{"slot": slot, "value": {"tag": ord(tag), "value": value}}]
    return zoo.vm.refusal("StackFrame.SetValues", **top(zoo), slots=slots)


def test_there_is_no_table(bare_zoo: Zoo) -> None:
    zoo = bare_zoo.type(ZOO)
    stop = bare_zoo.method(zoo, "stop")
    lines = bare_zoo.vm.ask("Method.LineTable", type_id=zoo, method_id=stop)
    assert lines["start"] == 0
    assert lines["end"] > 0
    assert lines["lines"] == []
    name = "Method.VariableTable"
    assert bare_zoo.vm.refusal(name, type_id=zoo, method_id=stop) == "ABSENT_INFORMATION"
    assert bare_zoo.vm.refusal("ReferenceType.SourceFile", type_id=zoo) == "ABSENT_INFORMATION"


def test_arguments_are_in_their_slots(bare_zoo: Zoo) -> None:
    assert chr(get(bare_zoo, NUMBER, "I")["tag"]) == "I"
    assert get(bare_zoo, ARGUMENT, "L") == {"tag": ord("L"), "value": bare_zoo.object("dog")}


@pytest.mark.parametrize("slot", [-1, 100])
def test_slots_that_are_none(bare_zoo: Zoo, slot: int) -> None:
    slots = [{"slot": slot, "tag": ord("I")}]
    refusal = bare_zoo.vm.refusal("StackFrame.GetValues", **top(bare_zoo), slots=slots)
    assert refusal == "INVALID_SLOT"


def test_arguments_can_be_set(bare_zoo: Zoo) -> None:
    before = get(bare_zoo, NUMBER, "I")["value"]
    assert put(bare_zoo, NUMBER, "I", 4711) == "NONE"
    assert get(bare_zoo, NUMBER, "I")["value"] == 4711
    assert put(bare_zoo, NUMBER, "I", before) == "NONE"
    assert put(bare_zoo, ARGUMENT, "L", 0) == "NONE"
    assert get(bare_zoo, ARGUMENT, "L")["value"] == 0
    assert put(bare_zoo, ARGUMENT, "L", bare_zoo.object("dog")) == "NONE"


def test_an_argument_of_a_wrong_class(bare_zoo: Zoo) -> None:
    if bare_zoo.agent != "jvmdebug":
        pytest.skip("the JDK's own agent does not check this")
    assert put(bare_zoo, ARGUMENT, "L", bare_zoo.object("cat")) == "TYPE_MISMATCH"
    assert put(bare_zoo, ARGUMENT, "L", bare_zoo.object("aString")) == "TYPE_MISMATCH"
    # Nobody knows what belongs into this slot, which holds nothing yet. Since JDK-8080406 (16) the
    # VM compares types before it looks whether the slot holds anything.
    refusal = "TYPE_MISMATCH" if bare_zoo.jdk.version >= 16 else "INVALID_SLOT"
    assert put(bare_zoo, LOCAL, "L", bare_zoo.object("cat")) == refusal
    assert get(bare_zoo, ARGUMENT, "L")["value"] == bare_zoo.object("dog")
