# SPDX-License-Identifier: Apache-2.0
"""Class files that another java agent was given, compared.

The order of methods does not count: a VM tells them in the order of the class file if any agent
asked for that at the start, as debuggers do, and else in that of the addresses of their names.
Nor does SourceDebugExtension: a VM keeps it only if an agent may ask for it, as debuggers do.
"""

from __future__ import annotations

import struct
import tempfile
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Final

from jvmdebug.classfile import ClassFile, Code, instructions
from jvmdebug.errors import ClassFileError
from jvmdebug.sources.constant_text import constant_text

if TYPE_CHECKING:
    from jvmdebug.classfile import ConstantPool, Instruction

_POOL_SIZES: Final = {
    **dict.fromkeys((3, 4, 9, 10, 11, 12, 17, 18), 4),
    **dict.fromkeys((5, 6), 8),
    **dict.fromkeys((7, 8, 16, 19, 20), 2),
    15: 3,
}
"""Bytes of a constant behind its tag, by the tag; a text (1) says its own length."""
_ADDED_BY_VM: Final = b" is abstract"
_DROPPED: Final = b"SourceDebugExtension"
_MAGIC: Final = b"\xca\xfe\xba\xbe"


def differing(
    expected: dict[str, bytes], found: dict[str, bytes], swapped: frozenset[str] = frozenset()
) -> list[str]:
    """Names and sizes of those that both have and that differ in more than the order of methods.

    Of those that were swapped the instructions and lines count: the VM has joined the constants of
    all their versions.
    """
    return sorted(
        f"{name}: {len(content)} bytes bare, {len(found[name])} now"
        for name, content in expected.items()
        if name in found
        and unordered(found[name]) != unordered(content)
        and not (name in swapped and code_of(found[name]) == code_of(content))
    )


def code_of(content: bytes) -> list[tuple[str, str, list[str], object]]:
    """The methods of a class file with their instructions as text, and their lines."""
    file = ClassFile.read(content)
    found: list[tuple[str, str, list[str], object]] = []
    for each in file.methods:
        attribute = each.attribute("Code")
        if attribute is not None:
            code = Code.read(attribute.content, file.constants)
            texts = [_text(one, file.constants) for one in instructions(code.code)]
            found.append((each.name, each.descriptor, texts, code.line_table))
    return sorted(found, key=lambda one: one[:2])


def _text(instruction: Instruction, constants: ConstantPool) -> str:
    if instruction.constant is None:
        return instruction.text()
    try:
        return instruction.text(constant_text(constants, instruction.constant))
    except ClassFileError:
        return instruction.mnemonic


def kept(expected: dict[str, bytes], found: dict[str, bytes]) -> Path:
    """A folder with those that differ, in `bare` and `now`, to look at them with javap."""
    folder = Path(tempfile.mkdtemp(prefix="storm-classes-"))
    for kind, files in (("bare", expected), ("now", found)):
        (folder / kind).mkdir()
        for name in expected.keys() & found.keys():
            if unordered(expected[name]) != unordered(found[name]):
                (folder / kind / name).write_bytes(files[name])
    return folder


def unordered(content: bytes) -> tuple[bytes, ...]:
    """What is before the methods, each method in an order of ours, and what is after them.

    Only the size where the VM has added methods that throw AbstractMethodError: their constants
    are in the order of the methods, too.
    """
    if not content.startswith(_MAGIC):
        return (content,)
    at = _after_pool(content) + 6
    at += 2 + 2 * _u2(content, at)  # interfaces
    at = _members(content, at)[-1]  # fields
    bounds = _members(content, at)
    attributes = _class_attributes(content, bounds[-1])
    if _ADDED_BY_VM in content:
        return (bytes(bounds[-1] + sum(map(len, attributes))),)
    methods = [content[a:b] for a, b in pairwise(bounds)]
    return (content[: bounds[0]], *sorted(methods), *attributes)


def _class_attributes(content: bytes, at: int) -> list[bytes]:
    """Returns the attributes that any VM keeps."""
    names = _text_numbers(content, _DROPPED) if _DROPPED in content else frozenset[int]()
    kept = []
    start = at + 2
    for _ in range(_u2(content, at)):
        end = start + 6 + int(struct.unpack_from(">I", content, start + 2)[0])
        if _u2(content, start) not in names:
            kept.append(content[start:end])
        start = end
    return kept


def _text_numbers(content: bytes, text: bytes) -> frozenset[int]:
    """The numbers of the constants that are this text."""
    found = set()
    at, number, count = 10, 1, _u2(content, 8)
    while number < count:
        tag = content[at]
        if tag == 1 and content[at + 3 : at + 3 + _u2(content, at + 1)] == text:
            found.add(number)
        at += 1 + (2 + _u2(content, at + 1) if tag == 1 else _POOL_SIZES[tag])
        number += 2 if tag in (5, 6) else 1
    return frozenset(found)


def _u2(content: bytes, at: int) -> int:
    return int(struct.unpack_from(">H", content, at)[0])


def _after_pool(content: bytes) -> int:
    at, number, count = 10, 1, _u2(content, 8)
    while number < count:
        tag = content[at]
        at += 1 + (2 + _u2(content, at + 1) if tag == 1 else _POOL_SIZES[tag])
        number += 2 if tag in (5, 6) else 1
    return at


def _members(content: bytes, at: int) -> list[int]:
    """The places where each of the fields or methods begins, and where the last one ends."""
    bounds = [at + 2]
    for _ in range(_u2(content, at)):
        start = bounds[-1]
        end = start + 8
        for _ in range(_u2(content, start + 6)):
            end += 6 + int(struct.unpack_from(">I", content, end + 2)[0])
        bounds.append(end)
    return bounds
