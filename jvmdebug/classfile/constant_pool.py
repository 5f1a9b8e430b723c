# SPDX-License-Identifier: Apache-2.0
"""The constant pool of a class (JVMS 4.4), from a class file or from JDWP: the bytes are the same.

Entries are indexed when the pool is read and decoded on demand. An index of another kind of entry
raises ClassFileError. How a constant is shown is up to `sources`.
"""

from __future__ import annotations

import struct
from enum import IntEnum
from typing import TYPE_CHECKING, Final, NamedTuple

from jvmdebug.errors import ClassFileError

if TYPE_CHECKING:
    from collections.abc import Iterator


class ConstantTag(IntEnum):
    """The kinds of constants, all of them up to Java 25."""

    UTF8 = 1
    INTEGER = 3
    FLOAT = 4
    LONG = 5
    DOUBLE = 6
    CLASS = 7
    STRING = 8
    FIELD_REFERENCE = 9
    METHOD_REFERENCE = 10
    INTERFACE_METHOD_REFERENCE = 11
    NAME_AND_TYPE = 12
    METHOD_HANDLE = 15
    METHOD_TYPE = 16
    DYNAMIC = 17
    INVOKE_DYNAMIC = 18
    MODULE = 19
    PACKAGE = 20


class Constant(NamedTuple):
    """One entry. Its content, behind the tag (and the length of a Utf8), is bytes [start, end)."""

    number: int
    """Its index in the pool."""
    tag: int
    start: int
    end: int


class MemberReference(NamedTuple):
    """The field or method that an instruction names."""

    owner: str
    """Internal name, `java/util/Map`; empty for what invokedynamic links, which has no owner."""
    name: str
    descriptor: str


_NAMED_CLASSES: Final = (ConstantTag.CLASS, ConstantTag.MODULE, ConstantTag.PACKAGE)
_MEMBERS: Final = (
    ConstantTag.FIELD_REFERENCE,
    ConstantTag.METHOD_REFERENCE,
    ConstantTag.INTERFACE_METHOD_REFERENCE,
)
_LINKED: Final = (ConstantTag.DYNAMIC, ConstantTag.INVOKE_DYNAMIC)
_NUMBERS: Final = {
    ConstantTag.INTEGER: ">i",
    ConstantTag.FLOAT: ">f",
    ConstantTag.LONG: ">q",
    ConstantTag.DOUBLE: ">d",
}
_WIDE: Final = (ConstantTag.LONG, ConstantTag.DOUBLE)
# Sizes by tag, without the tag; a Utf8 has its length in front.
_SIZES: Final = {
    3: 4, 4: 4, 5: 8, 6: 8, 7: 2, 8: 2, 9: 4, 10: 4, 11: 4, 12: 4, 15: 3, 16: 2, 17: 4, 18: 4,
    19: 2, 20: 2,
}  # fmt: skip


class ConstantPool:
    """`count` is one more than the last index. The entries begin at `start` of `content`."""

    def __init__(self, count: int, content: bytes, start: int = 0) -> None:
        self.count = count
        self._content = content
        self._entries = {each.number: each for each in _entries(content, start, count)}
        last = next(reversed(self._entries.values()), None)
        self.raw = content[start : start if last is None else last.end]
        """The bytes of all entries."""

    def __iter__(self) -> Iterator[Constant]:
        return iter(self._entries.values())

    def tag(self, index: int) -> int | None:
        """The kind of a constant; None when there is none at the index."""
        found = self._entries.get(index)
        return None if found is None else found.tag

    def content(self, index: int, *tags: int) -> bytes:
        """The bytes of a constant of one of these kinds, without its tag."""
        found = self._entries.get(index)
        if found is None:
            raise ClassFileError(f"the constant pool has no entry {index}")
        if found.tag not in tags:
            wanted = " or ".join(ConstantTag(tag).name for tag in tags)
            actual = ConstantTag(found.tag).name
            raise ClassFileError(f"entry {index} of the constant pool is {actual}, not {wanted}")
        return self._content[found.start : found.end]

    def utf8(self, index: int) -> str:
        """The text of a Utf8 entry; a surrogate that has no partner becomes U+FFFD."""
        return decode_modified_utf8(self.content(index, ConstantTag.UTF8))

    def class_name(self, index: int) -> str:
        """The internal name of a class, module or package: `java/util/Map`, `[I`."""
        return self.utf8(_first(self.content(index, *_NAMED_CLASSES)))

    def string(self, index: int) -> str:
        return self.utf8(_first(self.content(index, ConstantTag.STRING)))

    def number(self, index: int) -> int | float:
        """The value of an int, float, long or double constant."""
        content = self.content(index, *_NUMBERS)
        (number,) = struct.unpack(_NUMBERS[ConstantTag(self._entries[index].tag)], content)
        return number  # type: ignore[no-any-return]  # struct has no better type

    def name_and_type(self, index: int) -> tuple[str, str]:
        """The name and the descriptor of a member."""
        content = self.content(index, ConstantTag.NAME_AND_TYPE)
        return self.utf8(_first(content)), self.utf8(_second(content))

    def member(self, index: int) -> MemberReference:
        """The field or method of a reference; what a (invoke)dynamic constant links."""
        content = self.content(index, *_MEMBERS, *_LINKED)
        is_linked = self.tag(index) in _LINKED
        owner = "" if is_linked else self.class_name(_first(content))
        return MemberReference(owner, *self.name_and_type(_second(content)))

    def find_member(self, index: int) -> MemberReference | None:
        """Does what `member` does; None when the constant is something else or cannot be read.

        For code and constants from separate requests: a redefinition may have come in between.
        """
        try:
            return self.member(index)
        except ClassFileError:
            return None

    def method_type(self, index: int) -> str:
        """The descriptor of a MethodType."""
        return self.utf8(_first(self.content(index, ConstantTag.METHOD_TYPE)))

    def method_handle(self, index: int) -> tuple[int, int]:
        """The kind of a MethodHandle (JVMS 5.4.3.5), and the index of its member."""
        content = self.content(index, ConstantTag.METHOD_HANDLE)
        return content[0], int.from_bytes(content[1:])


def decode_modified_utf8(content: bytes) -> str:
    """JVMS 4.4.7: NUL in two bytes, characters beyond U+FFFF as two surrogates of three bytes."""
    try:
        text = content.replace(b"\xc0\x80", b"\0").decode("utf-8", "surrogatepass")
    except UnicodeDecodeError as error:
        raise ClassFileError(
            f"a text of the constant pool is not modified UTF-8: {error}"
        ) from error
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _entries(content: bytes, position: int, count: int) -> Iterator[Constant]:
    index = 1
    while index < count:
        tag = content[position] if position < len(content) else 0
        start = position + 1
        size = _SIZES.get(tag)
        if tag == ConstantTag.UTF8:
            size = int.from_bytes(content[start : start + 2])
            start += 2
        if position >= len(content) or (size is not None and start + size > len(content)):
            raise ClassFileError(
                f"not a whole class file: entry {index} of the constant pool reaches behind the end"
            )
        if size is None:
            raise ClassFileError(f"entry {index} of the constant pool has the unknown tag {tag}")
        position = start + size
        yield Constant(index, tag, start, position)
        # JVMS 4.4.5: the index behind an eight-byte constant is not used.
        index += 2 if tag in _WIDE else 1


def _first(content: bytes) -> int:
    return int.from_bytes(content[:2])


def _second(content: bytes) -> int:
    return int.from_bytes(content[2:4])
