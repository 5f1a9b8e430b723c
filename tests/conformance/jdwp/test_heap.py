# SPDX-License-Identifier: Apache-2.0
"""Our command set Heap: what is refused, what is counted. The dump itself is in tests/e2e/heap."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.conformance.jdwp.target import UNKNOWN_ID

if TYPE_CHECKING:
    from tests.conformance.jdwp.target import Target


def test_objects_are_counted_as_the_standard_commands_count_them(our_target: Target) -> None:
    vm = our_target.vm
    vm.ask("Heap.Collect")
    type_id = vm.ask("ObjectReference.ReferenceType", object=our_target.object("dog"))["type_id"]
    signature = vm.ask("ReferenceType.Signature", type_id=type_id)["signature"]
    (expected,) = vm.ask("VirtualMachine.InstanceCounts", types=[type_id])["counts"]
    found = vm.ask("Heap.Histogram", with_debugger=False)["classes"]
    (counted,) = [each for each in found if each["signature"] == signature]
    assert counted["instances"] == expected
    assert counted["size"] % expected == 0
    assert all(each["instances"] > 0 for each in found)


def test_a_dump_of_what_is_not_there_is_refused(our_target: Target) -> None:
    refusal = our_target.vm.refusal
    dump = {"number": 1, "with_debugger": False}
    assert refusal("Heap.Dump", **dump, contents=0, objects=[UNKNOWN_ID]) == "INVALID_OBJECT"
    for contents in (-1, 3):
        answer = refusal("Heap.Dump", **dump, contents=contents, objects=[])
        assert answer == "ILLEGAL_ARGUMENT"


def test_a_cancellation_that_comes_late_does_nothing(our_target: Target) -> None:
    our_target.vm.ask("Heap.CancelDump", number=7)
