# SPDX-License-Identifier: Apache-2.0
"""Whether a text for the compiler ends in the call of a void method, as far as it is known.

Avoids compiling twice: the compiler rejects the variant that returns a value. Types come from the
binder where it can bind; a call with lambdas is looked up by name and number of arguments. Called
by `compiled_code`.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from jvmdebug.errors import EvaluationError
from jvmdebug.evaluator.bind import names
from jvmdebug.evaluator.compiling.source import parsed
from jvmdebug.evaluator.parse import parser
from jvmdebug.evaluator.parse.grammar import without_comments
from jvmdebug.evaluator.symbols import types
from jvmdebug.evaluator.symbols.declarations import TypeDeclaration
from jvmdebug.evaluator.symbols.types import ArrayType, ClassType, TypeVariable

if TYPE_CHECKING:
    import tree_sitter

    from jvmdebug.evaluator.bind.binder import Binder
    from jvmdebug.evaluator.parse.grammar import WrappedText
    from jvmdebug.evaluator.symbols.hierarchy import MethodMember
    from jvmdebug.evaluator.symbols.types import JavaType


async def is_void(source: WrappedText, root: tree_sitter.Node, binder: Binder) -> bool:
    """Whether the expression, or the last statement, certainly has no value."""
    node = root
    if root.type == "block":
        last = without_comments(root.named_children)[-1]
        if last.type != "expression_statement":
            return False
        node = without_comments(last.named_children)[0]
    return await _type(source, node, binder) == types.VOID


async def type_of(text: str, binder: Binder) -> JavaType | None:
    """The type of an expression that may have lambdas in it, or of the class that it names."""
    wrapped, root, _ = parsed(text)
    return await _target_type(wrapped, root, binder)


async def _type(source: WrappedText, node: tree_sitter.Node, binder: Binder) -> JavaType | None:
    """The static type, or one with the same members; None if unknown."""
    with contextlib.suppress(EvaluationError):
        return (await binder.bind(parser.expression_of(source, node))).type
    if node.type != "method_invocation":
        return None
    name = node.child_by_field_name("name")
    arguments = node.child_by_field_name("arguments")
    if name is None or arguments is None:
        return None
    members = await _methods(source, node, source.span(name).text(source.text), binder)
    count = len(without_comments(arguments.named_children))
    results = [each.result for each in members if _may_take(each, count)]
    is_sure = len({_erased(each) for each in results}) == 1
    return results[0] if is_sure else None


async def _methods(
    source: WrappedText, node: tree_sitter.Node, name: str, binder: Binder
) -> list[MethodMember]:
    """The candidate methods of the call."""
    target = node.child_by_field_name("object")
    if target is None:
        async for enclosing in binder.enclosing(source.span(node)):
            found = await binder.hierarchy.methods(enclosing.declaration.this_type, name)
            if found:
                return found
        return []
    type_ = await _target_type(source, target, binder)
    if not isinstance(type_, ClassType | ArrayType | TypeVariable):
        return []
    if isinstance(type_, ClassType):
        await binder.source.load(type_.name)  # running the text will need it
    return await binder.hierarchy.methods(type_, name)


async def _target_type(
    source: WrappedText, target: tree_sitter.Node, binder: Binder
) -> JavaType | None:
    with contextlib.suppress(EvaluationError):
        found = await names.meaning(binder, parser.expression_of(source, target))
        if isinstance(found, TypeDeclaration):
            return ClassType(found.name)
    return await _type(source, target, binder)


def _may_take(member: MethodMember, count: int) -> bool:
    is_open = member.method.is_varargs and count >= len(member.parameters) - 1
    return is_open or count == len(member.parameters)


def _erased(type_: JavaType) -> str:
    if isinstance(type_, types.VoidType | types.NullType):
        return str(type_)
    return types.erasure(type_).descriptor
