# SPDX-License-Identifier: Apache-2.0
"""Objects that the user has kept: reachable, and shown at each stop, until they are let go.

Owns an array in the program that refers to them, one for each VM; it lives as long as the
connection. Not the pinning of single objects, which evaluations take back. Called by Stop and
Variable.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug.errors import EvaluationError, StateError
from jvmdebug.model.reference_type import ArrayType
from jvmdebug.model.values import ArrayReference, NullValue, ObjectReference

if TYPE_CHECKING:
    from jvmdebug.model.values import Value
    from jvmdebug.model.virtual_machine import VirtualMachine

_MOST: Final = 100
_OBJECTS: Final = "[Ljava/lang/Object;"


class KeptObjects:
    """The kept objects of one VM: `vm.companion(KeptObjects)`."""

    def __init__(self) -> None:
        self._objects: dict[int, ObjectReference] = {}
        self._array: ArrayReference | None = None

    async def keep(self, name: str, value: Value) -> int:
        """See `Variable.keep`. Returns the same number for the same object."""
        if not isinstance(value, ObjectReference):
            raise EvaluationError(f"{name} is no object: there is nothing to keep")
        for known, each in self._objects.items():
            if each == value:
                return known
        number = next((each for each in range(1, _MOST + 1) if each not in self._objects), None)
        if number is None:
            raise StateError(f"{_MOST} objects are kept already: let go of one first")
        array = await self._array_in(value.vm)
        await array.set(number - 1, [value])
        self._objects[number] = value
        return number

    async def release(self, number: int) -> None:
        """See `Stop.release`."""
        if self._objects.pop(number, None) is None:
            raise StateError(f"no object is kept as {number}")
        if self._array is not None:
            await self._array.set(number - 1, [NullValue()])

    def all(self) -> dict[int, ObjectReference]:
        """All kept objects by their numbers."""
        return dict(sorted(self._objects.items()))

    async def close(self) -> None:
        """The connection is closed, and what the agent held for it with it."""
        self._objects.clear()
        self._array = None

    async def _array_in(self, vm: VirtualMachine) -> ArrayReference:
        if self._array is None:
            (type_,) = await vm.classes_by_signature(_OBJECTS)
            if not isinstance(type_, ArrayType):
                raise TypeError("the class of arrays is an array type")
            made = await type_.new_instance(_MOST)
            if not isinstance(made, ArrayReference):
                raise TypeError("a new array is an array")
            await made.disable_collection()
            self._array = made
        return self._array
