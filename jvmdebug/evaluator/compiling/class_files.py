# SPDX-License-Identifier: Apache-2.0
"""Class files as the compiler should see them: what is private in them is public.

The evaluator may use private members, the compiler would refuse them. The VM lets a nest mate use
them (JVMS 5.4.4), so only the copies that the compiler reads are changed. Synthetic fields, such as
`this$0`, become ordinary ones. Local classes lose the attributes that hide their names.
"""

from __future__ import annotations

import functools
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from jvmdebug.classfile import ClassFile, encode_inner_classes, inner_classes
from jvmdebug.classfile.access import Access

if TYPE_CHECKING:
    from jvmdebug.classfile import Attribute

_HIDING: Final = int(Access.PRIVATE | Access.PROTECTED)


@functools.lru_cache(maxsize=256)
def opened(class_file: bytes) -> bytes:
    """The class file with everything public. ClassFileError when it is none."""
    file = ClassFile.read(class_file)
    dropped = ["EnclosingMethod", "NestHost", "NestMembers"]
    if file.attribute("EnclosingMethod") is not None:  # a local class
        dropped.append("InnerClasses")
    return replace(
        file,
        access=_opened(file.access),
        fields=tuple(
            replace(each, access=_opened(each.access & ~Access.SYNTHETIC)) for each in file.fields
        ),
        methods=tuple(replace(each, access=_opened(each.access)) for each in file.methods),
        attributes=tuple(
            _opened_entries(each) for each in file.attributes if each.name not in dropped
        ),
    ).encode()


def _opened(access: int) -> int:
    return (access & ~_HIDING) | Access.PUBLIC


def _opened_entries(attribute: Attribute) -> Attribute:
    """The attribute; `InnerClasses` with everything public."""
    if attribute.name != "InnerClasses":
        return attribute
    entries = inner_classes(attribute.content)
    opened_entries = tuple(each._replace(access=_opened(each.access)) for each in entries)
    return replace(attribute, content=encode_inner_classes(opened_entries))
