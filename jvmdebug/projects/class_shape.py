# SPDX-License-Identifier: Apache-2.0
"""What other classes can see of a class: if it did not change, they need not be compiled again.

Pure: bytes in. Errs on the side of a change. Called by `incremental`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jvmdebug.classfile import ClassFile, inner_classes
from jvmdebug.errors import ClassFileError

if TYPE_CHECKING:
    from jvmdebug.classfile import Attribute, Member

_PRIVATE: Final = 0x0002
_SYNTHETIC: Final = 0x1000
_INVISIBLE: Final = frozenset(
    {
        *("BootstrapMethods", "Code", "InnerClasses", "NestHost", "NestMembers"),
        *("SourceDebugExtension", "SourceFile"),
    }
)


@dataclass(frozen=True, slots=True)
class ClassShape:
    """One class as seen from outside. Equal shapes: dependents are still right."""

    name: str
    """Internal name: `shop/Cart`."""
    source_name: str | None
    """`Cart.java`"""
    signature: tuple[object, ...]
    constants: tuple[object, ...]
    """Fields with a constant value: compilers copy it into other classes, without a reference."""


def class_shape(content: bytes) -> ClassShape | None:
    """None if the bytes are not a class file."""
    try:
        parsed = ClassFile.read(content)
        visible = [each for each in parsed.fields if not each.access & (_PRIVATE | _SYNTHETIC)]
        methods = [each for each in parsed.methods if not each.access & (_PRIVATE | _SYNTHETIC)]
        source = parsed.attribute("SourceFile")
        return ClassShape(
            parsed.name,
            None if source is None else parsed.constants.utf8(int.from_bytes(source.content)),
            (
                parsed.access,
                _nested_access(parsed),
                parsed.superclass,
                parsed.interfaces,
                _attributes(parsed, parsed.attributes),
                tuple(sorted(_member(parsed, each) for each in visible)),
                tuple(sorted(_member(parsed, each) for each in methods)),
            ),
            tuple(sorted(each for field in visible if (each := _constant(parsed, field)))),
        )
    except ClassFileError:
        return None


def _nested_access(parsed: ClassFile) -> int | None:
    """Modifiers of a nested class as in its source; None for any other."""
    names, found = parsed.constants, parsed.attribute("InnerClasses")
    for each in () if found is None else inner_classes(found.content):
        if names.class_name(each.inner) == parsed.name:
            return each.access
    return None


def _member(parsed: ClassFile, member: Member) -> tuple[str, str, int, str]:
    return (
        member.name,
        member.descriptor,
        member.access,
        _attributes(parsed, member.attributes),
    )


def _attributes(parsed: ClassFile, attributes: tuple[Attribute, ...]) -> str:
    """Names of all attributes, and what is known to matter in them."""
    shown = []
    for each in attributes:
        if each.name in _INVISIBLE:
            continue
        if each.name == "Signature":
            shown.append(f"Signature {parsed.constants.utf8(int.from_bytes(each.content))}")
        elif each.name in ("Exceptions", "PermittedSubclasses"):
            indexes = [each.content[at : at + 2] for at in range(2, len(each.content), 2)]
            names = [parsed.constants.class_name(int.from_bytes(index)) for index in indexes]
            shown.append(f"{each.name} {' '.join(names)}")
        else:
            shown.append(each.name)
    return ";".join(sorted(shown))


def _constant(parsed: ClassFile, field: Member) -> tuple[str, str, str] | None:
    found = field.attribute("ConstantValue")
    if found is None:
        return None
    index = int.from_bytes(found.content)
    is_text = field.descriptor == "Ljava/lang/String;"
    value = parsed.constants.string(index) if is_text else repr(parsed.constants.number(index))
    return field.name, field.descriptor, value
