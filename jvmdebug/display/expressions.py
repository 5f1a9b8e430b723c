# SPDX-License-Identifier: Apache-2.0
"""Java expressions for the values that are shown, so that a client can watch or assign them.

The expression of a child is built from that of its parent. The evaluator accepts private members
and binary names of local classes (`Cart$1Item`), so nearly every value has one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jvmdebug.display import layout
from jvmdebug.display.literals import escaped, literal
from jvmdebug.display.texts.language import BOXES
from jvmdebug.model.values import NullValue, ObjectReference, PrimitiveValue, StringReference

if TYPE_CHECKING:
    from jvmdebug.model.field import Field
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.model.values import Value

_LONGEST_KEY: Final = 1_000
_RESERVED: Final = frozenset(
    {
        *("abstract", "assert", "boolean", "break", "byte", "case", "catch", "char"),
        *("class", "const", "continue", "default", "do", "double", "else", "enum"),
        *("extends", "false", "final", "finally", "float", "for", "goto", "if"),
        *("implements", "import", "instanceof", "int", "interface", "long", "native", "new"),
        *("null", "package", "private", "protected", "public", "return", "short", "static"),
        *("strictfp", "super", "switch", "synchronized", "this", "throw", "throws", "transient"),
        *("true", "try", "void", "volatile", "while", "_"),
    }
)


@dataclass(frozen=True, slots=True)
class EvaluateName:
    """A value's expression, and the static type that it has there."""

    expression: str
    declared_type: str | None = None

    @property
    def operand(self) -> str:
        """The expression as an operand: a dot or a bracket can follow it."""
        text = self.expression
        is_simple = all(each.isalnum() or each in "_$.[]()" for each in text)
        return text if is_simple and not text.startswith("(") else f"({text})"

    def as_type(self, type_name: str) -> str:
        """The operand, cast when its static type is not known to be this one already."""
        if self.declared_type == type_name:
            return self.operand
        written = written_type(type_name)
        return self.operand if written is None else f"(({written}) {self.operand})"


def written_type(name: str) -> str | None:
    """`a.B.C` for `a.B$C`; the binary name for local classes; None for what no source can name."""
    if "/" in name:
        return None
    nested = name.replace("$", ".")
    has_digits = any(part[:1].isdigit() for part in nested.split("."))
    return name if has_digits or not _is_plain(nested) else nested


def _is_name(name: str) -> bool:
    """Whether Java source can write this identifier; the class file format allows others."""
    return name not in _RESERVED and name.replace("$", "_").isidentifier()


def _is_plain(name: str) -> bool:
    return all(part.isidentifier() for part in name.replace("[]", "").split("."))


def field_expression(field: Field, parent: EvaluateName | None, *, is_alone: bool) -> str | None:
    """A field of an object, which has no other of the name if it `is_alone`."""
    if not _is_name(field.name):
        return None
    if field.is_static:
        return static_expression(field, parent)
    if parent is None:
        return None
    if not is_alone:
        # The static type decides which field the name means.
        return f"{parent.as_type(field.declaring_type.name)}.{field.name}"
    return f"{parent.operand}.{field.name}"


def static_expression(field: Field, parent: EvaluateName | None = None) -> str | None:
    """`shop.Cart.made`; through an object when nothing else can name the class."""
    written = written_type(field.declaring_type.name)
    if written is not None:
        return f"{written}.{field.name}"
    return None if parent is None else f"{parent.operand}.{field.name}"


def element_expression(parent: EvaluateName | None, array_type: str, index: int) -> str | None:
    """An element of an array, whatever type it is declared with."""
    return None if parent is None else f"{parent.as_type(array_type)}[{index}]"


async def key_expression(key: Value) -> str | None:
    """A map's key as Java would write it; None when it is an object without a literal, or long."""
    if isinstance(key, StringReference):
        text, length = await key.beginning(_LONGEST_KEY)
        return None if length > _LONGEST_KEY else f'"{escaped(text)}"'
    if not isinstance(key, ObjectReference):
        return "null" if isinstance(key, NullValue) else None
    type_ = await key.type()
    if type_.name in BOXES:
        (value,) = await layout.read(key, "value")
        return literal(value) if isinstance(value, PrimitiveValue) else None
    return await _enum_constant(key, type_)


async def _enum_constant(constant: ObjectReference, type_: ReferenceType) -> str | None:
    """`shop.Color.RED`; a constant with a body has a class of its own below the enum."""
    names = [each.name for each in (type_, *await type_.superclasses())]
    if "java.lang.Enum" not in names:
        return None
    enum = written_type(names[names.index("java.lang.Enum") - 1])
    name = await layout.read_text(constant, "name", of="java.lang.Enum")
    return None if enum is None else f"{enum}.{name}"
