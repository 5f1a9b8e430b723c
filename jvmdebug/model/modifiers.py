# SPDX-License-Identifier: Apache-2.0
"""Access flags of types, methods and fields as JDWP gives them (JVMS 4.1, 4.5, 4.6)."""

from __future__ import annotations

import enum
from typing import Final

SYNTHETIC_MARK: Final = 0xF0000000
"""What agents add besides ACC_SYNTHETIC; the reply's int is signed."""


class Access(enum.IntFlag):
    """The flags; some bits mean different things on methods and on fields."""

    PUBLIC = 0x0001
    PRIVATE = 0x0002
    PROTECTED = 0x0004
    STATIC = 0x0008
    FINAL = 0x0010
    SYNCHRONIZED = 0x0020
    VOLATILE = 0x0040
    BRIDGE = 0x0040
    TRANSIENT = 0x0080
    VARARGS = 0x0080
    NATIVE = 0x0100
    INTERFACE = 0x0200
    ABSTRACT = 0x0400
    SYNTHETIC = 0x1000
    ANNOTATION = 0x2000
    ENUM = 0x4000


def is_synthetic(modifiers: int) -> bool:
    """Whether the compiler made it, not the programmer."""
    return bool(modifiers & SYNTHETIC_MARK) or bool(modifiers & Access.SYNTHETIC)
