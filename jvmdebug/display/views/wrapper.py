# SPDX-License-Identifier: Apache-2.0
"""An object that shows the collection in one of its fields, or a part of a map."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Part: TypeAlias = Literal["keys", "values", "nodes"]


@dataclass(frozen=True, slots=True)
class Wrapper:
    """An object that shows another collection, which is in `field`, or a part of a map."""

    field: str
    part: Part | None = None
    is_reversed: bool = False
    is_cut: bool = False
    """Whether it shows `size` elements of it from `offset` on: a sub-list."""
    length: str = "size"
    """The field with that number."""
