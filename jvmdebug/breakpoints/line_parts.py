# SPDX-License-Identifier: Apache-2.0
"""The parts of a source line: its own code, and each lambda whose code begins on it.

A breakpoint on a line stops in the line's own code; a lambda on the line is another part, which is
chosen by its number or by a column. Compilers put each lambda into a method of its own
(`lambda$add$0`, `add$lambda$0`), or, where Kotlin inlines it, into a range of the method. Which of
them is which lambda of the source is told by their order: in class files of javac, methods of
lambdas stand in the reverse order of their ends in the source, whatever their numbers. Without the
source the order tells the number, and nothing the column. Where code and source do not fit together
a line has no parts, and a breakpoint stops in all of it. Called by `line_locations`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from jvmdebug.model.method import is_body_name
from jvmdebug.sources.inlining import LAMBDA_MARK, inline_scopes

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from jvmdebug.breakpoints.lambda_extents import LambdaExtent
    from jvmdebug.breakpoints.location import BreakpointLocation
    from jvmdebug.sources import LinePart, LineSpec

_NUMBERS: Final = re.compile(r"\d+")
_FUNCTION_OF: Final = re.compile(rf"{re.escape(LAMBDA_MARK)}-([^-]*)-")


@dataclass(frozen=True, slots=True)
class BreakablePart:
    """A part of a line where a breakpoint may be set: its own code, or a lambda."""

    line: int
    part: LinePart
    """`line`, or the number of the lambda, from 1."""
    column: int | None
    """The column where it begins, in UTF-16 code units from 1; None if the source is not known."""
    text: str
    """The text of the lambda on one line, cut if it is long; empty for the line's own code."""


@dataclass(slots=True)
class _Body:
    """The locations of one lambda."""

    order: tuple[object, ...]
    locations: list[BreakpointLocation] = field(default_factory=list)
    function: str | None = None
    """The inline function that it is passed to; None if it is a method of its own."""


@dataclass(slots=True)
class LineParts:
    """The parts of one line with code."""

    own: list[BreakpointLocation] = field(default_factory=list)
    """The line's own code."""
    lambdas: dict[int, list[BreakpointLocation]] = field(default_factory=dict)
    """Number from 1, in the order of the text → the code."""

    def chosen(
        self, part: LinePart, every: Sequence[BreakpointLocation]
    ) -> Sequence[BreakpointLocation]:
        """The locations of a part. A line without code of its own is that of its first lambda."""
        if part == "all":
            return every
        if isinstance(part, int):
            return self.lambdas.get(part, ())
        return self.own or self.lambdas.get(1, ()) or every


def at_line(lambdas: Iterable[LambdaExtent], line: int) -> list[LambdaExtent]:
    """The lambdas that begin on a line, with their code, in the order of the text."""
    here = [each for each in lambdas if each.line == line and each.is_part]
    return sorted(here, key=lambda each: each.column)


def part_at(spec: LineSpec, line: int, lambdas: Iterable[LambdaExtent]) -> LinePart:
    """The part that a spec means: by its column the innermost lambda there."""
    if spec.column is None or spec.line != line:
        return spec.part
    here = at_line(lambdas, line)
    found = [at for at, each in enumerate(here, 1) if each.has(line, spec.column)]
    return found[-1] if found else "line"


async def parts_of(
    locations: Sequence[BreakpointLocation], line: int, lambdas: Sequence[LambdaExtent] | None
) -> LineParts:
    """The parts of a line with these locations; `lambdas`: those of the source, if it is known."""
    parts = LineParts()
    for group in _by_class(locations):
        plain, bodies = await _split(group)
        mapped = _numbered(plain, bodies, line, lambdas)
        for body in bodies:
            number = mapped.get(id(body))
            where = parts.own if number is None else parts.lambdas.setdefault(number, [])
            where.extend(body.locations)
        parts.own.extend(plain)
    return parts


def _by_class(locations: Sequence[BreakpointLocation]) -> list[list[BreakpointLocation]]:
    """Group locations by the class whose lambdas they are; those of Kotlin may be classes."""
    groups: defaultdict[object, list[BreakpointLocation]] = defaultdict(list)
    for each in locations:
        is_kotlin = (each.source_path or "").endswith(".kt")
        type_ = None if each.code is None else each.code.type
        groups[each.type_name.partition("$")[0] if is_kotlin else type_].append(each)
    return list(groups.values())


