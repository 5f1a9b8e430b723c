# SPDX-License-Identifier: Apache-2.0
"""Tells which new code must not run beside the old code of another class.

A class whose new code was refused keeps its old members. New code that uses a member which only the
refused code has would fail with NoSuchMethodError or its like; so would what is to be loaded from
a class file and extends or uses such a class. What code uses is read from its constant pool. Called
by `redefinition`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from jvmdebug.classfile import ClassFile, ConstantTag
from jvmdebug.classfile.descriptors import java_name, method_text
from jvmdebug.classfile.reader import Reader
from jvmdebug.errors import (
    ClassAttributeChangeNotImplementedError,
    ClassModifiersChangeNotImplementedError,
    HierarchyChangeNotImplementedError,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from jvmdebug.errors import VmError
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.model.virtual_machine import VirtualMachine

_PUBLIC, _PRIVATE, _STATIC, _FINAL, _ABSTRACT = 0x1, 0x2, 0x8, 0x10, 0x400
_ACCESS: Final = 0x7
"""public, private, protected"""
_KIND_OF_CLASS: Final = 0x0610
"""final, interface, abstract"""
_NEW_NESTED: Final = (ClassAttributeChangeNotImplementedError, HierarchyChangeNotImplementedError)
"""What VMs say to other NestMembers or PermittedSubclasses; JDK 11 says the second."""
_MEMBERS: Final = (
    ConstantTag.FIELD_REFERENCE,
    ConstantTag.METHOD_REFERENCE,
    ConstantTag.INTERFACE_METHOD_REFERENCE,
)


@dataclass(frozen=True, slots=True)
class OldClass:
    """A class that keeps its old code, or is loaded from a class file that does not fit the old
    code of others.
    """

    name: str
    """The internal one, `shop/Cart`."""
    new_members: Mapping[tuple[str, str], int | None] = field(default_factory=dict)
    """Name and descriptor of what only the new code has. With the old modifiers, if the access to
    it is all that is new.
    """
    other_kind: str | None = None
    """What else is new, so that all who name the class need it: `superclass shop.Base`."""
    new_nested: frozenset[str] = frozenset()
    """Classes that may only be loaded beside the new code: nested and permitted ones."""
    state: str = "was refused"

    @property
    def java_name(self) -> str:
        """`shop.Cart`"""
        return self.name.replace("/", ".")


async def old_class(
    types: Sequence[ReferenceType], file: ClassFile, error: VmError | None = None
) -> OldClass:
    """What the loaded classes lack of the new code. `error`: why the VM has refused that."""
    new: dict[tuple[str, str], int | None] = {}
    kinds: list[str] = []
    for each in types:
        had = {(f.name, f.signature): f.modifiers for f in await each.fields()}
        had |= {(m.name, m.signature): m.modifiers for m in await each.methods()}
        for member in (*file.fields, *file.methods):
            key = (member.name, member.descriptor)
            before = had.get(key)
            if before is None or _is_of_other_kind(before, member.access):
                new[key] = None
            elif (before ^ member.access) & _ACCESS:
                new[key] = before
        kinds += await _other_kind(each, file)
    if isinstance(error, ClassModifiersChangeNotImplementedError):
        kinds.append("modifiers")
    nested = _nested(file) if isinstance(error, _NEW_NESTED) else frozenset()
    return OldClass(file.name, new, kinds[0] if kinds else None, nested)


async def _other_kind(type_: ReferenceType, file: ClassFile) -> list[str]:
    superclass = await type_.superclass()
    above = None if superclass is None else superclass.name.replace(".", "/")
    found = []
    if above not in (None, file.superclass):
        found.append(f"superclass {java_name(f'L{file.superclass};')}")
    loaded = {each.name.replace(".", "/") for each in await type_.interfaces()}
    if added := sorted(set(file.interfaces) - loaded):
        found.append(f"interface {added[0].replace('/', '.')}")
    if (await type_.modifiers() ^ file.access) & _KIND_OF_CLASS:
        found.append("modifiers")
    return found


def _nested(file: ClassFile) -> frozenset[str]:
    """The classes of NestMembers and PermittedSubclasses."""
    found: set[str] = set()
    for name in ("NestMembers", "PermittedSubclasses"):
        if (attribute := file.attribute(name)) is not None:
            reader = Reader(attribute.content)
            indexes = [reader.u2() for _ in range(reader.u2())]
            found.update(map(file.constants.class_name, indexes))
    return frozenset(found)


class Needs:
    """Tells which class files need new code of classes that keep their old."""

    def __init__(self, vm: VirtualMachine, files: Mapping[str, ClassFile]) -> None:
        """`files`: those that are swapped together, by their internal names."""
        self._vm = vm
        self._files = files

    async def why(self, file: ClassFile, old: OldClass, *, is_loaded: bool) -> str | None:
        """`it needs the new long cents() of shop.Price`; None if the old code will do."""
        if not is_loaded and file.name in old.new_nested:
            return f"it belongs to the new code of {old.java_name}"
        if old.other_kind is not None and old.name in _named_classes(file):
            return f"it needs the new {old.other_kind} of {old.java_name}"
        for owner, name, descriptor in _named_members(file):
            member = (name, descriptor)
            if member not in old.new_members:
                continue
            before = old.new_members[member]
            may_be_used = before is not None and _may_use(file.name, before, old.name)
            if not may_be_used and await self._has(owner, member, old.name):
                return f"it needs the new {_text(name, descriptor)} of {old.java_name}"
        return None

    async def _has(self, owner: str, member: tuple[str, str], above: str) -> bool:
        """Whether a member that is named as one of `owner` is found in the class `above`."""
        waiting, seen = [owner], set()
        while waiting:
            name = waiting.pop()
            if name == above:
                return True
            if name in seen:
                continue
            seen.add(name)
            file = self._files.get(name)
            if file is not None:
                declared = {(each.name, each.descriptor) for each in (*file.fields, *file.methods)}
                if member in declared:
                    continue
                waiting += [each for each in (file.superclass, *file.interfaces) if each]
                continue
            for each in await self._vm.classes_by_signature(f"L{name};"):
                superclass = await each.superclass()
                supertypes = [*await each.interfaces(), *([superclass] if superclass else [])]
                waiting += [type_.name.replace(".", "/") for type_ in supertypes]
        return False


def _named_classes(file: ClassFile) -> set[str]:
    """The classes that it names, without itself; of `[Lshop/Cart;` the element."""
    names = {
        file.constants.class_name(each.number)
        for each in file.constants
        if each.tag == ConstantTag.CLASS
    }
    elements = {
        each.lstrip("[").removeprefix("L").removesuffix(";") if each.startswith("[") else each
        for each in names
    }
    return elements - {file.name}


def _named_members(file: ClassFile) -> list[tuple[str, str, str]]:
    """Owner, name and descriptor."""
    found = [file.constants.member(each.number) for each in file.constants if each.tag in _MEMBERS]
    return [(*each,) for each in found if each.owner != file.name]


def _is_of_other_kind(before: int, after: int) -> bool:
    """Whether code for a member with the new modifiers may fail with the old, whoever has it."""
    return bool((before ^ after) & _STATIC or before & ~after & (_FINAL | _ABSTRACT))


def _may_use(user: str, modifiers: int, owner: str) -> bool:
    """Whether a class may use a member of another class with these modifiers."""
    if modifiers & _PUBLIC:
        return True
    if modifiers & _PRIVATE:
        return user.partition("$")[0] == owner.partition("$")[0]
    return user.rpartition("/")[0] == owner.rpartition("/")[0]


def _text(name: str, descriptor: str) -> str:
    """`long cents()`, `Price(long)`, `int total`."""
    if not descriptor.startswith("("):
        return f"{java_name(descriptor)} {name}"
    if name == "<init>":
        return "constructor " + method_text("", descriptor)
    return f"{java_name(descriptor.rpartition(')')[2])} {method_text(name, descriptor)}"
