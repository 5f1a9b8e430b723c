# SPDX-License-Identifier: Apache-2.0
"""What is inside of a value: fields, elements, entries; in pages.

The logical view shows what a collection holds; the raw view its fields. Neither runs code in the
debuggee.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jvmdebug.model.values import Value


@dataclass(frozen=True, slots=True)
class Child:
    """A field, element or entry. `evaluate_name` is an expression that gives `value` in the
    frame that the parent's `evaluate_name` belongs to; None when there is none.
    """

    name: str
    value: Value
    declared_type: str
    evaluate_name: str | None = None


async def children(
    value: Value,
    start: int = 0,
    count: int | None = None,
    *,
    evaluate_name: str | None = None,
    raw: bool = False,
) -> list[Child]:
    """Children from `start`, at most `count` of them. `evaluate_name` is that of `value`."""
    raise NotImplementedError


async def child_count(value: Value, *, raw: bool = False) -> int:
    """How many children there are; 0 for primitives, null and (in the logical view) strings."""
    raise NotImplementedError


async def is_indexed(value: Value, *, raw: bool = False) -> bool:
    """Whether the children are elements by index (arrays, lists), so that paging makes sense."""
    raise NotImplementedError
