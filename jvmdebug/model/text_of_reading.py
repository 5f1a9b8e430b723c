# SPDX-License-Identifier: Apache-2.0
"""A string that the evaluator has made without the VM."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug.jdwp.generated.constants import Tag
from jvmdebug.jdwp.ids import ObjectId
from jvmdebug.model.values import StringReference

if TYPE_CHECKING:
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.model.virtual_machine import VirtualMachine


class TextOfReading(StringReference):
    """A string that a read-only evaluation has made: it exists here only. The VM knows no object of
    its id.
    """

    __slots__ = ("_text",)

    def __init__(self, vm: VirtualMachine, text: str) -> None:
        super().__init__(vm, ObjectId(0), Tag.STRING)
        self._text = text

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    async def type(self) -> ReferenceType:
        """java.lang.String."""
        found = await self.vm.classes_by_signature("Ljava/lang/String;")
        return found[0]

    async def disable_collection(self) -> None:
        """Nothing: there is no object that could be collected."""

    async def enable_collection(self) -> None:
        """Nothing, as above."""

    async def is_collected(self) -> bool:
        """False: it is here."""
        return False

    async def as_text(self) -> str:
        """The characters."""
        return self._text

    async def beginning(self, max_length: int) -> tuple[str, int]:
        """The first `max_length` UTF-16 units, and the whole length."""
        units = self._text.encode("utf-16-le", "surrogatepass")
        beginning = units[: 2 * max_length].decode("utf-16-le", "surrogatepass")
        return beginning, len(units) // 2
