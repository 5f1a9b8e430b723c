# SPDX-License-Identifier: Apache-2.0
"""Why a VM refuses new code for a class, as text: the limit, and the members that exceed it.

The VM gives one error code for a whole command; what differs is found by comparing the class file
with the class that is loaded. HotSpot accepts changed method bodies only.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from jvmdebug.classfile.descriptors import java_name, method_text
from jvmdebug.errors import (
    AddMethodNotImplementedError,
    ClassAttributeChangeNotImplementedError,
    ClassModifiersChangeNotImplementedError,
    DeleteMethodNotImplementedError,
    FailsVerificationError,
    HierarchyChangeNotImplementedError,
    InvalidClassFormatError,
    MethodModifiersChangeNotImplementedError,
    NamesDontMatchError,
    SchemaChangeNotImplementedError,
    UnsupportedVersionError,
    VmError,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jvmdebug.classfile import ClassFile
    from jvmdebug.model.reference_type import ReferenceType

_FLAGS_OF_METHODS: Final = 0x0FFF
_LIMITS: Final[tuple[tuple[type[VmError], str], ...]] = (
    (AddMethodNotImplementedError, "this VM cannot add methods (a lambda is one too)"),
    (DeleteMethodNotImplementedError, "this VM cannot remove methods (a lambda is one too)"),
    (SchemaChangeNotImplementedError, "this VM cannot change the fields of a class"),
    (
        HierarchyChangeNotImplementedError,
        "this VM cannot change what a class extends or implements",
    ),
    (ClassModifiersChangeNotImplementedError, "this VM cannot change the modifiers of a class"),
    (MethodModifiersChangeNotImplementedError, "this VM cannot change the modifiers of methods"),
    (
        ClassAttributeChangeNotImplementedError,
        "this VM cannot change the nested classes, record components or permitted subclasses",
    ),
    (FailsVerificationError, "the VM's verifier rejects the new code"),
    (InvalidClassFormatError, "the VM cannot read the class file"),
    (NamesDontMatchError, "the class file is that of another class"),
)


_ADDED_BY: Final = {
    "$jacoco": "JaCoCo",
    "__$lineHits$__": "the coverage agent of IntelliJ",
    "__$hits$__": "the coverage agent of IntelliJ",
    "__cobertura": "Cobertura",
    "__CLR": "Clover",
    "__rebel": "JRebel",
    "__opentelemetry": "the agent of OpenTelemetry",
    "$$_hibernate": "the enhancer of Hibernate",
}
"""How the members begin that tools add to classes as they are loaded."""


async def explanation(error: VmError, type_: ReferenceType, file: ClassFile) -> str:
    """One line: the limit, the members that differ, JDWP's word."""
    if isinstance(error, UnsupportedVersionError):
        return too_new(file, type_.vm.version.feature_release)
    limit = next((text for kind, text in _LIMITS if isinstance(error, kind)), error.meaning)
    found = "; ".join(await differences(type_, file))
    text = f"{limit.rstrip('.')}: {found} ({error.name})" if found else f"{limit} ({error.name})"
    return text + await _of_other_agents(type_, file)


async def _of_other_agents(type_: ReferenceType, file: ClassFile) -> str:
    """Names the agent that has added members to the loaded class; empty if none is known."""
    fields, methods = await asyncio.gather(type_.fields(), type_.methods())
    own = {each.name for each in (*file.fields, *file.methods)}
    loaded = {each.name for each in fields} | {each.name for each in methods}
    added = sorted(loaded - own)
    for start, agent in _ADDED_BY.items():
        names = [each for each in added if each.startswith(start)]
        if names:
            is_one = len(names) == 1
            return (
                f"; {agent} has added {' and '.join(names)} when it loaded the class, and does not"
                f" add {'it' if is_one else 'them'} to new code: start the program without that"
                " agent to replace this class"
            )
    return ""


def too_new(file: ClassFile, release: int) -> str:
    """The message for a class file of a newer Java than the VM is."""
    return (
        f"it is compiled for Java {file.java_release}, the VM is {release}: "
        f"use --release {release} ({UnsupportedVersionError.NAME})"
    )


async def differences(type_: ReferenceType, file: ClassFile) -> list[str]:
    """What differs between the class file and the loaded class, method bodies aside."""
    fields, methods, superclass, interfaces = await asyncio.gather(
        type_.fields(), type_.methods(), type_.superclass(), type_.interfaces()
    )
    old_fields = {f"{java_name(each.signature)} {each.name}" for each in fields}
    new_fields = {f"{java_name(each.descriptor)} {each.name}" for each in file.fields}
    old_methods = {
        method_text(each.name, each.signature) + f" {each.return_type_name}": each.modifiers
        for each in methods
    }
    new_methods = {
        method_text(each.name, each.descriptor)
        + f" {java_name(each.descriptor.rpartition(')')[2])}": each.access
        for each in file.methods
    }
    common = old_methods.keys() & new_methods.keys()
    changed = {
        name for name in common if (old_methods[name] ^ new_methods[name]) & _FLAGS_OF_METHODS
    }
    found = [
        *_named("new method", new_methods.keys() - old_methods.keys()),
        *_named("missing method", old_methods.keys() - new_methods.keys()),
        *_named("other modifiers of", changed),
        *_named("new field", new_fields - old_fields),
        *_named("missing field", old_fields - new_fields),
    ]
    above = "java.lang.Object" if superclass is None else superclass.name
    if file.superclass is not None and file.superclass.replace("/", ".") != above:
        found.append(f"extends {file.superclass.replace('/', '.')} instead of {above}")
    loaded = {each.name for each in interfaces}
    wanted = {each.replace("/", ".") for each in file.interfaces}
    found += _named("new interface", wanted - loaded)
    found += _named("missing interface", loaded - wanted)
    return found


def _named(what: str, names: Iterable[str]) -> list[str]:
    listed = sorted(_readable(each) for each in names)
    return [f"{what} {', '.join(listed)}"] if listed else []


def _readable(name: str) -> str:
    """`add(int) void` → `void add(int)`; a field is `int total` already."""
    head, parenthesis, result = name.rpartition(") ")
    if not parenthesis:
        return name
    return f"{head})" if head.startswith("<") else f"{result} {head})"
