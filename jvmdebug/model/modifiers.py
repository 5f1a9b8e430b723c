# SPDX-License-Identifier: Apache-2.0
"""What JDWP adds to the access flags of the class file."""

from __future__ import annotations

from typing import Final

from jvmdebug.classfile.access import Access

SYNTHETIC_MARK: Final = 0xF0000000
"""What agents add besides ACC_SYNTHETIC; the reply's int is signed."""


def is_synthetic(modifiers: int) -> bool:
    """Whether the compiler made it, not the programmer."""
    return bool(modifiers & SYNTHETIC_MARK) or bool(modifiers & Access.SYNTHETIC)
