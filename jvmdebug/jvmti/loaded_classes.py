# SPDX-License-Identifier: Apache-2.0
"""`session.classes`: the loaded classes as the VM has them, and the modules they are in.

Which version a class is of and where it came from, its class file and constant pool, where loaders
look, having agents transform it again (new code: `session.redefine`). Reading runs no code of the
program. Made by the session's door.
"""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

from jvmdebug.arguments import require_text
from jvmdebug.classfile.constant_pool import ConstantPool
from jvmdebug.classfile.release import BEFORE_JAVA
from jvmdebug.display import layout
from jvmdebug.display.layout import UnknownLayoutError
from jvmdebug.errors import AbsentInformationError, SourceError
from jvmdebug.jdwp.generated import jvmti as jvmti_set
from jvmdebug.jdwp.generated import reference_type
from jvmdebug.jvmti.calling import call, class_id, number, require, the_class
from jvmdebug.jvmti.modules import ProgramModules
from jvmdebug.model.class_names import classes_named
from jvmdebug.model.module import has_modules, module_of
from jvmdebug.model.values import ObjectReference, StringReference
from jvmdebug.printable import one_line

if TYPE_CHECKING:
    from os import PathLike

    from jvmdebug.jvmti.calling import JvmtiProgram, NamedClass
    from jvmdebug.model.field import Field
    from jvmdebug.model.method import Method
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.model.values import ClassLoaderReference
    from jvmdebug.model.virtual_machine import VirtualMachine

_AT_ONCE: Final = 200


@dataclass(frozen=True, slots=True)
class LoadedClass:
    """A class that is loaded, and where it came from; `str(loaded)` is one line."""

    name: str
    loader: str | None
    """`app`, `platform`, the class of a loader without name; None for the VM's own."""
    location: str | None
    """A jar or a directory, `jrt:/java.base`; None if its loader did not say."""
    version: tuple[int, int] | None
    """Of its class file, `(65, 0)`; None for an array."""
    source_file: str | None
    is_modifiable: bool
    """Whether its code can be replaced."""
    type: ReferenceType = field(repr=False)
    """The class as the model has it."""

    @property
    def java_release(self) -> int | None:
        """The Java release that it was compiled for: 21."""
        return None if self.version is None else self.version[0] - BEFORE_JAVA

    async def methods(self) -> list[Method]:
        """The methods that the class itself declares, constructors too, in the order of its class
        file as the VM has it.
        """
        return list(await self.type.methods())

    async def fields(self) -> list[Field]:
        """The fields that the class itself declares, static ones too."""
        return list(await self.type.fields())

    def __str__(self) -> str:
        release = "" if self.version is None else f", Java {self.java_release}"
        where = "an unknown place" if self.location is None else self.location
        return f"{self.name} from {where} by {self.loader or 'the VM'}{release}"


