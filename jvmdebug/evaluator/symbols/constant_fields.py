# SPDX-License-Identifier: Apache-2.0
"""Static fields that are constant variables (JLS 4.12.4), and their values.

JDWP does not report the ConstantValue attribute of a field. But a static final field either has one
or is assigned by the static initializer of its class, whose bytecode can be read. The binder treats
the value as the compiler does: it can be narrowed, it is allowed after `case`, and strings are
interned. A companion of the VM, used by `loaded_types`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug import sources
from jvmdebug.classfile import instructions
from jvmdebug.errors import VmError
from jvmdebug.model.values import PrimitiveValue, StringReference

if TYPE_CHECKING:
    from jvmdebug.evaluator.symbols.types import ConstantValue
    from jvmdebug.model.field import Field
    from jvmdebug.model.reference_type import ReferenceType


class ConstantFields:
    """One for each VM: `vm.companion(ConstantFields)`."""

    def __init__(self) -> None:
        self._assigned: dict[tuple[ReferenceType, int], frozenset[str] | None] = {}

    async def value(self, field: Field) -> ConstantValue | None:
        """The value of a static final field of primitive type or String; None if not constant."""
        type_ = field.declaring_type
        key = (type_, type_.vm.redefinitions)
        if key not in self._assigned:
            self._assigned[key] = await _assigned_by_initializer(type_)
        assigned = self._assigned[key]
        if assigned is None or field.name in assigned:
            return None
        (value,) = await type_.static_values([field])
        if isinstance(value, StringReference):
            return await value.as_text()
        return value.value if isinstance(value, PrimitiveValue) else None

    async def close(self) -> None:
        """The connection is closed."""
        self._assigned.clear()


async def _assigned_by_initializer(type_: ReferenceType) -> frozenset[str] | None:
    """The static fields that the static initializer assigns; None when it cannot be read."""
    for method in await type_.methods():
        if method.name == "<clinit>":
            if not type_.vm.capabilities.can_get_bytecodes:
                return None
            try:
                constants = await sources.constant_pool(type_)
            except VmError:
                return None  # HotSpot gives none of a class whose initializer has failed
            if constants is None:
                return None
            found = (
                constants.find_member(each.constant)
                for each in instructions(await method.bytecodes())
                if each.mnemonic == "putstatic" and each.constant is not None
            )
            return frozenset(member.name for member in found if member is not None)
    return frozenset()
