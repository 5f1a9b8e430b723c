# SPDX-License-Identifier: Apache-2.0
"""Local variables of code without a variable table, by what its bytecode stores (JVMS 6.5).

Which slot holds what kind of value is told by the store instructions before the place where a frame
stands; names and declared types are lost. Pure; called by Frame.
"""

from __future__ import annotations

from typing import Final

_STORES: Final = "IJFDL"
"""What istore, lstore, fstore, dstore and astore store, in the order of their opcodes."""
_FIRST_STORE, _FIRST_SHORT_STORE = 0x36, 0x3B
_WIDE, _IINC, _TABLESWITCH, _LOOKUPSWITCH = 0xC4, 0x84, 0xAA, 0xAB

_OBJECT: Final = "Ljava/lang/Object;"


def stored_slots(code: bytes, before: int) -> dict[int, str]:
    """Slot → descriptor of what is stored there last before the code index, in order of slots.

    A reference has the descriptor of Object. Branches are not followed: a slot that is used for two
    things may be told wrongly, and the VM then refuses to read it.
    """
    found: dict[int, str] = {}
    at = 0
    while at < min(before, len(code)):
        opcode = code[at]
        if _FIRST_STORE <= opcode < _FIRST_SHORT_STORE:
            found[code[at + 1]] = _STORES[opcode - _FIRST_STORE]
        elif _FIRST_SHORT_STORE <= opcode < _FIRST_SHORT_STORE + 20:
            kind, slot = divmod(opcode - _FIRST_SHORT_STORE, 4)
            found[slot] = _STORES[kind]
        elif opcode == _WIDE and _FIRST_STORE <= code[at + 1] < _FIRST_SHORT_STORE:
            kind = code[at + 1] - _FIRST_STORE
            found[int.from_bytes(code[at + 2 : at + 4])] = _STORES[kind]
        at += _size(code, at)
    return {slot: _OBJECT if kind == "L" else kind for slot, kind in sorted(found.items())}


def _size(code: bytes, at: int) -> int:
    """Bytes of the instruction at an index."""
    opcode = code[at]
    if opcode == _WIDE:
        return 6 if code[at + 1] == _IINC else 4
    if opcode in (_TABLESWITCH, _LOOKUPSWITCH):
        operands = (at | 3) + 1  # aligned to four
        first = int.from_bytes(code[operands + 4 : operands + 8], signed=True)
        if opcode == _LOOKUPSWITCH:
            return operands - at + 8 + 8 * first
        last = int.from_bytes(code[operands + 8 : operands + 12], signed=True)
        return operands - at + 12 + 4 * (last - first + 1)
    return _SIZES[opcode]


def _sizes() -> bytes:
    """The sizes of all instructions whose size is always the same, by opcode."""
    sizes = bytearray([1] * 256)
    for size, opcodes in {
        2: (0x10, 0x12, *range(0x15, 0x1A), *range(0x36, 0x3B), 0xA9, 0xBC),
        3: (
            *(0x11, 0x13, 0x14, _IINC, *range(0x99, 0xA9), *range(0xB2, 0xB9)),
            *(0xBB, 0xBD, 0xC0, 0xC1, 0xC6, 0xC7),
        ),
        4: (0xC5,),
        5: (0xB9, 0xBA, 0xC8, 0xC9),
    }.items():
        for opcode in opcodes:
            sizes[opcode] = size
    return bytes(sizes)


_SIZES: Final = _sizes()
