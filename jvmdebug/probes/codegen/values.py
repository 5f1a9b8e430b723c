# SPDX-License-Identifier: Apache-2.0
"""The code of constants, variables, operators and conversions. See `code`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug.classfile.opcodes import Op
from jvmdebug.classfile.writer import Label
from jvmdebug.evaluator.bind import bound, bound_statements
from jvmdebug.evaluator.symbols import types
from jvmdebug.evaluator.symbols.types import PrimitiveType
from jvmdebug.probes.codegen.code import class_operand, kind_of
from jvmdebug.probes.codegen.given import CLASS, OBJECT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jvmdebug.evaluator.symbols.types import JavaType
    from jvmdebug.probes.codegen.code import ExpressionCode, Writer

_BUILDER: Final = "java/lang/StringBuilder"
_VOID: Final = "java/lang/Void"
_KINDS: Final = "IJFD"
_ARITHMETIC: Final = {"+": Op.IADD, "-": Op.ISUB, "*": Op.IMUL, "/": Op.IDIV, "%": Op.IREM}
_INTEGRAL: Final = {
    "<<": Op.ISHL,
    ">>": Op.ISHR,
    ">>>": Op.IUSHR,
    "&": Op.IAND,
    "|": Op.IOR,
    "^": Op.IXOR,
}
_SHIFTS: Final = frozenset({"<<", ">>", ">>>"})
_CONVERSIONS: Final = {
    "IJ": Op.I2L,
    "IF": Op.I2F,
    "ID": Op.I2D,
    "JI": Op.L2I,
    "JF": Op.L2F,
    "JD": Op.L2D,
    "FI": Op.F2I,
    "FJ": Op.F2L,
    "FD": Op.F2D,
    "DI": Op.D2I,
    "DJ": Op.D2L,
    "DF": Op.D2F,
}
_NARROWED: Final = {"B": Op.I2B, "C": Op.I2C, "S": Op.I2S}


def _constant(out: ExpressionCode, node: bound.Constant) -> None:
    value, kind = node.value, kind_of(node.type)
    if isinstance(value, str):
        out.code.push_string(value)
    elif isinstance(value, bool):
        out.code.op(Op.ICONST_1 if value else Op.ICONST_0)
    elif kind == "F":
        out.code.push_float(float(value))
    elif kind == "D":
        out.code.push_double(float(value))
    elif kind == "J":
        out.code.push_long(int(value))
    else:
        out.code.push_int(int(value))


def _null(out: ExpressionCode, _: bound.NullConstant) -> None:
    out.code.op(Op.ACONST_NULL)


def _frame_local(out: ExpressionCode, node: bound.FrameLocal) -> None:
    out.local(node.variable.slot)


def _this(out: ExpressionCode, _: bound.This) -> None:
    out.local(-1)


def _declared_local(out: ExpressionCode, node: bound.DeclaredLocal) -> None:
    out.code.load(kind_of(node.variable.type), out.declared_slot(node.variable))


def _class_object(out: ExpressionCode, node: bound.ClassObject) -> None:
    if isinstance(node.of, PrimitiveType | types.VoidType):
        box = class_operand(types.boxed(node.of)) if isinstance(node.of, PrimitiveType) else _VOID
        out.code.field(Op.GETSTATIC, box, "TYPE", CLASS)
    else:
        out.class_object(class_operand(node.of))


def _unary(out: ExpressionCode, node: bound.Unary) -> None:
    if node.operator == "!":
        out.boolean(node)
        return
    kind = kind_of(node.type)
    out.value(node.operand)
    if node.operator == "-":
        out.code.op(Op.INEG + _KINDS.index(kind))
    elif kind == "J":
        out.code.push_long(-1)
        out.code.op(Op.LXOR)
    else:
        out.code.op(Op.ICONST_M1)
        out.code.op(Op.IXOR)


def _arithmetic(out: ExpressionCode, node: bound.Arithmetic) -> None:
    kind = kind_of(node.type)
    out.value(node.left)
    out.value(node.right)
    if node.operator in _ARITHMETIC:
        out.code.op(_ARITHMETIC[node.operator] + _KINDS.index(kind))
        return
    if node.operator in _SHIFTS and kind_of(node.right.type) == "J":
        out.code.op(Op.L2I)
    out.code.op(_INTEGRAL[node.operator] + (kind == "J"))


def _conditional(out: ExpressionCode, node: bound.Conditional) -> None:
    otherwise, end = Label(), Label()
    out.branch(node.condition, otherwise, when=False)
    out.value(node.when_true)
    out.code.jump(Op.GOTO, end)
    out.code.place(otherwise)
    out.value(node.when_false)
    out.code.place(end)
    if kind_of(node.type) == "A" and not isinstance(node.type, types.NullType):
        # The VM knows only the common supertype of the two.
        out.cast(class_operand(node.type))


def _concatenation(out: ExpressionCode, node: bound.Concatenation) -> None:
    out.class_op(Op.NEW, _BUILDER)
    out.code.op(Op.DUP)
    out.invoke(Op.INVOKESPECIAL, _BUILDER, "<init>", "()V")
    for part in node.parts:
        out.value(part)
        out.invoke(Op.INVOKEVIRTUAL, _BUILDER, "append", f"({_appended(part.type)})L{_BUILDER};")
    out.invoke(Op.INVOKEVIRTUAL, _BUILDER, "toString", "()Ljava/lang/String;")


def _appended(java_type: JavaType) -> str:
    """The parameter type of StringBuilder.append for a value of this type."""
    if isinstance(java_type, PrimitiveType):
        return "I" if java_type.descriptor in "BS" else java_type.descriptor
    return "Ljava/lang/String;" if java_type == types.STRING else f"L{OBJECT};"


def _convert(out: ExpressionCode, node: bound.PrimitiveConversion) -> None:
    out.value(node.operand)
    before, after = kind_of(node.operand.type), kind_of(node.to)
    if before != after:
        out.code.op(_CONVERSIONS[before + after])
    narrowed = _NARROWED.get(node.to.descriptor)
    if narrowed is not None:
        out.code.op(narrowed)


def _box(out: ExpressionCode, node: bound.Boxing) -> None:
    out.value(node.operand)
    box = class_operand(types.boxed(node.of))
    out.invoke(Op.INVOKESTATIC, box, "valueOf", f"({node.of.descriptor})L{box};")


def _unbox(out: ExpressionCode, node: bound.Unboxing) -> None:
    out.value(node.operand)
    unbox(out, node.to)


def unbox(out: ExpressionCode, to: PrimitiveType) -> None:
    """Replace the box on the stack by its value."""
    box = class_operand(types.boxed(to))
    out.class_op(Op.CHECKCAST, box)
    out.invoke(Op.INVOKEVIRTUAL, box, f"{to}Value", f"(){to.descriptor}")


def _cast(out: ExpressionCode, node: bound.ReferenceCast) -> None:
    out.value(node.operand)
    for check in node.checks:
        out.checked_cast(class_operand(check))


def _instance_test(out: ExpressionCode, node: bound.InstanceTest) -> None:
    out.value(node.operand)
    out.instance_of(class_operand(node.tested))


def _string_equality(out: ExpressionCode, node: bound_statements.StringEquality) -> None:
    out.code.push_string(node.text)
    out.value(node.operand)
    out.invoke(Op.INVOKEVIRTUAL, "java/lang/String", "equals", f"(L{OBJECT};)Z")


def _condition(out: ExpressionCode, node: bound.Bound) -> None:
    out.boolean(node)


VALUES: Final[Mapping[type[bound.BoundNode], Writer]] = {
    bound.Constant: _constant,
    bound.NamedConstant: _constant,
    bound.NullConstant: _null,
    bound.FrameLocal: _frame_local,
    bound.This: _this,
    bound.DeclaredLocal: _declared_local,
    bound.ClassObject: _class_object,
    bound.ShortCircuit: _condition,
    bound.Comparison: _condition,
    bound.ReferenceEquality: _condition,
    bound.Unary: _unary,
    bound.Arithmetic: _arithmetic,
    bound.Conditional: _conditional,
    bound.Concatenation: _concatenation,
    bound.PrimitiveConversion: _convert,
    bound.Boxing: _box,
    bound.Unboxing: _unbox,
    bound.ReferenceCast: _cast,
    bound.InstanceTest: _instance_test,
    bound.PatternTest: _condition,
    bound_statements.StringEquality: _string_equality,
}
