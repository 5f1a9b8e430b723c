# SPDX-License-Identifier: Apache-2.0
"""Writes of a watched field that the program checks itself: their locations, and what each writes.

Each instruction that writes the field is a location, in all loaded classes that name the field. The
VM's own watch stops the thread at each write, and makes all writes of all fields slower. It remains
for a watch without a condition, and for fields that native code may write, which no instruction
shows. Called by the resolver and by `probe_checker`.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from jvmdebug.breakpoints.field_locations import why_no_field
from jvmdebug.breakpoints.location import Resolution, code_location
from jvmdebug.breakpoints.specs import FieldSpec, FieldStoreSpec
from jvmdebug.breakpoints.subtypes import if_loaded, loaded_subtypes
from jvmdebug.breakpoints.type_names import is_named
from jvmdebug.breakpoints.waiting import is_held_back
from jvmdebug.classfile.descriptors import binary_names
from jvmdebug.errors import VmError
from jvmdebug.events import RESUME, FieldModificationOccurrence
from jvmdebug.jdwp.generated import probes as wire
from jvmdebug.jdwp.generated.events import FieldStoreModifier
from jvmdebug.model.agent import AgentCapability
from jvmdebug.sources import source_line

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence

    from jvmdebug.breakpoints.breakpoint import Breakpoint
    from jvmdebug.breakpoints.location import BreakpointLocation, LocationKey
    from jvmdebug.events import LocatedOccurrence, Verdict
    from jvmdebug.model.field import Field
    from jvmdebug.model.location import Location
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.model.values import ObjectReference
    from jvmdebug.model.virtual_machine import VirtualMachine

_AT_ONCE: Final = 500
NATIVE: Final = "native code may write the field as well"
OLDER_CODE: Final = "a thread may run older code that writes the field"


def can_watch(vm: VirtualMachine) -> bool:
    """Whether the VM has watches of its own. It has none if the agent came late."""
    return vm.capabilities.can_watch_field_modification


def why_not_checked(
    vm: VirtualMachine, breakpoint_: Breakpoint, why_no_probes: str | None
) -> str | None:
    """Why a field is watched by the VM: a reason, "" for a watch without a condition, or None if
    the program checks the writes.
    """
    spec, options = breakpoint_.spec, breakpoint_.options
    if not isinstance(spec, FieldSpec) or not spec.write or vm.agent is None:
        return ""
    may_watch = can_watch(vm)
    has_operands = vm.agent_can(AgentCapability.ELEMENT_STORES)
    is_told_late = breakpoint_.waits and not is_held_back(breakpoint_)
    asked = options.condition, options.hit_condition, options.log_message, spec.instance
    asks = any((*asked, options.only_thread, options.only_object))
    reasons = (
        (spec.read, "reads of the field stop as well"),
        (not has_operands, "the VM does not say what an instruction is about to write"),
        (why_no_probes is not None, why_no_probes),
        (vm.connection.is_read_only, "the session is read-only"),
        (may_watch and not asks, ""),
        (may_watch and is_told_late, "it counts only after another breakpoint"),
    )
    return next((why for is_so, why in reasons if is_so), None)


class FieldSearch:
    """Finds the instructions that write a field, type by type."""

    def __init__(self, vm: VirtualMachine, spec: FieldStoreSpec) -> None:
        self._vm = vm
        self.spec = spec.field
        self._types: dict[ReferenceType, None] = {}
        self.named: dict[ReferenceType, None] = {}
        """The types that the spec names, of all that were added."""
        self._owners: dict[Field, dict[ReferenceType, None]] = {}
        """The types by which instructions may name each field."""
        self._found: dict[LocationKey, BreakpointLocation] = {}
        self._changed: dict[LocationKey, None] = {}
        self._has_native = False
        self._is_refused = False

    @property
    def open_types(self) -> tuple[ReferenceType, ...]:
        """The classes that declare a field. Code may name the field by one of their subclasses."""
        return tuple(each.declaring_type for each in self._owners)

    @property
    def needs_watch(self) -> bool:
        """Whether only the VM sees all writes."""
        return (self._has_native or self._is_refused) and can_watch(self._vm)

    @property
    def why_watched(self) -> str:
        """Why the program does not check the writes then."""
        return NATIVE if self._has_native else OLDER_CODE

    def leave_to_vm(self) -> bool:
        """Leave the field to the VM, which refuses a breakpoint at some instruction. Returns
        whether that is new.
        """
        was_left, self._is_refused = self.needs_watch, True
        return self.needs_watch and not was_left

    def concerns(self, types: Collection[ReferenceType]) -> bool:
        """Whether any of these types was added."""
        return any(each in self._types for each in types)

    async def again(self) -> FieldSearch:
        """A search in the same types, some of which have new code or are gone."""
        made = FieldSearch(self._vm, FieldStoreSpec(self.spec))
        made._is_refused = self._is_refused
        loaded = await asyncio.gather(*(if_loaded(each.status) for each in self._types))
        types = zip(self._types, loaded, strict=True)
        await made.add_named([each for each, status in types if status is not None])
        return made

    async def add_named(self, types: Sequence[ReferenceType]) -> None:
        """Look for instructions in the code of these types, and in the code of others if these are
        new names of the field.
        """
        older = [each for each in self._types if each not in types]
        known = list(self._owners.items())
        self._types.update(dict.fromkeys(types))
        names = binary_names(self.spec.type_name)
        for each in types:
            if each.name in names or is_named(each.name, self.spec.type_name):
                self.named[each] = None
                await if_loaded(self._add_field, each)
        for field, owners in known:
            before = {each.name for each in owners}
            await self._add_owners(field, types)
            now = {each.name for each in owners}
            await self._look(field, now, types)
            if before != now:
                await self._look(field, now - before, older)

    async def _add_field(self, type_: ReferenceType) -> None:
        every = await type_.all_fields()
        found = next((each for each in every if each.name == self.spec.field_name), None)
        if found is None or found in self._owners:
            return
        owners = self._owners[found] = {found.declaring_type: None}
        await self._add_owners(found, tuple(self._types))
        await self._look(found, {each.name for each in owners}, tuple(self._types))

    async def _add_owners(self, field: Field, types: Iterable[ReferenceType]) -> None:
        """Add the classes below the declaring one by which code can name the field: those in which
        no other field hides it.
        """
        of = self._owners[field]
        for each in await loaded_subtypes({field.declaring_type.name}, types):
            named = await if_loaded(each.all_fields)
            first = next((other for other in named or () if other.name == field.name), None)
            if first is field:
                of[each] = None

    async def _look(
        self, field: Field, owners: Collection[str], types: Sequence[ReferenceType]
    ) -> None:
        named = tuple(wire.FieldStores.Owner(each.replace(".", "/")) for each in sorted(owners))
        asked = [wire.FieldStores.Asked(each.id) for each in types]
        for first in range(0, len(asked), _AT_ONCE) if named else ():
            some = tuple(asked[first : first + _AT_ONCE])
            ask = wire.FieldStores(field.name, field.signature, some, named)
            reply = await self._vm.request(ask)
            self._has_native |= reply.has_native
            found = await if_loaded(self._vm.locations, [each.location for each in reply.stores])
            placed = await asyncio.gather(
                *(if_loaded(self._placed, field, each) for each in found or ())
            )
            for location in placed:
                if location is not None:
                    self._add(location)

    def _add(self, location: BreakpointLocation) -> None:
        known = self._found.get(location.key)
        fields = () if known is None else known.written
        both = dict.fromkeys((*fields, *location.written))
        self._found[location.key] = replace(location, written=tuple(both))
        self._changed[location.key] = None

    async def _placed(self, field: Field, location: Location) -> BreakpointLocation:
        at = code_location(location, await source_line(location))
        store = FieldStoreModifier(ord(field.signature[0]), field.is_static)
        return replace(at, modifiers=(*at.modifiers, store), written=(field,))

    async def add_subtypes(self, types: Iterable[ReferenceType]) -> bool:
        """Add types that are below one of the `open_types`; returns whether any is new."""
        new = [each for each in types if each not in self._types]
        await self.add_named(new)
        return bool(new)

    def resolution(self, *, changed_only: bool = False) -> Resolution:
        """The locations found; with `changed_only`, those that are new since the last call."""
        changed, self._changed = self._changed, {}
        keys = changed if changed_only else self._found
        locations = tuple(self._found[key] for key in keys)
        if not self._owners:
            return why_no_field(self.spec, self.named)
        message = None
        if not self._found:
            message = f"no class that is loaded writes {self.spec.field_name}"
        elif self._has_native:
            message = f"{NATIVE}, which is not seen here"
        return Resolution(locations, message, is_pending=not self._found)


async def written(
    occurrence: LocatedOccurrence,
    location: BreakpointLocation,
    only: ObjectReference | None,
    decide: Callable[[FieldModificationOccurrence], Awaitable[Verdict]],
) -> Verdict:
    """Have `decide` called with what the thread is about to write, as for the VM's own watch.
    `only`: the object that is watched.
    """
    thread = occurrence.thread
    vm = thread.vm
    last = await vm.request(wire.LastStore(thread.id))
    if not last.is_known:
        return RESUME
    instance = vm.reference(last.object.tag, last.object.id) if last.object.id else None
    field = location.written[0]
    if not field.is_static:
        if instance is None:
            instance = await _unfinished(occurrence)
            if instance is None:
                return RESUME  # the instruction throws
        type_ = await instance.type()
        above = (type_, *await type_.superclasses())
        fields = [each for each in location.written if each.declaring_type in above]
        if not fields or only not in {None, instance}:
            return RESUME
        field = fields[0]
    elif len(location.written) > 1:
        loader = await occurrence.location.type.class_loader()
        for each in location.written:
            if await each.declaring_type.class_loader() == loader:
                field = each
    return await decide(
        FieldModificationOccurrence(
            thread=thread,
            location=occurrence.location,
            request_id=occurrence.request_id,
            suspend_policy=occurrence.suspend_policy,
            field=field,
            object=instance,
            new_value=vm.value(last.value),
        )
    )


async def _unfinished(occurrence: LocatedOccurrence) -> ObjectReference | None:
    """The object whose constructor has not yet called that of the superclass."""
    if not occurrence.location.method.is_constructor:
        return None
    try:
        return await (await occurrence.thread.frame(0)).this_object()
    except VmError:
        return None
