# SPDX-License-Identifier: Apache-2.0
"""A class file as a structure (JVMS 4.1): what it declares, and its attributes as raw bytes.

Reading and `encode` are inverse to each other, so a class file is changed by replacing parts of the
structure. What the attributes hold is read by `attributes`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jvmdebug.classfile.constant_pool import ConstantPool
from jvmdebug.classfile.reader import Reader
from jvmdebug.classfile.release import BEFORE_JAVA, MAGIC
from jvmdebug.errors import ClassFileError

if TYPE_CHECKING:
    from collections.abc import Iterable

_OLDEST_VERSION: Final = 45


@dataclass(frozen=True, slots=True)
class Attribute:
    """Named bytes of a class, a member or a method's code."""

    name: str
    name_index: int
    content: bytes

    def encode(self) -> bytes:
        return _u2(self.name_index) + len(self.content).to_bytes(4) + self.content


@dataclass(frozen=True, slots=True)
class Member:
    """A field or a method."""

    access: int
    name: str
    descriptor: str
    name_index: int
    descriptor_index: int
    attributes: tuple[Attribute, ...]

    def attribute(self, name: str) -> Attribute | None:
        """The first attribute of that name."""
        return next((each for each in self.attributes if each.name == name), None)

    def encode(self) -> bytes:
        head = _u2(self.access) + _u2(self.name_index) + _u2(self.descriptor_index)
        return head + encode_attributes(self.attributes)


@dataclass(frozen=True, slots=True)
class ClassFile:
    """A class file. Names are internal ones: `shop/Cart$Item`."""

    minor_version: int
    major_version: int
    constants: ConstantPool
    access: int
    this_class: int
    """An index of the constant pool, as all numbers that name a class here."""
    super_class: int
    """0 for java.lang.Object and for a module."""
    interface_indexes: tuple[int, ...]
    fields: tuple[Member, ...]
    methods: tuple[Member, ...]
    attributes: tuple[Attribute, ...]

    @classmethod
    def read(cls, content: bytes) -> ClassFile:
        """ClassFileError for anything but exactly one complete class file."""
        reader = Reader(content)
        if content[:4] != MAGIC.to_bytes(4)[: len(content)]:
            raise ClassFileError("not a class file: it does not begin with CAFEBABE")
        reader.u4()
        minor, major = reader.u2(), reader.u2()
        if major < _OLDEST_VERSION:
            raise ClassFileError(f"not a class file: there is no version {major}.{minor}")
        constants = ConstantPool(reader.u2(), content, reader.position)
        reader.position += len(constants.raw)
        access, this_class, super_class = reader.u2(), reader.u2(), reader.u2()
        interfaces = tuple(reader.u2() for _ in range(reader.u2()))
        for index in (this_class, *interfaces, *([super_class] if super_class else [])):
            constants.class_name(index)
        fields, methods = (_members(reader, constants) for _ in range(2))
        attributes = read_attributes(reader, constants)
        reader.expect_end("the class file")
        return cls(
            *(minor, major, constants, access, this_class, super_class, interfaces),
            *(fields, methods, attributes),
        )

    @property
    def name(self) -> str:
        """`shop/Cart$Item`"""
        return self.constants.class_name(self.this_class)

    @property
    def java_name(self) -> str:
        """`shop.Cart$Item`"""
        return self.name.replace("/", ".")

    @property
    def superclass(self) -> str | None:
        return self.constants.class_name(self.super_class) if self.super_class else None

    @property
    def interfaces(self) -> tuple[str, ...]:
        return tuple(map(self.constants.class_name, self.interface_indexes))

    @property
    def java_release(self) -> int:
        """The Java version that the class file needs at least: 8, 11, 25."""
        return self.major_version - BEFORE_JAVA

    def attribute(self, name: str) -> Attribute | None:
        """The first attribute of that name."""
        return next((each for each in self.attributes if each.name == name), None)

    def method(self, name: str, descriptor: str) -> Member | None:
        """The method of that name and descriptor; None if there is none."""
        wanted = (name, descriptor)
        return next((each for each in self.methods if (each.name, each.descriptor) == wanted), None)

    def encode(self) -> bytes:
        """The bytes of the class file."""
        return b"".join(
            (
                MAGIC.to_bytes(4),
                *map(_u2, (self.minor_version, self.major_version, self.constants.count)),
                self.constants.raw,
                *map(_u2, (self.access, self.this_class, self.super_class)),
                *map(_u2, (len(self.interface_indexes), *self.interface_indexes)),
                _u2(len(self.fields)),
                *(each.encode() for each in self.fields),
                _u2(len(self.methods)),
                *(each.encode() for each in self.methods),
                encode_attributes(self.attributes),
            )
        )


def read_attributes(reader: Reader, constants: ConstantPool) -> tuple[Attribute, ...]:
    """A count and so many attributes: of a class, a member or a method's code."""
    found: list[Attribute] = []
    for _ in range(reader.u2()):
        name = reader.u2()
        found.append(Attribute(constants.utf8(name), name, reader.raw(reader.u4())))
    return tuple(found)


def encode_attributes(attributes: Iterable[Attribute]) -> bytes:
    """The inverse of `read_attributes`."""
    every = tuple(attributes)
    return _u2(len(every)) + b"".join(each.encode() for each in every)


def _members(reader: Reader, constants: ConstantPool) -> tuple[Member, ...]:
    found: list[Member] = []
    for _ in range(reader.u2()):
        access, name, descriptor = reader.u2(), reader.u2(), reader.u2()
        texts = constants.utf8(name), constants.utf8(descriptor)
        found.append(Member(access, *texts, name, descriptor, read_attributes(reader, constants)))
    return tuple(found)


def _u2(number: int) -> bytes:
    return number.to_bytes(2)
