# SPDX-License-Identifier: Apache-2.0
"""The functions that run nodes, by node class of the bound tree.

`run_in` makes a Run with them. Called by `expression`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug.evaluator.bind import bound, bound_statements
from jvmdebug.evaluator.run import calls, operators, patterns, recorded_calls, statements, values
from jvmdebug.evaluator.run.interpreter import Run

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jvmdebug.evaluator.run.deadline import Deadline
    from jvmdebug.evaluator.run.interpreter import ExecuteTable, RunTable
    from jvmdebug.evaluator.symbols.loaded_types import LoadedTypes
    from jvmdebug.model.frame import Frame
    from jvmdebug.model.values import Value

_TABLE: Final[RunTable] = {
    bound.Constant: values.constant,
    bound.NamedConstant: values.named_constant,
    bound.NullConstant: values.null,
    bound.FrameLocal: values.local,
    bound.DeclaredLocal: values.declared_local,
    bound.ExtraVariable: values.extra_variable,
    bound.Temporary: values.temporary,
    bound.This: values.this,
    bound.ClassObject: values.class_object,
    bound.StaticField: values.static_field,
    bound.InstanceField: values.instance_field,
    bound.ArrayLength: values.array_length,
    bound.Element: values.element,
    bound.PrimitiveConversion: values.primitive_conversion,
    bound.Unboxing: values.unboxing,
    bound.Boxing: values.boxing,
    bound.ReferenceCast: values.reference_cast,
    bound.InstanceTest: values.instance_test,
    bound.PatternTest: patterns.pattern_test,
    bound.StaticCall: calls.static_call,
    bound.InstanceCall: calls.instance_call,
    bound.RecordedCall: recorded_calls.recorded_call,
    bound.NewObject: calls.new_object,
    bound.NewArray: calls.new_array,
    bound.NewArrayOf: calls.new_array_of,
    bound.Unary: operators.unary,
    bound.Arithmetic: operators.arithmetic_,
    bound.Comparison: operators.comparison,
    bound.ReferenceEquality: operators.reference_equality,
    bound.ShortCircuit: operators.short_circuit,
    bound.Conditional: operators.conditional,
    bound.Concatenation: operators.concatenation,
    bound.Assign: operators.assign,
    bound.CompoundAssign: operators.compound_assign,
    bound_statements.Switch: statements.switch,
    bound_statements.StringEquality: statements.string_equality,
}

_STATEMENTS: Final[ExecuteTable] = {
    bound_statements.Block: statements.block,
    bound_statements.Declare: statements.declare,
    bound_statements.Evaluate: statements.evaluate,
    bound_statements.If: statements.if_,
    bound_statements.Loop: statements.loop,
    bound_statements.ForEach: statements.for_each,
    bound_statements.Labeled: statements.labeled,
    bound_statements.Jump: statements.jump,
    bound_statements.Return: statements.return_,
    bound_statements.Yield: statements.yield_,
    bound_statements.Throw: statements.throw,
}


def run_in(
    frame: Frame,
    source: LoadedTypes,
    *,
    extra: Mapping[str, Value],
    deadline: Deadline,
    is_read_only: bool,
) -> Run:
    """A Run for one evaluation in a frame."""
    return Run(
        frame,
        source,
        _TABLE,
        _STATEMENTS,
        extra=extra,
        deadline=deadline,
        is_read_only=is_read_only,
    )
