# SPDX-License-Identifier: Apache-2.0
"""Classes and the code of methods, as the interpreter uses them.

What is read of a class is kept for all evaluations in a VM, until a class is redefined. Code comes
from the VM, a command for each method; the class file is read only for what JDWP has no command
for: exception handlers and what `invokedynamic` links. Our agent gives it; with another one it is
taken from the class path, if it is the same class.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Final

from jvmdebug.classfile import ClassFile, exception_entries
from jvmdebug.classfile import Code as CodeAttribute
from jvmdebug.classfile.descriptors import parse_method_descriptor, slot_count
from jvmdebug.classfile.reader import Reader
from jvmdebug.errors import ClassFileError, ClassNotPreparedError
from jvmdebug.evaluator.class_path import local_class_path, read_local
from jvmdebug.evaluator.reading.objects import UnreadableError
from jvmdebug.jdwp.generated.constants import ClassStatus
from jvmdebug.model.class_files import parsed_class_file
from jvmdebug.model.lifetimes import Memo
from jvmdebug.model.reference_type import InterfaceType
from jvmdebug.sources import constant_pool

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jvmdebug.classfile import ConstantPool, MemberReference
    from jvmdebug.evaluator.reading.instructions import Step
    from jvmdebug.model.field import Field
    from jvmdebug.model.method import Method
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.model.virtual_machine import VirtualMachine

_HANDLE_BYTES: Final = 2


class MethodCode:
    """A method, and its code once it was read."""

    def __init__(self, of_class: ReadClass, method: Method) -> None:
        self.of_class = of_class
        self.method = method
        self.name = method.name
        self.descriptor = method.signature
        self.parameters, self.result = parse_method_descriptor(method.signature)
        self.is_static = method.is_static
        self.key = f"{of_class.name}.{method.name}"
        """`java/util/HashMap.get`"""
        self.slots = sum(map(slot_count, self.parameters)) + (not self.is_static)
        """What the arguments take on a stack."""
        self.code = b""
        self.steps: list[Step] | None = None
        """The decoded instructions; None until they are read."""
        self.positions: dict[int, int] = {}
        """Code index → position in `steps`."""
        self.locals = 0
        """The slots of a frame's variables."""
        self.sites: dict[int, Any] = {}
        """What the constants that instructions name were found to mean."""
        self.handlers: tuple[tuple[int, int, int, str | None], ...] | None = None
        """Positions of start, end and handler, and the class that is caught; None: not read."""

    @property
    def label(self) -> str:
        """`java.util.HashMap.get()`, for messages."""
        return f"{self.of_class.type.name}.{self.name}()"

    async def read_handlers(self) -> None:
        """Read the exception handlers. UnreadableError if they cannot be known."""
        if not exception_entries(self.code):
            self.handlers = ()
            return
        file = await self.of_class.class_file(f"whether {self.label} catches an exception")
        member = file.method(self.name, self.descriptor)
        attribute = None if member is None else member.attribute("Code")
        if attribute is None:
            raise UnreadableError(f"the class file of {self.of_class.type.name} lacks {self.label}")
        found = CodeAttribute.read(attribute.content, file.constants)
        end = len(self.steps or ())
        self.handlers = tuple(
            (
                self.positions.get(each.start, end),
                self.positions.get(each.end, end),
                self.positions[each.handler],
                file.constants.class_name(each.catch_type) if each.catch_type else None,
            )
            for each in found.handlers
        )


