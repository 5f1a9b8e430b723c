# SPDX-License-Identifier: Apache-2.0
"""What some attributes hold (JVMS 4.7): a method's code, nested classes.

Each structure has `read` and `encode`, which are inverse to each other. Attributes that are not
here stay raw bytes, see `class_file.Attribute`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from jvmdebug.classfile.class_file import Attribute, encode_attributes, read_attributes
from jvmdebug.classfile.line_table import LineTable
from jvmdebug.classfile.reader import Reader

if TYPE_CHECKING:
    from jvmdebug.classfile.constant_pool import ConstantPool


class ExceptionHandler(NamedTuple):
    """The handler at code index `handler` is for what instructions in [start, end) throw."""

    start: int
    end: int
    handler: int
    catch_type: int
    """The index of a class in the constant pool; 0 for any exception."""


@dataclass(frozen=True, slots=True)
class Code:
    """The `Code` attribute of a method."""

    max_stack: int
    max_locals: int
    code: bytes
    handlers: tuple[ExceptionHandler, ...]
    attributes: tuple[Attribute, ...]

    @classmethod
    def read(cls, content: bytes, constants: ConstantPool) -> Code:
        """The content of a `Code` attribute."""
        reader = Reader(content)
        max_stack, max_locals = reader.u2(), reader.u2()
        code = reader.raw(reader.u4())
        handlers = tuple(
            ExceptionHandler(reader.u2(), reader.u2(), reader.u2(), reader.u2())
            for _ in range(reader.u2())
        )
        attributes = read_attributes(reader, constants)
        reader.expect_end("a Code attribute")
        return cls(max_stack, max_locals, code, handlers, attributes)

    def encode(self) -> bytes:
        """The content of the attribute."""
        return b"".join(
            (
                self.max_stack.to_bytes(2),
                self.max_locals.to_bytes(2),
                len(self.code).to_bytes(4),
                self.code,
                len(self.handlers).to_bytes(2),
                *(number.to_bytes(2) for each in self.handlers for number in each),
                encode_attributes(self.attributes),
            )
        )

    @property
    def line_table(self) -> LineTable:
        """The lines of all `LineNumberTable`s together; there may be several."""
        tables = (
            LineTable.read(each.content)
            for each in self.attributes
            if each.name == "LineNumberTable"
        )
        return LineTable(tuple(sorted(pair for table in tables for pair in table.lines)))


class LocalVariableEntry(NamedTuple):
    """An entry of `LocalVariableTable` or `LocalVariableTypeTable`: in `slot` while the code index
    is in [start, start + length).
    """

    start: int
    length: int
    name: int
    """Index of a text in the constant pool."""
    descriptor: int
    """The same; in a `LocalVariableTypeTable` the generic signature."""
    slot: int


def local_variables(content: bytes) -> tuple[LocalVariableEntry, ...]:
    """The content of a `LocalVariableTable` or `LocalVariableTypeTable` attribute."""
    reader = Reader(content)
    found = tuple(
        LocalVariableEntry(*(reader.u2() for _ in LocalVariableEntry._fields))
        for _ in range(reader.u2())
    )
    reader.expect_end("a LocalVariableTable")
    return found


def parameter_names(content: bytes, constants: ConstantPool) -> tuple[str | None, ...]:
    """The content of a `MethodParameters` attribute: a name for each parameter, or None."""
    reader = Reader(content)
    found = tuple((reader.u2(), reader.u2())[0] for _ in range(reader.raw(1)[0]))
    reader.expect_end("a MethodParameters attribute")
    return tuple(constants.utf8(each) if each else None for each in found)


class BootstrapMethod(NamedTuple):
    """An entry of `BootstrapMethods`; indexes of the constant pool."""

    handle: int
    arguments: tuple[int, ...]


def bootstrap_methods(content: bytes) -> tuple[BootstrapMethod, ...]:
    """The content of a `BootstrapMethods` attribute."""
    reader = Reader(content)
    found = tuple(
        BootstrapMethod(reader.u2(), tuple(reader.u2() for _ in range(reader.u2())))
        for _ in range(reader.u2())
    )
    reader.expect_end("a BootstrapMethods attribute")
    return found


class InnerClass(NamedTuple):
    """An entry of `InnerClasses`; indexes of the constant pool, 0 for none."""

    inner: int
    outer: int
    name: int
    access: int


def inner_classes(content: bytes) -> tuple[InnerClass, ...]:
    """The content of an `InnerClasses` attribute."""
    reader = Reader(content)
    found = tuple(
        InnerClass(reader.u2(), reader.u2(), reader.u2(), reader.u2()) for _ in range(reader.u2())
    )
    reader.expect_end("an InnerClasses attribute")
    return found


def encode_inner_classes(entries: tuple[InnerClass, ...]) -> bytes:
    """The inverse of `inner_classes`."""
    return len(entries).to_bytes(2) + b"".join(
        number.to_bytes(2) for each in entries for number in each
    )
