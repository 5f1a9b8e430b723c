# SPDX-License-Identifier: Apache-2.0
"""The classes that a class file names: so a nested class is known before it is loaded.

The InnerClasses attribute lists every member class, as constants of the pool (JVMS 4.7.6), and JDWP
gives the pool. No code runs in the debuggee. A companion of the VM, used by `loaded_types`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug import sources
from jvmdebug.classfile import ConstantTag
from jvmdebug.errors import JvmDebugError

if TYPE_CHECKING:
    from jvmdebug.model.reference_type import ReferenceType


class NamedClasses:
    """One for each VM: `vm.companion(NamedClasses)`."""

    def __init__(self) -> None:
        self._of_types: dict[tuple[ReferenceType, int], frozenset[str] | None] = {}

    async def of(self, type_: ReferenceType) -> frozenset[str] | None:
        """Binary names of the classes in the constant pool of a class; None if it is not known."""
        key = (type_, type_.vm.redefinitions)
        if key not in self._of_types:
            self._of_types[key] = await _named(type_)
        return self._of_types[key]

    async def close(self) -> None:
        """The connection is closed."""
        self._of_types.clear()


async def _named(type_: ReferenceType) -> frozenset[str] | None:
    try:
        constants = await sources.constant_pool(type_)
        if constants is None:
            return None
        names = [
            constants.class_name(each.number) for each in constants if each.tag == ConstantTag.CLASS
        ]
    except JvmDebugError:
        return None  # not linked, or unloaded meanwhile
    return frozenset(name.replace("/", ".") for name in names if not name.startswith("["))