class ReadClass:
    """A class or interface with its supertypes. Identity is equality: a loaded type has one."""

    def __init__(
        self,
        type_: ReferenceType,
        modifiers: int,
        superclass: ReadClass | None,
        interfaces: tuple[ReadClass, ...],
        members: tuple[tuple[Field, ...], tuple[Method, ...]],
    ) -> None:
        self.type = type_
        self.name = type_.signature[1:-1]
        """Internal name: `java/util/HashMap`."""
        self.modifiers = modifiers
        self.superclass = superclass
        self.interfaces = interfaces
        self.fields, methods = members
        self.methods = {(each.name, each.signature): MethodCode(self, each) for each in methods}
        above = [each for it in (superclass, *interfaces) if it is not None for each in it.supers]
        self.supers: tuple[ReadClass, ...] = tuple(dict.fromkeys((self, *above)))
        """This class and all above it."""
        self.is_initialized = False
        self.pool: ConstantPool | None = None
        self._local: tuple[ClassFile | None] | None = None
        self._selected: dict[tuple[str, str], MethodCode | None] = {}
        self._named: dict[str, ReadClass] = {}

    @property
    def is_interface(self) -> bool:
        return isinstance(self.type, InterfaceType)

    @property
    def chain(self) -> Iterable[ReadClass]:
        """This class and its superclasses, nearest first."""
        found: ReadClass | None = self
        while found is not None:
            yield found
            found = found.superclass

    def selected(self, name: str, descriptor: str) -> MethodCode | None:
        """The method that a call on an object of this class runs (JVMS 5.4.6)."""
        key = name, descriptor
        if key not in self._selected:
            self._selected[key] = self._select(key)
        return self._selected[key]

    def _select(self, key: tuple[str, str]) -> MethodCode | None:
        for each in self.chain:
            found = each.methods.get(key)
            if found is not None and not found.is_static:
                return found
        defaults: list[MethodCode] = [
            each.methods[key]
            for each in self.supers
            if each.is_interface and key in each.methods and not each.methods[key].is_static
        ]
        concrete = [each for each in defaults if not each.method.is_abstract]
        for candidate in concrete:
            below = (it for it in concrete if it is not candidate)
            if not any(candidate.of_class in it.of_class.supers for it in below):
                return candidate
        return next(iter(defaults), None)

    def declared(self, name: str, descriptor: str) -> MethodCode | None:
        """The method that a reference to this class means (JVMS 5.4.3.3)."""
        key = name, descriptor
        return next((each.methods[key] for each in self.supers if key in each.methods), None)

    def field_named(self, name: str, descriptor: str) -> tuple[ReadClass, Field] | None:
        """The field that a reference to this class means, and where it is declared."""
        for each in self.supers:
            for field in each.fields:
                if field.name == name and field.signature == descriptor:
                    return each, field
        return None

    def instance_fields(self) -> list[tuple[str, Field]]:
        """The fields that an object of this class has, by the keys of `ReadObject.fields`."""
        return [
            (f"{each.name}.{field.name}", field)
            for each in self.chain
            for field in each.fields
            if not field.is_static
        ]

    def known(self, name: str) -> ReadClass | None:
        """The class that this one means by a name, if it was looked for before."""
        if name == self.name or name.replace("+", ".") == self.name:
            return self
        # The constants of a hidden class have its name without the suffix.
        if "." in self.name and name == self.name.partition(".")[0]:
            return self
        return self._named.get(name)

    def learn(self, name: str, meant: ReadClass) -> None:
        """Keep what a name means here."""
        self._named[name] = meant

    async def class_file(self, what: str) -> ClassFile:
        """The class file, from the VM or the class path of the program. UnreadableError, with what
        it is needed for, if neither has it.
        """
        file = await parsed_class_file(self.type) or await self._local_file()
        if file is None:
            why = "" if self.type.vm.agent is not None else ", which jvmdebug's agent reads"
            raise UnreadableError(f"{what} is known from the class file only{why}")
        return file

    async def _local_file(self) -> ClassFile | None:
        """The class file on the class path, if its constants are those of the loaded class."""
        if self._local is None:
            paths = await local_class_path(self.type.vm)
            content = await asyncio.to_thread(read_local, paths, f"{self.name}.class")
            self._local = (_parsed(content),)
        (file,) = self._local
        await self.read_pool()
        is_it = file is not None and self.pool is not None and file.constants.raw == self.pool.raw
        return file if is_it else None

    async def read_pool(self) -> None:
        """Read the constants. UnreadableError if the VM does not give them."""
        if self.pool is None:
            self.pool = await constant_pool(self.type)
        if self.pool is None:
            raise UnreadableError(f"the VM does not give the constants of {self.type.name}")

    async def require_initialized(self) -> None:
        """UnreadableError unless its static initializer has run."""
        if not self.is_initialized:
            if not await self.type.status() & ClassStatus.INITIALIZED:
                raise UnreadableError(f"the class {self.type.name} is not initialized yet")
            self.is_initialized = True

    async def bootstrap(self, index: int) -> tuple[MemberReference, list[int], ConstantPool]:
        """What links a call of `invokedynamic`: the bootstrap method, and its static arguments as
        indexes of the constants that come with them.
        """
        file = await self.class_file(f"what {self.type.name} links dynamically")
        attribute = file.attribute("BootstrapMethods")
        if attribute is None or self.pool is None:
            raise UnreadableError(f"{self.type.name} links dynamically what its class file lacks")
        # The constants of a class file from the VM may be in another order than those of JDWP.
        wanted = int.from_bytes(self.pool.content(index, *_DYNAMIC)[:_HANDLE_BYTES])
        reader = Reader(attribute.content)
        for number in range(reader.u2()):
            handle = reader.u2()
            arguments = [reader.u2() for _ in range(reader.u2())]
            if number == wanted:
                _, member = file.constants.method_handle(handle)
                return file.constants.member(member), arguments, file.constants
        raise UnreadableError(f"{self.type.name} has no bootstrap method {wanted}")


_DYNAMIC: Final = (17, 18)


def _parsed(content: bytes | None) -> ClassFile | None:
    try:
        return None if content is None else ClassFile.read(content)
    except ClassFileError:
        return None


class ReadClasses:
    """The classes of a VM: `vm.companion(ReadClasses)`."""

    def __init__(self) -> None:
        self._classes = Memo()
        self._redefinitions = 0
        self._of_jdk: dict[str, ReferenceType] = {}

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

    def peek(self, type_: ReferenceType) -> ReadClass | None:
        """The same if it was read before."""
        found = self._classes.peek(type_)
        return found if isinstance(found, ReadClass) else None

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
        above = None if superclass is None else await self.of(superclass)
        faces = await asyncio.gather(*map(self.of, interfaces))
        return ReadClass(type_, modifiers, above, tuple(faces), (fields, methods))

    async def named(self, vm: VirtualMachine, name: str, home: ReadClass) -> ReadClass | None:
        """The class that code of `home` means by an internal name; None if none is loaded."""
        known = home.known(name)
        if known is not None:
            return known
        found = await vm.classes_by_signature(f"L{name.replace('+', '.')};")
        if len(found) > 1:
            own, *loaders = await asyncio.gather(
                home.type.class_loader(), *(each.class_loader() for each in found)
            )
            by_loader = dict(zip(loaders, found, strict=True))
            chosen = by_loader.get(own) or by_loader.get(None)
            if chosen is None and own is not None:
                visible = await own.visible_classes()
                chosen = next((each for each in found if each.id in visible), None)
            found = [] if chosen is None else [chosen]
        if not found:
            return None
        meant = await self.of(found[0])
        home.learn(name, meant)
        return meant

    async def close(self) -> None:
        """The connection is closed."""
        self._classes.forget()
