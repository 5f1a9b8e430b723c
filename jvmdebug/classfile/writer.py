# SPDX-License-Identifier: Apache-2.0
"""Writes small class files: a constant pool that grows, code with labels, members.

Of version 49 unless said otherwise, the last one whose methods need no stack map frames: the VM
infers the types. Checks nothing but limits; the VM verifies. Used by `probes` for checks, and by
`evaluator` for lambdas.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from typing import Final

from jvmdebug.classfile.access import Access
from jvmdebug.classfile.constant_pool import ConstantTag
from jvmdebug.classfile.opcodes import Op
from jvmdebug.classfile.release import MAGIC
from jvmdebug.errors import ClassFileError

_JAVA_5: Final = 49
_MOST_CONSTANTS: Final = 0xFFFF
_LONGEST_CODE: Final = 0x7FFF
"""So that every jump fits into two bytes."""
_LOADS: Final = {"I": Op.ILOAD, "J": Op.LLOAD, "F": Op.FLOAD, "D": Op.DLOAD, "A": Op.ALOAD}
_STORES: Final = {"I": Op.ISTORE, "J": Op.LSTORE, "F": Op.FSTORE, "D": Op.DSTORE, "A": Op.ASTORE}


def modified_utf8(text: str) -> bytes:
    """The text as class files write it (JVMS 4.4.7)."""
    if text.isascii() and "\0" not in text:
        return text.encode("ascii")
    units = text.encode("utf-16-be", "surrogatepass")
    encoded = bytearray()
    for (unit,) in struct.iter_unpack(">H", units):
        if 0 < unit < 0x80:
            encoded.append(unit)
        elif unit < 0x800:
            encoded += bytes((0xC0 | unit >> 6, 0x80 | unit & 0x3F))
        else:
            encoded += bytes((0xE0 | unit >> 12, 0x80 | unit >> 6 & 0x3F, 0x80 | unit & 0x3F))
    return bytes(encoded)


class PoolWriter:
    """The constants of a class that is being written; each is there once."""

    def __init__(self) -> None:
        self._known: dict[bytes, int] = {}
        self._entries = bytearray()
        self._next = 1

    def _add(self, tag: ConstantTag, content: bytes, *, slots: int = 1) -> int:
        entry = bytes((tag,)) + content
        number = self._known.get(entry)
        if number is None:
            number = self._known[entry] = self._next
            self._entries += entry
            self._next += slots
            if self._next > _MOST_CONSTANTS:
                raise ClassFileError("the class has more constants than a class file can hold")
        return number

    def utf8(self, text: str) -> int:
        encoded = modified_utf8(text)
        if len(encoded) > _MOST_CONSTANTS:
            raise ClassFileError("a text is longer than a class file can hold")
        return self._add(ConstantTag.UTF8, struct.pack(">H", len(encoded)) + encoded)

    def class_(self, internal_name: str) -> int:
        return self._add(ConstantTag.CLASS, struct.pack(">H", self.utf8(internal_name)))

    def string(self, text: str) -> int:
        return self._add(ConstantTag.STRING, struct.pack(">H", self.utf8(text)))

    def integer(self, value: int) -> int:
        return self._add(ConstantTag.INTEGER, struct.pack(">i", value))

    def float_(self, value: float) -> int:
        return self._add(ConstantTag.FLOAT, struct.pack(">f", value))

    def long(self, value: int) -> int:
        return self._add(ConstantTag.LONG, struct.pack(">q", value), slots=2)

    def double(self, value: float) -> int:
        return self._add(ConstantTag.DOUBLE, struct.pack(">d", value), slots=2)

    def member(self, tag: ConstantTag, owner: str, name: str, descriptor: str) -> int:
        named = struct.pack(">HH", self.utf8(name), self.utf8(descriptor))
        pair = self._add(ConstantTag.NAME_AND_TYPE, named)
        return self._add(tag, struct.pack(">HH", self.class_(owner), pair))

    def written(self) -> bytes:
        return struct.pack(">H", self._next) + bytes(self._entries)


class Label:
    """A place in the code of one method."""

    def __init__(self) -> None:
        self.at: int | None = None


@dataclass(slots=True)
class CodeWriter:
    """The instructions of a method. The depth of its stack is not followed: it is given."""

    pool: PoolWriter
    max_stack: int
    max_locals: int = 0
    _bytes: bytearray = field(default_factory=bytearray)
    _jumps: list[tuple[int, Label]] = field(default_factory=list)
    _handlers: list[tuple[Label, Label, Label]] = field(default_factory=list)

    def op(self, *opcode_and_operands: int) -> None:
        """An instruction whose operands are bytes."""
        self._bytes += bytes(opcode_and_operands)

    def op_index(self, opcode: int, index: int) -> None:
        """An instruction with an index of two bytes."""
        self._bytes.append(opcode)
        self._bytes += struct.pack(">H", index)

    def field(self, opcode: int, owner: str, name: str, descriptor: str) -> None:
        """An instruction on a field."""
        member = self.pool.member(ConstantTag.FIELD_REFERENCE, owner, name, descriptor)
        self.op_index(opcode, member)

    def invoke(self, opcode: int, owner: str, name: str, descriptor: str) -> None:
        """A call of a method of a class."""
        member = self.pool.member(ConstantTag.METHOD_REFERENCE, owner, name, descriptor)
        self.op_index(opcode, member)

    def load(self, kind: str, slot: int) -> None:
        self._access(_LOADS[kind], kind, slot)

    def store(self, kind: str, slot: int) -> None:
        self._access(_STORES[kind], kind, slot)

    def _access(self, opcode: int, kind: str, slot: int) -> None:
        self.max_locals = max(self.max_locals, slot + (2 if kind in "JD" else 1))
        if slot > 0xFF:
            self._bytes += struct.pack(">BBH", Op.WIDE, opcode, slot)
        else:
            self.op(opcode, slot)

    def jump(self, opcode: int, label: Label) -> None:
        self._jumps.append((len(self._bytes), label))
        self.op_index(opcode, 0)

    def place(self, label: Label) -> None:
        label.at = len(self._bytes)

    def catch_all(self, start: Label, end: Label, handler: Label) -> None:
        """Every exception between two places."""
        self._handlers.append((start, end, handler))

    def push_int(self, value: int) -> None:
        self.op_index(Op.LDC_W, self.pool.integer(value))

    def push_long(self, value: int) -> None:
        self.op_index(Op.LDC2_W, self.pool.long(value))

    def push_float(self, value: float) -> None:
        self.op_index(Op.LDC_W, self.pool.float_(value))

    def push_double(self, value: float) -> None:
        self.op_index(Op.LDC2_W, self.pool.double(value))

    def push_string(self, text: str) -> None:
        self.op_index(Op.LDC_W, self.pool.string(text))

    def push_class(self, internal_name: str) -> None:
        self.op_index(Op.LDC_W, self.pool.class_(internal_name))

    def new_slot(self, kind: str) -> int:
        """A local variable that nothing else uses."""
        slot = self.max_locals
        self.max_locals += 2 if kind in "JD" else 1
        return slot

    def written(self) -> bytes:
        """The content of the Code attribute."""
        if len(self._bytes) > _LONGEST_CODE:
            raise ClassFileError("the code is too long")
        code = bytearray(self._bytes)
        for at, label in self._jumps:
            struct.pack_into(">h", code, at + 1, _place(label) - at)
        handlers = [
            struct.pack(">HHHH", _place(start), _place(end), _place(handler), 0)
            for start, end, handler in self._handlers
        ]
        head = struct.pack(">HHI", self.max_stack, self.max_locals, len(code))
        return b"".join((head, code, struct.pack(">H", len(handlers)), *handlers, b"\0\0"))


def _place(label: Label) -> int:
    if label.at is None:
        raise ValueError("a jump goes to a label that was not placed")
    return label.at


@dataclass(slots=True)
class ClassWriter:
    """A final class below java.lang.Object."""

    name: str
    interfaces: tuple[str, ...] = ()
    version: int = _JAVA_5
    pool: PoolWriter = field(default_factory=PoolWriter)
    _fields: list[bytes] = field(default_factory=list)
    _methods: list[bytes] = field(default_factory=list)

    def static_final(self, name: str, descriptor: str) -> None:
        self.field(Access.STATIC | Access.FINAL, name, descriptor)

    def static_volatile(self, name: str, descriptor: str) -> None:
        self.field(Access.STATIC | Access.VOLATILE, name, descriptor)

    def static_field(self, name: str, descriptor: str) -> None:
        """One that may be set again."""
        self.field(Access.STATIC, name, descriptor)

    def field(self, access: int, name: str, descriptor: str) -> None:
        head = (access, self.pool.utf8(name), self.pool.utf8(descriptor), 0)
        self._fields.append(struct.pack(">HHHH", *head))

    def static_method(self, name: str, descriptor: str, code: CodeWriter) -> None:
        self.method(Access.STATIC, name, descriptor, code)

    def method(self, access: int, name: str, descriptor: str, code: CodeWriter) -> None:
        content = code.written()
        head = (access, self.pool.utf8(name), self.pool.utf8(descriptor), 1)
        attribute = struct.pack(">HI", self.pool.utf8("Code"), len(content))
        self._methods.append(struct.pack(">HHHH", *head) + attribute + content)

    def written(self) -> bytes:
        modifiers = Access.FINAL | Access.SYNCHRONIZED | Access.SYNTHETIC  # the bit of ACC_SUPER
        names = self.pool.class_(self.name), self.pool.class_("java/lang/Object")
        interfaces = [self.pool.class_(each) for each in self.interfaces]
        body = struct.pack(">HHHH", modifiers, *names, len(interfaces))
        body += struct.pack(f">{len(interfaces)}H", *interfaces)
        body += struct.pack(">H", len(self._fields)) + b"".join(self._fields)
        body += struct.pack(">H", len(self._methods)) + b"".join(self._methods) + b"\0\0"
        return struct.pack(">IHH", MAGIC, 0, self.version) + self.pool.written() + body