class LoadedClasses(ProgramModules):
    """The loaded classes of one program, and its modules."""

    def __init__(self, program: JvmtiProgram) -> None:
        self._program = program

    def _vm(self) -> VirtualMachine:
        return self._program.vm

    async def find(self, name: str) -> list[LoadedClass]:
        """The classes of a name, `shop.Cart`: one for each loader that has defined one; empty if
        none is loaded.
        """
        require_text("name", name)
        vm = self._vm()
        require(vm, "finding where a class came from")
        loaded = await classes_named(vm, name)
        return list(await asyncio.gather(*map(_describe, loaded)))

    async def all(self, pattern: str = "*") -> list[LoadedClass]:
        """The loaded classes whose names fit a pattern, by name: `shop.*`, `*Cart`, `*$Item`,
        `java.util.*Map`; arrays are left out.

        Each is asked about, so that thousands take seconds.
        """
        require_text("pattern", pattern)
        vm = self._vm()
        require(vm, "finding where classes came from")
        fits = re.compile(".*".join(map(re.escape, pattern.split("*")))).fullmatch
        chosen = [
            each
            for each in await vm.all_classes()
            if fits(each.name) and not each.signature.startswith("[")
        ]
        found: list[LoadedClass] = []
        for start in range(0, len(chosen), _AT_ONCE):
            found += await asyncio.gather(*map(_describe, chosen[start : start + _AT_ONCE]))
        return sorted(found, key=lambda each: each.name)

    async def class_file(self, named: NamedClass) -> bytes:
        """The class file as the VM runs it, what agents have changed included.

        SourceError if the VM does not give it: for arrays and hidden classes.
        """
        type_ = await the_class(self._vm(), named)
        found = await type_.class_file()
        if found is None:
            raise SourceError(f"the VM does not give the class file of {type_.name}")
        return found

    async def constant_pool(self, named: NamedClass) -> ConstantPool:
        """The constants of a class as the VM has them; SourceError for an array."""
        type_ = await the_class(self._vm(), named)
        try:
            reply = await type_.vm.request(reference_type.ConstantPool(type_.id))
        except AbsentInformationError:
            raise SourceError(f"{type_.name} has no constants") from None
        return ConstantPool(reply.count, reply.constants)

    async def retransform(self, *named: NamedClass) -> None:
        """Have all agents transform the classes again, as Instrumentation.retransformClasses does:
        from the bytes that the loader gave, or the last redefinition.
        """
        vm = self._vm()
        types = [await the_class(vm, each) for each in named]
        objects = [await class_id(each) for each in types]
        await call(vm, "RetransformClasses", objects=objects, changes=True)
        for each in types:
            each.forget_members()

    async def add_to_system_class_loader_search(self, path: str | PathLike[str]) -> None:
        """Have the loader of the program's classes look into a jar too, on the program's machine.
        What it has not found before stays not found.
        """
        await self._add("AddToSystemClassLoaderSearch", path)

    async def add_to_bootstrap_class_loader_search(self, path: str | PathLike[str]) -> None:
        """The same for the VM's own loader."""
        await self._add("AddToBootstrapClassLoaderSearch", path)

    async def _add(self, function: str, path: str | PathLike[str]) -> None:
        hint = f"the VM cannot read {path}: it must be a jar on the program's machine"
        await call(self._vm(), function, texts=(str(path),), changes=True, hint=hint)


async def _describe(type_: ReferenceType) -> LoadedClass:
    vm = type_.vm
    loader, location, version, source, modifiable = await asyncio.gather(
        type_.class_loader(),
        _location(type_),
        _version(type_),
        type_.source_file(),
        number(vm, "IsModifiableClass", await class_id(type_)),
    )
    return LoadedClass(
        one_line(type_.name),
        None if loader is None else await loader_name(loader),
        None if location is None else one_line(location),
        version,
        None if source is None else one_line(source),
        bool(modifiable),
        type_,
    )


async def _version(type_: ReferenceType) -> tuple[int, int] | None:
    try:
        reply = await type_.vm.request(reference_type.ClassFileVersion(type_.id))
    except AbsentInformationError:
        return None
    return reply.major_version, reply.minor_version


async def loader_name(loader: ClassLoaderReference) -> str:
    """The loader's name (JDK 9 and later), else its class and a number."""
    try:
        (name,) = await layout.read(loader, "name")
    except UnknownLayoutError:
        name = None
    if isinstance(name, StringReference):
        return one_line(await name.as_text())
    return one_line(f"{(await loader.type()).name}@{loader.id:x}")


async def _location(type_: ReferenceType) -> str | None:
    vm = type_.vm
    reply = await vm.request(jvmti_set.ProtectionDomain(type_.id))
    if not reply.domain.id:
        module = await module_of(type_) if has_modules(vm) else None
        name = None if module is None else await module.name()
        return None if name is None else f"jrt:/{name}"
    domain = vm.reference(reply.domain.tag, reply.domain.id)
    try:
        (source,) = await layout.read(domain, "codesource")
        if not isinstance(source, ObjectReference):
            return None
        (url,) = await layout.read(source, "location")
        if not isinstance(url, ObjectReference):
            return None
        protocol, file = await layout.read(url, "protocol", "file")
    except UnknownLayoutError:
        return None
    if not isinstance(protocol, StringReference) or not isinstance(file, StringReference):
        return None
    scheme, path = await asyncio.gather(protocol.as_text(), file.as_text())
    return unquote(path) if scheme == "file" else f"{scheme}:{path}"
