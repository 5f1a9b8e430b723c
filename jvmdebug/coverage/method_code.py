# SPDX-License-Identifier: Apache-2.0
"""A method as coverage sees it: its instructions by their position, their lines, which have run.

Owns the way from the agent's flags to instructions. The agent sets flags at places from which the
rest follows: see native/classfile/coverage_sites.h. What has run and what does not count is for
`filters` and `analysis`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from jvmdebug.classfile.attributes import Code, ExceptionHandler
from jvmdebug.classfile.bytecode import Instruction, instructions

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from jvmdebug.classfile.class_file import ClassFile, Member

_REACHED: Final = 0
_JUMP: Final = 1
_SITE_SIZE: Final = 5


@dataclass(slots=True)
class Sites:
    """The flags of a method, by the index of the instruction. What has none is not in them."""

    reached: dict[int, bool] = field(default_factory=dict)
    """Whether control has come there."""
    branches: dict[int, tuple[bool, ...]] = field(default_factory=dict)
    """Of a conditional branch: whether it fell through, jumped. Of a switch: whether it went to
    each target, in the order of the operands, the default last."""

    @classmethod
    def read(cls, packed: bytes, flags: Iterator[bool]) -> Sites:
        """The sites of a method as the agent describes them, and the flags from its first on."""
        sites = cls()
        for at in range(0, len(packed), _SITE_SIZE):
            index = int.from_bytes(packed[at : at + 2])
            kind, count = packed[at + 2], int.from_bytes(packed[at + 3 : at + 5])
            found = tuple(next(flags) for _ in range(count))
            if kind == _REACHED:
                sites.reached[index] = found[0]
            else:
                sites.branches[index] = found
        return sites


class MethodCode:
    """The code of one method. Instructions are named by their position: the first is 0."""

    def __init__(self, parsed: ClassFile, member: Member, code: Code) -> None:
        self.parsed = parsed
        self.member = member
        self.all: list[Instruction] = list(instructions(code.code))
        self._at = {each.index: position for position, each in enumerate(self.all)}
        self.lines = self._lines(code)
        """The line of each instruction; None: it is not known."""
        self.handlers = [self._handler(each) for each in code.handlers]
        """With positions in place of code indexes."""

    def __len__(self) -> int:
        return len(self.all)

    def __getitem__(self, position: int) -> Instruction:
        return self.all[position]

    def at(self, index: int) -> int:
        """The position of the instruction at a code index; behind the last one for the end."""
        return self._at.get(index, len(self.all))

    def name(self, position: int) -> str:
        """The mnemonic without the number of a slot: `aload` for `aload_1` and `wide aload`."""
        if not 0 <= position < len(self.all):
            return ""
        mnemonic = self.all[position].mnemonic.removeprefix("wide ")
        head, _, tail = mnemonic.partition("_")
        return head if tail.isdigit() and head[1:] in ("load", "store") else mnemonic

    def local(self, position: int) -> int | None:
        """The slot that it reads or writes."""
        return self.all[position].local if 0 <= position < len(self.all) else None

    def called(self, position: int) -> tuple[str, str, str] | None:
        """Owner, name and descriptor of the field or method that it uses."""
        if not 0 <= position < len(self.all):
            return None
        constant = self.all[position].constant
        found = None if constant is None else self.parsed.constants.find_member(constant)
        return None if found is None else (found.owner, found.name, found.descriptor)

    def type_name(self, position: int) -> str | None:
        """The class that `new`, `checkcast` or `instanceof` names."""
        constant = self.all[position].constant if 0 <= position < len(self.all) else None
        return None if constant is None else self.parsed.constants.class_name(constant)

    def is_branch(self, position: int) -> bool:
        """Whether it may go several ways."""
        mnemonic = self.all[position].mnemonic
        return mnemonic.startswith("if") or mnemonic.endswith("switch")

    def targets(self, position: int) -> tuple[int, ...]:
        """The positions that a branch leads to, one for each way: the one behind a conditional
        branch and its target; the targets of a switch, each once.
        """
        instruction = self.all[position]
        found = tuple(map(self.at, instruction.targets))
        if instruction.mnemonic.startswith("if"):
            return (position + 1, *found)
        return tuple(dict.fromkeys(found))

    def ran(self, sites: Sites) -> tuple[set[int], dict[int, tuple[bool, ...]]]:
        """The positions of the instructions that have run; and for each branch whether it went each
        way, in the order of `targets`.
        """
        flagged = {self.at(index): is_set for index, is_set in sites.reached.items()}
        waiting = [position for position, is_set in flagged.items() if is_set]
        found: set[int] = set()
        ways: dict[int, tuple[bool, ...]] = {}

        def enter(position: int) -> None:
            if position not in flagged and position < len(self.all):
                waiting.append(position)

        while waiting:
            position = waiting.pop()
            if position in found:
                continue
            found.add(position)
            instruction = self.all[position]
            if self.is_branch(position):
                ways[position] = gone = self._ways(position, sites, flagged)
                for target, is_taken in zip(self.targets(position), gone, strict=True):
                    if is_taken:
                        enter(target)
                continue
            for target in instruction.targets:
                enter(self.at(target))
            if instruction.falls_through:
                enter(position + 1)
        return found, ways

    def _ways(self, position: int, sites: Sites, flagged: dict[int, bool]) -> tuple[bool, ...]:
        targets = self.targets(position)
        flags = sites.branches.get(self.all[position].index)
        if flags is None:
            # Without flags of its own: those of the targets tell; without them it is not known.
            return tuple(flagged.get(each, True) for each in targets)
        if self.all[position].mnemonic.startswith("if"):
            return flags
        gone = dict.fromkeys(targets, False)
        for target, is_set in zip(self.all[position].targets, flags, strict=True):
            gone[self.at(target)] |= is_set
        return tuple(gone.values())

    def _lines(self, code: Code) -> list[int | None]:
        starts: dict[int, int] = {}
        for attribute in code.attributes:
            if attribute.name == "LineNumberTable":
                content = attribute.content
                for at in range(2, len(content) - 3, 4):
                    starts[int.from_bytes(content[at : at + 2])] = int.from_bytes(
                        content[at + 2 : at + 4]
                    )
        lines: list[int | None] = []
        line = None
        for each in self.all:
            line = starts.get(each.index, line)
            lines.append(line)
        return lines

    def _handler(self, handler: ExceptionHandler) -> ExceptionHandler:
        return ExceptionHandler(
            self.at(handler.start),
            self.at(handler.end),
            self.at(handler.handler),
            handler.catch_type,
        )


def methods_of(parsed: ClassFile) -> Sequence[tuple[int, MethodCode]]:
    """The methods with code, each with its number in the class file."""
    found: list[tuple[int, MethodCode]] = []
    for number, member in enumerate(parsed.methods):
        attribute = member.attribute("Code")
        if attribute is not None:
            code = Code.read(attribute.content, parsed.constants)
            found.append((number, MethodCode(parsed, member, code)))
    return found
