# SPDX-License-Identifier: Apache-2.0
"""Memory references, which `readMemory` and `writeMemory` take.

The same memory keeps its reference, and memory that was read keeps it after its stop, so that a
memory view stays valid. A reference looks like the address of the first byte: editors rely on that.
"""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, Final

from jvmdebug_dap.errors import ErrorId, RequestError

if TYPE_CHECKING:
    from collections.abc import Hashable

    from jvmdebug import Memory

_BITS: Final = 36
"""No array has more bytes: 2**31 elements of 8 bytes."""


class MemoryReferences:
    """The memory references of one client."""

    def __init__(self) -> None:
        self._numbers: dict[Hashable, int] = {}
        self._memory: dict[int, Memory] = {}
        self._in_use: set[int] = set()
        self._next = count(1)

    def add(self, memory: Memory) -> str:
        """The reference of a memory, the same as before if it has one."""
        number = self._numbers.setdefault(memory.owner, next(self._next))
        self._memory[number] = memory
        return f"{number << _BITS:#x}"

    def memory(self, reference: str) -> tuple[Memory, int]:
        """The memory and the address of its first byte. Raises RequestError if it is unknown."""
        try:
            address = int(reference, 0)
        except ValueError:
            address = -1
        found = self._memory.get(address >> _BITS)
        if found is None or address % (1 << _BITS):
            text = f"arguments.memoryReference: {reference!r} was never given out, or is over"
            raise RequestError(ErrorId.STALE_REFERENCE, text)
        self._in_use.add(address >> _BITS)
        return found, address

    def drop_unused(self) -> None:
        """The program has resumed: forget memory that was not read."""
        self._memory = {n: each for n, each in self._memory.items() if n in self._in_use}
        self._numbers = {key: n for key, n in self._numbers.items() if n in self._in_use}

    def clear(self) -> None:
        """The program was replaced: forget all."""
        self._memory.clear()
        self._numbers.clear()
        self._in_use.clear()
