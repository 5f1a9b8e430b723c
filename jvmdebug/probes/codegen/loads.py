# SPDX-License-Identifier: Apache-2.0
"""The variables that a check takes from the frame of the program, as arguments of its method."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Load:
    """A variable of the frame that the check takes; `kind` is I J F D A."""

    kind: str
    slot: int


@dataclass(frozen=True, slots=True)
class FrameArguments:
    """The variables of a frame as arguments of a method."""

    loads: tuple[Load, ...]
    descriptor: str
    locals: Mapping[int, tuple[int, str]]
    """Maps the slot in the frame, -1 for `this`, to the slot of the argument and its descriptor."""
    slots: int
