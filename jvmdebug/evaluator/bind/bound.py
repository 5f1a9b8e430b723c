# SPDX-License-Identifier: Apache-2.0
"""The bound tree: what an expression means, every node with its static type.

The binder makes it, the interpreter runs it. All conversions are nodes: operands have exactly the
types that an operation needs. A bound tree contains no value of the debuggee, so it can run in
every frame at the location it was bound for. Statements are in `bound_statements`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jvmdebug.evaluator.parse.syntax import Span
    from jvmdebug.evaluator.symbols.declarations import (
        FieldDeclaration,
        MethodDeclaration,
        TypeDeclaration,
    )
    from jvmdebug.evaluator.symbols.types import (
        ArrayType,
        ConstantValue,
        JavaType,
        PrimitiveType,
        ReferenceType,
        TypeVariable,
        ValueType,
    )
    from jvmdebug.model.method import Method
    from jvmdebug.model.variable import LocalVariable


@dataclass(frozen=True, slots=True, eq=False)
class BoundNode:
    """A bound expression, statement or pattern. Compared by identity."""

    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Bound(BoundNode):
    """A bound expression."""

    type: JavaType


@dataclass(frozen=True, slots=True, eq=False)
class Variable:
    """A variable that the evaluated text declares. Compared by identity."""

    name: str
    type: ValueType
    is_final: bool = False
    """Its declaration assigns it; nothing else may."""
    constant: ConstantValue | None = None


# --- values ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Constant(Bound):
    """A constant expression (JLS 15.29): a primitive, or a string, which is interned."""

    value: ConstantValue


@dataclass(frozen=True, slots=True, eq=False)
class NamedConstant(Constant):
    """A constant variable: `Integer.MAX_VALUE`. A string is the object in the variable."""

    variable: StaticField | DeclaredLocal


@dataclass(frozen=True, slots=True, eq=False)
class NullConstant(Bound):
    pass


@dataclass(frozen=True, slots=True, eq=False)
class FrameLocal(Bound):
    """A local variable or parameter of the frame."""

    variable: LocalVariable


@dataclass(frozen=True, slots=True, eq=False)
class DeclaredLocal(Bound):
    """A local or pattern variable that the text declares."""

    variable: Variable


@dataclass(frozen=True, slots=True, eq=False)
class ExtraVariable(Bound):
    """A name defined by the caller of the evaluation, such as `$exception`."""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Temporary(Bound):
    """A value computed once and used by several nodes: see CompoundAssign."""


@dataclass(frozen=True, slots=True, eq=False)
class This(Bound):
    pass


@dataclass(frozen=True, slots=True, eq=False)
class ClassObject(Bound):
    """`T.class`."""

    of: JavaType


# --- members --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class GenericCall:
    """What `inference` needs of a call whose type arguments are inferred: one declared parameter
    type for each argument, and the declared result, in terms of `type_parameters`.
    """

    type_parameters: tuple[TypeVariable, ...]
    parameters: tuple[ValueType, ...]
    arguments: tuple[Bound, ...]
    result: JavaType


@dataclass(frozen=True, slots=True, eq=False)
class StaticField(Bound):
    """`target` is evaluated for its side effects only (`e.STATIC`)."""

    field: FieldDeclaration
    target: Bound | None = None


@dataclass(frozen=True, slots=True, eq=False)
class InstanceField(Bound):
    target: Bound
    field: FieldDeclaration


@dataclass(frozen=True, slots=True, eq=False)
class ArrayLength(Bound):
    array: Bound


@dataclass(frozen=True, slots=True, eq=False)
class Element(Bound):
    """`index` is an int."""

    array: Bound
    index: Bound


@dataclass(frozen=True, slots=True, eq=False)
class StaticCall(Bound):
    """`target` is evaluated for its side effects only (`e.staticMethod()`)."""

    method: MethodDeclaration
    arguments: tuple[Bound, ...]
    target: Bound | None = None
    generic: GenericCall | None = None


@dataclass(frozen=True, slots=True, eq=False)
class InstanceCall(Bound):
    """`is_virtual` False calls exactly this method: `super.m()`."""

    target: Bound
    method: MethodDeclaration
    arguments: tuple[Bound, ...]
    is_virtual: bool = True
    generic: GenericCall | None = None


@dataclass(frozen=True, slots=True, eq=False)
class RecordedCall(Bound):
    """A method of the JDK that a recording computes; `target` is None of one of Math."""

    target: Bound | None
    name: str
    arguments: tuple[Bound, ...]


@dataclass(frozen=True, slots=True, eq=False)
class CompiledCall(Bound):
    """A call of what javac has made of a text: `compiling.CompiledCode`.

    The method is static, takes references as Object, and null behind the arguments. It gives the
    value in a box.
    """

    method: Method
    arguments: tuple[Bound, ...]


@dataclass(frozen=True, slots=True, eq=False)
class NewObject(Bound):
    """`new T(…)`; the outer instance, if the constructor takes one, is the first argument."""

    declaration: TypeDeclaration
    constructor: MethodDeclaration
    arguments: tuple[Bound, ...]
    has_outer: bool = False
    generic: GenericCall | None = None


@dataclass(frozen=True, slots=True, eq=False)
class NewArray(Bound):
    """`new int[2][3][]`: `lengths` are ints, for the first dimensions of `array_type`."""

    array_type: ArrayType
    lengths: tuple[Bound, ...]


@dataclass(frozen=True, slots=True, eq=False)
class NewArrayOf(Bound):
    """`{a, b}` and the packed arguments of a varargs call."""

    array_type: ArrayType
    elements: tuple[Bound, ...]


# --- conversions ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class PrimitiveConversion(Bound):
    """Widening or narrowing from one primitive type to another."""

    operand: Bound
    to: PrimitiveType


@dataclass(frozen=True, slots=True, eq=False)
class Boxing(Bound):
    operand: Bound
    of: PrimitiveType


@dataclass(frozen=True, slots=True, eq=False)
class Unboxing(Bound):
    operand: Bound
    to: PrimitiveType


@dataclass(frozen=True, slots=True, eq=False)
class ReferenceCast(Bound):
    """`checks` is empty for a cast that cannot fail. `is_implied`: the text does not write it."""

    operand: Bound
    checks: tuple[ReferenceType, ...]
    is_implied: bool = False


# --- operators ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Unary(Bound):
    """Unary `-`, `~` and `!`, by `operator`."""

    operator: str
    operand: Bound


@dataclass(frozen=True, slots=True, eq=False)
class Arithmetic(Bound):
    """`+ - * / % & | ^ << >> >>>`; operands have the type of the node, a shift distance is int or
    long.
    """

    operator: str
    left: Bound
    right: Bound


@dataclass(frozen=True, slots=True, eq=False)
class Comparison(Bound):
    """`< <= > >= == !=` on primitive operands of one type."""

    operator: str
    left: Bound
    right: Bound


@dataclass(frozen=True, slots=True, eq=False)
class ReferenceEquality(Bound):
    """`==` (or `!=` when `is_negated`) on references."""

    left: Bound
    right: Bound
    is_negated: bool


@dataclass(frozen=True, slots=True, eq=False)
class ShortCircuit(Bound):
    """`&&` and `||`."""

    operator: str
    left: Bound
    right: Bound


@dataclass(frozen=True, slots=True, eq=False)
class Conditional(Bound):
    condition: Bound
    when_true: Bound
    when_false: Bound


@dataclass(frozen=True, slots=True, eq=False)
class Concatenation(Bound):
    """`a + b + c` as strings: the operands from left to right."""

    parts: tuple[Bound, ...]


@dataclass(frozen=True, slots=True, eq=False)
class InstanceTest(Bound):
    operand: Bound
    tested: ReferenceType


# --- patterns -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class BoundPattern(BoundNode):
    pass


@dataclass(frozen=True, slots=True, eq=False)
class BindingPattern(BoundPattern):
    """`T name`. `tested` is None when every value matches, inside a record null too."""

    tested: ReferenceType | None
    variable: Variable | None


@dataclass(frozen=True, slots=True, eq=False)
class Deconstruction(BoundPattern):
    """`R(p, q)`: for each component the call of its accessor on `temporary`, and its pattern."""

    tested: ReferenceType
    temporary: Temporary
    accessors: tuple[Bound, ...]
    components: tuple[BoundPattern, ...]


@dataclass(frozen=True, slots=True, eq=False)
class PatternTest(Bound):
    """`operand instanceof pattern`; null never matches."""

    operand: Bound
    pattern: BoundPattern


# --- assignments ----------------------------------------------------------------------------------

AssignmentTarget = FrameLocal | DeclaredLocal | StaticField | InstanceField | Element


@dataclass(frozen=True, slots=True, eq=False)
class Assign(Bound):
    target: AssignmentTarget
    value: Bound


@dataclass(frozen=True, slots=True, eq=False)
class CompoundAssign(Bound):
    """`target op= e`, `++target`, `target++`: `combined` uses the old value in `temporary`.

    With `gives_old`, the value is the old one, as in the postfix forms.
    """

    target: AssignmentTarget
    temporary: Temporary
    combined: Bound
    gives_old: bool = False
