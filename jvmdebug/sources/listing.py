# SPDX-License-Identifier: Apache-2.0
"""The listing of a class without source: its bytecode as text, one instruction per line.

Owns the layout (which instruction is on which line) and the text. The layout needs the bytecodes
only, so that a frame's line costs little; constants, line and variable tables are requested when
the text is read. Called by the session.
"""

from __future__ import annotations

import asyncio
from bisect import bisect_left
from functools import cached_property
from typing import TYPE_CHECKING, Final

from jvmdebug.classfile import instructions
from jvmdebug.classfile.access import Access
from jvmdebug.model.location import Location
from jvmdebug.model.reference_type import InterfaceType
from jvmdebug.printable import one_line
from jvmdebug.sources.disassembly import constant_pool, disassemble
from jvmdebug.sources.spec import InstructionSpec

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmdebug.jdwp.ids import MethodId
    from jvmdebug.model.field import Field
    from jvmdebug.model.method import Method
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.sources.disassembly import DisassembledMethod

_WORDS: Final = (
    *((Access.PUBLIC, "public"), (Access.PRIVATE, "private"), (Access.PROTECTED, "protected")),
    *((Access.ABSTRACT, "abstract"), (Access.STATIC, "static"), (Access.FINAL, "final")),
    *((Access.SYNCHRONIZED, "synchronized"), (Access.NATIVE, "native")),
)


class ClassListing:
    """One loaded class as text. Lines are counted from 1; equal only to itself."""

    def __init__(
        self, type_: ReferenceType, fields: Sequence[Field], codes: Sequence[tuple[Method, bytes]]
    ) -> None:
        self.type = type_
        self._fields = fields
        self._heads: dict[MethodId, int] = {}
        self._lines: dict[tuple[MethodId, int], int] = {}
        self._locations: dict[int, Location] = {}
        self._text: str | None = None
        line = _HEADER_LINES + len(fields) + bool(fields)
        for method, code in codes:
            line += 1
            self._heads[method.id] = line
            for instruction in instructions(code):
                line += 1
                self._lines[method.id, instruction.index] = line
                self._locations[line] = Location(method, instruction.index)
            line += 2 if code else 1  # the brace and an empty line

    def __repr__(self) -> str:
        return f"ClassListing({self.name})"

    @classmethod
    async def of(cls, type_: ReferenceType) -> ClassListing:
        """The listing of a class: a round trip for its members and one for all code."""
        type_.vm.require("can_get_bytecodes", "showing the code of a class without source")
        methods, fields = await asyncio.gather(type_.methods(), type_.fields())
        codes = await asyncio.gather(*(method.bytecodes() for method in methods))
        return cls(type_, fields, list(zip(methods, codes, strict=True)))

    @property
    def _visible(self) -> str:
        """`shop.Cart$$Lambda` of the hidden class `shop.Cart$$Lambda/0x1f`."""
        return self.type.name.partition("/")[0]

    @property
    def name(self) -> str:
        """`Cart$Item.class`; `Cart$$Lambda.class` of a hidden class."""
        return f"{self._visible.rpartition('.')[2]}.class"

    @property
    def path(self) -> str:
        """`shop/Cart$Item.class`"""
        return f"{self._visible.replace('.', '/')}.class"

    @cached_property
    def lines(self) -> tuple[int, ...]:
        """The lines that hold an instruction, ascending."""
        return tuple(self._locations)

    def line_of(self, location: Location) -> int | None:
        """The line of an instruction; that of the head for a method without code."""
        key = (location.method.id, location.index)
        return self._lines.get(key) or self._heads.get(location.method.id)

    def location_at(self, line: int) -> Location | None:
        """The instruction on a line; None for a line that has none."""
        return self._locations.get(line)

    def spec_at(self, line: int) -> InstructionSpec | None:
        """The instruction on a line, or the first behind it, by names: valid in another VM too."""
        index = bisect_left(self.lines, line)
        if index == len(self.lines):
            return None
        location = self._locations[self.lines[index]]
        method = location.method
        return InstructionSpec(
            self.type.name, method.name, location.index, descriptor=method.signature
        )

    def line_of_spec(self, spec: InstructionSpec) -> int | None:
        """The line of the instruction of a spec."""
        for line, location in self._locations.items():
            method = location.method
            if location.index == spec.index and spec.selects(method.name, method.signature):
                return line
        return None

    async def as_text(self) -> str:
        """The whole text."""
        if self._text is None:
            methods, constants, source, superclass = await asyncio.gather(
                self.type.methods(),
                constant_pool(self.type),
                self.type.source_file(),
                self.type.superclass(),
            )
            found = await asyncio.gather(*(disassemble(each, constants) for each in methods))
            kind = "interface" if isinstance(self.type, InterfaceType) else "class"
            above = f" extends {superclass.name}" if superclass is not None else ""
            shown = [
                f"// The bytecode of {self.type.name}, whose source was not found.",
                f"// line of {source or 'the source'} | code index: instruction",
                f"{kind} {self.type.name}{above} {{",
                "",
                *(f"    {_words(each.modifiers)}{each.type_name} {each.name};"
                  for each in self._fields),
                *([""] if self._fields else []),
            ]  # fmt: skip
            for each in found:
                shown += _method_lines(each)
            # Each on one line, whatever is in a name: `lines` counts on that.
            self._text = "\n".join(one_line(each, None) for each in [*shown, "}", ""])
        return self._text


_HEADER_LINES: Final = 4


def _method_lines(found: DisassembledMethod) -> list[str]:
    method = found.method
    head = f"    {_words(method.modifiers)}{method.return_type_name} "
    if method.is_constructor or method.is_static_initializer:
        head = f"    {_words(method.modifiers)}"
    head += str(method).removeprefix(f"{method.declaring_type.name}.")
    if not found.instructions:
        return [f"{head};", ""]
    shown = [f"{head} {{"]
    for instruction in found.instructions:
        line = str(found.lines.get(instruction.index, ""))
        text = found.text(instruction).replace("\n", "\\n")
        shown.append(f"{line:>8} | {instruction.index:5}: {text}")
    return [*shown, "    }", ""]


def _words(modifiers: int) -> str:
    return "".join(f"{word} " for flag, word in _WORDS if modifiers & flag)
