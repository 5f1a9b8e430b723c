# SPDX-License-Identifier: Apache-2.0
"""Finds where a pass through a line begins, if the compiler wrote the line several times into a
method.

A breakpoint at each copy would be hit more than once in one pass: `return a` with `&& b` on the
next line comes back to its first line in order to return; `return f();` in a `try` comes back
behind the code of `finally`; a suspended function of Kotlin comes back when it is resumed. So a
location does not count if another location of the line always comes before it. One that can run
without another location of the line does count (a copy of a `finally` block, the update of a `for`
loop), unless the operand stack holds values there of a statement that was begun. Called by
`line_locations`.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final, NamedTuple

from jvmdebug.classfile.flow import code_flow
from jvmdebug.sources import constant_pool

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from jvmdebug.classfile import ConstantPool, LineTable
    from jvmdebug.classfile.flow import CodeFlow
    from jvmdebug.model.method import Method
    from jvmdebug.model.reference_type import ReferenceType

_MOST_WORK: Final = 3_000_000
"""The most bytes of code times locations of the line. Beyond that, all locations are kept."""
_CONTINUATION: Final = "Lkotlin/coroutines/Continuation;"
_LARGE_CODE: Final = 2_000
"""The number of bytes from which on the flow is followed off the event loop."""


async def pass_beginnings(method: Method, indexes: Collection[int]) -> tuple[int, ...]:
    """The code indexes in a method where a pass through a line begins.

    May return an index that is not among the given ones, where the line's statement begins.

    Sends no request if the line is in the method once, or if this was found out for another class
    of the same class file. Otherwise it requests the bytecode and, if
    that does not decide it, the constants of the class; both are cached. The class file would tell
    which code a handler covers, but requesting it changes the class in some VMs.
    """
    if len(indexes) == 1 or not method.declaring_type.vm.capabilities.can_get_bytecodes:
        return tuple(indexes)
    places = tuple(sorted(indexes))

    async def find() -> tuple[int, ...]:
        return await _beginnings(method, places)

    return await method.derived_once(f"beginnings of passes among {places}", find)


class _LinedCode(NamedTuple):
    """The code of a method with its lines."""

    code: bytes
    lines: LineTable
    is_coroutine: bool
    """Whether it is a coroutine of Kotlin, which continues in the middle when it is
    called again.
    """


async def _beginnings(method: Method, places: tuple[int, ...]) -> tuple[int, ...]:
    bytecodes, lines = await asyncio.gather(method.bytecodes(), method.line_table())
    is_coroutine = method.name == "invokeSuspend" or _CONTINUATION in method.argument_types
    if len(bytecodes) * len(places) > _MOST_WORK:
        return places
    code = _LinedCode(bytecodes, lines, is_coroutine)
    found = await _followed(code, places)
    if len(found) == 1:
        return found
    constants = await _constants(method.declaring_type)
    return found if constants is None else await _followed(code, places, constants)


async def _constants(type_: ReferenceType) -> ConstantPool | None:
    methods = await type_.methods()

    async def find() -> tuple[object, ConstantPool | None]:
        return methods, await constant_pool(type_)

    _, found = await type_.derived(f"constants of {id(methods)}", find)
    return found


async def _followed(
    code: _LinedCode,
    places: tuple[int, ...],
    constants: ConstantPool | None = None,
) -> tuple[int, ...]:
    def follow() -> tuple[int, ...]:
        starts = [index for index, _ in code.lines.lines]
        flow = code_flow(code.code, starts, constants)
        return _beginnings_in(flow, places, code)

    return follow() if len(code.code) < _LARGE_CODE else await asyncio.to_thread(follow)


def _beginnings_in(flow: CodeFlow, places: tuple[int, ...], code: _LinedCode) -> tuple[int, ...]:
    left = [each for each in places if each in flow.next_blocks]
    left = _not_next_to_another(flow, left)
    left = [each for each in left if not _only_ends(flow, each, code.lines)] or left
    kept: list[int] = []
    begins = _begins_for(flow, places[0], code.lines)
    for each in flow.in_order(left):
        own = begins if flow.is_reached(each, begins) else flow.begins
        if flow.may_come_first(each, own, kept):
            kept.append(each)
    for each in [each for each in kept if flow.depths.get(each, 0)]:
        before = [other for other in kept if other != each and flow.leads_to(other, each)]
        if not before:
            continue
        if code.is_coroutine:  # resumed in the middle of the statement
            kept.remove(each)
            continue
        begin = _statement_of(flow, (each, *before), code.lines)
        if begin is not None:
            kept = [other for other in kept if other not in (each, *before)] + [begin]
    return tuple(sorted(kept)) or places


def _begins_for(flow: CodeFlow, place: int, lines: LineTable) -> list[int]:
    """The indexes from which code may reach the line first.

    A handler on a later line is left out: either it is inside the line's statement (`val a = try {
    … } catch …` in Kotlin), or it reaches the line only through a loop.
    """
    line = lines.line_at(place) or 0
    return [each for each in flow.begins if each == 0 or (lines.line_at(each) or 0) <= line]


def _statement_of(flow: CodeFlow, parts: tuple[int, ...], lines: LineTable) -> int | None:
    """The index where a statement begins whose first line comes later in its code: javac has
    `return a instanceof B b` with `&& c` on the next line begin on that next line and come back.
    """
    line = lines.line_at(parts[0])
    starts = [index for index, _ in lines.lines if index not in parts and index in flow.next_blocks]
    around = [each for each in starts if flow.comes_before(each, parts)]
    if line is None or not around:
        return None
    begin = flow.in_order(around)[len(around) - 1]
    its_line = lines.line_at(begin)
    is_of_statement = its_line is not None and its_line > line and not flow.depths.get(begin, 0)
    return begin if is_of_statement else None


def _only_ends(flow: CodeFlow, place: int, lines: LineTable) -> bool:
    """Whether only exceptions lead to the place, and the line only cleans up there: what
    `synchronized` and `try` are compiled to, on the line where they begin. The closing brace of
    `finally` is a line of its own.
    """
    line = lines.line_at(place)
    if place in flow.rethrows:
        above = lines.line_at(place - 1)
        return place in flow.begins or (line is not None and above is not None and above > line)
    if place not in flow.begins[1:]:
        return False
    end = min((index for index, other in lines.lines if index > place and other != line), default=0)
    return any(place <= each and (each < end or not end) for each in flow.suppresses)


def _not_next_to_another(flow: CodeFlow, places: Iterable[int]) -> list[int]:
    """Leave out places that are reached only from another one, and places that only jump to another
    one.
    """
    several = set(places)
    several -= {each for each in several if flow.lone_jumps.get(each) in several - {each}}
    before: dict[int, set[int]] = {each: set() for each in several}
    for block, following in flow.next_blocks.items():
        for each in following:
            if each in before:
                before[each].add(block)
    return sorted(
        each
        for each in several
        if each in flow.begins or not (len(before[each]) == 1 and before[each] <= several - {each})
    )
