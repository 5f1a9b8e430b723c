# SPDX-License-Identifier: Apache-2.0
"""Adds calls to the methods of a class file, as a profiler or a coverage tool does.

The class that is called has to be one that the changed class can see. Knows no VM: what comes out
is given to `session.redefine`, or made by `session.transform_classes`.
"""

from __future__ import annotations

import dataclasses
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from jvmdebug.classfile.access import Access
from jvmdebug.classfile.attributes import Code
from jvmdebug.classfile.bytecode import instructions
from jvmdebug.classfile.class_file import Attribute, ClassFile, Member
from jvmdebug.classfile.constant_pool import ConstantPool, ConstantTag
from jvmdebug.classfile.descriptors import parse_method_descriptor, slot_count
from jvmdebug.classfile.insertion import Insertion, with_insertions
from jvmdebug.classfile.opcodes import Op
from jvmdebug.classfile.writer import PoolWriter
from jvmdebug.errors import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Iterator

THIS: Final = "this"
"""The object whose method runs, as an argument of a StaticCall: give it as `(THIS,)`."""
_INT: Final = range(-(2**31), 2**31)
_SHORT: Final = range(-(2**15), 2**15)

Argument: TypeAlias = "bool | int | float | str | tuple[str]"
"""A constant of the descriptor's type; `(THIS,)` is the object itself."""


@dataclass(frozen=True, slots=True)
class StaticCall:
    """A call of a static method: `StaticCall("shop.Probe", "entered", "(I)V", (17,))`."""

    owner: str
    """The class that has the method: `shop.Probe`, `shop.Cart$Item`."""
    name: str
    descriptor: str
    """`(Ljava/lang/String;I)V`. What it returns is dropped."""
    arguments: tuple[Argument, ...] = ()
    """Constants, and `(THIS,)`: one for each parameter."""


class _GrownPool(PoolWriter):
    """Constants that are added behind those of a class."""

    def __init__(self, constants: ConstantPool) -> None:
        super().__init__()
        self._constants = constants
        self._next = constants.count

    @property
    def whole(self) -> ConstantPool:
        return ConstantPool(self._next, self._constants.raw + bytes(self._entries))


