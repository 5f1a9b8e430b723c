# SPDX-License-Identifier: Apache-2.0
"""Local variables of code without a variable table, by what its bytecode stores (JVMS 6.5).

The store instructions before a frame's code index say which slot holds what kind of value, and the
frames of a `StackMapTable` what holds where branches meet; names and declared types are lost. Pure;
called by Frame and `variables_from_file`.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from jvmdebug.classfile import instructions
from jvmdebug.classfile.descriptors import slot_count
from jvmdebug.classfile.stack_map_frames import frame_locals

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from jvmdebug.classfile import Code

_OBJECT: Final = "Ljava/lang/Object;"
_STORED: Final = {
    "istore": "I",
    "lstore": "J",
    "fstore": "F",
    "dstore": "D",
    "astore": _OBJECT,
}
_OF_TAG: Final = {1: "I", 2: "F", 3: "D", 4: "J", 5: _OBJECT, 7: _OBJECT}
"""Tag of a verification type → descriptor; no value that the program could use has another tag."""

_REMEMBERED: Final = 64
"""Methods whose stores are remembered."""


def stored_slots(code: bytes, before: int) -> dict[int, str]:
    """Slot → descriptor of what is stored there last before the code index, in order of slots.

    A reference has the descriptor of Object. Branches are not followed: a slot that is used for two
    things may be reported wrongly, and the VM then refuses to read it.
    """
    found: dict[int, str] = {}
    for index, slot, kind in _stores(code):
        if index >= before:
            break
        found[slot] = kind
    return dict(sorted(found.items()))


@lru_cache(maxsize=_REMEMBERED)
def _stores(code: bytes) -> tuple[tuple[int, int, str], ...]:
    """Code index, slot and descriptor of each store. Remembered: each breakpoint of a method and
    each of its frames asks, and a method may be 64 kB long.
    """
    return tuple(
        (each.index, each.local, _STORED[kind])
        for each in instructions(code)
        if (kind := each.mnemonic.removeprefix("wide ").partition("_")[0]) in _STORED
        and each.local is not None
    )


class VerifiedSlots:
    """The slots that hold a value wherever the code comes from, as the VM's verifier knows them."""

    def __init__(self, code: Code, arguments: Iterable[str], *, is_static: bool) -> None:
        """`arguments`: their descriptors. Raises ClassFileError if the code is not well formed."""
        frames = next(
            (each.content for each in code.attributes if each.name == "StackMapTable"), b"\0\0"
        )
        first = _first_locals(arguments, is_static=is_static)
        self._frames = frame_locals(frames, first)
        self._indexes = [index for index, _ in self._frames]
        self._stores = _stores(code.code)

    def before(self, index: int) -> Mapping[int, str]:
        """Slot → descriptor where the instruction at `index` begins, in order of slots. A reference
        has the descriptor of Object.
        """
        start, tags = self._frames[bisect_right(self._indexes, index) - 1]
        found: dict[int, str] = {}
        slot = 0
        for tag in tags:
            kind = _OF_TAG.get(tag)
            if kind is not None:
                found[slot] = kind
            slot += slot_count(kind or _OBJECT)
        for at, slot, kind in self._stores:
            if start <= at < index:
                self._store(found, slot, kind)
        return dict(sorted(found.items()))

    @staticmethod
    def _store(found: dict[int, str], slot: int, kind: str) -> None:
        if slot_count(found.get(slot - 1, "")) > 1:  # half of a long or double is left
            del found[slot - 1]
        if slot_count(kind) > 1:
            found.pop(slot + 1, None)
        found[slot] = kind


def _first_locals(arguments: Iterable[str], *, is_static: bool) -> list[int]:
    """The tags of the verification types with which the method begins."""
    tag_of = {"J": 4, "F": 2, "D": 3} | dict.fromkeys("L[", 7)
    this = [] if is_static else [7]
    return [*this, *(tag_of.get(each[0], 1) for each in arguments)]
