# SPDX-License-Identifier: Apache-2.0
"""The modules of a program: what they read, export, open, use and provide, and adding to that.

Reading goes by fields of java.lang.Module and its descriptor: what was declared and resolved. What
is added while the program runs is known to the VM alone. A base class of LoadedClasses.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jvmdebug import display
from jvmdebug.display import layout
from jvmdebug.display.layout import UnknownLayoutError
from jvmdebug.errors import SourceError
from jvmdebug.jvmti.calling import call, class_id, number, the_class
from jvmdebug.model.module import Module, all_modules, module_of
from jvmdebug.model.values import ObjectReference, StringReference
from jvmdebug.printable import one_line

if TYPE_CHECKING:
    from jvmdebug.jvmti.calling import NamedClass
    from jvmdebug.model.values import Value
    from jvmdebug.model.virtual_machine import VirtualMachine


@dataclass(frozen=True, slots=True)
class ModulePackage:
    """A package that a module exports or opens."""

    package: str
    to: tuple[str, ...]
    """The modules that it does so to; empty: to all."""

    def __str__(self) -> str:
        return f"{self.package} to {', '.join(self.to)}" if self.to else self.package


@dataclass(frozen=True, slots=True)
class ModuleDetails:
    """A named module, as it was declared and resolved."""

    name: str
    reads: tuple[str, ...]
    """Names of the modules that it reads."""
    exports: tuple[ModulePackage, ...]
    opens: tuple[ModulePackage, ...]
    uses: tuple[str, ...]
    """Names of service types."""
    provides: dict[str, tuple[str, ...]]
    """Service type → the classes that provide it."""
    module: Module = field(repr=False)


class ProgramModules(ABC):
    """The modules of one program."""

    @abstractmethod
    def _vm(self) -> VirtualMachine:
        """The VM; StateError when it is gone."""

    async def module_details(self, name: str) -> ModuleDetails:
        """What a named module reads, exports, opens, uses and provides. SourceError if there is no
        module of that name.
        """
        module = await self.module(name)
        try:
            descriptor, reads = await layout.read(module.reference, "descriptor", "reads")
            if not isinstance(descriptor, ObjectReference):
                raise SourceError(f"{name} has no descriptor")
            exports, opens, uses, provides = await layout.read(
                descriptor, "exports", "opens", "uses", "provides"
            )
            return ModuleDetails(
                name,
                tuple(sorted([await _text_of(each, "name") for each in await _elements(reads)])),
                await _packages(exports),
                await _packages(opens),
                tuple(sorted([await _text(each) for each in await _elements(uses)])),
                await _providers(provides),
                module,
            )
        except UnknownLayoutError:
            raise SourceError(f"this VM keeps what {name} declares in another way") from None

    async def module(self, name: str) -> Module:
        """The module of a name: `java.base`. SourceError if there is none, or several layers have
        one.
        """
        modules = await all_modules(self._vm())
        names = await asyncio.gather(*(each.name() for each in modules))
        found = [each for each, known in zip(modules, names, strict=True) if known == name]
        if len(found) != 1:
            raise SourceError(f"{len(found) or 'no'} modules are named {name}")
        return found[0]

    async def module_of(self, named: NamedClass) -> Module:
        """The module of a class, the unnamed one of its loader too."""
        return await module_of(await the_class(self._vm(), named))

    async def get_named_module(self, package: str, near: NamedClass) -> Module | None:
        """The named module that has a package, `java.util`, for the loader of a class; None if
        there is none.
        """
        type_ = await the_class(self._vm(), near)
        loader = await type_.class_loader()
        given = 0 if loader is None else loader.id
        internal = package.replace(".", "/")
        reply = await call(type_.vm, "GetNamedModule", texts=(internal,), objects=(given,))
        id_ = reply.objects[0].id
        return next((each for each in await all_modules(type_.vm) if each.id == id_), None)

    async def is_modifiable_module(self, module: Module) -> bool:
        """Whether the functions below may change a module."""
        return bool(await number(self._vm(), "IsModifiableModule", module.id))

    async def add_module_reads(self, module: Module, other: Module) -> None:
        """Have a module read another one. JvmtiError if it may not be changed."""
        await self._change("AddModuleReads", module.id, other.id)

    async def add_module_exports(self, module: Module, package: str, to: Module) -> None:
        """Have a module export a package, `jdk.internal.misc`, to another one."""
        await self._change("AddModuleExports", module.id, to.id, package=package)

    async def add_module_opens(self, module: Module, package: str, to: Module) -> None:
        """Have a module open a package to another one, for deep reflection."""
        await self._change("AddModuleOpens", module.id, to.id, package=package)

    async def add_module_uses(self, module: Module, service: NamedClass) -> None:
        """Have a module use a service type, which is loaded."""
        await self._change("AddModuleUses", module.id, await self._id(service))

    async def add_module_provides(
        self, module: Module, service: NamedClass, by: NamedClass
    ) -> None:
        """Have a module provide a service by a class; both are loaded."""
        ids = await self._id(service), await self._id(by)
        await self._change("AddModuleProvides", module.id, *ids)

    async def _id(self, named: NamedClass) -> int:
        return await class_id(await the_class(self._vm(), named))

    async def _change(self, function: str, *objects: int, package: str | None = None) -> None:
        texts = () if package is None else (package,)
        hint = "" if package is None else f"the module has no package {package}"
        await call(
            self._vm(),
            function,
            texts=texts,
            objects=objects,
            changes=True,
            hint=hint,
        )


async def _elements(collection: Value) -> list[Value]:
    return [each.value for each in await display.children(collection)]


async def _text(value: Value) -> str:
    return one_line(await value.as_text()) if isinstance(value, StringReference) else "?"


async def _text_of(value: Value, name: str) -> str:
    if not isinstance(value, ObjectReference):
        return "?"
    return await _text((await layout.read(value, name))[0])


async def _packages(collection: Value) -> tuple[ModulePackage, ...]:
    found = []
    for each in await _elements(collection):
        if isinstance(each, ObjectReference):
            source, targets = await layout.read(each, "source", "targets")
            to = sorted([await _text(one) for one in await _elements(targets)])
            found.append(ModulePackage(await _text(source), tuple(to)))
    return tuple(sorted(found, key=lambda it: it.package))


async def _providers(collection: Value) -> dict[str, tuple[str, ...]]:
    found = {}
    for each in await _elements(collection):
        if isinstance(each, ObjectReference):
            service, providers = await layout.read(each, "service", "providers")
            names = [await _text(one) for one in await _elements(providers)]
            found[await _text(service)] = tuple(names)
    return dict(sorted(found.items()))
