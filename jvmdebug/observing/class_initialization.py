# SPDX-License-Identifier: Apache-2.0
"""Finds the threads that wait until another one has initialized a class, as no agent reports it.

A thread that initializes a class has its `<clinit>` on the stack. Another one that is at an
instruction which needs the class, `invokestatic` say, waits until that is done (JVMS 5.5); the VM
calls it running. Called by `thread_dump` and `snapshot`.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from jvmdebug.classfile.bytecode import instructions
from jvmdebug.observing.thread_snapshots import MonitorSnapshot
from jvmdebug.sources import constant_pool

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from jvmdebug.model.location import Location
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.observing.thread_snapshots import ThreadSnapshot

_INITIALIZER: Final = "<clinit>"
_INITIALIZING: Final = ("new", "getstatic", "putstatic", "invokestatic")


async def with_initializations(
    threads: Sequence[ThreadSnapshot], top: Callable[[int], Awaitable[Location | None]]
) -> list[ThreadSnapshot]:
    """The threads, with what they wait for. `top` gives the location of the topmost frame of one,
    by its index.
    """
    owners = {
        each.at.type_name: index
        for index, thread in enumerate(threads)
        for each in thread.frames
        if each.at.method_name == _INITIALIZER
    }
    found = list(threads)
    if not owners:
        return found
    running = [index for index, each in enumerate(threads) if each.status == "running"]
    locations = await asyncio.gather(*(top(index) for index in running))
    needed = await asyncio.gather(*map(_needed, locations))
    chains = {index: chain for index, chain in zip(running, needed, strict=True) if chain}
    waits: dict[int, tuple[str, int]] = {}
    for _ in range(2):  # what the first round finds may be what others wait for
        for index, chain in chains.items():
            for position, name in enumerate(chain):
                if owners.get(name, index) != index:
                    waits[index] = name, owners[name]
                    # It has begun with its classes below that one.
                    for below in chain[:position]:
                        owners.setdefault(below, index)
                    break
    for index, (name, owner) in waits.items():
        waits_for = MonitorSnapshot(
            f"the initialization of {name}",
            0,
            owner=threads[owner].name,
            owner_id=threads[owner].id,
            is_initialization=True,
        )
        found[index] = replace(threads[index], status="waiting", waits_for=waits_for)
    return found


async def _needed(location: Location | None) -> list[str]:
    """The class that an instruction needs, and those above it."""
    if location is None or location.index < 0:
        return []
    code, constants = await asyncio.gather(
        location.method.bytecodes(), constant_pool(location.type)
    )
    at = next((each for each in instructions(code) if each.index == location.index), None)
    if constants is None or at is None or at.constant is None or at.mnemonic not in _INITIALIZING:
        return []
    if at.mnemonic == "new":
        name = constants.class_name(at.constant)
    else:
        member = constants.find_member(at.constant)
        name = "" if member is None else member.owner
    type_ = await _seen_from(location.type, name)
    if type_ is None:
        return []
    above = await type_.superclasses()
    return [type_.name, *(each.name for each in above)]


async def _seen_from(home: ReferenceType, internal_name: str) -> ReferenceType | None:
    """The loaded class of that name, the one of the same loader first."""
    found = await home.vm.classes_by_signature(f"L{internal_name};")
    if len(found) > 1:
        loader = await home.class_loader()
        for each in found:
            if await each.class_loader() == loader:
                return each
    return found[0] if found else None
