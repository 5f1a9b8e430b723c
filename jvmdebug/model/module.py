# SPDX-License-Identifier: Apache-2.0
"""A module of the debuggee (JLS 7.7): named ones, and the unnamed one of each class loader."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug.jdwp.generated import module_reference, reference_type, virtual_machine
from jvmdebug.jdwp.generated.constants import Tag

if TYPE_CHECKING:
    from jvmdebug.jdwp.ids import ModuleId
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.model.values import ClassLoaderReference, ObjectReference
    from jvmdebug.model.virtual_machine import VirtualMachine

_FIRST_WITH_MODULES = 9


class Module:
    """One module. Equal and hashable by id; it lives as long as its class loader."""

    def __init__(self, vm: VirtualMachine, module_id: ModuleId) -> None:
        self.vm = vm
        self.id = module_id

    @property
    def reference(self) -> ObjectReference:
        """The java.lang.Module object."""
        return self.vm.reference(Tag.OBJECT, self.id)

    async def name(self) -> str | None:
        """`java.base`; None for an unnamed module."""
        reply = await self.vm.request(module_reference.Name(self.id))
        return reply.name or None

    async def class_loader(self) -> ClassLoaderReference | None:
        """The loader of its classes; None for the bootstrap loader."""
        reply = await self.vm.request(module_reference.ClassLoader(self.id))
        return self.vm.class_loader(reply.class_loader) if reply.class_loader else None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Module) and other.vm is self.vm and other.id == self.id

    def __hash__(self) -> int:
        return hash(self.id)

    def __repr__(self) -> str:
        return f"Module({self.id:#x})"


def has_modules(vm: VirtualMachine) -> bool:
    """Whether the VM knows modules: from Java 9 on."""
    return vm.version.feature_release >= _FIRST_WITH_MODULES


async def all_modules(vm: VirtualMachine) -> list[Module]:
    """All modules of the VM, the unnamed ones too. One round trip."""
    reply = await vm.request(virtual_machine.AllModules())
    return [Module(vm, each) for each in reply.modules]


async def module_of(type_: ReferenceType) -> Module:
    """The module that a type belongs to. One round trip."""
    reply = await type_.vm.request(reference_type.Module(type_.id))
    return Module(type_.vm, reply.module)
