# SPDX-License-Identifier: Apache-2.0
"""The functions that bind, by node class of the syntax tree.

`binder_for` makes a Binder with them. Called by `expression`, `completion` and `run.late_binding`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug.evaluator.bind import (
    assignments,
    calls,
    creation,
    names,
    operators,
    statements,
    switch,
)
from jvmdebug.evaluator.bind.binder import Binder
from jvmdebug.evaluator.parse import syntax

if TYPE_CHECKING:
    from jvmdebug.evaluator.bind.binder import BindStatementTable, BindTable
    from jvmdebug.evaluator.bind.scope import FrameScope
    from jvmdebug.evaluator.symbols.declarations import TypeSource

_TABLE: Final[BindTable] = {
    syntax.NullLiteral: operators.null_literal,
    syntax.PrimitiveLiteral: operators.primitive_literal,
    syntax.StringLiteral: operators.string_literal,
    syntax.ClassLiteral: operators.class_literal,
    syntax.Parenthesized: operators.parenthesized,
    syntax.Unary: operators.unary,
    syntax.Binary: operators.binary,
    syntax.Conditional: operators.conditional,
    syntax.Cast: operators.cast,
    syntax.InstanceOf: operators.instance_of,
    syntax.Name: names.name,
    syntax.This: names.this,
    syntax.FieldAccess: names.field_access,
    syntax.ArrayAccess: names.array_access,
    syntax.MethodCall: calls.method_call,
    syntax.NewObject: creation.new_object,
    syntax.NewArray: creation.new_array,
    syntax.Assignment: assignments.assignment,
    syntax.Update: assignments.update,
    syntax.Adapted: assignments.adapted,
    syntax.Switch: switch.expression,
}

_STATEMENTS: Final[BindStatementTable] = {
    syntax.LocalDeclaration: statements.declaration,
    syntax.ExpressionStatement: statements.expression,
    syntax.Block: statements.block,
    syntax.If: statements.if_,
    syntax.Loop: statements.loop,
    syntax.ForEach: statements.for_each,
    syntax.Labeled: statements.labeled,
    syntax.Jump: statements.jump,
    syntax.Return: statements.return_,
    syntax.Yield: switch.yield_,
    syntax.Throw: statements.throw,
}


def binder_for(scope: FrameScope, source: TypeSource, *, is_read_only: bool = False) -> Binder:
    """A binder for code at one location of the program."""
    return Binder(scope, source, _TABLE, _STATEMENTS, is_read_only=is_read_only)
