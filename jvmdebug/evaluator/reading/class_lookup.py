# SPDX-License-Identifier: Apache-2.0
"""What names of classes mean, for one evaluation.

Classes of the JDK that are not loaded, such as the iterators of a collection that nobody has
iterated over, are read from the JDK's files. They may be loaded at any time, so what was read is
not kept for the next evaluation.
"""

from __future__ import annotations

import asyncio
import functools
from typing import TYPE_CHECKING, Final

from jvmdebug.classfile import ClassFile, Code
from jvmdebug.classfile.access import Access
from jvmdebug.evaluator.reading.classes import ReadClasses
from jvmdebug.evaluator.reading.errors import UnreadableError
from jvmdebug.evaluator.reading.method_code import MethodCode
from jvmdebug.evaluator.reading.objects import OBJECT
from jvmdebug.evaluator.reading.read_class import ReadClass, ReadField, parsed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jvmdebug.classfile import Member
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.model.virtual_machine import VirtualMachine

OF_JDK: Final = ("java/", "javax/", "jdk/", "sun/", "com/sun/")


class ClassLookup:
    """Finds classes by their names."""

    def __init__(self, vm: VirtualMachine) -> None:
        self._vm = vm
        self._classes = vm.companion(ReadClasses)
        self._unloaded: dict[str, ReadClass] = {}

    async def of(self, type_: ReferenceType) -> ReadClass:
        """A loaded class; arrays have none."""
        return await self._classes.of(type_)

    async def of_jdk(self, name: str) -> ReadClass | None:
        """A class of the JDK by its internal name."""
        found = await self._classes.of_jdk(self._vm, name)
        if found is None and name != OBJECT:
            home = await self.of_jdk(OBJECT)
            found = None if home is None else await self._of_image(name, home)
        return found

    async def named(self, name: str, home: ReadClass) -> ReadClass | None:
        """The class that code of `home` means by an internal name. One of the JDK that is not
        loaded is read from the JDK's files, if they are here; None for others.
        """
        known = home.known(name)
        if known is not None:
            return known
        found = await self._loaded(name, home)
        if found is None:
            return await self._of_image(name, home)
        meant = await self._classes.of(found)
        home.learn(name, meant)
        return meant

    async def _loaded(self, name: str, home: ReadClass) -> ReferenceType | None:
        found = await self._vm.classes_by_signature(f"L{name.replace('+', '.')};")
        if len(found) < 2:
            return found[0] if found else None
        beside = home.type or home.beside
        own = None if beside is None else await beside.class_loader()
        loaders = await asyncio.gather(*(each.class_loader() for each in found))
        by_loader = dict(zip(loaders, found, strict=True))
        chosen = by_loader.get(own) or by_loader.get(None)
        if chosen is None and own is not None:
            visible = await own.visible_classes()
            chosen = next((each for each in found if each.id in visible), None)
        return chosen

    async def compiled(
        self, name: str, files: Mapping[str, bytes], beside: ReferenceType
    ) -> ReadClass:
        """A class that the evaluation has compiled, by its internal name. `files`: all of them.

        Their code means by a name what that of the class `beside` does.
        """
        made: dict[str, ReadClass] = {}

        async def of(wanted: str, home: ReadClass) -> ReadClass:
            if wanted in made:
                return made[wanted]
            content = files.get(wanted.replace("/", "."))
            if content is None:
                found = await self.named(wanted, home)
                if found is None:
                    raise UnreadableError(f"the class {wanted.replace('/', '.')} is not loaded")
                return found
            file = ClassFile.read(content)
            above = await of(file.superclass or OBJECT, home)
            faces = [await of(each, home) for each in file.interfaces]
            it = made[wanted] = _of_file(file, above, tuple(faces))
            it.beside = beside
            return it

        home = await self.of(beside)
        every = [await of(each.replace(".", "/"), home) for each in files]
        for one in every:
            for other in every:
                one.learn(other.name, other)
        return made[name]

    async def _of_image(self, name: str, home: ReadClass) -> ReadClass | None:
        if not name.startswith(OF_JDK):
            return None
        known = self._unloaded.get(name)
        if known is not None:
            return known
        image = await self._classes.image(self._vm)
        content = None if image is None else await asyncio.to_thread(image.class_file, name)
        file = parsed(content)
        if file is None:
            return None
        superclass = file.superclass
        above = None if superclass is None else await self.named(superclass, home)
        faces = [await self.named(each, home) for each in file.interfaces]
        if (above is None and superclass is not None) or None in faces:
            return None
        interfaces = tuple(each for each in faces if each is not None)
        made = self._unloaded[name] = _of_file(file, above, interfaces)
        return made


def _of_file(
    file: ClassFile, above: ReadClass | None, interfaces: tuple[ReadClass, ...]
) -> ReadClass:
    made = ReadClass((file.name, file.java_name), file.access, above, interfaces, file)
    made.fields = tuple(
        ReadField(each.name, each.descriptor, bool(each.access & Access.STATIC), None)
        for each in file.fields
    )
    made.methods = {
        (each.name, each.descriptor): MethodCode(
            made, (each.name, each.descriptor), each.access, functools.partial(_code, file, each)
        )
        for each in file.methods
    }
    return made


async def _code(file: ClassFile, member: Member) -> bytes:
    attribute = member.attribute("Code")
    return b"" if attribute is None else Code.read(attribute.content, file.constants).code
