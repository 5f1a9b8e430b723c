# SPDX-License-Identifier: Apache-2.0
"""Objects and arrays that the evaluator has made without the VM, to be shown.

They have the class and the fields that the objects would have in the program, and no id there: what
needs the object itself, such as a call in the program or a write, is refused by the VM.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug.jdwp.ids import ObjectId
from jvmdebug.model.values import ObjectReference

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from jvmdebug.model.field import Field
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.model.values import Value


class MadeReference(ObjectReference):
    """An object that exists here only."""

    __slots__ = ("_read", "_type", "made")

    def __init__(self, made: object, type_: ReferenceType, read: Callable[[Field], Value]) -> None:
        """`read` gives the value of a field of the object; `made` is what the evaluator has."""
        super().__init__(type_.vm, ObjectId(0))
        self.made = made
        self._type = type_
        self._read = read

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    async def type(self) -> ReferenceType:
        """The class of the object."""
        return self._type

    async def _get_instance_values(self, fields: Sequence[Field]) -> tuple[Value, ...]:
        return tuple(map(self._read, fields))

    async def disable_collection(self) -> None:
        """Nothing: there is no object that could be collected."""

    async def enable_collection(self) -> None:
        """Nothing, as above."""

    async def is_collected(self) -> bool:
        """False: it is here."""
        return False
