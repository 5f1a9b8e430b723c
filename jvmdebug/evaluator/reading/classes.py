# SPDX-License-Identifier: Apache-2.0
"""The classes that the interpreter has read, in one VM.

They are kept for all evaluations, until a class is redefined. Code comes from the VM, a command for
each method; the class file is read only for what JDWP has no command for: exception handlers and
what `invokedynamic` links. It is that of the class path or of the JDK's files, if it has the
constants of the class in the VM; else our agent gives it.
"""

from __future__ import annotations

import asyncio
import functools
from typing import TYPE_CHECKING

from jvmdebug.classfile.access import Access
from jvmdebug.errors import ClassNotPreparedError
from jvmdebug.evaluator.class_path import local_class_path, read_local
from jvmdebug.evaluator.reading.errors import UnreadableError
from jvmdebug.evaluator.reading.java_home import runtime_image
from jvmdebug.evaluator.reading.method_code import MethodCode
from jvmdebug.evaluator.reading.read_class import ReadClass, ReadField
from jvmdebug.model.lifetimes import Memo
from jvmdebug.model.reference_type import InterfaceType

if TYPE_CHECKING:
    from jvmdebug.classfile.runtime_image import RuntimeImage
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.model.virtual_machine import VirtualMachine


class ReadClasses:
    """The classes of a VM: `vm.companion(ReadClasses)`."""

    def __init__(self) -> None:
        self._classes = Memo()
        self._redefinitions = 0
        self._of_jdk: dict[str, ReferenceType] = {}
        self._image: tuple[RuntimeImage | None] | None = None

    async def image(self, vm: VirtualMachine) -> RuntimeImage | None:
        """The classes of the JDK in its files; None if those are not here."""
        if self._image is None:
            self._image = (None,)  # nothing that finds it needs it
            self._image = (await runtime_image(vm),)
        return self._image[0]

    async def of_jdk(self, vm: VirtualMachine, name: str) -> ReadClass | None:
        """The class of the bootstrap loader with an internal name; None if it is not loaded."""
        if name not in self._of_jdk:
            for each in await vm.classes_by_signature(f"L{name};"):
                if await each.class_loader() is None:
                    self._of_jdk[name] = each
        known = self._of_jdk.get(name)
        return None if known is None else await self.of(known)

    async def of(self, type_: ReferenceType) -> ReadClass:
        """A loaded class; arrays have none. UnreadableError for one that is not linked yet."""
        if self._redefinitions != type_.vm.redefinitions:
            self._classes.forget()
            self._redefinitions = type_.vm.redefinitions
        return await self._classes.get(type_, lambda: self._read(type_))

    async def _read(self, type_: ReferenceType) -> ReadClass:
        try:
            modifiers, fields, methods, superclass, interfaces = await asyncio.gather(
                type_.modifiers(),
                type_.fields(),
                type_.methods(),
                type_.superclass(),
                type_.interfaces(),
            )
        except ClassNotPreparedError as error:
            raise UnreadableError(f"the class {type_.name} is not linked yet") from error
        if isinstance(type_, InterfaceType):
            modifiers |= Access.INTERFACE
        above = None if superclass is None else await self.of(superclass)
        faces = await asyncio.gather(*map(self.of, interfaces))
        names = type_.signature[1:-1], type_.name
        made = ReadClass(names, modifiers, above, tuple(faces), type_)
        made.find_file = functools.partial(self._find_file, type_)
        made.fields = tuple(
            ReadField(each.name, each.signature, each.is_static, each) for each in fields
        )
        made.methods = {
            (each.name, each.signature): MethodCode(
                made, (each.name, each.signature), each.modifiers, each.bytecodes
            )
            for each in methods
        }
        return made

    async def _find_file(self, type_: ReferenceType) -> bytes | None:
        """The class file on the class path, or in the files of the JDK."""
        name = type_.signature[1:-1]
        if await type_.class_loader() is None:
            image = await self.image(type_.vm)
            return None if image is None else await asyncio.to_thread(image.class_file, name)
        paths = await local_class_path(type_.vm)
        return await asyncio.to_thread(read_local, paths, f"{name}.class")

    async def close(self) -> None:
        """The connection is closed."""
        self._classes.forget()
