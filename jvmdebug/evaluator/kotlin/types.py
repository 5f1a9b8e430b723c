# SPDX-License-Identifier: Apache-2.0
"""Types as Kotlin writes them, as those of the VM: `Int?`, `MutableList<String>`, `IntArray`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug.evaluator.kotlin.parsing import without_comments
from jvmdebug.evaluator.parse import syntax
from jvmdebug.model.primitives import PrimitiveKind

if TYPE_CHECKING:
    import tree_sitter

    from jvmdebug.evaluator.kotlin.parsing import KotlinCode

_LANGUAGE: Final = "java.lang"
_UTIL: Final = "java.util"
_NAMES: Final = {
    **{each: f"{_LANGUAGE}.{each}" for each in ("Boolean", "Byte", "Short", "Long", "Float")},
    **{each: f"{_LANGUAGE}.{each}" for each in ("Double", "String", "CharSequence", "Number")},
    **{each: f"{_LANGUAGE}.{each}" for each in ("Throwable", "Comparable", "Enum", "Iterable")},
    **{each: f"{_UTIL}.{each}" for each in ("List", "Set", "Map", "Collection", "Iterator")},
    **{f"Mutable{each}": f"{_UTIL}.{each}" for each in ("List", "Set", "Map", "Collection")},
    "Int": f"{_LANGUAGE}.Integer",
    "Char": f"{_LANGUAGE}.Character",
    "Any": f"{_LANGUAGE}.Object",
    "Unit": "kotlin.Unit",
}
_ARRAYS: Final = {f"{each.name.capitalize()}Array": each for each in PrimitiveKind}


def type_syntax(code: KotlinCode, node: tree_sitter.Node) -> syntax.TypeSyntax:
    """The type; its arguments count for arrays only, as at run time."""
    span = code.span(node)
    if node.type == "nullable_type":
        return type_syntax(code, without_comments(node)[0])
    if node.type != "user_type":
        raise code.fail(f"{code.text_of(node)} cannot be a type here", node)
    names = [each for each in without_comments(node) if each.type == "identifier"]
    parts = tuple(code.text_of(each) for each in names)
    if parts == ("Array",):
        return syntax.ArrayTypeSyntax(span, _element(code, node), 1)
    return named(".".join(parts), span)


def named(name: str, span: syntax.Span) -> syntax.TypeSyntax:
    """The type of that name."""
    kind = _ARRAYS.get(name)
    if kind is not None:
        return syntax.ArrayTypeSyntax(span, syntax.PrimitiveTypeSyntax(span, kind), 1)
    binary = _NAMES.get(name, name)
    return syntax.NamedTypeSyntax(span, tuple(binary.replace("$", ".").split(".")))


def _element(code: KotlinCode, node: tree_sitter.Node) -> syntax.TypeSyntax:
    arguments = next((each for each in node.named_children if each.type == "type_arguments"), None)
    if arguments is not None:
        inner = without_comments(without_comments(arguments)[0])
        if inner and inner[-1].type in ("user_type", "nullable_type"):
            return type_syntax(code, inner[-1])
    return named("Any", code.span(node))
