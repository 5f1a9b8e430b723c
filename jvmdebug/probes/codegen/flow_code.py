# SPDX-License-Identifier: Apache-2.0
"""The code of switches, and of the statements that they contain. See `code`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from jvmdebug.classfile.opcodes import Op
from jvmdebug.classfile.writer import Label
from jvmdebug.evaluator.bind import bound_statements as bound
from jvmdebug.evaluator.symbols import types
from jvmdebug.probes.codegen.code import class_operand, is_known_as, kind_of
from jvmdebug.probes.codegen.creation_code import require_object
from jvmdebug.probes.codegen.members import NotCompiledError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from jvmdebug.evaluator.bind.bound import BoundNode
    from jvmdebug.probes.codegen.code import ExpressionCode, Writer

_NO_CASE: Final = "java/lang/IncompatibleClassChangeError"
"""What Java throws where no case of a switch over an enum fits (JLS 15.28.2 before Java 21)."""


def _switch(out: ExpressionCode, node: bound.Switch) -> None:
    _SwitchCode(out, node).write()


@dataclass(slots=True)
class _SwitchCode:
    out: ExpressionCode
    node: bound.Switch
    end: Label = field(default_factory=Label)

    def write(self) -> None:
        out, node = self.out, self.node
        out.value(node.selector)
        if kind_of(node.temporary.type) == "A" and not node.takes_null:
            require_object(out)
        out.keep(node.temporary)
        bodies, no_case = [Label() for _ in node.cases], Label()
        for case, body in zip(node.cases, bodies, strict=True):
            self._tests(case, body)
        others = [body for case, body in zip(node.cases, bodies, strict=True) if case.is_default]
        out.code.jump(Op.GOTO, others[-1] if others else no_case)
        for case, body in zip(node.cases, bodies, strict=True):
            out.code.place(body)
            self._statements(case.body)
            if not node.falls_through:
                out.code.jump(Op.GOTO, no_case)
        out.code.place(no_case)
        if node.results:
            out.class_op(Op.NEW, _NO_CASE)
            out.code.op(Op.DUP)
            out.invoke(Op.INVOKESPECIAL, _NO_CASE, "<init>", "()V")
            out.code.op(Op.ATHROW)
        out.code.place(self.end)
        if not isinstance(node.type, types.NullType | types.VoidType) and kind_of(node.type) == "A":
            out.cast(class_operand(node.type))  # the VM knows the common supertype

    def _tests(self, case: bound.Case, body: Label) -> None:
        for test in case.tests:
            following = Label()
            self.out.branch(test, following, when=False)
            if case.guard is not None:
                self.out.branch(case.guard, following, when=False)
            self.out.code.jump(Op.GOTO, body)
            self.out.code.place(following)

    def _statements(self, statements: Sequence[bound.Statement]) -> None:
        for each in statements:
            self._statement(each)

    def _statement(self, node: bound.Statement) -> None:
        out = self.out
        match node:
            case bound.Block(statements=statements):
                self._statements(statements)
            case bound.Evaluate(expression=expression):
                out.value(expression)
                if not isinstance(expression.type, types.VoidType):
                    out.drop(expression.type)
            case bound.Declare():
                self._declare(node)
            case bound.If():
                self._if(node)
            case bound.Throw(exception=exception):
                out.value(exception)
                out.code.op(Op.ATHROW)
            case bound.Yield(value=value, number=number):
                out.value(value)
                out.keep(self.node.result_temporaries[number])
                out.value(self.node.results[number])
                out.code.jump(Op.GOTO, self.end)
            case bound.Jump(word="break", label=None):
                out.code.jump(Op.GOTO, self.end)
            case _:
                raise NotCompiledError("a switch that contains a loop or a jump")

    def _declare(self, node: bound.Declare) -> None:
        if node.value is None:
            return
        variable = node.variable
        kind = kind_of(variable.type)
        self.out.value(node.value)
        if kind == "A" and not is_known_as(node.value, class_operand(variable.type)):
            self.out.cast(class_operand(variable.type))
        self.out.code.store(kind, self.out.declared_slot(variable))

    def _if(self, node: bound.If) -> None:
        otherwise, end = Label(), Label()
        self.out.branch(node.condition, otherwise, when=False)
        self._statement(node.then)
        self.out.code.jump(Op.GOTO, end)
        self.out.code.place(otherwise)
        if node.otherwise is not None:
            self._statement(node.otherwise)
        self.out.code.place(end)


FLOW: Final[Mapping[type[BoundNode], Writer]] = {bound.Switch: _switch}
