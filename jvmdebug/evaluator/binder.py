# SPDX-License-Identifier: Apache-2.0
"""The table of what can be bound: one function for each class of the syntax tree.

Called by `evaluation`, through `binder_for`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug.evaluator import (
    bind_assignments,
    bind_calls,
    bind_creation,
    bind_names,
    bind_operators,
    bind_statements,
    bind_switch,
    syntax,
)
from jvmdebug.evaluator.binding import Binder

if TYPE_CHECKING:
    from jvmdebug.evaluator.binding import BindStatementTable, BindTable
    from jvmdebug.evaluator.declarations import TypeSource
    from jvmdebug.evaluator.scope import FrameScope

_TABLE: Final[BindTable] = {
    syntax.NullLiteral: bind_operators.null_literal,
    syntax.PrimitiveLiteral: bind_operators.primitive_literal,
    syntax.StringLiteral: bind_operators.string_literal,
    syntax.ClassLiteral: bind_operators.class_literal,
    syntax.Parenthesized: bind_operators.parenthesized,
    syntax.Unary: bind_operators.unary,
    syntax.Binary: bind_operators.binary,
    syntax.Conditional: bind_operators.conditional,
    syntax.Cast: bind_operators.cast,
    syntax.InstanceOf: bind_operators.instance_of,
    syntax.Name: bind_names.name,
    syntax.This: bind_names.this,
    syntax.FieldAccess: bind_names.field_access,
    syntax.ArrayAccess: bind_names.array_access,
    syntax.MethodCall: bind_calls.method_call,
    syntax.NewObject: bind_creation.new_object,
    syntax.NewArray: bind_creation.new_array,
    syntax.Assignment: bind_assignments.assignment,
    syntax.Update: bind_assignments.update,
    syntax.Switch: bind_switch.expression,
}

_STATEMENTS: Final[BindStatementTable] = {
    syntax.LocalDeclaration: bind_statements.declaration,
    syntax.ExpressionStatement: bind_statements.expression,
    syntax.Block: bind_statements.block,
    syntax.If: bind_statements.if_,
    syntax.Loop: bind_statements.loop,
    syntax.ForEach: bind_statements.for_each,
    syntax.Labeled: bind_statements.labeled,
    syntax.Jump: bind_statements.jump,
    syntax.Return: bind_statements.return_,
    syntax.Yield: bind_switch.yield_,
    syntax.Throw: bind_statements.throw,
}


def binder_for(scope: FrameScope, source: TypeSource, *, is_read_only: bool = False) -> Binder:
    """A binder for one place of the program."""
    return Binder(scope, source, _TABLE, _STATEMENTS, is_read_only=is_read_only)
