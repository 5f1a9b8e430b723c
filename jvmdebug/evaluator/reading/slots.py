# SPDX-License-Identifier: Apache-2.0
"""Slots of the interpreter: numbers are ints and floats, booleans and chars too; null is None.

A long or double takes two slots of a stack, the value and `SECOND`.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

Slot: TypeAlias = Any
"""int, float, None, ReadObject or ReadArray."""

_WIDE: Final = "JD"


class _Second:
    """The second slot of a long or double."""


SECOND: Final = _Second()


def default_of(descriptor: str) -> Slot:
    """The value of a field before it is assigned."""
    kind = descriptor[0]
    if kind in "L[":
        return None
    return 0.0 if kind in "FD" else 0


def is_wide(descriptor: str) -> bool:
    """Whether a value takes two slots."""
    return descriptor[0] in _WIDE