class ClassEditor:
    """A class file that is changed: calls are added to its methods, then `encode()` gives it.

        editor = ClassEditor(content)
        for number, method in enumerate(editor.methods):
            editor.call_at_entry(method, StaticCall("shop.Probe", "entered", "(I)V", (number,)))
        new_content = editor.encode()

    Lines, variables, handlers and stack map frames stay right. ClassFileError for content that is
    no class file, and for a method that would become too long.
    """

    def __init__(self, content: bytes) -> None:
        self.content = content
        """The class file as it was given."""
        self.file = ClassFile.read(content)
        """The same as a structure."""
        self._pool = _GrownPool(self.file.constants)
        self._insertions: dict[tuple[str, str], list[Insertion]] = {}
        self._stack: dict[tuple[str, str], int] = {}

    @property
    def name(self) -> str:
        """The class: `shop.Cart$Item`."""
        return self.file.java_name

    @property
    def methods(self) -> tuple[Member, ...]:
        """The methods that have code, constructors too."""
        return tuple(each for each in self.file.methods if each.attribute("Code") is not None)

    @property
    def is_changed(self) -> bool:
        """Whether anything was added."""
        return bool(self._insertions)

    def method(self, name: str, descriptor: str | None = None) -> Member:
        """The method of that name; ArgumentError if there is none, or several and no descriptor."""
        found = [
            each
            for each in self.methods
            if each.name == name and descriptor in (None, each.descriptor)
        ]
        if len(found) == 1:
            return found[0]
        what = name if descriptor is None else name + descriptor
        forms = ", ".join(each.name + each.descriptor for each in found or self.methods)
        raise ArgumentError(f"{len(found)} methods {what} in {self.name}; there is: {forms}")

    def call_at_entry(self, method: Member, call: StaticCall) -> None:
        """Call it each time that the method begins; jumps back to its begin do not count."""
        if method.name == "<init>" and (THIS,) in call.arguments:
            raise ArgumentError("an object is no argument before its constructor has run")
        self._add(method, [0], call, is_passed_by_jumps=True)

    def call_before_return(self, method: Member, call: StaticCall) -> None:
        """Call it before each `return` of the method; not if an exception leaves it."""
        found = [
            each.index
            for each in instructions(self.code_of(method).code)
            if each.mnemonic.endswith("return")
        ]
        self._add(method, found, call)

    def call_before(self, method: Member, index: int, call: StaticCall) -> None:
        """Call it before the instruction at a code index, also where a jump leads there."""
        self._add(method, [index], call)

    def code_of(self, method: Member) -> Code:
        """The code of a method as it was given; ArgumentError if it has none."""
        found = method.attribute("Code")
        if found is None:
            raise ArgumentError(f"{method.name}{method.descriptor} has no code")
        return Code.read(found.content, self.file.constants)

    def encode(self) -> bytes:
        """The class file with all that was added."""
        if not self._insertions:
            return self.content
        methods = tuple(map(self._changed, self.file.methods))
        return dataclasses.replace(self.file, constants=self._pool.whole, methods=methods).encode()

    def __repr__(self) -> str:
        return f"ClassEditor({self.name}, {len(self._insertions)} methods changed)"

    def _add(
        self,
        method: Member,
        indexes: list[int],
        call: StaticCall,
        *,
        is_passed_by_jumps: bool = False,
    ) -> None:
        self.code_of(method)
        content, depth = self._instructions_of(method, call)
        key = (method.name, method.descriptor)
        self._insertions.setdefault(key, []).extend(
            Insertion(index, content, is_passed_by_jumps) for index in indexes
        )
        self._stack[key] = max(depth, self._stack.get(key, 0))

    def _changed(self, method: Member) -> Member:
        key = (method.name, method.descriptor)
        if key not in self._insertions:
            return method
        code = with_insertions(self.code_of(method), self._insertions[key], self._stack[key])
        return dataclasses.replace(
            method,
            attributes=tuple(
                Attribute(each.name, each.name_index, code.encode())
                if each.name == "Code"
                else each
                for each in method.attributes
            ),
        )

    def _instructions_of(self, method: Member, call: StaticCall) -> tuple[bytes, int]:
        """The instructions of a call, and how many slots of the stack they need."""
        try:
            parsed = parse_method_descriptor(call.descriptor)
        except ValueError as error:
            raise ArgumentError(f"{call.descriptor!r} is no descriptor of a method") from error
        if len(parsed.parameters) != len(call.arguments):
            raise ArgumentError(
                f"{call.name}{call.descriptor} has {len(parsed.parameters)} parameters,"
                f" {len(call.arguments)} arguments are given"
            )
        is_static = bool(method.access & Access.STATIC)
        code = bytearray()
        depth = 0
        for type_, argument in zip(parsed.parameters, call.arguments, strict=True):
            if argument == (THIS,) and is_static:
                raise ArgumentError(f"{method.name} is static: it has no object")
            code += b"".join(self._pushed(type_, argument))
            depth += slot_count(type_)
        owner = call.owner.replace(".", "/")
        member = self._pool.member(ConstantTag.METHOD_REFERENCE, owner, call.name, call.descriptor)
        code += struct.pack(">BH", Op.INVOKESTATIC, member)
        returned = slot_count(parsed.result)
        code += bytes(((), (Op.POP,), (Op.POP2,))[returned])
        return bytes(code), max(depth, returned)

    def _pushed(self, type_: str, argument: Argument) -> Iterator[bytes]:
        """The instruction that pushes a constant of the type."""
        match argument:
            case (str(),) if type_.startswith("L"):
                yield bytes((Op.ALOAD_0,))
            case bool() if type_ == "Z":
                yield bytes((Op.ICONST_1 if argument else Op.ICONST_0,))
            case int() if type_ in "BCSI" and argument in _SHORT:
                yield struct.pack(">Bh", Op.SIPUSH, argument)
            case int() if type_ in "CI" and argument in _INT:
                yield struct.pack(">BH", Op.LDC_W, self._pool.integer(argument))
            case int() if type_ == "J":
                yield struct.pack(">BH", Op.LDC2_W, self._pool.long(argument))
            case int() | float() if type_ == "D":
                yield struct.pack(">BH", Op.LDC2_W, self._pool.double(argument))
            case int() | float() if type_ == "F":
                yield struct.pack(">BH", Op.LDC_W, self._pool.float_(argument))
            case str() if type_.startswith("L"):
                yield struct.pack(">BH", Op.LDC_W, self._pool.string(argument))
            case _:
                raise ArgumentError(f"{argument!r} is no constant of the type {type_}")
