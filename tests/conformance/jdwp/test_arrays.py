# SPDX-License-Identifier: Apache-2.0
"""Arrays: elements of every type, ranges, stores, and new ones."""

from __future__ import annotations

import math
import struct
from typing import TYPE_CHECKING

import pytest

from tests.conformance.jdwp.target import UNKNOWN_ID, ids, raw

if TYPE_CHECKING:
    from tests.conformance.jdwp.target import Target

ARRAYS = [
    ("booleans", "Z", ">?", [True, False]),
    ("bytes", "B", ">b", [1, -1]),
    ("chars", "C", ">H", [0x61, 0xFFFF]),
    ("shorts", "S", ">h", [1, -32768]),
    ("longs", "J", ">q", [1, -(1 << 63)]),
    ("doubles", "D", ">d", [0.25, -math.inf]),
]


@pytest.mark.parametrize(("name", "tag", "code", "values"), ARRAYS)
def test_primitive_arrays(
    fresh_target: Target, name: str, tag: str, code: str, values: list[object]
) -> None:
    target, array = fresh_target, fresh_target.object(name)
    everything = {"array": array, "first_index": 0, "length": -1}
    region = target.vm.ask("ArrayReference.GetValues", **everything)["values"]
    assert region == {"tag": ord(tag), "values": values}
    swapped = b"".join(struct.pack(code, value) for value in reversed(values))
    target.vm.ask("ArrayReference.SetValues", array=array, first_index=0, values=raw(2, swapped))
    region = target.vm.ask("ArrayReference.GetValues", **everything)["values"]
    assert region["values"] == values[::-1]


def test_a_float_array(target: Target) -> None:
    request = {"array": target.object("floats"), "first_index": 0, "length": 2}
    region = target.vm.ask("ArrayReference.GetValues", **request)["values"]
    assert region["values"][0] == 0.5
    assert math.isnan(region["values"][1])


def test_object_arrays(target: Target) -> None:
    request = {"array": target.object("objects"), "first_index": 0, "length": 5}
    region = target.vm.ask("ArrayReference.GetValues", **request)["values"]
    assert chr(region["tag"]) == "L"
    assert [chr(value["tag"]) for value in region["values"]] == ["s", "L", "t", "[", "c"]
    assert region["values"][1]["id"] == 0
    grid = {"array": target.object("grid"), "first_index": 1, "length": 1}
    rows = target.vm.ask("ArrayReference.GetValues", **grid)["values"]
    assert chr(rows["tag"]) == "["
    assert target.vm.ask("ArrayReference.Length", array=rows["values"][0]["id"])["length"] == 2


def test_a_large_array(target: Target) -> None:
    array = target.object("many")
    assert target.vm.ask("ArrayReference.Length", array=array)["length"] == 100_000
    request = {"array": array, "first_index": 1, "length": 99_999}
    values = target.vm.ask("ArrayReference.GetValues", **request)["values"]["values"]
    assert len(values) == 99_999


@pytest.mark.parametrize(
    ("first", "length", "refusal"),
    [
        (-1, 1, "INVALID_INDEX"),
        (3, 0, "INVALID_INDEX"),
        (3, -1, "INVALID_INDEX"),
        (2147483647, 2147483647, "INVALID_INDEX"),
        (0, 4, "INVALID_LENGTH"),
        (1, 3, "INVALID_LENGTH"),
        (0, -2, "INVALID_LENGTH"),
    ],
)
def test_ranges_outside_an_array(target: Target, first: int, length: int, refusal: str) -> None:
    array = target.object("ints")
    request = {"array": array, "first_index": first, "length": length}
    assert target.vm.refusal("ArrayReference.GetValues", **request) == refusal


def test_a_length_that_overflows(our_target: Target) -> None:
    request = {"array": our_target.object("ints"), "first_index": 2, "length": 2147483647}
    assert our_target.vm.refusal("ArrayReference.GetValues", **request) == "INVALID_LENGTH"


def test_an_empty_array_has_no_range(target: Target) -> None:
    request = {"array": target.object("empty"), "first_index": 0, "length": 0}
    assert target.vm.refusal("ArrayReference.GetValues", **request) == "INVALID_INDEX"


def test_set_elements(fresh_target: Target) -> None:
    target = fresh_target
    dogs, rex, cat = target.object("dogs"), target.object("dog"), target.object("cat")
    request = {"array": dogs, "first_index": 0}
    target.vm.ask("ArrayReference.SetValues", **request, values=raw(1, ids(rex)))
    region = target.vm.ask("ArrayReference.GetValues", **request, length=1)["values"]
    assert region["values"] == [{"tag": ord("L"), "id": rex}]
    wrong = raw(1, ids(cat))
    assert target.vm.refusal("ArrayReference.SetValues", **request, values=wrong) == "TYPE_MISMATCH"
    too_many = raw(2, ids(rex, rex))
    assert target.vm.refusal("ArrayReference.SetValues", **request, values=too_many) == (
        "INVALID_LENGTH"
    )
    target.vm.ask("ArrayReference.SetValues", **request, values=raw(1, ids(0)))
    region = target.vm.ask("ArrayReference.GetValues", **request, length=1)["values"]
    assert region["values"] == [{"tag": ord("L"), "id": 0}]


def test_arrays_that_are_none(target: Target) -> None:
    dog = target.object("dog")
    assert target.vm.refusal("ArrayReference.Length", array=dog) == "INVALID_ARRAY"
    assert target.vm.refusal("ArrayReference.Length", array=UNKNOWN_ID) == "INVALID_OBJECT"
    request = {"array": dog, "first_index": 0, "length": 1}
    assert target.vm.refusal("ArrayReference.GetValues", **request) == "INVALID_ARRAY"


@pytest.mark.parametrize("signature", ["[I", "[[I", "[Ltarget/Target$Dog;", "[Z", "[D"])
def test_new_arrays(target: Target, signature: str) -> None:
    type_id = target.type(signature)
    array = target.vm.ask("ArrayType.NewInstance", type_id=type_id, length=3)["new_array"]
    assert chr(array["tag"]) == "["
    target.vm.ask("ObjectReference.DisableCollection", object=array["id"])
    assert target.vm.ask("ArrayReference.Length", array=array["id"])["length"] == 3
    reply = target.vm.ask("ObjectReference.ReferenceType", object=array["id"])
    assert reply["type_id"] == type_id
    target.vm.ask("ObjectReference.EnableCollection", object=array["id"])


def test_new_arrays_that_cannot_be(target: Target) -> None:
    vm, name = target.vm, "ArrayType.NewInstance"
    assert vm.refusal(name, type_id=target.type("[I"), length=-1) == "OUT_OF_MEMORY"
    assert vm.refusal(name, type_id=target.type("[[I"), length=2147483647) == "OUT_OF_MEMORY"
    assert vm.refusal(name, type_id=target.type("Ltarget/Target$Dog;"), length=1) == "TYPE_MISMATCH"
    assert vm.refusal(name, type_id=target.object("ints"), length=1) == "INVALID_CLASS"
    assert vm.refusal(name, type_id=UNKNOWN_ID, length=1) == "INVALID_OBJECT"
