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
    syntax,
)
from jvmdebug.evaluator.binding import Binder

if TYPE_CHECKING:
    from jvmdebug.evaluator.binding import BindTable
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
}


def binder_for(scope: FrameScope, source: TypeSource, *, is_read_only: bool = False) -> Binder:
    """A binder for one place of the program."""
    return Binder(scope, source, _TABLE, is_read_only=is_read_only)
