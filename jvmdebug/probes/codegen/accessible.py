# SPDX-License-Identifier: Apache-2.0
"""Finds the classes that code in a package of the program can name, by the rules of Java and
modules.

The code treats values of any other class as `Object`, or as an array of it, and reaches their
members by method handles. Called by `check` before code is generated, because generating code sends
no requests to the VM.
"""

from __future__ import annotations

import asyncio
import dataclasses
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from jvmdebug.classfile.access import Access
from jvmdebug.evaluator.bind import bound
from jvmdebug.evaluator.symbols import types
from jvmdebug.evaluator.symbols.declarations import FieldDeclaration, MethodDeclaration
from jvmdebug.model.variable import LocalVariable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.model.values import ClassLoaderReference
    from jvmdebug.model.virtual_machine import VirtualMachine

_OBJECT: Final = "java/lang/Object"
_CLASS_IN_DESCRIPTOR: Final = re.compile(r"L([^;]+);")
_EXPORTED: Final = ("java.", "javax.", "org.w3c.dom.", "org.xml.sax.")
"""Packages of the boot loader that its modules export to all other modules."""


@dataclass(frozen=True, slots=True)
class Home:
    """The class whose loader and package the code is in."""

    type: ReferenceType
    loader: ClassLoaderReference | None

    @property
    def package(self) -> str:
        return self.type.name.rpartition(".")[0]

    async def can_name(self, type_: ReferenceType) -> bool:
        """Whether code there may name the class."""
        loader = await type_.class_loader()
        if loader == self.loader and type_.name.rpartition(".")[0] == self.package:
            return True
        if not await type_.modifiers() & Access.PUBLIC:
            return False
        if loader is None:
            return type_.name.startswith(_EXPORTED)
        return self.loader is not None  # a loader finds its own classes

    async def keeps(self, type_: ReferenceType) -> bool:
        """Whether the VM keeps that class at least as long as this one."""
        loader = await type_.class_loader()
        return loader is None or loader == self.loader


@dataclass(frozen=True, slots=True)
class Names:
    """The classes that an expression uses, as instructions name them: `a/b/C`."""

    known: Mapping[str, ReferenceType] = field(default_factory=dict)
    """The loaded classes by name."""
    inaccessible: frozenset[str] = frozenset()
    """The classes that the code cannot name, or that are not loaded yet."""
    unloadable: frozenset[str] = frozenset()
    """The classes that the VM may unload before the code."""

    def can(self, operand: str) -> bool:
        """Whether the code can name a class or array type: `a/b/C`, `[La/b/C;`."""
        return _element(operand) not in self.inaccessible

    def shown(self, operand: str) -> str:
        """The type as which the code treats values of a type."""
        if self.can(operand):
            return operand
        dimensions = operand.count("[")
        return "[" * dimensions + f"L{_OBJECT};" if dimensions else _OBJECT

    def shown_descriptor(self, descriptor: str) -> str:
        """The descriptor of a field or method with such types in place of its own."""
        return _CLASS_IN_DESCRIPTOR.sub(lambda found: f"L{self.shown(found[1])};", descriptor)


class _OfJdk:
    """What is known of classes of the boot loader, which are never unloaded; a companion of a
    VM.
    """

    def __init__(self) -> None:
        self.types: dict[str, ReferenceType] = {}

    async def close(self) -> None:
        """Nothing to do."""


async def names_of(nodes: Iterable[bound.BoundNode], home: Home) -> Names:
    """Find out which of the classes in these nodes the code can name."""
    own = home.type.signature[1:-1]
    operands = {each for node in nodes for each in _operands(node)} - {own, _OBJECT}
    vm = home.type.vm
    ordered = sorted(operands)
    found = await asyncio.gather(*(_loaded(vm, each, home) for each in ordered))
    known = {each: type_ for each, type_ in zip(ordered, found, strict=True) if type_ is not None}
    can = await asyncio.gather(*(home.can_name(each) for each in known.values()))
    named = {each for each, accessible in zip(known, can, strict=True) if accessible}
    kept = await asyncio.gather(*(home.keeps(each) for each in known.values()))
    unloadable = {each for each, stays in zip(known, kept, strict=True) if not stays}
    return Names({own: home.type, **known}, frozenset(operands - named), frozenset(unloadable))


async def _loaded(vm: VirtualMachine, operand: str, home: Home) -> ReferenceType | None:
    """The class that the code means by a name."""
    kept = vm.companion(_OfJdk).types
    if operand in kept:
        return kept[operand]
    found = await vm.classes_by_signature(f"L{operand};")
    loaders = await asyncio.gather(*(each.class_loader() for each in found))
    by_loader = dict(zip(loaders, found, strict=True))
    if None in by_loader:
        kept[operand] = by_loader[None]
    of_home = by_loader.get(home.loader, by_loader.get(None))
    return of_home or next(iter(found), None)


def _operands(node: bound.BoundNode) -> Iterator[str]:
    for part in dataclasses.fields(node):
        yield from _named(getattr(node, part.name))


def _named(value: object) -> Iterator[str]:
    match value:
        case types.ClassType() | types.ArrayType() | types.TypeVariable():
            descriptor = types.erased_reference(value).descriptor
            yield from _CLASS_IN_DESCRIPTOR.findall(descriptor)
        case FieldDeclaration(type=type_, owner=owner):
            yield owner.replace(".", "/")
            yield from _named(type_)
        case MethodDeclaration(descriptor=descriptor, owner=owner):
            yield owner.replace(".", "/")
            yield from _CLASS_IN_DESCRIPTOR.findall(descriptor)
        case LocalVariable(signature=signature):
            yield from _CLASS_IN_DESCRIPTOR.findall(signature)
        case bound.Variable(type=type_) | bound.Temporary(type=type_):
            yield from _named(type_)
        case tuple():
            for each in value:
                yield from _named(each)


def _element(operand: str) -> str:
    found = _CLASS_IN_DESCRIPTOR.fullmatch(operand.lstrip("["))
    return found[1] if operand.startswith("[") and found else operand
