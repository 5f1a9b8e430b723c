# SPDX-License-Identifier: Apache-2.0
"""Stores into a watched array: their locations, and what each is about to store.

The VM watches no arrays. Each instruction of the program that may store into an array of this type
is a location, in all loaded classes but the JDK's. Probes compare the arrays in the program; where
there can be none, the agent does it at a breakpoint of the VM. Called by the resolver, and by the
table and the checkers of breakpoints.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from jvmdebug.breakpoints.location import Resolution, code_location
from jvmdebug.breakpoints.subtypes import if_loaded
from jvmdebug.classfile.descriptors import java_name
from jvmdebug.errors import InvalidIndexError, InvalidLengthError
from jvmdebug.events import RESUME, BreakpointOccurrence
from jvmdebug.jdwp.generated import probes as wire
from jvmdebug.jdwp.generated.constants import ClassStatus
from jvmdebug.jdwp.generated.events import ElementStoreModifier
from jvmdebug.model.agent import AgentCapability
from jvmdebug.model.values import ObjectReference
from jvmdebug.sources import source_line

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence

    from jvmdebug.breakpoints.location import BreakpointLocation, LocationKey
    from jvmdebug.breakpoints.specs import ElementSpec
    from jvmdebug.events import LocatedOccurrence, Verdict
    from jvmdebug.jdwp.ids import RequestId
    from jvmdebug.model.location import Location
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.model.values import ArrayReference, Value
    from jvmdebug.model.virtual_machine import VirtualMachine

INDEX: Final = "$index"
_AT_ONCE: Final = 500
_EVERY: Final = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class ElementStored(BreakpointOccurrence):
    """The thread is about to store into a watched array."""

    array: ArrayReference
    array_name: str
    """The expression by which the array was named."""
    index: int
    old: Value
    """The value that the element has."""
    new: Value


def require_possible(vm: VirtualMachine) -> None:
    """Raise UnsupportedError unless this agent can distinguish arrays."""
    vm.require_of_agent(AgentCapability.ELEMENT_STORES, "stopping at stores into an array")


class ElementSearch:
    """Finds the locations of a watched array, type by type. Each type costs the same."""

    def __init__(self, vm: VirtualMachine, spec: ElementSpec) -> None:
        self._vm = vm
        self._spec = spec
        self._types: dict[ReferenceType, None] = {}
        self._found: dict[LocationKey, BreakpointLocation] = {}
        self._changed: dict[LocationKey, None] = {}

    open_types: tuple[ReferenceType, ...] = ()
    """Always empty: see `MethodSearch`."""

    def concerns(self, types: Collection[ReferenceType]) -> bool:
        """Whether any of these types was added."""
        return any(each in self._types for each in types)

    async def again(self) -> ElementSearch:
        """A search in the same types, some of which have new code."""
        made = ElementSearch(self._vm, self._spec)
        await made.add_named(tuple(self._types))
        return made

    async def add_named(self, types: Sequence[ReferenceType]) -> None:
        """Look for instructions in the code of these."""
        self._types.update(dict.fromkeys(types))
        asked = [wire.ArrayStores.Asked(each.id) for each in types]
        for first in range(0, len(asked), _AT_ONCE):
            some = tuple(asked[first : first + _AT_ONCE])
            reply = await self._vm.request(wire.ArrayStores(ord(self._spec.signature[1]), some))
            found = await if_loaded(self._vm.locations, [each.location for each in reply.stores])
            placed = await asyncio.gather(*(if_loaded(self._placed, each) for each in found or ()))
            for location in placed:
                if location is not None:
                    self._found[location.key] = location
                    self._changed[location.key] = None

    async def add_subtypes(self, _types: Iterable[ReferenceType]) -> bool:
        """Add nothing: subtypes do not concern it."""
        return False

    def resolution(self, *, changed_only: bool = False) -> Resolution:
        """The locations found; with `changed_only`, those that are new since the last call."""
        changed, self._changed = self._changed, {}
        keys = changed if changed_only else self._found
        message = None
        if not self._found:
            element = java_name(self._spec.signature[1:])
            message = f"no class that is loaded, but for the JDK's, stores into arrays of {element}"
        return Resolution(
            tuple(self._found[key] for key in keys), message, is_pending=not self._found
        )

    async def _placed(self, location: Location) -> BreakpointLocation:
        index = _EVERY if self._spec.index is None else self._spec.index
        at = code_location(location, await source_line(location))
        only = ElementStoreModifier(self._spec.array.id, index)
        return replace(at, modifiers=(*at.modifiers, only), array_signature=self._spec.signature)


async def is_ready(type_: ReferenceType) -> bool:
    """Whether its code can be read. If not yet, its class prepare event will follow."""
    status = await if_loaded(type_.status)
    return status is not None and ClassStatus.PREPARED in status


class ElementChecks:
    """Puts the checks of one watched array into the program. Implements
    `breakpoints.CallRecorder`.
    """

    def __init__(
        self,
        vm: VirtualMachine,
        spec: ElementSpec,
        why_none: Callable[[], str | None],
        *,
        hands_over: bool = False,
    ) -> None:
        """`why_none`: why the program checks nothing now. `hands_over`: see `watch_elements`."""
        self._vm = vm
        self._spec = spec
        self._why_none = why_none
        self._hands_over = hands_over

    async def record_calls(self, entries: Sequence[tuple[Location, RequestId]]) -> list[str | None]:
        """Put the checks of stores in. Returns why the program cannot check each itself,
        or None.
        """
        why_none = self._why_none()
        if why_none is not None:
            return [why_none] * len(entries)
        from jvmdebug.probes.element_checks import watch_elements  # noqa: PLC0415 - rare, and large

        return await watch_elements(
            self._vm,
            entries,
            signature=self._spec.signature,
            index=self._spec.index,
            hands_over=self._hands_over,
        )


async def stored(
    occurrence: LocatedOccurrence,
    spec: ElementSpec,
    decide: Callable[[ElementStored], Awaitable[Verdict]],
) -> Verdict:
    """Have `decide` called with what the thread is about to store into the array, and where."""
    thread, vm = occurrence.thread, spec.array.vm
    last = await vm.request(wire.LastStore(thread.id))
    if not last.is_known:
        return RESUME
    new = vm.value(last.value)
    try:
        (old,) = await spec.array.get(last.index, 1)
    except (InvalidIndexError, InvalidLengthError):
        return RESUME  # the instruction throws
    if not await _may_hold(spec, new):
        return RESUME
    return await decide(
        ElementStored(
            thread=thread,
            location=occurrence.location,
            request_id=occurrence.request_id,
            suspend_policy=occurrence.suspend_policy,
            array=spec.array,
            array_name=spec.name,
            index=last.index,
            old=old,
            new=new,
        )
    )


async def _may_hold(spec: ElementSpec, value: Value) -> bool:
    """Whether the array accepts the value; else the instruction throws an ArrayStoreException."""
    element = java_name(spec.signature[1:])
    if not isinstance(value, ObjectReference) or element.endswith("[]"):
        return True  # for arrays of arrays the static types are enough
    return await (await value.type()).is_subtype_of(element)
