# SPDX-License-Identifier: Apache-2.0
"""The stack frames of a method after objects that it creates are created elsewhere.

Rewrites the attribute StackMapTable (JVMS 4.7.4). Called by `accessors`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from jvmdebug.classfile.reader import Reader

if TYPE_CHECKING:
    from jvmdebug.classfile.attributes import Code

_NULL: Final = 5
_OBJECT: Final = 7
_UNINITIALIZED: Final = 8
_SAME_END: Final = 64
_SAME_ONE_END: Final = 128
_SAME_ONE_EXTENDED: Final = 247
_CHOP_END: Final = 251
_FULL: Final = 255


def with_nulls(code: Code, created: set[int]) -> Code:
    """The code with null in the frames, where they have the new objects of the instructions `new`
    at these code indexes.
    """
    attributes = []
    for attribute in code.attributes:
        if attribute.name == "StackMapTable" and created:
            reader = Reader(attribute.content)
            count = reader.u2()
            frames = b"".join(_frame(reader, created) for _ in range(count))
            attribute = replace(attribute, content=count.to_bytes(2) + frames)  # noqa: PLW2901
        attributes.append(attribute)
    return replace(code, attributes=tuple(attributes))


def _frame(reader: Reader, created: set[int]) -> bytes:
    head = reader.raw(1)
    kind = head[0]
    if kind < _SAME_END:
        return head
    if kind < _SAME_ONE_END:
        return head + _types(reader, 1, created)
    head += reader.raw(2)  # the offset
    if kind == _SAME_ONE_EXTENDED:
        return head + _types(reader, 1, created)
    if kind == _FULL:
        return head + _counted(reader, created) + _counted(reader, created)
    if kind > _CHOP_END:
        return head + _types(reader, kind - _CHOP_END, created)
    return head


def _counted(reader: Reader, created: set[int]) -> bytes:
    count = reader.u2()
    return count.to_bytes(2) + _types(reader, count, created)


def _types(reader: Reader, count: int, created: set[int]) -> bytes:
    found = b""
    for _ in range(count):
        tag = reader.raw(1)
        rest = reader.raw(2) if tag[0] in (_OBJECT, _UNINITIALIZED) else b""
        is_new = tag[0] == _UNINITIALIZED and int.from_bytes(rest) in created
        found += bytes((_NULL,)) if is_new else tag + rest
    return found
