# SPDX-License-Identifier: Apache-2.0
"""Class files as the compiler should see them: what is private in them is public (JVMS 4).

The evaluator may use private members, the compiler would refuse them. The VM lets a nest mate use
them (JVMS 5.4.4), so only the copies that the compiler reads are changed. Synthetic fields, such as
`this$0`, become ordinary ones. Local classes lose the attributes that hide their names.
"""

from __future__ import annotations

import functools
import struct
from typing import Final

from jvmdebug.model.constant_pool import ConstantTag, constants
from jvmdebug.model.modifiers import Access

_MAGIC: Final = 0xCAFEBABE
_SYNTHETIC: Final = 0x1000
_HIDING: Final = int(Access.PRIVATE | Access.PROTECTED)
_COUNT_OFFSET: Final = 8
_POOL_OFFSET: Final = 10


@functools.lru_cache(maxsize=256)
def opened(class_file: bytes) -> bytes:
    """The class file with everything public. ValueError when it is none."""
    try:
        return _Rewriter(class_file).rewritten()
    except (struct.error, IndexError, KeyError) as error:
        raise ValueError(f"not a class file that can be read: {error}") from error


def with_own_metafactory(class_file: bytes) -> bytes:
    """The class file with lambdas made by its own method `metafactory`, of the same descriptor.

    In JDK 17 the class that LambdaMetafactory makes for a static lambda body mentions the
    class with the body by name, and a hidden class has none; in JDK 25 it holds a method handle.
    """
    result = bytearray(class_file)
    pool = list(constants(class_file, _POOL_OFFSET, _count(class_file)))
    behind = pool[-1].end
    this_class = class_file[behind + 2 : behind + 4]
    texts = {each.number: class_file[each.start : each.end] for each in pool}
    for each in pool:
        if each.tag == ConstantTag.METHOD_REFERENCE:
            owner = texts[_number(class_file, each.start)]  # a class, which has the index of a text
            if texts[_number(owner, 0)] == b"java/lang/invoke/LambdaMetafactory":
                result[each.start : each.start + 2] = this_class
    return bytes(result)


def _count(class_file: bytes) -> int:
    """One more than the last index of the constant pool."""
    return _number(class_file, _COUNT_OFFSET)


def _number(content: bytes, offset: int) -> int:
    return int.from_bytes(content[offset : offset + 2])


class _Rewriter:
    """Copies a class file from front to back."""

    def __init__(self, source: bytes) -> None:
        self._source = source
        self._position = 0
        self._copied = bytearray()
        self._texts: dict[int, bytes] = {}

    def rewritten(self) -> bytes:
        if self._number(4) != _MAGIC:
            raise ValueError("not a class file: it does not begin with CAFEBABE")
        self._copy(4)  # version
        self._constants()
        self._flags(0)
        self._copy(4)  # this class, superclass
        self._copy(2 * self._number(2))  # interfaces
        for dropped in (_SYNTHETIC, 0):  # fields, methods
            for _ in range(self._number(2)):
                self._flags(dropped)
                self._copy(4)
                for _ in range(self._number(2)):
                    self._copy(2)
                    self._copy(self._number(4))
        self._class_attributes()
        return bytes(self._copied)

    def _constants(self) -> None:
        end = _POOL_OFFSET
        for each in constants(self._source, _POOL_OFFSET, _count(self._source)):
            if each.tag == ConstantTag.UTF8:
                self._texts[each.number] = self._source[each.start : each.end]
            end = each.end
        self._copy(end - self._position)

    def _class_attributes(self) -> None:
        attributes: list[tuple[bytes, bytes]] = []
        for _ in range(self._peek(2)):
            name = self._take(2)
            content = self._take(int.from_bytes(self._take(4)))
            attributes.append((name, content))
        names = [self._texts[int.from_bytes(name)] for name, _ in attributes]
        is_local = b"EnclosingMethod" in names
        kept: list[tuple[bytes, bytes]] = []
        for text, (name, content) in zip(names, attributes, strict=True):
            if text == b"InnerClasses":
                if not is_local:
                    kept.append((name, _open_inner_classes(content)))
            elif text not in (b"EnclosingMethod", b"NestHost", b"NestMembers"):
                kept.append((name, content))
        self._copied += len(kept).to_bytes(2)
        for name, content in kept:
            self._copied += name + len(content).to_bytes(4) + content

    def _flags(self, dropped: int) -> None:
        flags = int.from_bytes(self._take(2))
        self._copied += _opened_flags(flags & ~dropped).to_bytes(2)

    def _number(self, size: int) -> int:
        return int.from_bytes(self._copy(size))

    def _copy(self, size: int) -> bytes:
        copied = self._take(size)
        self._copied += copied
        return copied

    def _peek(self, size: int) -> int:
        return int.from_bytes(self._take(size))

    def _take(self, size: int) -> bytes:
        taken = self._source[self._position : self._position + size]
        if len(taken) != size:
            raise IndexError(f"it ends at byte {len(self._source)}, in the middle of an entry")
        self._position += size
        return taken


def _opened_flags(flags: int) -> int:
    return (flags & ~_HIDING) | int(Access.PUBLIC)


def _open_inner_classes(content: bytes) -> bytes:
    """Entries of four numbers: the class, the outer class, the name, the flags."""
    (count,) = struct.unpack_from(">H", content)
    opened_content = bytearray(content[:2])
    for number in range(count):
        inner, outer, name, flags = struct.unpack_from(">HHHH", content, 2 + 8 * number)
        opened_content += struct.pack(">HHHH", inner, outer, name, _opened_flags(flags))
    return bytes(opened_content)
