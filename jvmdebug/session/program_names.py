# SPDX-License-Identifier: Apache-2.0
"""Names of the program's classes, members and source files, for front ends to offer.

Owns what is known without running anything: the loaded classes, and before they are loaded the
class path and the source path. A session has one, `session.code.names`; nothing here is needed to
debug.
"""

from __future__ import annotations

import asyncio
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from jvmdebug.classfile.access import Access
from jvmdebug.classfile.descriptors import (
    descriptor_of,
    java_name,
    parse_method_descriptor,
    simple_name,
)
from jvmdebug.sources import ClassPathNames

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmdebug.classfile import ClassFile
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.model.virtual_machine import VirtualMachine
    from jvmdebug.sources import SourceFinder

_KEPT_S: Final = 5.0


@dataclass(frozen=True, slots=True)
class MemberName:
    """A field or method that a class declares."""

    kind: Literal["field", "method"]
    name: str
    """`add`, `<init>`"""
    parameters: tuple[str, ...] = ()
    """Simple names of the types."""
    type_name: str = ""
    """Simple name of the field's type, or of the method's result."""
    is_static: bool = False

    def __str__(self) -> str:
        arguments = f"({', '.join(self.parameters)})" if self.kind == "method" else ""
        return f"{self.name}{arguments}"


class ProgramNames:
    """The names of a program's classes, members and source files."""

    def __init__(self, vm: VirtualMachine, sources: SourceFinder) -> None:
        self._vm = vm
        self._sources = sources
        self._on_class_path: asyncio.Task[ClassPathNames] | None = None
        self._loaded: dict[str, ReferenceType] = {}
        self._read_at = -math.inf

    async def classes(self) -> list[str]:
        """Binary names, `shop.Cart$Item`: those that are loaded, and all on the class path.

        Lambdas, proxies and arrays are left out. As of some seconds ago.
        """
        loaded, others = await asyncio.gather(self._loaded_types(), self._class_path())
        return sorted({*loaded, *others})

    async def classes_on_class_path(self) -> list[str]:
        """The names of classes on the class path, loaded or not; also after the program's end."""
        return sorted(await self._class_path())

    async def loaded_classes(self) -> list[str]:
        """The names of the classes that are loaded now, without lambdas, proxies and arrays."""
        return sorted(await self._loaded_types(kept_s=0.0))

    async def members(self, type_name: str) -> list[MemberName]:
        """The fields and methods that the class itself declares; empty if there is no such class.

        What only the compiler has made is left out.
        """
        try:
            found = await self._vm.classes_by_signature(descriptor_of(type_name))
        except ValueError:
            return []
        if found:
            return await _of_loaded(found[0])
        names = await self._class_path()
        file = await asyncio.to_thread(names.read, type_name)
        return [] if file is None else _of_file(file)

    async def source_files(self) -> Sequence[str]:
        """`shop/Cart.java`: the sources on the source path, by their paths below its parts."""
        return await asyncio.to_thread(self._sources.names)

    async def _class_path(self) -> ClassPathNames:
        if self._on_class_path is None:
            listing = asyncio.to_thread(ClassPathNames, self._sources.class_path)
            self._on_class_path = asyncio.create_task(listing, name="classes on the class path")
        return await asyncio.shield(self._on_class_path)

    async def _loaded_types(self, *, kept_s: float = _KEPT_S) -> dict[str, ReferenceType]:
        """`kept_s`: how old they may be, in seconds."""
        now = asyncio.get_running_loop().time()
        if now >= self._read_at + kept_s:
            found = await self._vm.all_classes()
            self._loaded = {each.name: each for each in found if _can_be_named(each.name)}
            self._read_at = now
        return self._loaded


def _can_be_named(name: str) -> bool:
    return "[" not in name and "/" not in name and "$$" not in name and "$Proxy" not in name


async def _of_loaded(type_: ReferenceType) -> list[MemberName]:
    fields, methods = await asyncio.gather(type_.fields(), type_.methods())
    return [
        *(
            _field(each.name, each.signature, each.modifiers)
            for each in fields
            if not each.is_synthetic
        ),
        *(
            _method(each.name, each.signature, each.modifiers)
            for each in methods
            if not each.is_synthetic
        ),
    ]


def _of_file(file: ClassFile) -> list[MemberName]:
    return [
        *(
            _field(each.name, each.descriptor, each.access)
            for each in file.fields
            if not each.access & Access.SYNTHETIC
        ),
        *(
            _method(each.name, each.descriptor, each.access)
            for each in file.methods
            if not each.access & Access.SYNTHETIC
        ),
    ]


def _field(name: str, descriptor: str, modifiers: int) -> MemberName:
    is_static = bool(modifiers & Access.STATIC)
    return MemberName("field", name, (), _simple(descriptor), is_static)


def _method(name: str, descriptor: str, modifiers: int) -> MemberName:
    parameters, result = parse_method_descriptor(descriptor)
    is_static = bool(modifiers & Access.STATIC)
    return MemberName("method", name, tuple(map(_simple, parameters)), _simple(result), is_static)


def _simple(descriptor: str) -> str:
    return simple_name(java_name(descriptor))
