# SPDX-License-Identifier: Apache-2.0
"""Writes of watched local variables: their locations, and what each changes.

The VM watches no variables. Only the method itself writes its variables, so each instruction that
stores to the variable is a location. The thread stops there for a moment, for the old value, and
again behind it for the new one, in front of the next instruction. There the breakpoint decides. A
recording is told the instruction and what is behind it, which means the records of the write.
Called by the resolver and by `breakpoint_table`.
"""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from jvmdebug.breakpoints.inherited_methods import hint_of_inherited
from jvmdebug.breakpoints.location import (
    LocalStore,
    Resolution,
    code_location,
    names,
)
from jvmdebug.classfile import instructions
from jvmdebug.events import RESUME, BreakpointOccurrence
from jvmdebug.jdwp.generated.constants import EventKind, SuspendPolicy
from jvmdebug.jdwp.generated.events import (
    CountModifier,
    LocationOnlyModifier,
    ThreadOnlyModifier,
)
from jvmdebug.model.variable import LocalVariable
from jvmdebug.sources import source_line

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection

    from jvmdebug.breakpoints.location import BreakpointLocation
    from jvmdebug.breakpoints.specs import LocalSpec
    from jvmdebug.events import LocatedOccurrence, RequestHandle, Router, Verdict
    from jvmdebug.jdwp.ids import ThreadId
    from jvmdebug.model.method import LocalVariableSlot, Method
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.model.thread import Thread
    from jvmdebug.model.values import Value

_STORE: Final = re.compile(r"(?:wide )?(?:[ilfda]store(?:_\d)?|iinc)")


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalWritten(BreakpointOccurrence):
    """A write of a watched variable; the thread is behind the instruction that has written it."""

    variable: LocalVariable
    old: Value
    """The value before. Where the variable is declared it has none, and this is the new value."""
    new: Value
    is_first: bool
    """Whether it is the first value, where the variable is declared."""


async def local_locations(spec: LocalSpec, types: Collection[ReferenceType]) -> Resolution:
    """The locations at which the methods of the spec store to the variable."""
    if not types:
        return Resolution(message=f"class {spec.method.type_name} is not loaded", is_pending=True)
    methods = [
        method
        for type_ in types
        for method in await type_.methods()
        if method.has_code and spec.method.selects(method.name, method.signature)
    ]
    if not methods:
        hints = await asyncio.gather(*(hint_of_inherited(spec.method, each) for each in types))
        hint = next(filter(None, hints), "")
        text = f"{names(types)} has no method {spec.method.method} with code{hint}"
        return Resolution(message=text)
    tables = await asyncio.gather(*(each.variable_table() for each in methods))
    if all(table is None for table in tables):
        return Resolution(message=f"{names(types)} has no names of variables; compile it with -g")
    found = await asyncio.gather(*(_stores(spec, each) for each in methods))
    locations = tuple(each for several in found for each in several)
    if locations:
        return Resolution(locations)
    named = any(each.name == spec.variable for table in tables for each in table or ())
    why = "is never written" if named else "is no local variable"
    return Resolution(message=f"{spec.variable} {why} in {spec.method}")


async def _stores(spec: LocalSpec, method: Method) -> list[BreakpointLocation]:
    table = await method.variable_table() or ()
    variables = [each for each in table if each.name == spec.variable]
    found: list[BreakpointLocation] = []
    if not variables:
        return found
    for each in instructions(await method.bytecodes()):
        if each.local is None or not _STORE.fullmatch(each.mnemonic):
            continue
        behind = each.index + each.size
        written = [
            variable
            for variable in variables
            if variable.slot == each.local
            # The range of a variable begins behind the instruction that gives it its first value.
            and (variable.is_visible_at(behind) or variable.is_visible_at(each.index))
        ]
        if written:
            location = method.location(each.index)
            at = code_location(location, await source_line(location))
            store = LocalStore(written[0], method.location(behind), each.number)
            modifiers = at.modifiers
            if method.declaring_type.vm.connection.is_recording:
                modifiers = (*modifiers, LocationOnlyModifier(store.behind.wire))
            found.append(replace(at, store=store, modifiers=modifiers))
    return found


async def follow(
    router: Router,
    occurrence: LocatedOccurrence,
    store: LocalStore,
    begun: dict[ThreadId, RequestHandle],
    decide: Callable[[LocalWritten], Awaitable[Verdict]],
) -> Verdict:
    """Have `decide` called when the thread, which is about to write, has written.

    `begun` has the requests for the writes at this location that are not done. A thread that comes
    here again has not done its last one.
    """
    if occurrence.thread.vm.connection.is_recording:
        return await decide(await _recorded(occurrence, store))
    thread, slot = occurrence.thread, store.variable
    if (last := begun.pop(thread.id, None)) is not None:
        await last.clear()
    variable = _variable(slot)
    is_declared_here = not slot.is_visible_at(occurrence.location.index)
    old = None if is_declared_here else await _value(thread, variable)

    async def behind(there: LocatedOccurrence) -> Verdict:
        request.clear_soon()  # it has expired
        begun.pop(thread.id, None)
        return await decide(await _written(there, variable, old))

    only = LocationOnlyModifier(store.behind.wire), ThreadOnlyModifier(thread.id), CountModifier(1)
    request = await router.arm(EventKind.BREAKPOINT, only, SuspendPolicy.EVENT_THREAD, behind)
    begun[thread.id] = request
    return RESUME


async def _recorded(occurrence: LocatedOccurrence, store: LocalStore) -> LocalWritten:
    """A recorded write: the thread is behind it, and the recording knows the value before."""
    thread, slot = occurrence.thread, store.variable
    known = thread.vm.connection.value_before(thread.id, slot.slot, slot.signature)
    return await _written(
        occurrence, _variable(slot), None if known is None else thread.vm.value(known)
    )


def _variable(slot: LocalVariableSlot) -> LocalVariable:
    return LocalVariable(slot.name, slot.signature, slot.generic, slot.slot, slot.is_argument)


async def _written(
    there: LocatedOccurrence, variable: LocalVariable, old: Value | None
) -> LocalWritten:
    """A write that is done where the thread is; `old`: None for the first value."""
    new = await _value(there.thread, variable)
    return LocalWritten(
        thread=there.thread,
        location=there.location,
        request_id=there.request_id,
        suspend_policy=there.suspend_policy,
        variable=variable,
        old=new if old is None else old,
        new=new,
        is_first=old is None,
    )


async def _value(thread: Thread, variable: LocalVariable) -> Value:
    (value,) = await (await thread.frame(0)).values([variable])
    return value
