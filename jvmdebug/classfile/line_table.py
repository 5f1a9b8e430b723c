# SPDX-License-Identifier: Apache-2.0
"""Tells which line an instruction belongs to (JVMS 4.7.12), read from a class file or given by the
VM.
"""

from __future__ import annotations

from dataclasses import dataclass

from jvmdebug.classfile.reader import Reader


@dataclass(frozen=True, slots=True)
class LineTable:
    """The beginnings of lines in a method's code: pairs (code index, line), sorted by index.

    A line may come several times (`finally`, loops). Empty without debug information.
    """

    lines: tuple[tuple[int, int], ...] = ()

    @classmethod
    def read(cls, content: bytes) -> LineTable:
        """The content of a `LineNumberTable` attribute."""
        reader = Reader(content)
        lines = [(reader.u2(), reader.u2()) for _ in range(reader.u2())]
        reader.expect_end("a LineNumberTable")
        return cls(tuple(sorted(lines)))

    def encode(self) -> bytes:
        """The content of the attribute."""
        numbers = (len(self.lines), *(number for pair in self.lines for number in pair))
        return b"".join(number.to_bytes(2) for number in numbers)

    def line_at(self, index: int) -> int | None:
        """The line that the instruction at this code index belongs to.

        What comes before the first entry belongs to the first line, as the agents have it in steps.
        """
        found = self.lines[0][1] if self.lines else None
        for start, line in self.lines:
            if start > index:
                break
            found = line
        return found

    def indexes_of(self, line: int) -> tuple[int, ...]:
        """Every code index where the line begins: each copy that the compiler made of it."""
        return tuple(index for index, found in self.lines if found == line)
