# SPDX-License-Identifier: Apache-2.0
"""A method that a type declares, with its line table and variable table.

Immutable but for the tables, which are requested once and cached as long as the type.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar, cast

from jvmdebug.classfile import LineTable, parameter_names
from jvmdebug.classfile.access import Access
from jvmdebug.classfile.descriptors import (
    MethodDescriptor,
    java_name,
    method_text,
    parse_method_descriptor,
    slot_count,
)
from jvmdebug.errors import AbsentInformationError, ClassFileError, NativeMethodError
from jvmdebug.jdwp.generated import method as method_set
from jvmdebug.model.agent import AgentCapability
from jvmdebug.model.class_files import parsed_class_file
from jvmdebug.model.lifetimes import Memo
from jvmdebug.model.location import Location
from jvmdebug.model.modifiers import is_synthetic
from jvmdebug.model.variables_from_file import variables_of
from jvmdebug.printable import one_line

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from jvmdebug.jdwp.ids import MethodId
    from jvmdebug.model.reference_type import ReferenceType

T = TypeVar("T")
_PLATFORM: Final = ("java.", "javax.", "jdk.", "sun.", "com.sun.")
_LAZY: Final = ("$lzycompute", "$lzyINIT")


@dataclass(frozen=True, slots=True)
class LocalVariableSlot:
    """One entry of a method's variable table: visible at start <= index < start + length."""

    name: str
    signature: str
    generic: str | None
    slot: int
    start: int
    length: int
    is_argument: bool

    def is_visible_at(self, index: int) -> bool:
        """Whether the variable can be read when the frame is at this code index."""
        return self.start <= index < self.start + self.length


def is_body_name(name: str) -> bool:
    """Whether a method has the body of a lambda: `lambda$f$0` (javac), `f$lambda$0` (Kotlin),
    `$anonfun$f$1` (Scala), whose adapters only convert arguments; or of a lazy value of Scala.
    """
    if name.startswith("lambda$") or "$lambda$" in name:
        return True
    return ("$anonfun$" in name and "adapted" not in name) or any(each in name for each in _LAZY)


class KnownCode(NamedTuple):
    """What came with the method."""

    lines: LineTable
    code: bytes = b""
    """Empty if it did not come."""
    derived: dict[str, object] | None = None
    """What callers have derived from the code, for all methods that have the same code."""


