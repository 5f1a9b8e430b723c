# SPDX-License-Identifier: Apache-2.0
"""References to objects: unique while they live, and handed back when they are dead."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

from jvmdebug.jdwp.generated import virtual_machine
from jvmdebug.jdwp.generated.constants import Tag
from jvmdebug.jdwp.ids import ObjectId
from jvmdebug.model import ArrayReference, ObjectReference, VirtualMachine
from jvmdebug.model.reference_table import BATCH

if TYPE_CHECKING:
    from tests.support.fake_vm import FakeVm


def received(vm: VirtualMachine, number: int, tag: Tag = Tag.OBJECT) -> ObjectReference:
    return vm.reference(tag, ObjectId(number))


async def test_a_reference_is_unique_while_it_lives(vm: VirtualMachine) -> None:
    first = received(vm, 7)
    assert received(vm, 7) is first
    assert received(vm, 8) != first
    other_view = received(vm, 7, Tag.ARRAY)
    assert isinstance(other_view, ArrayReference)
    assert other_view == first
    assert hash(other_view) == hash(first)


async def resume(vm: VirtualMachine) -> None:
    """Resumes, as the router does."""
    vm.invalidate_suspended_state()
    await vm.request(virtual_machine.Resume())


async def test_dead_ids_are_handed_back_as_often_as_they_came(
    fake_vm: FakeVm, vm: VirtualMachine
) -> None:
    fake_vm.on("VirtualMachine.DisposeObjects", {})
    kept = [received(vm, number) for number in (1, 2)]
    received(vm, 3)
    received(vm, 3)
    await resume(vm)
    assert "VirtualMachine.DisposeObjects" not in fake_vm.names()
    for number in range(10, 10 + BATCH):
        received(vm, number)
    gc.collect()
    await resume(vm)
    requests = (await fake_vm.wait_for("VirtualMachine.DisposeObjects"))["requests"]
    counts = {each["object"]: each["count"] for each in requests}
    assert counts[3] == 2
    assert all(counts[number] == 1 for number in range(10, 10 + BATCH))
    assert not {each.id for each in kept} & set(counts)
    await resume(vm)
    assert len(fake_vm.commands("VirtualMachine.DisposeObjects")) == 1


async def test_ids_that_the_agent_has_forgotten_are_no_failure(
    fake_vm: FakeVm, vm: VirtualMachine
) -> None:
    for number in range(1, BATCH + 1):
        received(vm, number)
    await resume(vm)  # the fake agent answers NOT_IMPLEMENTED
    await fake_vm.wait_for("VirtualMachine.DisposeObjects")
    await vm.close()
