# SPDX-License-Identifier: Apache-2.0
"""A class as the interpreter uses it: from the VM, or from its class file if it is not loaded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from jvmdebug.classfile import ClassFile, bootstrap_methods
from jvmdebug.classfile.access import Access
from jvmdebug.errors import ClassFileError
from jvmdebug.evaluator.reading.errors import UninitializedError, UnreadableError
from jvmdebug.jdwp.generated.constants import ClassStatus
from jvmdebug.model.class_files import parsed_class_file
from jvmdebug.sources import constant_pool

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable

    from jvmdebug.classfile import ConstantPool, MemberReference
    from jvmdebug.evaluator.reading.method_code import MethodCode
    from jvmdebug.model.field import Field
    from jvmdebug.model.reference_type import ReferenceType

INITIALIZER: Final = ("<clinit>", "()V")
_HANDLE_BYTES: Final = 2
_DYNAMIC: Final = (17, 18)


class ReadField(NamedTuple):
    """A field that a class declares."""

    name: str
    signature: str
    is_static: bool
    field: Field | None
    """That of the VM; None if the class is not loaded."""


class ReadClass:
    """A class or interface with its supertypes. Identity is equality: a loaded type has one."""

    def __init__(
        self,
        names: tuple[str, str],
        modifiers: int,
        superclass: ReadClass | None,
        interfaces: tuple[ReadClass, ...],
        source: ReferenceType | ClassFile,
    ) -> None:
        """`names`: the internal name, and that of Java. `source`: the class in the VM; the class
        file of one that is not loaded.
        """
        self.name, self.java_name = names
        self.modifiers = modifiers
        self.superclass = superclass
        self.interfaces = interfaces
        self.type = None if isinstance(source, ClassFile) else source
        """None if it is not loaded."""
        self.find_file: Callable[[], Awaitable[bytes | None]] = _no_file
        """Finds the class file of a loaded class on this machine."""
        self.fields: tuple[ReadField, ...] = ()
        self.methods: dict[tuple[str, str], MethodCode] = {}
        above = [each for it in (superclass, *interfaces) if it is not None for each in it.supers]
        self.supers: tuple[ReadClass, ...] = tuple(dict.fromkeys((self, *above)))
        """This class and all above it."""
        self.is_initialized = False
        self.beside: ReferenceType | None = None
        """Of a class that the evaluation itself has compiled, which may write its own static
        fields: the class whose loader gives what its code names.
        """
        self.pool: ConstantPool | None = None
        self._file = source if isinstance(source, ClassFile) else None
        self._local: tuple[ClassFile | None] | None = None
        self._selected: dict[tuple[str, str], MethodCode | None] = {}
        self._named: dict[str, ReadClass] = {}

    @property
    def is_interface(self) -> bool:
        return bool(self.modifiers & Access.INTERFACE)

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
        concrete = [each for each in defaults if not each.is_abstract]
        for candidate in concrete:
            below = (it for it in concrete if it is not candidate)
            if not any(candidate.of_class in it.of_class.supers for it in below):
                return candidate
        return next(iter(defaults), None)

    def declared(self, name: str, descriptor: str) -> MethodCode | None:
        """The method that a reference to this class means (JVMS 5.4.3.3)."""
        key = name, descriptor
        return next((each.methods[key] for each in self.supers if key in each.methods), None)

    def field_named(self, name: str, descriptor: str) -> tuple[ReadClass, ReadField] | None:
        """The field that a reference to this class means, and where it is declared."""
        for each in self.supers:
            for field in each.fields:
                if field.name == name and field.signature == descriptor:
                    return each, field
        return None

    def instance_fields(self) -> list[tuple[str, ReadField]]:
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
        """The class file, from files of this machine or from the VM. UnreadableError, with what it
        is needed for, if neither has it.
        """
        if self._file is not None:
            return self._file
        # Asking the VM for it runs the transformers of other agents.
        file = await self._local_file()
        if file is None and self.type is not None:
            file = await parsed_class_file(self.type)
        if file is None:
            is_ours = self.type is None or self.type.vm.agent is not None
            why = "" if is_ours else ", which jvmdebug's agent reads"
            raise UnreadableError(f"{what} is known from the class file only{why}")
        return file

    async def _local_file(self) -> ClassFile | None:
        """The class file on this machine, if its constants are those of the loaded class."""
        if self._local is None:
            self._local = (parsed(await self.find_file()),)
        (file,) = self._local
        await self.read_pool()
        is_it = file is not None and self.pool is not None and file.constants.raw == self.pool.raw
        return file if is_it else None

    async def read_pool(self) -> None:
        """Read the constants. UnreadableError if the VM does not give them."""
        if self.pool is None and self._file is not None:
            self.pool = self._file.constants
        if self.pool is None and self.type is not None:
            self.pool = await constant_pool(self.type)
        if self.pool is None:
            raise UnreadableError(f"the VM does not give the constants of {self.java_name}")

    async def require_initialized(self) -> None:
        """UninitializedError if its static initializer would run, or that of a superclass."""
        waiting = [each for each in self.chain if not await each.has_run_initializer()]
        if waiting:
            first = waiting[0]
            state = "loaded" if first.type is None else "initialized"
            text = f"the class {first.java_name} is not {state} yet"
            raise UninitializedError(text, tuple(waiting))
        self.is_initialized = True

    async def has_run_initializer(self) -> bool:
        """Whether its own static initializer has run, or there is none."""
        if self.is_initialized or INITIALIZER not in self.methods:
            return True
        status = ClassStatus(0) if self.type is None else await self.type.status()
        return bool(status & ClassStatus.INITIALIZED)

    async def bootstrap(self, index: int) -> tuple[MemberReference, list[int], ConstantPool]:
        """What links a call of `invokedynamic`: the bootstrap method, and its static arguments as
        indexes of the constants that come with them.
        """
        file = await self.class_file(f"what {self.java_name} links dynamically")
        attribute = file.attribute("BootstrapMethods")
        if attribute is None or self.pool is None:
            raise UnreadableError(f"{self.java_name} links dynamically what its class file lacks")
        # The constants of a class file from the VM may be in another order than those of JDWP.
        wanted = int.from_bytes(self.pool.content(index, *_DYNAMIC)[:_HANDLE_BYTES])
        for number, each in enumerate(bootstrap_methods(attribute.content)):
            if number == wanted:
                _, member = file.constants.method_handle(each.handle)
                return file.constants.member(member), list(each.arguments), file.constants
        raise UnreadableError(f"{self.java_name} has no bootstrap method {wanted}")


async def _no_file() -> bytes | None:
    return None


def parsed(content: bytes | None) -> ClassFile | None:
    """A class file; None for what is none."""
    try:
        return None if content is None else ClassFile.read(content)
    except ClassFileError:
        return None
