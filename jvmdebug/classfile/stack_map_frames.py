# SPDX-License-Identifier: Apache-2.0
"""The frames of a `StackMapTable` (JVMS 4.7.4): moved with their code, and read.

Called by `insertion` and by the model.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug.classfile.reader import Reader
from jvmdebug.errors import ClassFileError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from jvmdebug.classfile.constant_pool import ConstantPool

_SAME: Final = 63
_SAME_WITH_ONE: Final = 127
_SAME_WITH_ONE_EXTENDED: Final = 247
_SAME_EXTENDED: Final = 251
_APPEND: Final = 254
_FULL: Final = 255
_OBJECT: Final = 7
_UNINITIALIZED: Final = 8
"""With the code index of the `new` that made it."""
_NAMES: Final = {0: "unusable", 1: "I", 2: "F", 3: "D", 4: "J", 5: "null"}


def moved_frames(
    content: bytes, frame_at: Callable[[int], int], instruction_at: Callable[[int], int]
) -> bytes:
    """The content of the attribute for code whose frames and instructions have moved so."""
    reader = Reader(content)
    count = reader.u2()
    parts = [count.to_bytes(2)]
    old, new = -1, -1
    for _ in range(count):
        kind = reader.u1()
        delta = _delta(reader, kind)
        old += delta + 1
        place = frame_at(old)
        parts.append(_head(kind, place - new - 1))
        parts.append(_types(reader, kind, instruction_at))
        new = place
    reader.expect_end("a StackMapTable")
    return b"".join(parts)


def frame_locals(content: bytes, first: Sequence[int]) -> list[tuple[int, tuple[int, ...]]]:
    """Code index → tags of the verification types of the local variables there, for each frame, in
    order. `first`: those with which the method begins; a long or a double is one of them.
    """
    reader = Reader(content)
    index, tags = -1, tuple(first)
    found = [(0, tags)]
    for _ in range(reader.u2()):
        kind = reader.u1()
        index += _delta(reader, kind) + 1
        if _SAME < kind <= _SAME_WITH_ONE_EXTENDED:
            _tags(reader, 1)  # on the stack
        elif kind == _FULL:
            tags = _tags(reader, reader.u2())
            _tags(reader, reader.u2())
        elif kind > _SAME_EXTENDED:
            tags += _tags(reader, kind - _SAME_EXTENDED)
        elif _SAME_WITH_ONE_EXTENDED < kind < _SAME_EXTENDED:
            tags = tags[: len(tags) - (_SAME_EXTENDED - kind)]
        found.append((index, tags))
    reader.expect_end("a StackMapTable")
    return found


def typed_frames(
    content: bytes, first: Sequence[str], constants: ConstantPool
) -> list[tuple[int, list[str], list[str]]]:
    """Code index, types of the local variables and of the operand stack, for each frame in order,
    from the beginning of the method on, where there is `first`. See `verified_types` for the types.
    """
    reader = Reader(content)
    index, known = -1, list(first)
    found: list[tuple[int, list[str], list[str]]] = [(0, known, [])]
    for _ in range(reader.u2()):
        kind = reader.u1()
        index += _delta(reader, kind) + 1
        stack: list[str] = []
        if _SAME < kind <= _SAME_WITH_ONE_EXTENDED:
            stack = _named_types(reader, 1, constants)
        elif kind == _FULL:
            known = _named_types(reader, reader.u2(), constants)
            stack = _named_types(reader, reader.u2(), constants)
        elif kind > _SAME_EXTENDED:
            known = known + _named_types(reader, kind - _SAME_EXTENDED, constants)
        elif _SAME_WITH_ONE_EXTENDED < kind < _SAME_EXTENDED:
            known = known[: len(known) - (_SAME_EXTENDED - kind)]
        found.append((index, known, stack))
    reader.expect_end("a StackMapTable")
    return found


def _named_types(reader: Reader, count: int, constants: ConstantPool) -> list[str]:
    found = []
    for _ in range(count):
        tag = reader.u1()
        if tag == _OBJECT:
            name = constants.class_name(reader.u2())
            found.append(name if name.startswith("[") else f"L{name};")
        elif tag == _UNINITIALIZED:
            found.append(f"new {reader.u2()} ")
        else:
            found.append(_NAMES.get(tag, "new this "))
    return found


def _tags(reader: Reader, count: int) -> tuple[int, ...]:
    found = []
    for _ in range(count):
        tag = reader.u1()
        if tag in {_OBJECT, _UNINITIALIZED}:
            reader.u2()
        found.append(tag)
    return tuple(found)


def _delta(reader: Reader, kind: int) -> int:
    if kind <= _SAME:
        return kind
    if kind <= _SAME_WITH_ONE:
        return kind - _SAME - 1
    if kind < _SAME_WITH_ONE_EXTENDED:
        raise ClassFileError(f"{kind} is no stack map frame")
    return reader.u2()


def _head(kind: int, delta: int) -> bytes:
    """The kind of the frame, in a longer form if the short one cannot hold the delta."""
    if kind <= _SAME or kind == _SAME_EXTENDED:
        return bytes((delta,)) if delta <= _SAME else bytes((_SAME_EXTENDED,)) + delta.to_bytes(2)
    if kind <= _SAME_WITH_ONE_EXTENDED:
        if delta <= _SAME:
            return bytes((_SAME + 1 + delta,))
        return bytes((_SAME_WITH_ONE_EXTENDED,)) + delta.to_bytes(2)
    return bytes((kind,)) + delta.to_bytes(2)


def _types(reader: Reader, kind: int, instruction_at: Callable[[int], int]) -> bytes:
    if _SAME < kind <= _SAME_WITH_ONE_EXTENDED:
        return _type(reader, instruction_at)
    if _SAME_EXTENDED < kind <= _APPEND:
        return b"".join(_type(reader, instruction_at) for _ in range(kind - _SAME_EXTENDED))
    if kind != _FULL:
        return b""
    parts = []
    for _ in range(2):  # locals and stack
        count = reader.u2()
        parts.append(count.to_bytes(2))
        parts += [_type(reader, instruction_at) for _ in range(count)]
    return b"".join(parts)


def _type(reader: Reader, instruction_at: Callable[[int], int]) -> bytes:
    tag = reader.u1()
    if tag == _OBJECT:
        return bytes((tag,)) + reader.raw(2)
    if tag == _UNINITIALIZED:
        return bytes((tag,)) + instruction_at(reader.u2()).to_bytes(2)
    return bytes((tag,))
