# SPDX-License-Identifier: Apache-2.0
"""The bound tree: what an expression means, every node with its static type.

The binder makes it, the interpreter runs it, and what turns conditions into bytecode will read it.
All conversions are nodes: operands have exactly the types that an operation needs. A bound tree
holds no value of the debuggee, so it runs in every frame at the location it was bound for.
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
        ValueType,
    )
    from jvmdebug.model.variable import LocalVariable


@dataclass(frozen=True, slots=True, eq=False)
class BoundNode:
    """Code with a meaning: an expression, a statement, a pattern. Compared by identity."""

    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Bound(BoundNode):
    """An expression with a meaning."""

    type: JavaType


@dataclass(frozen=True, slots=True, eq=False)
class Variable:
    """A variable that the evaluated text declares itself. Compared by identity."""

    name: str
    type: ValueType
    is_final: bool = False
    """It has its value from its declaration on."""
    constant: ConstantValue | None = None


# --- values ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Constant(Bound):
    """A constant expression (JLS 15.29): a primitive, or a string, which is interned."""

    value: ConstantValue


@dataclass(frozen=True, slots=True, eq=False)
class NamedConstant(Constant):
    """A final variable with such a value: `Integer.MAX_VALUE`. A string is the variable's own."""

    variable: StaticField | OwnLocal


@dataclass(frozen=True, slots=True, eq=False)
class NullConstant(Bound):
    pass


@dataclass(frozen=True, slots=True, eq=False)
class Local(Bound):
    """A local variable or parameter of the frame."""

    variable: LocalVariable


@dataclass(frozen=True, slots=True, eq=False)
class OwnLocal(Bound):
    """A local variable that the text declares, or a pattern variable of it."""

    variable: Variable


@dataclass(frozen=True, slots=True, eq=False)
class Given(Bound):
    """A further name that the caller of the evaluation gave, such as `$exception`."""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Held(Bound):
    """A value that the interpreter has at hand under this node: see CompoundAssign."""


@dataclass(frozen=True, slots=True, eq=False)
class This(Bound):
    pass


@dataclass(frozen=True, slots=True, eq=False)
class ClassObject(Bound):
    """`T.class`."""

    of: JavaType


# --- members --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class StaticField(Bound):
    """`target` is an expression that is evaluated for its effects only (`e.STATIC`)."""

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
    """`target` is an expression that is evaluated for its effects only (`e.staticMethod()`)."""

    method: MethodDeclaration
    arguments: tuple[Bound, ...]
    target: Bound | None = None


@dataclass(frozen=True, slots=True, eq=False)
class InstanceCall(Bound):
    """`is_virtual` False calls exactly this method: `super.m()`."""

    target: Bound
    method: MethodDeclaration
    arguments: tuple[Bound, ...]
    is_virtual: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class Create(Bound):
    """`new T(…)`; `arguments` has the outer instance first where the constructor wants one."""

    declaration: TypeDeclaration
    constructor: MethodDeclaration
    arguments: tuple[Bound, ...]
    has_outer: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class CreateArray(Bound):
    """`new int[2][3][]`: `lengths` are ints, for the first dimensions of `array_type`."""

    array_type: ArrayType
    lengths: tuple[Bound, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ArrayOf(Bound):
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
    """`checks` is empty for a cast that cannot fail."""

    operand: Bound
    checks: tuple[ReferenceType, ...]


# --- operators ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Negate(Bound):
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
class SameObject(Bound):
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
class Choice(Bound):
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
    """`T name`. `tested` is None when every value fits; then null does too, inside a record."""

    tested: ReferenceType | None
    variable: Variable | None


@dataclass(frozen=True, slots=True, eq=False)
class Deconstruction(BoundPattern):
    """`R(p, q)`: for each component the call of its accessor on `held`, and its pattern."""

    tested: ReferenceType
    held: Held
    accessors: tuple[Bound, ...]
    components: tuple[BoundPattern, ...]


@dataclass(frozen=True, slots=True, eq=False)
class PatternTest(Bound):
    """`operand instanceof pattern`; null never fits."""

    operand: Bound
    pattern: BoundPattern


# --- assignments ----------------------------------------------------------------------------------

Place = Local | OwnLocal | StaticField | InstanceField | Element


@dataclass(frozen=True, slots=True, eq=False)
class Assign(Bound):
    place: Place
    value: Bound


@dataclass(frozen=True, slots=True, eq=False)
class CompoundAssign(Bound):
    """`place op= e`, `++place`, `place++`: the place is read into `held`, `combined` mentions it.

    `gives_old` is for the postfix forms.
    """

    place: Place
    held: Held
    combined: Bound
    gives_old: bool = False
