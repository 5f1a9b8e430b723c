# SPDX-License-Identifier: Apache-2.0
"""The table of what can be run: one function for each class of the bound tree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug.evaluator import (
    bound,
    bound_statements,
    run_calls,
    run_operators,
    run_patterns,
    run_statements,
    run_values,
)
from jvmdebug.evaluator.running import Run

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jvmdebug.evaluator.loaded_types import LoadedTypes
    from jvmdebug.evaluator.running import ExecuteTable, RunTable
    from jvmdebug.model.frame import Frame
    from jvmdebug.model.values import Value

_TABLE: Final[RunTable] = {
    bound.Constant: run_values.constant,
    bound.NamedConstant: run_values.named_constant,
    bound.NullConstant: run_values.null,
    bound.Local: run_values.local,
    bound.OwnLocal: run_values.own_local,
    bound.Given: run_values.given,
    bound.Held: run_values.held,
    bound.This: run_values.this,
    bound.ClassObject: run_values.class_object,
    bound.StaticField: run_values.static_field,
    bound.InstanceField: run_values.instance_field,
    bound.ArrayLength: run_values.array_length,
    bound.Element: run_values.element,
    bound.PrimitiveConversion: run_values.primitive_conversion,
    bound.Unboxing: run_values.unboxing,
    bound.Boxing: run_values.boxing,
    bound.ReferenceCast: run_values.reference_cast,
    bound.InstanceTest: run_values.instance_test,
    bound.PatternTest: run_patterns.pattern_test,
    bound.StaticCall: run_calls.static_call,
    bound.InstanceCall: run_calls.instance_call,
    bound.Create: run_calls.create,
    bound.CreateArray: run_calls.create_array,
    bound.ArrayOf: run_calls.array_of,
    bound.Negate: run_operators.negate,
    bound.Arithmetic: run_operators.arithmetic_,
    bound.Comparison: run_operators.comparison,
    bound.SameObject: run_operators.same_object,
    bound.ShortCircuit: run_operators.short_circuit,
    bound.Choice: run_operators.choice,
    bound.Concatenation: run_operators.concatenation,
    bound.Assign: run_operators.assign,
    bound.CompoundAssign: run_operators.compound_assign,
    bound_statements.Switch: run_statements.switch,
    bound_statements.SameText: run_statements.same_text,
}

_STATEMENTS: Final[ExecuteTable] = {
    bound_statements.Block: run_statements.block,
    bound_statements.Declare: run_statements.declare,
    bound_statements.Evaluate: run_statements.evaluate,
    bound_statements.If: run_statements.if_,
    bound_statements.Loop: run_statements.loop,
    bound_statements.ForEach: run_statements.for_each,
    bound_statements.Labeled: run_statements.labeled,
    bound_statements.Jump: run_statements.jump,
    bound_statements.Return: run_statements.return_,
    bound_statements.Yield: run_statements.yield_,
    bound_statements.Throw: run_statements.throw,
}


def run_in(
    frame: Frame,
    source: LoadedTypes,
    *,
    given: Mapping[str, Value],
    loop_deadline: float | None,
    is_read_only: bool,
) -> Run:
    """A run that knows all bound nodes."""
    return Run(
        frame,
        source,
        _TABLE,
        _STATEMENTS,
        given=given,
        loop_deadline=loop_deadline,
        is_read_only=is_read_only,
    )
