# SPDX-License-Identifier: Apache-2.0
"""Class files as the compiler should see them: what is private in them is public.

The evaluator may use private members, the compiler would refuse them. The VM lets a nest mate use
them (JVMS 5.4.4), and `accessors` any other class, so only the copies that the compiler reads are
changed. Synthetic fields, such as `this$0`, become ordinary ones. Local classes lose the attributes
that hide their names. The mark of preview releases is dropped: their code runs already.
"""

from __future__ import annotations

import functools
import struct
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple

from jvmdebug.classfile import ClassFile, ConstantTag, encode_inner_classes, inner_classes
from jvmdebug.classfile.access import Access
from jvmdebug.classfile.class_file import Member
from jvmdebug.classfile.constant_pool import ConstantPool
from jvmdebug.classfile.writer import modified_utf8

if TYPE_CHECKING:
    from jvmdebug.classfile import Attribute

_HIDING: Final = int(Access.PRIVATE | Access.PROTECTED)


class Protected(NamedTuple):
    """A protected member that a class inherits."""

    is_method: bool
    name: str
    descriptor: str
    access: int


@functools.lru_cache(maxsize=256)
def unmarked(class_file: bytes) -> bytes:
    """The class file without the mark of a preview release. ClassFileError when it is none."""
    file = ClassFile.read(class_file)
    return replace(file, minor_version=0).encode() if file.minor_version else class_file


@functools.lru_cache(maxsize=256)
def opened(class_file: bytes, inherited: tuple[Protected, ...] = ()) -> bytes:
    """The class file with everything public, and with `inherited` members as its own.

    ClassFileError when it is none.
    """
    file = _with_inherited(ClassFile.read(class_file), inherited)
    dropped = ["EnclosingMethod", "NestHost", "NestMembers"]
    if file.attribute("EnclosingMethod") is not None:  # a local class
        dropped.append("InnerClasses")
    return replace(
        file,
        minor_version=0,
        access=_opened(file.access),
        fields=tuple(
            replace(each, access=_opened(each.access & ~Access.SYNTHETIC)) for each in file.fields
        ),
        methods=tuple(replace(each, access=_opened(each.access)) for each in file.methods),
        attributes=tuple(
            _opened_entries(each) for each in file.attributes if each.name not in dropped
        ),
    ).encode()


def _with_inherited(file: ClassFile, inherited: tuple[Protected, ...]) -> ClassFile:
    """The class with members that it does not declare itself; the compiler reads no code."""
    own = {(each.name, each.descriptor) for each in (*file.fields, *file.methods)}
    added = [each for each in inherited if (each.name, each.descriptor) not in own]
    pool = file.constants.raw
    fields, methods = list(file.fields), list(file.methods)
    for at, each in enumerate(added):
        number = file.constants.count + 2 * at
        pool += _utf8(each.name) + _utf8(each.descriptor)
        access = each.access & ~(Access.ABSTRACT | Access.NATIVE | Access.SYNCHRONIZED)
        member = Member(access, each.name, each.descriptor, number, number + 1, ())
        (methods if each.is_method else fields).append(member)
    constants = ConstantPool(file.constants.count + 2 * len(added), pool)
    return replace(file, constants=constants, fields=tuple(fields), methods=tuple(methods))


def _utf8(text: str) -> bytes:
    content = modified_utf8(text)
    return struct.pack(">BH", ConstantTag.UTF8, len(content)) + content


def _opened(access: int) -> int:
    return (access & ~_HIDING) | Access.PUBLIC


def _opened_entries(attribute: Attribute) -> Attribute:
    """The attribute; `InnerClasses` with everything public."""
    if attribute.name != "InnerClasses":
        return attribute
    entries = inner_classes(attribute.content)
    opened_entries = tuple(each._replace(access=_opened(each.access)) for each in entries)
    return replace(attribute, content=encode_inner_classes(opened_entries))
