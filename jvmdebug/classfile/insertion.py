# SPDX-License-Identifier: Apache-2.0
"""Inserts instructions into the code of one method and mends what counts by code indexes.

Each insertion is as long as a multiple of four, so that the padding of switches stays as it is and
every instruction keeps its size. Jumps, handlers, lines, variables and stack map frames (JVMS 4.7)
are moved. Pure; called by `editor`.
"""

from __future__ import annotations

import dataclasses
from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jvmdebug.classfile.attributes import ExceptionHandler
from jvmdebug.classfile.bytecode import NOT_AN_INSTRUCTION, instructions
from jvmdebug.classfile.line_table import LineTable
from jvmdebug.classfile.opcodes import Op
from jvmdebug.classfile.reader import Reader
from jvmdebug.classfile.stack_map_frames import moved_frames
from jvmdebug.errors import ClassFileError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jvmdebug.classfile.attributes import Code
    from jvmdebug.classfile.bytecode import Instruction
    from jvmdebug.classfile.class_file import Attribute

_LONGEST_CODE: Final = 0xFFFF
_ALIGNED: Final = 4
_BRANCH: Final = 3
"""The size of a jump whose offset has two bytes."""
_WITH_INDEXES: Final = frozenset(
    {"RuntimeVisibleTypeAnnotations", "RuntimeInvisibleTypeAnnotations"}
)
"""Attributes that only tools read, and that are left out of changed code."""


@dataclass(frozen=True, slots=True)
class Insertion:
    """Instructions that come before the one at a code index."""

    index: int
    content: bytes
    is_passed_by_jumps: bool = False
    """Whether a jump to the index goes behind it: so does what runs once at the beginning."""

    @property
    def padded(self) -> bytes:
        return self.content + bytes((Op.NOP,)) * (-len(self.content) % _ALIGNED)


class MovedIndexes:
    """Maps code indexes of the old code to the new."""

    def __init__(self, insertions: Iterable[Insertion]) -> None:
        self._at: dict[int, tuple[int, int]] = {}
        for each in insertions:
            passed, others = self._at.get(each.index, (0, 0))
            size = len(each.padded)
            self._at[each.index] = (
                (passed + size, others) if each.is_passed_by_jumps else (passed, others + size)
            )
        self._indexes = sorted(self._at)
        self._before = [0]
        for index in self._indexes:
            self._before.append(self._before[-1] + sum(self._at[index]))

    def target(self, index: int) -> int:
        """The new target of a jump to the instruction: before what is inserted there."""
        return index + self._before[bisect_left(self._indexes, index)] + self._passed(index)

    def instruction(self, index: int) -> int:
        """The new index of the instruction itself."""
        before = self._before[bisect_left(self._indexes, index)]
        return index + before + sum(self._at.get(index, (0, 0)))

    def _passed(self, index: int) -> int:
        return self._at.get(index, (0, 0))[0]


def with_insertions(code: Code, insertions: Iterable[Insertion], more_stack: int) -> Code:
    """The code with all of them. `more_stack`: what they need beyond what is there.

    ClassFileError if it becomes too long, or a jump too far.
    """
    wanted = sorted(insertions, key=lambda each: (each.index, not each.is_passed_by_jumps))
    moved = MovedIndexes(wanted)
    by_index: dict[int, list[Insertion]] = {}
    for each in wanted:
        by_index.setdefault(each.index, []).append(each)
    parts: list[bytes] = []
    for instruction in instructions(code.code):
        if instruction.mnemonic == NOT_AN_INSTRUCTION:
            raise ClassFileError(f"what is at code index {instruction.index} is no instruction")
        parts += (each.padded for each in by_index.pop(instruction.index, ()))
        parts.append(_relocated(code.code, instruction, moved))
    if by_index:
        raise ClassFileError(f"no instruction begins at code index {min(by_index)}")
    content = b"".join(parts)
    if len(content) > _LONGEST_CODE:
        raise ClassFileError(f"the method would have {len(content)} bytes of code: 65,535 at most")
    return dataclasses.replace(
        code,
        max_stack=code.max_stack + more_stack,
        code=content,
        handlers=tuple(_moved_handler(each, moved) for each in code.handlers),
        attributes=tuple(
            dataclasses.replace(each, content=_moved_attribute(each, moved))
            for each in code.attributes
            if each.name not in _WITH_INDEXES
        ),
    )


def _relocated(code: bytes, instruction: Instruction, moved: MovedIndexes) -> bytes:
    """The bytes of an instruction, with the offsets of its jumps from where it is now."""
    at, size = instruction.index, instruction.size
    old = code[at : at + size]
    if not instruction.targets:
        return old
    here = moved.instruction(at)
    offsets = [moved.target(each) - here for each in instruction.targets]
    if instruction.mnemonic.endswith("switch"):
        return _switch(instruction, offsets, old)
    width = 2 if size == _BRANCH else 4
    try:
        return old[:1] + offsets[0].to_bytes(width, signed=True)
    except OverflowError:
        raise ClassFileError(f"the jump at code index {at} would be too far") from None


def _switch(instruction: Instruction, offsets: list[int], old: bytes) -> bytes:
    padding = 3 - instruction.index % 4
    *cases, default = (each.to_bytes(4, signed=True) for each in offsets)
    head = old[: 1 + padding] + default
    if instruction.mnemonic == "tableswitch":
        return head + old[1 + padding + 4 : 1 + padding + 12] + b"".join(cases)
    pairs = (
        key.to_bytes(4, signed=True) + case
        for key, case in zip(instruction.keys, cases, strict=True)
    )
    return head + len(cases).to_bytes(4) + b"".join(pairs)


def _moved_handler(handler: ExceptionHandler, moved: MovedIndexes) -> ExceptionHandler:
    return ExceptionHandler(
        moved.target(handler.start),
        moved.target(handler.end),
        moved.target(handler.handler),
        handler.catch_type,
    )


def _moved_attribute(attribute: Attribute, moved: MovedIndexes) -> bytes:
    match attribute.name:
        case "LineNumberTable":
            lines = LineTable.read(attribute.content).lines
            # What runs at the beginning belongs to the first line.
            return LineTable(tuple((at and moved.target(at), line) for at, line in lines)).encode()
        case "LocalVariableTable" | "LocalVariableTypeTable":
            return _moved_variables(attribute.content, moved)
        case "StackMapTable":
            return moved_frames(attribute.content, moved.target, moved.instruction)
        case _:
            return attribute.content


def _moved_variables(content: bytes, moved: MovedIndexes) -> bytes:
    reader = Reader(content)
    count = reader.u2()
    parts = [count.to_bytes(2)]
    for _ in range(count):
        start, length = reader.u2(), reader.u2()
        first, end = start and moved.target(start), moved.target(start + length)
        parts.append(first.to_bytes(2) + (end - first).to_bytes(2) + reader.raw(6))
    return b"".join(parts)
