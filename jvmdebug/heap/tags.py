# SPDX-License-Identifier: Apache-2.0
"""Numbers that a script gives to objects, many at once, and finds them by: tags of JVM TI.

They keep nothing alive, are gone with the session, and are apart from those of the agent. Called by
the session's door, `jvmdebug.session.heap`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jvmdebug.heap.errors import HeapError
from jvmdebug.jdwp.generated import jvmti as jvmti_set
from jvmdebug.jdwp.ids import ObjectId
from jvmdebug.model.agent import AgentCapability

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmdebug.heap.live_objects import LiveObject
    from jvmdebug.model.values import ObjectReference
    from jvmdebug.model.virtual_machine import VirtualMachine

_AT_ONCE: Final = 10_000


@dataclass(frozen=True, slots=True)
class TaggedObject:
    """An object with the number that it was given."""

    tag: int
    object: LiveObject


async def set_tags(vm: VirtualMachine, tag: int, objects: Sequence[ObjectReference]) -> None:
    """Give them the number; 0 takes it away."""
    ids = [ObjectId(each.id) for each in objects]
    for start in range(0, len(ids), _AT_ONCE):
        await _call(vm, "SetTags", (tag,), ids[start : start + _AT_ONCE])


async def tags_of(vm: VirtualMachine, objects: Sequence[ObjectReference]) -> list[int]:
    """Read their numbers; 0 for one that has none."""
    ids = [ObjectId(each.id) for each in objects]
    found: list[int] = []
    for start in range(0, len(ids), _AT_ONCE):
        found += (await _call(vm, "GetTags", (), ids[start : start + _AT_ONCE])).numbers
    return found


async def tag_instances(vm: VirtualMachine, class_object: ObjectReference, tag: int) -> int:
    """Give it to all objects of exactly that class, in one walk of the heap; how many."""
    reply = await _call(vm, "TagInstances", (tag,), [ObjectId(class_object.id)])
    return reply.numbers[0]


async def with_tags(
    vm: VirtualMachine, tags: Sequence[int], most: int
) -> list[tuple[int, ObjectReference]]:
    """The objects that have one of the numbers, `most` of them at most."""
    reply = await _call(vm, "GetObjectsWithTags", (most, *tags), ())
    references = [vm.reference(each.tag, each.id) for each in reply.objects]
    return list(zip(reply.numbers, references, strict=True))


async def _call(
    vm: VirtualMachine, function: str, numbers: tuple[int, ...], ids: Sequence[ObjectId]
) -> jvmti_set.CallReply:
    vm.require_of_agent(AgentCapability.JVMTI, "numbers of objects")
    request = jvmti_set.Call(function, numbers, (), tuple(ids))
    reply = await vm.request(request, timeout_s=None)
    if reply.error:
        raise HeapError(f"{function}: the VM refuses it with error {reply.error}")
    return reply
