# SPDX-License-Identifier: Apache-2.0
"""The variables that names in the source mean at a stop, by the scopes of the class file.

For editors that show values at the ends of lines. A line belongs to a frame if its method has code
there, and a local variable to the lines of its range, with that of its declaration. Called by
`Scope`.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jvmdebug import display
from jvmdebug.model.method import is_body_name
from jvmdebug.session.variable import Variable, VariableKind
from jvmdebug.sources import source_line, source_variables
from jvmdebug.together import together

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from jvmdebug.model.method import LocalVariableSlot, Method
    from jvmdebug.model.variable import LocalVariable
    from jvmdebug.session.frame_handle import FrameHandle

_OF_THIS: Final = "this."
_ENDLESS: Final = 1 << 32


@dataclass(frozen=True, slots=True)
class _Code:
    """The lines of a method: pairs of the code index where each begins, and the line."""

    begins: tuple[tuple[int, int], ...]
    header_counts: bool
    """Whether the lines above the first one name its arguments: not in the body of a lambda."""

    @property
    def lines(self) -> frozenset[int]:
        return frozenset(line for _, line in self.begins)

    def in_range(self, start: int, end: int) -> set[int]:
        """The lines with code from `start` on, before `end`."""
        ends = [index for index, _ in self.begins[1:]] + [_ENDLESS]
        return {
            line
            for (index, line), next_index in zip(self.begins, ends, strict=True)
            if index < end and next_index > start
        }

    def has(self, line: int, start: int, end: int) -> bool:
        """Whether a variable with this range of code is named in the line."""
        if line in self.in_range(max(start - 1, 0), end):  # the store in front declares it
            return True
        first = min(self.lines, default=0)
        return start == 0 and self.header_counts and line < first


async def in_lines(
    frame: FrameHandle, mentions: Iterable[tuple[str, int]]
) -> list[Variable | None]:
    """See Scope.in_lines."""
    asked = list(mentions)
    method = (await frame.frame()).location.method
    code = await _code_of(method, frame.source_path)
    found = await _locals(frame, code, asked)
    others = [each for each in asked if each not in found and each[1] in code.lines]
    if others:
        found |= await _fields(frame, method, code, others)
    return [found.get(each) for each in asked]


async def _code_of(method: Method, path: str | None) -> _Code:
    """The code of a method as far as it is in that source."""
    entries = (await method.line_table()).lines
    places = await together(source_line(method.location(index)) for index, _ in entries)
    begins = tuple(
        (index, place.line)
        for (index, _), place in zip(entries, places, strict=True)
        if place is not None and place.path == path
    )
    return _Code(begins, header_counts=not is_body_name(method.name))


async def _locals(
    frame: FrameHandle, code: _Code, asked: Sequence[tuple[str, int]]
) -> dict[tuple[str, int], Variable]:
    """Finds the names of local variables that can be read now."""
    model = await frame.frame()
    slots = sorted(await source_variables(model), key=lambda each: each.slot)
    variables = {each.name: each for each in await frame.variables()}
    table = await model.location.method.variable_table() or ()
    ends = {(each.slot, each.start): each.start + each.length for each in table}
    found = {}
    for slot in slots:
        end = ends.get((slot.slot, slot.start), _ENDLESS)
        for name, line in asked:
            if name == slot.name and name in variables and code.has(line, _start(slot), end):
                found[name, line] = variables[name]
    return found


def _start(slot: LocalVariable | LocalVariableSlot) -> int:
    """The code index from which on the variable exists."""
    return 0 if slot.is_argument else slot.start


async def _fields(
    frame: FrameHandle, method: Method, code: _Code, asked: Sequence[tuple[str, int]]
) -> dict[tuple[str, int], Variable]:
    """The fields of `this`, what a local class has captured, and the static fields of the class,
    unless another variable of the line has the name: of a lambda there, or one out of scope.
    """
    fields = await _named_fields(frame)
    hidden = await _hidden(frame, method, code)
    found = {}
    for name, line in asked:
        variable = fields.get(name.removeprefix(_OF_THIS))
        if variable is not None and (name, line) not in hidden:
            found[name, line] = variable
    return found


async def _named_fields(frame: FrameHandle) -> dict[str, Variable]:
    this = await frame.this()
    every = [] if this is None else await this.children(raw=True)
    several = {name for name, count in Counter(each.name for each in every).items() if count > 1}
    statics = {
        each.name: Variable(
            frame,
            each.name,
            each.value,
            each.declared_type,
            each.evaluate_name,
            kind=VariableKind.FIELD,
            field=each.field,
        )
        for each in await display.statics_of(frame.declaring_type)
    }
    return statics | {each.name: each for each in every if each.name not in several}


async def _hidden(frame: FrameHandle, method: Method, code: _Code) -> set[tuple[str, int]]:
    """The names of local variables in lines of the method, and those of lambdas that begin
    there.
    """
    every = await frame.declaring_type.methods()
    bodies = [each for each in every if is_body_name(each.name) and each is not method]
    codes = await together(_code_of(each, frame.source_path) for each in bodies)
    tables = await together(each.variable_table() for each in (method, *bodies))
    found = set()
    for its, table in zip((code, *codes), tables, strict=True):
        for slot in table or ():
            lines = its.in_range(max(_start(slot) - 1, 0), slot.start + slot.length)
            if slot.is_argument and its is not code:
                lines |= _begin_of_lambda(code, min(its.lines, default=0))
            found |= {(slot.name, line) for line in lines}
    return found


def _begin_of_lambda(code: _Code, first: int) -> set[int]:
    """The line of the method in which a lambda begins whose body has `first` as its first line."""
    before = [line for line in code.lines if line <= first]
    return {max(before)} if before else set()
