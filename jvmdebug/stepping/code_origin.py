# SPDX-License-Identifier: Apache-2.0
"""Tells where the code of a class comes from: a directory, an archive, or a generator.

Asks the VM for the code source of a class: its protection domain, by a field of java.lang.Class
where the JDK has it (25 and later), else by `Class.getProtectionDomain()`, run on the suspended
thread. What is in the domain is read once for all classes of it. Called by `libraries`.
"""

from __future__ import annotations

import re
from enum import Enum, auto
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

from jvmdebug.classfile.access import Access
from jvmdebug.errors import RequestTimeout, VmError
from jvmdebug.model.debuggee_exception import DebuggeeException
from jvmdebug.model.generated_names import generator_of
from jvmdebug.model.values import ClassObjectReference, ObjectReference, StringReference

if TYPE_CHECKING:
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.model.thread import Thread
    from jvmdebug.model.values import Value
    from jvmdebug.model.virtual_machine import VirtualMachine

_DOMAIN: Final = "Ljava/security/ProtectionDomain;"
_INVOKE_TIMEOUT_S: Final = 5.0
_ARCHIVE: Final = re.compile(r"\.(jar|zip|war|ear|rar|aar)$", re.IGNORECASE)


class CodeOrigin(Enum):
    """The origin of code."""

    DIRECTORY = auto()
    """The user's, by all conventions."""
    PROGRAM = auto()
    """The archive that was started, if nothing of the class path is a directory."""
    LIBRARY = auto()
    GENERATED = auto()
    UNKNOWN = auto()
    """Not known, or of the JDK, which is no library."""


def is_generated(name: str) -> bool:
    """Whether a class of this Java name is made from no source, while the program runs."""
    return generator_of(name) is not None


async def has_no_source(type_: ReferenceType) -> bool:
    """Whether a class says itself that no source was compiled to it: its source is `<generated>`
    (CGLIB), or it has none and is synthetic (what Micronaut, Quarkus and Byte Buddy make).
    """
    source = await type_.source_file()
    if source is None:
        return bool(await type_.modifiers() & Access.SYNTHETIC)
    return source == "<generated>"


def is_archive(location: str) -> bool:
    """Whether the location of a code source is an archive, which may be inside of another one.

    `file:/x/lib.jar`, `jar:nested:/app.jar/!BOOT-INF/lib/lib.jar!/`; a directory is
    `file:/x/classes/`, `jar:file:/app.jar!/BOOT-INF/classes!/`.
    """
    inside = location.removesuffix("!/")
    return _ARCHIVE.search(inside.rpartition("!")[2]) is not None


class CodeSources:
    """The locations of the code sources of a VM."""

    def __init__(self, vm: VirtualMachine) -> None:
        self._vm = vm
        self._known: dict[ObjectReference, str | None] = {}
        """By protection domain."""

    async def location(self, type_: ReferenceType, thread: Thread) -> str | None:
        """The URL that a class was loaded from, decoded; None if it has none or is not known.

        `thread` is suspended by an event: a method of the JDK may run on it.
        """
        try:
            return await type_.derived("code source", lambda: self._location(type_, thread))
        except (VmError, RequestTimeout, DebuggeeException):
            return None  # the thread cannot run methods now: another time, perhaps

    async def _location(self, type_: ReferenceType, thread: Thread) -> str | None:
        domain = await self._domain(await type_.class_object(), thread)
        if domain is None:
            return None
        if domain not in self._known:
            self._known[domain] = await _location_in(domain)
        return self._known[domain]

    async def _domain(self, of: ClassObjectReference, thread: Thread) -> ObjectReference | None:
        class_type = await of.type()
        value: Value
        for each in await class_type.fields():
            if each.signature == _DOMAIN and not each.is_static and each.name == "protectionDomain":
                (value,) = await of.get_values([each])
                break
        else:
            (method,) = (
                each
                for each in await class_type.methods()
                if each.name == "getProtectionDomain" and each.signature == f"(){_DOMAIN}"
            )
            value = await of.invoke(method, (), thread, timeout_s=_INVOKE_TIMEOUT_S)
        return value if isinstance(value, ObjectReference) else None


async def _location_in(domain: ObjectReference) -> str | None:
    source = await _field(domain, "codesource")
    url = None if source is None else await _field(source, "location")
    if url is None:
        return None
    parts = [await _field(url, name) for name in ("protocol", "file")]
    texts = [await each.as_text() if isinstance(each, StringReference) else "" for each in parts]
    return unquote(":".join(texts))


async def _field(of: ObjectReference, name: str) -> ObjectReference | None:
    """The value of a field of that name, in its class or the nearest superclass."""
    for each in await (await of.type()).instance_fields():
        if each.name == name:
            (value,) = await of.get_values([each])
            return value if isinstance(value, ObjectReference) else None
    return None
