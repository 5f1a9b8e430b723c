# SPDX-License-Identifier: Apache-2.0
"""A location of a breakpoint: one place in one loaded type, with the event request for it.

Immutable. Made by the `*_locations` modules without a request; `armed_location` adds the one that
is armed. Public in `breakpoint.locations`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from jvmdebug.jdwp.generated.constants import EventKind
from jvmdebug.jdwp.generated.events import LocationOnlyModifier
from jvmdebug.sources import first_line, source_line, source_path

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jvmdebug.events import RequestHandle
    from jvmdebug.jdwp.generated.events import Modifier
    from jvmdebug.model.field import Field
    from jvmdebug.model.location import Location
    from jvmdebug.model.method import LocalVariableSlot, Method
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.sources import SourceLine

_MAX_NAMES: Final = 3

LocationKey: TypeAlias = tuple[EventKind, "tuple[Modifier, ...]", "Method | None"]


@dataclass(frozen=True, slots=True)
class LocalStore:
    """A write of a local variable: the variable, and the location behind the instruction."""

    variable: LocalVariableSlot
    behind: Location
    increment: int | None
    """The number that it adds; None if it stores the topmost operand."""


@dataclass(frozen=True, slots=True)
class BreakpointLocation:
    """One location in the VM where a breakpoint is armed."""

    type_name: str
    method_name: str | None
    """The name of the method; None for exceptions and fields."""
    line: int | None
    index: int | None
    """The code index; None for exceptions and fields."""
    source_path: str | None
    """`shop/Cart.java`; None for exceptions and fields."""
    event_kind: EventKind = field(repr=False, compare=False)
    modifiers: tuple[Modifier, ...] = field(repr=False, compare=False)
    code: Location | None = field(default=None, repr=False, compare=False)
    """The instruction, for a breakpoint in code."""
    store: LocalStore | None = field(default=None, repr=False, compare=False)
    """The local variable that the instruction writes, if it is watched."""
    written: tuple[Field, ...] = field(default=(), repr=False, compare=False)
    """The fields, one for each class of that name, that the instruction writes, if the field is
    watched.
    """
    array_signature: str | None = field(default=None, repr=False, compare=False)
    """The descriptor, such as `[I`, of the watched array into which the instruction may store."""
    only_method: Method | None = field(default=None, repr=False, compare=False)
    """The only method whose events count, if no modifier can say so."""
    receivers: frozenset[ReferenceType] = field(default=frozenset(), repr=False, compare=False)
    """The types of which `this` has to be one for a hit to count; empty for any."""
    request: RequestHandle | None = field(default=None, repr=False, compare=False)
    """The event request that is armed for it."""
    how: Literal["probe", "event"] = "event"
    """The one that checks a condition or hit condition: the program itself, or the debugger at an
    event. For a breakpoint without either: whether the program stops by itself, or the VM at a
    breakpoint.
    """
    why_event: str | None = None
    """Why the program does not check it itself; None if it does, or has nothing to check."""

    @property
    def key(self) -> LocationKey:
        """A key that is equal for locations which share an event request."""
        return self.event_kind, self.modifiers, self.only_method

    def checked_by(
        self, how: Literal["probe", "event"], why_event: str | None
    ) -> BreakpointLocation:
        """The same location, checked in this way."""
        if (self.how, self.why_event) == (how, why_event):
            return self
        return replace(self, how=how, why_event=why_event)

    def __str__(self) -> str:
        """`shop.Cart.add(Cart.java:42)`, as a stack trace prints it."""
        if self.method_name is None:
            return self.type_name
        name = (self.source_path or "Unknown Source").rpartition("/")[2]
        where = name if self.line is None else f"{name}:{self.line}"
        return f"{self.type_name}.{self.method_name}({where})"


@dataclass(frozen=True, slots=True)
class Resolution:
    """All locations of a breakpoint, and why there are none, or a warning about their overhead."""

    locations: tuple[BreakpointLocation, ...] = ()
    message: str | None = None
    is_pending: bool = False
    """Whether a type that is loaded later can bring locations, if there are none."""


def code_location(location: Location, source_location: SourceLine | None) -> BreakpointLocation:
    """The location of an instruction that belongs to this source line."""
    return BreakpointLocation(
        type_name=location.type.name,
        method_name=location.method.name,
        line=None if source_location is None else source_location.line,
        index=location.index,
        source_path=source_path(location.type.name, None)
        if source_location is None
        else source_location.path,
        event_kind=EventKind.BREAKPOINT,
        modifiers=(LocationOnlyModifier(location.wire),),
        code=location,
    )


async def entry_location(method: Method) -> BreakpointLocation:
    """The location of the first instruction of a method, before any code of its source."""
    location = await first_line(method)
    return code_location(location, await source_line(location))


def type_location(
    type_: ReferenceType,
    event_kind: EventKind,
    *modifiers: Modifier,
    only_method: Method | None = None,
) -> BreakpointLocation:
    """The location of a type, for events whose instruction is not known in advance."""
    return BreakpointLocation(
        type_.name, None, None, None, None, event_kind, modifiers, only_method=only_method
    )


def names(types: Iterable[ReferenceType]) -> str:
    """The names of the types for a message: a few of them, and how many more there are."""
    every = sorted({type_.name for type_ in types})
    more = len(every) - _MAX_NAMES
    return ", ".join(every[:_MAX_NAMES]) + (f" and {more} more classes" if more > 0 else "")
