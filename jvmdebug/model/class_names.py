# SPDX-License-Identifier: Apache-2.0
"""Loaded classes by the name that a user wrote: `shop.Cart.Item` is found as `shop.Cart$Item` is.

Called by what takes the name of a class from a user, but for breakpoints: theirs may have patterns,
and are of classes that are not loaded yet.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug.classfile.descriptors import binary_names, descriptor_of

if TYPE_CHECKING:
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.model.virtual_machine import VirtualMachine


async def classes_named(vm: VirtualMachine, name: str) -> list[ReferenceType]:
    """One for each loader that has defined one; none for what cannot be the name of a class."""
    for each in binary_names(name.strip()):
        try:
            descriptor = descriptor_of(each)
        except ValueError:
            return []
        if found := await vm.classes_by_signature(descriptor):
            return found
    return []
