# SPDX-License-Identifier: Apache-2.0
"""The locations of a source line in loaded types: every copy that the compiler made of the line.

A line may begin twice within one statement (`sum(one(),`, and the call itself behind the arguments
on the next line); it stops only once (`line_passes`). The lambdas on a line are parts of their own
(`line_parts`). Called by the resolver with the line tables,
after source maps.

Which line has the code depends on the lines of all types. A program may load a class of a file
again and again (each time by another class loader): `LineSearch` then looks at that type alone.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from jvmdebug.breakpoints.line_index import all_lines
from jvmdebug.breakpoints.line_parts import at_line, part_at, parts_of
from jvmdebug.breakpoints.line_passes import pass_beginnings
from jvmdebug.breakpoints.location import (
    BreakpointLocation,
    Resolution,
    code_location,
    names,
)
from jvmdebug.together import together

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from jvmdebug.breakpoints.line_index import LineIndex
    from jvmdebug.breakpoints.line_parts import LineParts
    from jvmdebug.breakpoints.source_shape import SourceShape
    from jvmdebug.model.location import Location
    from jvmdebug.model.method import Method
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.sources import LineSpec


class LineSearch:
    """What a search for a line has found. It holds as long as only types with known lines are
    added.
    """

    def __init__(
        self,
        spec: LineSpec,
        lines: frozenset[int],
        line: int | None,
        found: Resolution,
        shape: SourceShape | None,
    ) -> None:
        """`lines`: all lines with code; `line`: the one that was chosen."""
        self._spec = spec
        self._shape = shape
        self._lines = lines
        self._line = line
        self._found = found
        self._is_whole = (
            bool(found.locations)
            and not _has_lambda_classes(spec, line, shape)
            and not any(map(_is_made_here, found.locations))
        ) or (line is None and bool(lines))

    def holds_with(self, index: LineIndex) -> bool:
        """Whether a type with these lines changes no locations in other types."""
        return self._is_whole and (self._lines is index.lines or self._lines >= index.lines)

    def stands_in(self, indexes: Iterable[LineIndex]) -> bool:
        """Whether these types alone have all lines of which the locations depend."""
        return self._is_whole and any(self._lines <= each.lines for each in indexes)

    async def added(self, indexes: Iterable[LineIndex]) -> Resolution:
        """The locations in such types."""
        if self._line is None:
            return self._found
        found = await _at_line(indexes, self._line)
        elsewhere = [each for each in found if not _is_made_here(each)]
        chosen = await _part(self._spec, self._line, elsewhere, self._shape)
        return Resolution(tuple(chosen), self._found.message)


async def line_locations(
    spec: LineSpec,
    types: Collection[ReferenceType],
    indexes: Sequence[LineIndex],
    shape: SourceShape | None,
) -> tuple[Resolution, LineSearch]:
    """The locations of the line, or of the line with code to which it may move."""
    lines = all_lines(indexes)
    line, found = _line_of(spec, types, lines, shape)
    if line is not None:
        at_line = await _at_line(indexes, line)
        elsewhere = [each for each in at_line if not _is_made_here(each)]
        moved = None if line == spec.line else f"moved to line {line}"
        chosen = await _part(spec, line, elsewhere or at_line, shape)
        found = Resolution(tuple(chosen), moved)
        if not chosen:
            found = Resolution(message=f"no lambda {spec.part} on line {line}", is_pending=True)
    return found, LineSearch(spec, lines, line, found, shape)


def _has_lambda_classes(spec: LineSpec, line: int | None, shape: SourceShape | None) -> bool:
    """Whether lambdas on the line may be classes of their own, as in Kotlin."""
    if shape is None or line is None or not (spec.path or "").endswith(".kt"):
        return False
    return bool(at_line(shape.lambdas or (), line))


async def _part(
    spec: LineSpec,
    line: int,
    locations: Sequence[BreakpointLocation],
    shape: SourceShape | None,
) -> Sequence[BreakpointLocation]:
    """The locations of the part of the line that is meant."""
    lambdas = None if shape is None else shape.lambdas
    part = part_at(spec, line, lambdas or ())
    if part == "all" or (part == "line" and len(locations) == 1):
        return locations
    return (await parts_of(locations, line, lambdas)).chosen(part, locations)


async def line_parts(
    indexes: Sequence[LineIndex], line: int, shape: SourceShape | None
) -> LineParts:
    """The parts of a line with code."""
    found = await _at_line(indexes, line)
    return await parts_of(found, line, None if shape is None else shape.lambdas)


async def _at_line(indexes: Iterable[LineIndex], line: int) -> list[BreakpointLocation]:
    return [
        code_location(location, source_location)
        for index in indexes
        for source_location, locations in index.at(line)
        for location in await _once_each(locations)
    ]


def _line_of(
    spec: LineSpec,
    types: Collection[ReferenceType],
    lines: Collection[int],
    shape: SourceShape | None,
) -> tuple[int | None, Resolution]:
    """The line with the code; None with the reason if there is none."""
    if not types:
        return None, Resolution(
            message=f"no class of {spec.path or spec.type_name} is loaded", is_pending=True
        )
    if not lines:
        return None, Resolution(
            message=f"{names(types)} has no line numbers; compile it with -g:lines"
        )
    if shape is not None:
        line = shape.line_with_code(spec.line, lines)
    else:  # code of another declaration looks the same as code of this line's
        line = spec.line if spec.line in lines else None
    if line is None:
        if shape is not None and shape.ends_before(spec.line):
            return None, Resolution(
                message=f"{spec.path or spec.type_name} has no line {spec.line}"
            )
        message = f"no code at line {spec.line} in a class that is loaded"
        awaited = None if shape is None else shape.awaited_at(spec.line, lines)
        if awaited is not None:
            message += f": waits for {awaited}"
        return None, Resolution(message=message, is_pending=True)
    return line, Resolution()


def _is_made_here(location: BreakpointLocation) -> bool:
    """Whether the compiler puts the code on the line that uses it: the constructor of an anonymous
    class, and the initializer of the class with the numbers for a `switch` over an enum.
    """
    is_made = location.method_name in ("<init>", "<clinit>")
    return is_made and location.type_name.rpartition("$")[2].isdigit()


async def _once_each(locations: Sequence[Location]) -> list[Location]:
    """Leave out the locations at which a pass through the line only continues."""
    by_method: defaultdict[Method, set[int]] = defaultdict(set)
    for location in locations:
        by_method[location.method].add(location.index)
    names = {method.name for method in by_method if not method.is_bridge}
    own = [method for method in by_method if not _is_forwarding(method, names)]
    found = await together(pass_beginnings(method, by_method[method]) for method in own)
    return [
        method.location(index)
        for method, begins in zip(own, found, strict=True)
        for index in begins
    ]


def _is_forwarding(method: Method, others: Collection[str]) -> bool:
    """Whether the compiler made the method on the line of the method that it calls or that calls
    it: a bridge, Kotlin's function for default arguments, the values of an enum.
    """
    if not method.is_synthetic:
        return False
    default = method.name.removesuffix("$default")
    return (
        (method.is_bridge and method.name in others)
        or (default != method.name and default in others)
        or (method.name == "$values" and "<clinit>" in others)
    )
