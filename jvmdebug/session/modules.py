# SPDX-License-Identifier: Apache-2.0
"""The modules of the program as the public API shows them: name, version, where they came from.

Reads the VM and fields of the class loaders and runs no code. Modules do not change, so they are
cached. Called by `session.code`.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote, urlsplit

from jvmdebug import display
from jvmdebug.display import layout
from jvmdebug.display.layout import UnknownLayoutError
from jvmdebug.errors import InvalidModuleError, InvalidObjectError
from jvmdebug.model.lifetimes import Memo
from jvmdebug.model.module import Module, all_modules, has_modules, module_of
from jvmdebug.model.values import ObjectReference, StringReference

if TYPE_CHECKING:
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.model.values import ClassLoaderReference, Value
    from jvmdebug.model.virtual_machine import VirtualMachine

_APP, _PLATFORM = "app", "platform"
_OF_THE_JDK: Final = ("java.", "jdk.", "javax.")
_OF_REFLECTION: Final = ("jdk.internal.reflect.", "sun.reflect.")
"""Loaders for one generated class each."""
_AT_ONCE: Final = 200


@dataclass(frozen=True, slots=True)
class LoadedModule:
    """A module, named or the unnamed one of a class loader. Equal if it is the same module."""

    module: Module
    name: str | None
    """`java.base`; None for an unnamed module."""
    loader: str | None
    """`app`, `platform`, the class of a loader without name; None for the VM's own."""
    version: str | None
    paths: tuple[str, ...]
    """Jars and directories, or `jrt:/java.base`; empty when not known."""
    is_platform: bool
    """Whether it is a part of the JDK."""

    def __str__(self) -> str:
        """`java.base`, `unnamed module of app`"""
        return self.name or f"unnamed module of {self.loader or 'the VM'}"


class Modules:
    """The modules of one session."""

    def __init__(self, vm: VirtualMachine) -> None:
        self._vm = vm
        self._known: dict[Module, LoadedModule | None] = {}
        self._of_types = Memo()

    async def all(self) -> tuple[LoadedModule, ...]:
        """The modules that are there now, in the VM's order. One round trip when all are known."""
        if not has_modules(self._vm):
            return ()
        found = await all_modules(self._vm)
        new = [each for each in found if each not in self._known]
        for start in range(0, len(new), _AT_ONCE):
            page = new[start : start + _AT_ONCE]
            described = await asyncio.gather(*map(self._describe, page))
            self._known.update(zip(page, described, strict=True))
        kept = set(found)
        self._known = {each: shown for each, shown in self._known.items() if each in kept}
        return tuple(shown for each in found if (shown := self._known[each]) is not None)

    async def of(self, type_: ReferenceType) -> Module | None:
        """The module of a type; None before Java 9."""
        if not has_modules(self._vm):
            return None

        async def fetch() -> Module:
            return await module_of(type_)

        return await self._of_types.get(type_, fetch)

    async def _describe(self, module: Module) -> LoadedModule | None:
        """None for a module that is not worth showing, or was unloaded meanwhile."""
        try:
            name, loader = await asyncio.gather(module.name(), module.class_loader())
            loader_name = None if loader is None else await _loader_name(loader)
            if name is None:
                return await self._unnamed(module, loader, loader_name)
            is_platform = loader_name in (None, _PLATFORM) or (
                loader_name == _APP and name.startswith(_OF_THE_JDK)
            )
            paths = (f"jrt:/{name}",) if is_platform else await _named_paths(loader, name)
            version = await _version(module.reference)
        except (InvalidModuleError, InvalidObjectError):
            return None
        return LoadedModule(module, name, loader_name, version, paths, is_platform)

    async def _unnamed(
        self, module: Module, loader: ClassLoaderReference | None, loader_name: str | None
    ) -> LoadedModule | None:
        paths: tuple[str, ...] = ()
        if loader is None or loader_name == _APP:
            known = await self._vm.class_paths()
            entries = known.boot_class_paths if loader is None else known.class_paths
            base = Path(known.base_directory)
            paths = tuple(str(base / each) for each in entries if each)
        else:
            paths = await _url_paths(loader)
        is_platform = loader_name in (None, _PLATFORM)
        if (is_platform and not paths) or (loader_name or "").startswith(_OF_REFLECTION):
            return None
        return LoadedModule(module, None, loader_name, None, paths, is_platform)


async def _loader_name(loader: ClassLoaderReference) -> str:
    """The name of a class loader (JDK 9 and later), or else its class and a number."""
    try:
        (name,) = await layout.read(loader, "name")
    except UnknownLayoutError:
        name = None
    if isinstance(name, StringReference):
        return await name.as_text()
    return f"{(await loader.type()).name}@{loader.id:x}"


async def _version(module: ObjectReference) -> str | None:
    try:
        (descriptor,) = await layout.read(module, "descriptor")
        if not isinstance(descriptor, ObjectReference):
            return None
        version, parsed = await layout.read(descriptor, "rawVersionString", "version")
        if isinstance(parsed, ObjectReference):  # that of the JDK's own modules has no text
            (version,) = await layout.read(parsed, "version")
    except UnknownLayoutError:
        return None
    return await version.as_text() if isinstance(version, StringReference) else None


async def _named_paths(loader: ClassLoaderReference | None, name: str) -> tuple[str, ...]:
    """The paths where the JDK's loaders found a module, from their map of names to references."""
    if loader is None:
        return ()
    try:
        (by_name,) = await layout.read(loader, "nameToModule")
        for entry in await display.children(by_name):
            if entry.name.strip('"') == name and isinstance(entry.value, ObjectReference):
                (location,) = await layout.read(entry.value, "location")
                if isinstance(location, ObjectReference):
                    (text,) = await layout.read(location, "string")
                    return await _file_paths(text)
    except UnknownLayoutError:
        pass
    return ()


async def _url_paths(loader: ClassLoaderReference) -> tuple[str, ...]:
    """The files of a URLClassLoader."""
    try:
        (class_path,) = await layout.read(loader, "ucp")
        if not isinstance(class_path, ObjectReference):
            return ()
        (urls,) = await layout.read(class_path, "path")
        found: list[str] = []
        for entry in await display.children(urls):
            if isinstance(entry.value, ObjectReference):
                (file,) = await layout.read(entry.value, "file")
                found += await _file_paths(file)
    except UnknownLayoutError:
        return ()
    return tuple(found)


async def _file_paths(text: Value) -> tuple[str, ...]:
    """`file:///opt/shop.jar` or `/opt/shop.jar` as a path; another URL as it is."""
    if not isinstance(text, StringReference):
        return ()
    url = await text.as_text()
    parts = urlsplit(url)
    return (unquote(parts.path) if parts.scheme in ("", "file") else url,)