class Method:
    """One declared method or constructor (`<init>`) or static initialiser (`<clinit>`)."""

    def __init__(
        self,
        declaring_type: ReferenceType,
        method_id: MethodId,
        name: str,
        signature: str,
        generic: str | None,
        modifiers: int,
        *,
        is_obsolete: bool = False,
        known: KnownCode | None = None,
    ) -> None:
        self.declaring_type = declaring_type
        self.id = method_id
        self.name = name
        self.signature = signature
        """Its descriptor, such as `(I)Ljava/lang/String;`."""
        self.generic = generic
        self.modifiers = modifiers
        self.is_obsolete = is_obsolete
        """Replaced by a redefinition while a frame still runs it; it has an id only."""
        self._memo = Memo()
        self._derived = None if known is None else known.derived
        if known is not None:
            self._memo.put("line_table", known.lines)
            if known.code:
                self._memo.put("bytecodes", known.code)

    @cached_property
    def descriptor(self) -> MethodDescriptor:
        """The parsed descriptor."""
        return parse_method_descriptor(self.signature)

    @property
    def argument_types(self) -> tuple[str, ...]:
        """Descriptors of the declared parameters, without `this`."""
        return self.descriptor.parameters

    @property
    def return_type(self) -> str:
        """Descriptor of the result, `V` for none."""
        return self.descriptor.result

    @property
    def return_type_name(self) -> str:
        """Java name of the result's type."""
        return java_name(self.return_type)

    @property
    def is_static(self) -> bool:
        return bool(self.modifiers & Access.STATIC)

    @property
    def is_native(self) -> bool:
        return bool(self.modifiers & Access.NATIVE)

    @property
    def is_abstract(self) -> bool:
        return bool(self.modifiers & Access.ABSTRACT)

    @property
    def is_final(self) -> bool:
        return bool(self.modifiers & Access.FINAL)

    @property
    def is_private(self) -> bool:
        return bool(self.modifiers & Access.PRIVATE)

    @property
    def is_synchronized(self) -> bool:
        return bool(self.modifiers & Access.SYNCHRONIZED)

    @property
    def is_bridge(self) -> bool:
        return bool(self.modifiers & Access.BRIDGE)

    @property
    def is_varargs(self) -> bool:
        return bool(self.modifiers & Access.VARARGS)

    @property
    def is_synthetic(self) -> bool:
        """Made by the compiler: bridges, accessors, bodies of lambdas."""
        return is_synthetic(self.modifiers)

    @property
    def is_body(self) -> bool:
        """Whether it has code of the source although compilers mark it as their own."""
        return is_body_name(self.name) and not self.is_bridge

    @property
    def is_constructor(self) -> bool:
        return self.name == "<init>"

    @property
    def is_static_initializer(self) -> bool:
        return self.name == "<clinit>"

    @property
    def has_code(self) -> bool:
        """Whether it has bytecode."""
        return not (self.is_native or self.is_abstract or self.is_obsolete)

    async def line_table(self) -> LineTable:
        """The line table; an empty one when the method has no code or no line numbers."""
        return await self._memo.get("line_table", self._fetch_line_table)

    async def variable_table(self) -> tuple[LocalVariableSlot, ...] | None:
        """The variable table, `this` left out; None when the class file has none (no `-g`)."""
        return await self._memo.get("variable_table", self._fetch_variable_table)

    async def bytecodes(self) -> bytes:
        """The method's code as in the class file; empty without code."""
        if not self.has_code:
            return b""
        return await self._memo.get("bytecodes", self._fetch_bytecodes)

    async def derived(self, fact: str, find: Callable[[], Awaitable[T]]) -> T:
        """A value that a caller derives from the method's code; cached with the method."""
        return await self._memo.get(("derived", fact), find)

    async def derived_once(self, fact: str, find: Callable[[], Awaitable[T]]) -> T:
        """The same, kept for all methods of the same code in classes of one class file, where that
        is known. `find` uses the code, the lines and the constants of the class alone.
        """
        if self._derived is not None and fact in self._derived:
            return cast("T", self._derived[fact])
        found = await self.derived(fact, find)
        if self._derived is not None:
            self._derived[fact] = found
        return found

    async def locations_of_line(self, line: int) -> tuple[Location, ...]:
        """Every location where the line begins in this method."""
        table = await self.line_table()
        return tuple(self.location(index) for index in table.indexes_of(line))

    def location(self, index: int) -> Location:
        """The location in this method at the code index."""
        return Location(self, index)

    async def parameter_names(self) -> tuple[str | None, ...]:
        """The names that `javac -parameters` has left; empty if they are not known. Not looked for
        in the JDK, which is compiled without.
        """
        if self.declaring_type.name.startswith(_PLATFORM):
            return ()
        return await self._memo.get("parameter_names", self._fetch_parameter_names)

    async def _fetch_parameter_names(self) -> tuple[str | None, ...]:
        file = await parsed_class_file(self.declaring_type)
        member = None if file is None else file.method(self.name, self.signature)
        found = None if member is None else member.attribute("MethodParameters")
        if file is None or found is None:
            return ()
        try:
            names = parameter_names(found.content, file.constants)
        except ClassFileError:
            return ()
        return names if len(names) == len(self.argument_types) else ()

    def slots_by_position(self, names: Sequence[str | None] = ()) -> tuple[LocalVariableSlot, ...]:
        """The arguments in the slots that the descriptor gives them, called `arg0`, `arg1`, … where
        there are no `names`.
        """
        slot = 0 if self.is_static else 1
        found = []
        for position, signature in enumerate(self.argument_types):
            name = names[position] if position < len(names) else None
            found.append(
                LocalVariableSlot(
                    name=name or f"arg{position}",
                    signature=signature,
                    generic=None,
                    slot=slot,
                    start=0,
                    length=2**31 - 1,
                    is_argument=True,
                )
            )
            slot += slot_count(signature)
        return tuple(found)

    async def _fetch_line_table(self) -> LineTable:
        if not self.has_code:
            return LineTable()
        try:
            reply = await self.declaring_type.vm.request(
                method_set.LineTable(self.declaring_type.id, self.id)
            )
        except (AbsentInformationError, NativeMethodError):
            return LineTable()
        return LineTable(tuple(sorted((entry.index, entry.line) for entry in reply.lines)))

    async def _fetch_variable_table(self) -> tuple[LocalVariableSlot, ...] | None:
        vm = self.declaring_type.vm
        if not self.has_code:
            return None
        if not vm.agent_can(AgentCapability.LOCAL_VARIABLES):
            return await self._variables_from_file()
        try:
            reply = await vm.request(
                method_set.VariableTableWithGeneric(self.declaring_type.id, self.id)
            )
        except (AbsentInformationError, NativeMethodError):
            return None
        return tuple(
            LocalVariableSlot(
                name=entry.name,
                signature=entry.signature,
                generic=entry.generic_signature or None,
                slot=entry.slot,
                start=entry.start,
                length=entry.length,
                is_argument=entry.start == 0 and entry.slot < reply.argument_slots,
            )
            for entry in reply.variables
            if not (entry.name == "this" and entry.slot == 0 and not self.is_static)
        )

    async def _variables_from_file(self) -> tuple[LocalVariableSlot, ...] | None:
        """The same from the class file, of which the agent knows the bytes."""
        file = await parsed_class_file(self.declaring_type)
        found = None if file is None else variables_of(file, self.name, self.signature)
        if found is None:
            return None
        slots = sum(map(slot_count, self.argument_types)) + (not self.is_static)
        return tuple(
            LocalVariableSlot(
                name=each.name,
                signature=each.signature,
                generic=each.generic,
                slot=each.slot,
                start=each.start,
                length=each.length,
                is_argument=each.start == 0 and each.slot < slots,
            )
            for each in found
            if not (each.name == "this" and each.slot == 0 and not self.is_static)
        )

    async def _fetch_bytecodes(self) -> bytes:
        reply = await self.declaring_type.vm.request(
            method_set.Bytecodes(self.declaring_type.id, self.id)
        )
        return reply.bytecodes

    def __str__(self) -> str:
        """The text for messages: `shop.Cart.add(int, java.lang.String)`."""
        if self.is_obsolete:
            return f"{self.declaring_type.name}.{self.name}"
        return f"{self.declaring_type.name}.{method_text(self.name, self.signature)}"

    def __repr__(self) -> str:
        return one_line(f"Method({self})")
