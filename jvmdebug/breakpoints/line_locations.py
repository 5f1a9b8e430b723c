# SPDX-License-Identifier: Apache-2.0
"""The locations of a source line in loaded types: every copy that the compiler made of it.

A line may begin twice on the way through one statement (`sum(one(),` and the call itself, behind
the arguments on the next line): it is stopped at once. Called by the resolver with the line tables,
after source maps.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from typing import TYPE_CHECKING

from jvmdebug.breakpoints.location import (
    BreakpointLocation,
    Resolution,
    code_location,
    names,
)
from jvmdebug.classfile import instructions

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from jvmdebug.breakpoints.source_shape import SourceShape
    from jvmdebug.model.location import Location
    from jvmdebug.model.method import Method
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.sources import LineSpec, SourceLine


async def line_locations(
    spec: LineSpec,
    types: Collection[ReferenceType],
    tables: Sequence[Mapping[SourceLine, tuple[Location, ...]]],
    shape: SourceShape | None,
) -> Resolution:
    """The line, or the next one with code as far as it may slide."""
    if not types:
        return Resolution(
            message=f"no class of {spec.path or spec.type_name} is loaded", is_pending=True
        )
    lines = {each.line for table in tables for each in table}
    if not lines:
        return Resolution(message=f"{names(types)} has no line numbers; compile it with -g:lines")
    # Without the text, code of another declaration cannot be told from code of the line's own.
    last = spec.line if shape is None else shape.last_line_to_slide_to(spec.line)
    line = min((line for line in lines if spec.line <= line <= last), default=None)
    if line is None:
        if shape is not None and shape.ends_before(spec.line):
            return Resolution(message=f"{spec.path or spec.type_name} has no line {spec.line}")
        message = f"no code at line {spec.line} in a class that is loaded"
        awaited = None if shape is None else shape.awaited_at(spec.line, lines)
        if awaited is not None:
            message += f": waits for {awaited}"
        return Resolution(message=message, is_pending=True)
    found = [
        code_location(location, source_location)
        for table in tables
        for source_location, locations in table.items()
        if source_location.line == line
        for location in await _once_each(locations)
    ]
    elsewhere = [each for each in found if not _is_made_here(each)]
    return Resolution(tuple(elsewhere or found))


def _is_made_here(location: BreakpointLocation) -> bool:
    """Whether it is the constructor of an anonymous class, which the compiler puts on the line of
    the `new` that calls it.
    """
    is_constructor = location.method_name == "<init>"
    return is_constructor and location.type_name.rpartition("$")[2].isdigit()


async def _once_each(locations: Sequence[Location]) -> list[Location]:
    """Without those that are always reached through another one of the same method."""
    by_method: defaultdict[Method, list[Location]] = defaultdict(list)
    for location in locations:
        by_method[location.method].append(location)
    kept = await asyncio.gather(*map(_without_later_parts, by_method.values()))
    return [location for several in kept for location in several]


async def _without_later_parts(locations: Sequence[Location]) -> Sequence[Location]:
    method = locations[0].method
    if len(locations) == 1 or not method.declaring_type.vm.capabilities.can_get_bytecodes:
        return locations
    code = list(instructions(await method.bytecodes()))
    targets = {target for each in code for target in each.targets}
    ends = {each.index + each.size for each in code if each.targets or not each.falls_through}
    kept: list[Location] = []
    before = 0
    for location in sorted(locations, key=lambda each: each.index):
        # A handler of exceptions begins behind a jump or a return, in what compilers make.
        is_apart = any(before < each <= location.index for each in targets | ends)
        if not kept or is_apart:
            kept.append(location)
        before = location.index
    return kept
