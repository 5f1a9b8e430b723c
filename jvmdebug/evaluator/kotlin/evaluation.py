# SPDX-License-Identifier: Apache-2.0
"""The value of Kotlin code: walks the tree, and runs each step. Called by `expression`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug.errors import EvaluationError
from jvmdebug.evaluator.kotlin import expressions, names, primaries
from jvmdebug.evaluator.kotlin.parsing import NOT_EVALUATED, without_comments
from jvmdebug.evaluator.kotlin.workspace import Operand, Workspace

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    import tree_sitter

    from jvmdebug.evaluator.bind.scope import FrameScope
    from jvmdebug.evaluator.kotlin.names import Meaning
    from jvmdebug.evaluator.kotlin.parsing import KotlinCode
    from jvmdebug.evaluator.run.interpreter import Run
    from jvmdebug.model.values import Value

_POSTFIX: Final = (
    *("navigation_expression", "call_expression", "index_expression", "unary_expression"),
)


async def evaluate(code: KotlinCode, run: Run, scope: FrameScope) -> Value:
    """The value of the last statement."""
    walk = Walk(code, Workspace(run, scope))
    result: Operand | None = None
    for statement in code.statements:
        result = await walk.statement(statement)
    if result is None:
        raise EvaluationError("there is nothing to evaluate", 0)
    return await run.result(result.value)


class Walk:
    """One evaluation of one text."""

    def __init__(self, code: KotlinCode, workspace: Workspace) -> None:
        self.code = code
        self.workspace = workspace
        self.declared: dict[str, Operand] = {}
        self.applied_later: set[int] = set()
        """Prefix operators, by the node: tree-sitter has `!a.b` as `(!a).b`."""

    async def statement(self, node: tree_sitter.Node) -> Operand:
        """A declaration of a variable, an assignment, or an expression."""
        if node.type == "property_declaration":
            children = without_comments(node)
            if len(children) != len(("the variable", "its value")):
                raise self.code.fail("a declaration here is `val name = value`", node)
            name = self.code.text_of(without_comments(children[0])[0])
            self.declared[name] = await self.value(children[1])
            return self.declared[name]
        if node.type == "assignment":
            return await expressions.assignment(self, node)
        return await self.value(node)

    async def value(self, node: tree_sitter.Node) -> Operand:
        """The value of an expression."""
        found = await self.meaning(node)
        return await names.value(self.workspace, found, self.code.span(node))

    async def meaning(self, node: tree_sitter.Node) -> Meaning:
        prefix = _prefix_of(node)
        if prefix is not None and prefix.id not in self.applied_later:
            self.applied_later.add(prefix.id)
            return await expressions.with_operator(self, prefix.children[0].type, node, prefix)
        function = _NODES.get(node.type)
        if function is None:
            what = NOT_EVALUATED.get(node.type, node.type.replace("_", " "))
            raise self.code.fail(
                f"{what} cannot be evaluated: it needs Kotlin's compiler, which is not here", node
            )
        return await function(self, node)


def _prefix_of(node: tree_sitter.Node) -> tree_sitter.Node | None:
    """The prefix operator at the left end of `!a.b(c)[d]!!`."""
    first = node
    while first.type in _POSTFIX and first.named_children:
        first = first.named_children[0]
        if first.type == "unary_expression" and first.children[0] != first.named_children[0]:
            return first
    return None


_NODES: Final[dict[str, Callable[[Walk, tree_sitter.Node], Awaitable[Meaning]]]] = {
    "identifier": primaries.name_,
    "this_expression": primaries.this,
    "navigation_expression": primaries.navigation,
    "call_expression": primaries.call,
    "index_expression": primaries.index,
    "parenthesized_expression": expressions.parenthesized,
    "binary_expression": expressions.binary,
    "unary_expression": expressions.unary,
    "infix_expression": expressions.infix,
    "range_expression": expressions.range_,
    "in_expression": expressions.in_,
    "is_expression": expressions.is_,
    "as_expression": expressions.as_,
    "if_expression": expressions.if_,
    "number_literal": primaries.number,
    "float_literal": primaries.number,
    "character_literal": primaries.character,
    "string_literal": primaries.string,
    "multiline_string_literal": primaries.string,
}
