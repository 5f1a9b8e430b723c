# SPDX-License-Identifier: Apache-2.0
"""What a breakpoint is armed at: a point is one event request and the location it stands for.

Plain values, made by those who know a kind of breakpoint, armed by `arming`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from jvmdebug.breakpoints.breakpoint import BreakpointLocation
from jvmdebug.jdwp.generated.constants import EventKind
from jvmdebug.jdwp.generated.events import LocationOnlyModifier
from jvmdebug.sources import source_line, source_path

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jvmdebug.jdwp.generated.events import Modifier
    from jvmdebug.model.location import Location
    from jvmdebug.model.method import Method
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.sources import SourceLine

PointKey: TypeAlias = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Point:
    """One event request to be made, and the location that it stands for."""

    key: PointKey
    """Equal for the same place, whoever computes it."""
    kind: EventKind
    modifiers: tuple[Modifier, ...]
    location: BreakpointLocation
    method: Method | None = None
    """The only method whose events count, where no modifier can say so."""
    receivers: frozenset[str] = frozenset()
    """Unless empty, only hits count whose `this` is of one of these types."""
    code: Location | None = None
    """The instruction, for a breakpoint in code."""


@dataclass(frozen=True, slots=True)
class Placement:
    """All points of a breakpoint, and why there are none, or what they cost."""

    points: tuple[Point, ...] = ()
    message: str | None = None
    is_pending: bool = False
    """Without points: whether a type that is loaded later can bring some."""


def location_point(location: Location, place: SourceLine | None) -> Point:
    """A breakpoint at an instruction, which belongs to this source line."""
    wire = location.wire
    return Point(
        key=(EventKind.BREAKPOINT, wire.type_id, wire.method_id, wire.index),
        kind=EventKind.BREAKPOINT,
        modifiers=(LocationOnlyModifier(wire),),
        location=_shown(location, place),
        code=location,
    )


async def entry_point(method: Method) -> Point:
    """A breakpoint at the first instruction of a method, before anything of it has run."""
    location = method.location(0)
    return location_point(location, await source_line(location))


def type_location(type_: ReferenceType) -> BreakpointLocation:
    """A type as the place of a breakpoint that is in no code of its own."""
    return BreakpointLocation(type_.name, None, None, None, None)


def names(types: Iterable[ReferenceType]) -> str:
    """The types in a message."""
    return ", ".join(sorted({type_.name for type_ in types}))


def _shown(location: Location, place: SourceLine | None) -> BreakpointLocation:
    return BreakpointLocation(
        type_name=location.type.name,
        method_name=location.method.name,
        line=None if place is None else place.line,
        index=location.index,
        source_path=source_path(location.type.name, None) if place is None else place.path,
    )
