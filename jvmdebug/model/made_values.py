# SPDX-License-Identifier: Apache-2.0
"""Objects that the evaluator has made without the VM, to be shown: see `made_reference`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug.jdwp.ids import ObjectId
from jvmdebug.model.made_reference import MadeReference

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from jvmdebug.model.field import Field
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.model.values import Value


class MadeObjectReference(MadeReference):
    """An object that exists here only."""

    __slots__ = ("_read", "_type", "made")

    def __init__(self, made: object, type_: ReferenceType, read: Callable[[Field], Value]) -> None:
        """`read` gives the value of a field of the object; `made` is what the evaluator has."""
        super().__init__(type_.vm, ObjectId(0))
        self.made = made
        self._type = type_
        self._read = read

    async def _get_instance_values(self, fields: Sequence[Field]) -> tuple[Value, ...]:
        return tuple(map(self._read, fields))
