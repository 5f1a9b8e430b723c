# SPDX-License-Identifier: Apache-2.0
"""Tells which way a method's code may go, by branches and handlers of exceptions. Pure; called by
`breakpoints.line_locations`.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from jvmdebug.classfile.bytecode import exception_entries, instructions
from jvmdebug.classfile.stack_depth import stack_change

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from jvmdebug.classfile.bytecode import Instruction
    from jvmdebug.classfile.constant_pool import ConstantPool

_RETHROWING: Final = ("aload", "monitorexit", "athrow")


@dataclass(frozen=True, slots=True)
class CodeFlow:
    """The code as blocks, each named by the code index where it begins."""

    next_blocks: Mapping[int, tuple[int, ...]]
    """Where each block may go on."""
    begins: tuple[int, ...]
    """Where the method begins, and handlers of exceptions: it is not known what they are for."""
    lone_jumps: Mapping[int, int]
    """The blocks that only jump, and where to."""
    rethrows: frozenset[int]
    """The blocks that only throw an exception again, and release a monitor before."""
    depths: Mapping[int, int] = field(default_factory=dict)
    """How many slots are on the operand stack where a block begins; 0 at a handler. Empty if the
    constants of the class are not known.
    """
    suppresses: frozenset[int] = frozenset()
    """The blocks that add an exception to another one, as code does that closes resources."""

    def may_come_first(self, block: int, begins: Iterable[int], before: Collection[int]) -> bool:
        """Whether the block can be reached from `begins`, or reached once more, without passing one
        of those `before`.
        """
        return self._reaches(block, [*begins, *self.next_blocks[block]], set(before) - {block})

    def is_reached(self, block: int, begins: Iterable[int]) -> bool:
        """Whether the block can be reached from one of `begins`."""
        return self._reaches(block, list(begins), set())

    def comes_before(self, block: int, others: Iterable[int]) -> bool:
        """Whether all of those can be reached from the beginning by passing the block only."""
        return not any(self._reaches(each, list(self.begins), {block}) for each in others)

    def leads_to(self, block: int, other: int) -> bool:
        """Whether the code may go on from one block to the other."""
        return self._reaches(other, list(self.next_blocks[block]), set())

    def in_order(self, blocks: Iterable[int]) -> list[int]:
        """The blocks in order, each behind the ones that always come before it, as far as there
        are.
        """
        wanted, found, seen = set(blocks), list[int](), set[int]()
        for begin in reversed(self.begins):
            waiting = [(begin, iter(self.next_blocks[begin]))] if begin not in seen else []
            seen.add(begin)
            while waiting:
                block, following = waiting[-1]
                each = next((each for each in following if each not in seen), None)
                if each is not None:
                    seen.add(each)
                    waiting.append((each, iter(self.next_blocks[each])))
                    continue
                waiting.pop()
                if block in wanted:
                    found.append(block)
        return [*reversed(found), *sorted(wanted - set(found))]

    def _reaches(self, block: int, waiting: list[int], seen: set[int]) -> bool:
        while waiting:
            each = waiting.pop()
            if each in seen:
                continue
            if each == block:
                return True
            seen.add(each)
            waiting += self.next_blocks[each]
        return False


def code_flow(
    code: bytes, places: Iterable[int], constants: ConstantPool | None = None
) -> CodeFlow:
    """The flow of a method's code; each of the code indexes `places` begins a block.

    A handler of exceptions is recognized by that no instruction leads to it.
    """
    by_index = {each.index: each for each in instructions(code)}
    entries = set(exception_entries(code).values())
    starts = _starts(by_index.values(), {0, *places, *entries})
    blocks = _Blocks(by_index, tuple(sorted(starts & by_index.keys())))
    following = {start: tuple(blocks.following(start)) for start in blocks.starts}
    return CodeFlow(
        following,
        tuple(each for each in (0, *sorted(entries)) if each in following),
        dict(blocks.lone_jumps()),
        blocks.rethrows(),
        {} if constants is None else blocks.depths(following, entries, constants),
        frozenset() if constants is None else blocks.suppresses(constants),
    )


def _starts(code: Iterable[Instruction], starts: set[int]) -> set[int]:
    for each in code:
        if each.targets or not each.falls_through:
            starts.update(each.targets)
            starts.add(each.index + each.size)
    return starts


def _is_suppressing(instruction: Instruction, constants: ConstantPool) -> bool:
    if instruction.mnemonic != "invokevirtual" or instruction.constant is None:
        return False
    member = constants.find_member(instruction.constant)
    return member is not None and member[1:] == ("addSuppressed", "(Ljava/lang/Throwable;)V")


class _Blocks:
    """The instructions between the starts of two blocks."""

    def __init__(self, by_index: Mapping[int, Instruction], starts: tuple[int, ...]) -> None:
        self.starts = starts
        self._by_index = by_index
        self._of: dict[int, list[Instruction]] = {start: [] for start in starts}
        for index, instruction in by_index.items():
            self._of[starts[bisect_right(starts, index) - 1]].append(instruction)

    def following(self, start: int) -> Iterable[int]:
        last = self._of[start][-1]
        behind = last.index + last.size
        targets = [each for each in last.targets if each in self._of]
        if last.falls_through and behind in self._of:
            targets.append(behind)
        return targets

    def lone_jumps(self) -> Iterable[tuple[int, int]]:
        for start, block in self._of.items():
            if block[0].mnemonic in ("goto", "goto_w"):
                yield start, block[0].targets[0]

    def rethrows(self) -> frozenset[int]:
        return frozenset(
            start
            for start, block in self._of.items()
            if block[-1].mnemonic == "athrow"
            and all(each.mnemonic.startswith(_RETHROWING) for each in block)
        )

    def suppresses(self, constants: ConstantPool) -> frozenset[int]:
        return frozenset(
            start
            for start, block in self._of.items()
            if any(_is_suppressing(each, constants) for each in block)
        )

    def depths(
        self,
        following: Mapping[int, Sequence[int]],
        entries: Collection[int],
        constants: ConstantPool,
    ) -> dict[int, int]:
        """The depths by the way on which a block is reached first: a verified method has one depth
        there.
        """
        found = {0: 0}
        waiting = [0]
        for each in entries:
            if each in self._of:
                found[each] = 1  # the exception
                waiting.append(each)
        while waiting:
            start = waiting.pop()
            behind = found[start]
            for instruction in self._of[start]:
                behind += stack_change(instruction, constants)
            for each in following[start]:
                if each not in found:
                    found[each] = behind
                    waiting.append(each)
        return found | dict.fromkeys((each for each in entries if each in found), 0)
