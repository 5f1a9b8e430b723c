# SPDX-License-Identifier: Apache-2.0
"""Checks of what the user passes: each raises ArgumentError that says what is possible."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from jvmdebug.errors import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Iterable


def require_one_of(name: str, value: object, choices: Iterable[str]) -> None:
    """Require one of some words."""
    allowed = list(choices)
    if value not in allowed:
        raise ArgumentError(f"{name} is {value!r}: choose {', '.join(allowed)}")


def require_text(name: str, value: object) -> None:
    """Require a string."""
    if not isinstance(value, str):
        raise ArgumentError(f"{name} is {value!r}: it must be a string")


def require_whole(name: str, value: object, least: int, most: int | None = None) -> None:
    """Require a whole number within limits."""
    is_whole = isinstance(value, int) and not isinstance(value, bool)
    if not is_whole or value < least or (most is not None and value > most):  # type: ignore[operator]
        limits = f"from {least}" if most is None else f"from {least} to {most}"
        raise ArgumentError(f"{name} is {value!r}: it must be a whole number {limits}")


def require_positive(name: str, value: object) -> None:
    """Require a number above 0 that is not infinite."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not 0 < value < math.inf:  # type: ignore[operator]
        raise ArgumentError(f"{name} is {value!r}: it must be a number above 0")
