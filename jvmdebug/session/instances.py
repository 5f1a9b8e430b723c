# SPDX-License-Identifier: Apache-2.0
"""The objects of a class that the program can reach, as variables of a stop.

Owns finding the class by its name and counting; classes of that name by several loaders are one.
Subclasses are not counted: the VM looks for objects of exactly that class. Called by Stop.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmdebug.errors import EvaluationError
from jvmdebug.model.class_names import classes_named
from jvmdebug.session.kept_objects import KeptObjects
from jvmdebug.session.variable import Variable

if TYPE_CHECKING:
    from jvmdebug.model.virtual_machine import VirtualMachine
    from jvmdebug.session.stop import Stop


@dataclass(frozen=True, slots=True)
class Instances:
    """Objects of one class."""

    type_name: str
    count: int
    """All that are reachable."""
    objects: tuple[Variable, ...]
    """The first of them."""


async def instances(stop: Stop, type_name: str, limit: int) -> Instances:
    """See `Stop.instances`."""
    vm = stop.vm
    vm.require("can_get_instance_info", "looking for the objects of a class")
    types = await classes_named(vm, type_name)
    if not types:
        raise EvaluationError(
            f"no class {type_name} is loaded: give its full name, shop.Cart$Item for a nested one"
        )
    found = [each for type_ in types for each in await type_.instances(limit)][:limit]
    count = len(found)
    if count >= limit:
        count = sum(await vm.instance_counts(types))
    objects = (
        Variable(stop.frame, f"[{number}]", each, types[0].name, None)
        for number, each in enumerate(found)
    )
    return Instances(type_name, count, tuple(objects))


def kept(stop: Stop) -> dict[int, Variable]:
    """See `Stop.kept`."""
    return {
        number: Variable(stop.frame, f"kept {number}", each, "java.lang.Object", None)
        for number, each in stop.vm.companion(KeptObjects).all().items()
    }


async def instance_counts(vm: VirtualMachine, type_names: tuple[str, ...]) -> dict[str, int]:
    """How many reachable objects of each class there are, in one walk of the heap; 0 for a class
    that is not loaded.
    """
    vm.require("can_get_instance_info", "counting the objects of a class")
    types = await asyncio.gather(*(classes_named(vm, each) for each in type_names))
    every = [each for found in types for each in found]
    counts = iter(await vm.instance_counts(every) if every else ())
    return {
        name: sum(next(counts) for _ in found)
        for name, found in zip(type_names, types, strict=True)
    }
