# SPDX-License-Identifier: Apache-2.0
"""Arrays as the interpreter has them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug.evaluator.reading.slots import Slot, default_of

if TYPE_CHECKING:
    from jvmdebug.model.values import ObjectReference


class ReadArray:
    """An array; the elements that were not read yet are missing in `items`."""

    __slots__ = ("descriptor", "items", "length", "reference")

    def __init__(
        self,
        descriptor: str,
        items: dict[int, Slot] | list[Slot],
        length: int,
        reference: ObjectReference | None = None,
    ) -> None:
        self.descriptor = descriptor
        self.items = items
        self.length = length
        """-1 until it is read."""
        self.reference = reference


def new_array(descriptor: str, length: int) -> ReadArray:
    """An array that the call makes, of that type."""
    return ReadArray(descriptor, [default_of(descriptor[1:])] * length, length)
