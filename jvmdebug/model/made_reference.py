# SPDX-License-Identifier: Apache-2.0
"""What objects and arrays have in common that the evaluator has made without the VM.

They have the class and the contents that they would have in the program, and no id there: what
needs the object itself, such as a call in the program or a write, is refused by the VM.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug.model.values import ObjectReference

if TYPE_CHECKING:
    from jvmdebug.model.reference_type import ReferenceType


class MadeReference(ObjectReference):
    """An object that exists here only; two of them are never the same."""

    __slots__ = ()

    made: object
    """What the evaluator has."""
    _type: ReferenceType

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    async def type(self) -> ReferenceType:
        """The class of the object."""
        return self._type

    async def disable_collection(self) -> None:
        """Nothing: there is no object that could be collected."""

    async def enable_collection(self) -> None:
        """Nothing, as above."""

    async def is_collected(self) -> bool:
        """False: it is here."""
        return False