async def _split(
    locations: Sequence[BreakpointLocation],
) -> tuple[list[BreakpointLocation], list[_Body]]:
    """The code that is in no lambda, and the lambdas in the order of their ends."""
    plain: list[BreakpointLocation] = []
    bodies: dict[object, _Body] = {}
    for each in locations:
        name = each.method_name or ""
        if each.code is None:
            plain.append(each)
            continue
        copies = [it for it in await inline_scopes(each.code) if it.is_lambda]
        if copies:
            key: object = copies[-1].name
            named = _FUNCTION_OF.match(copies[-1].name)
            body = _Body((0, each.index or 0), function=named[1] if named else "")
        elif name.startswith("lambda$"):
            methods = await each.code.type.methods()
            key = each.code.method
            body = _Body((1, -methods.index(each.code.method)))
        elif is_body_name(name) or _is_lambda_class(each):
            key = each.code.method
            numbers = tuple(map(int, _NUMBERS.findall(f"{each.type_name}.{name}")))
            # A nested one has the numbers of the one around it and more, and ends before it.
            body = _Body((1, *numbers, float("inf")))
        else:
            plain.append(each)
            continue
        bodies.setdefault(key, body).locations.append(each)
    return plain, sorted(bodies.values(), key=lambda each: each.order)


def _is_lambda_class(location: BreakpointLocation) -> bool:
    """Whether a class of Kotlin is that of a lambda: `CartKt$total$1.invoke`."""
    is_kotlin = (location.source_path or "").endswith(".kt")
    is_called = location.method_name in ("invoke", "invokeSuspend")
    return is_kotlin and is_called and location.type_name.rpartition("$")[2].isdigit()


def _numbered(
    plain: Sequence[BreakpointLocation],
    bodies: Sequence[_Body],
    line: int,
    lambdas: Sequence[LambdaExtent] | None,
) -> dict[int, int]:
    """The id of a body → the number of its lambda; those that begin on earlier lines have none."""
    if lambdas is None:
        numbered = bodies if plain else ()
        return {id(body): number for number, body in enumerate(numbered, 1)}
    numbers = {id(each): at for at, each in enumerate(at_line(lambdas, line), 1)}
    found: dict[int, int] = {}
    inlined = [each for each in bodies if each.function is not None]
    begun = [each for each in lambdas if id(each) in numbers]
    for body in inlined:
        same = next((each for each in begun if each.callee == body.function), None)
        if same is not None:
            begun.remove(same)
            found[id(body)] = numbers[id(same)]
    own = [each for each in bodies if each.function is None]
    for body, extent in _paired(own, begun, line, lambdas, is_alone=not plain):
        if id(extent) in numbers:
            found[id(body)] = numbers[id(extent)]
    return found


def _paired(
    bodies: Sequence[_Body],
    begun: Sequence[LambdaExtent],
    line: int,
    lambdas: Sequence[LambdaExtent],
    *,
    is_alone: bool,
) -> Iterable[tuple[_Body, LambdaExtent]]:
    """Bodies with their lambdas, both in the order of their ends; nothing if they do not fit."""
    if len(bodies) == len(begun):
        return zip(bodies, begun, strict=True)
    touching = [each for each in lambdas if each in begun or (each.line <= line <= each.last)]
    if len(bodies) == len(touching):
        return zip(bodies, touching, strict=True)
    if is_alone and len(bodies) == len(begun) + 1:  # the last one is around them
        return zip(bodies[:-1], begun, strict=True)
    return ()


def shown_parts(
    line: int, numbers: Iterable[int], lambdas: Sequence[LambdaExtent] | None, indent: int | None
) -> list[BreakablePart]:
    """The parts of a line whose lambdas have these numbers; `indent`: the column of its text."""
    here = at_line(lambdas or (), line)
    shown = [BreakablePart(line, "line", indent, "")]
    for number in sorted(numbers):
        extent = here[number - 1] if number <= len(here) else None
        column, text = (None, "") if extent is None else (extent.column, extent.text)
        shown.append(BreakablePart(line, number, column, text))
    return shown
