# SPDX-License-Identifier: Apache-2.0
"""Tells which annotations a class, a field or a method has (JVMS 4.7.16): their types.

What is written in their parentheses is read over, not kept.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug.classfile.reader import Reader
from jvmdebug.errors import ClassFileError

if TYPE_CHECKING:
    from jvmdebug.classfile.class_file import ClassFile, Member

_DEEPEST: Final = 100
"""More nested annotations than compilers write; bounds the recursion."""
_CONSTANT: Final = frozenset(b"BCDFIJSZsc")
_ENUM, _ANNOTATION, _ARRAY = (ord(each) for each in "e@[")


def annotation_types(
    parsed: ClassFile, of: ClassFile | Member, attribute: str = "RuntimeVisibleAnnotations"
) -> tuple[str, ...]:
    """The internal names of the annotations that reflection shows on `of`, the class itself or one
    of its members: `org/junit/Test`. Those that it does not show are in another attribute.

    Raises ClassFileError if the attribute is damaged.
    """
    found = of.attribute(attribute)
    if found is None:
        return ()
    reader = Reader(found.content)
    types = tuple(_annotation(reader, parsed, 0) for _ in range(reader.u2()))
    reader.expect_end(attribute)
    return types


def _annotation(reader: Reader, parsed: ClassFile, depth: int) -> str:
    descriptor = parsed.constants.utf8(reader.u2())
    for _ in range(reader.u2()):
        reader.u2()
        _skip_value(reader, parsed, depth)
    return descriptor.removeprefix("L").removesuffix(";")


def _skip_value(reader: Reader, parsed: ClassFile, depth: int) -> None:
    if depth > _DEEPEST:
        raise ClassFileError(f"annotations are nested more than {_DEEPEST} deep")
    tag = reader.raw(1)[0]
    if tag in _CONSTANT:
        reader.u2()
    elif tag == _ENUM:
        reader.u4()
    elif tag == _ANNOTATION:
        _annotation(reader, parsed, depth + 1)
    elif tag == _ARRAY:
        for _ in range(reader.u2()):
            _skip_value(reader, parsed, depth + 1)
    else:
        raise ClassFileError(f"there is no value of an annotation with the tag {tag}")
