# SPDX-License-Identifier: Apache-2.0
"""Tells which annotations a class, a field or a method has (JVMS 4.7.16): their types, and the
numbers and texts that are written in their parentheses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from jvmdebug.classfile.reader import Reader
from jvmdebug.errors import ClassFileError

if TYPE_CHECKING:
    from jvmdebug.classfile.class_file import ClassFile, Member

AnnotationValue: TypeAlias = "int | float | str | list[AnnotationValue] | None"
"""None for a constant of an enum and for an annotation."""

_DEEPEST: Final = 100
"""More nested annotations than compilers write; bounds the recursion."""
_NUMBER: Final = frozenset(b"BCDFIJSZ")
_TEXT: Final = frozenset(b"sc")
_ENUM, _ANNOTATION, _ARRAY = (ord(each) for each in "e@[")


def annotation_types(
    parsed: ClassFile, of: ClassFile | Member, attribute: str = "RuntimeVisibleAnnotations"
) -> tuple[str, ...]:
    """The internal names of the annotations that reflection shows on `of`, the class itself or one
    of its members: `org/junit/Test`. Those that it does not show are in another attribute.

    Raises ClassFileError if the attribute is damaged.
    """
    return tuple(type_ for type_, _ in _annotations(parsed, of, attribute))


def annotation_values(
    parsed: ClassFile, of: ClassFile | Member, type_: str
) -> dict[str, AnnotationValue] | None:
    """What is written in the annotation of that type which reflection shows on `of`, by the names
    of its elements; None without it. Elements with their default value are not written.

    Raises ClassFileError if the attribute is damaged.
    """
    found = _annotations(parsed, of, "RuntimeVisibleAnnotations")
    return next((values for name, values in found if name == type_), None)


def _annotations(
    parsed: ClassFile, of: ClassFile | Member, attribute: str
) -> list[tuple[str, dict[str, AnnotationValue]]]:
    found = of.attribute(attribute)
    if found is None:
        return []
    reader = Reader(found.content)
    annotations = [_annotation(reader, parsed, 0) for _ in range(reader.u2())]
    reader.expect_end(attribute)
    return annotations


def _annotation(
    reader: Reader, parsed: ClassFile, depth: int
) -> tuple[str, dict[str, AnnotationValue]]:
    descriptor = parsed.constants.utf8(reader.u2())
    values: dict[str, AnnotationValue] = {}
    for _ in range(reader.u2()):
        name = reader.u2()
        value = _value(reader, parsed, depth)
        values[parsed.constants.utf8(name)] = value
    return descriptor.removeprefix("L").removesuffix(";"), values


def _value(reader: Reader, parsed: ClassFile, depth: int) -> AnnotationValue:
    if depth > _DEEPEST:
        raise ClassFileError(f"annotations are nested more than {_DEEPEST} deep")
    tag = reader.raw(1)[0]
    if tag in _NUMBER:
        return parsed.constants.number(reader.u2())
    if tag in _TEXT:
        return parsed.constants.utf8(reader.u2())
    if tag == _ENUM:
        reader.u4()
        return None
    if tag == _ANNOTATION:
        _annotation(reader, parsed, depth + 1)
        return None
    if tag == _ARRAY:
        return [_value(reader, parsed, depth + 1) for _ in range(reader.u2())]
    raise ClassFileError(f"there is no value of an annotation with the tag {tag}")
