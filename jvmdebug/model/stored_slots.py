# SPDX-License-Identifier: Apache-2.0
"""Local variables of code without a variable table, by what its bytecode stores (JVMS 6.5).

The store instructions before a frame's code index say which slot holds what kind of value; names
and declared types are lost. Pure; called by Frame.
"""

from __future__ import annotations

from typing import Final

from jvmdebug.classfile import instructions

_STORED: Final = {
    "istore": "I",
    "lstore": "J",
    "fstore": "F",
    "dstore": "D",
    "astore": "Ljava/lang/Object;",
}


def stored_slots(code: bytes, before: int) -> dict[int, str]:
    """Slot → descriptor of what is stored there last before the code index, in order of slots.

    A reference has the descriptor of Object. Branches are not followed: a slot that is used for two
    things may be reported wrongly, and the VM then refuses to read it.
    """
    found: dict[int, str] = {}
    for each in instructions(code):
        if each.index >= before:
            break
        kind = _STORED.get(each.mnemonic.removeprefix("wide ").partition("_")[0])
        if kind is not None and each.local is not None:
            found[each.local] = kind
    return dict(sorted(found.items()))
