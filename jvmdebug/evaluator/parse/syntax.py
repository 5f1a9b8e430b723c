# SPDX-License-Identifier: Apache-2.0
"""The syntax tree of Java code: what was written, not what it means.

Frozen dataclasses, each with its span in the text. The parser makes the tree, the binder reads it.
A name such as `a.b.c` is a FieldAccess of a FieldAccess of a Name: only the binder can tell
packages, types and fields apart (JLS 6.5).

To add a construct: 1. a node class here, 2. its conversion in `expressions` or `statements`, 3. its
function in the table of `bind.dispatch`, 4. where no existing bound node fits, a bound node and its
function in the table of `run.dispatch`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jvmdebug.model.primitives import PrimitiveKind


@dataclass(frozen=True, slots=True)
class Span:
    """Character offsets [start, end) in the expression's text."""

    start: int
    end: int

    @property
    def column(self) -> int:
        """The column of the first character, counted from 0, as EvaluationError has it."""
        return self.start

    def text(self, source: str) -> str:
        return source[self.start : self.end]


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Expression(Node):
    """Compared by identity: equal texts at different positions are different nodes."""


# --- types as written ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class TypeSyntax(Node):
    pass


@dataclass(frozen=True, slots=True, eq=False)
class PrimitiveTypeSyntax(TypeSyntax):
    kind: PrimitiveKind


@dataclass(frozen=True, slots=True, eq=False)
class VoidTypeSyntax(TypeSyntax):
    """Only in `void.class`."""


@dataclass(frozen=True, slots=True, eq=False)
class NamedTypeSyntax(TypeSyntax):
    """`java.util.Map.Entry<K, V>`: the dotted parts, and the arguments of the last.

    `arguments` is None when there is no `<`, and empty for the diamond. Arguments of an outer part
    are dropped: they cannot change what is named.
    """

    parts: tuple[str, ...]
    arguments: tuple[TypeSyntax, ...] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class WildcardSyntax(TypeSyntax):
    """`?`, `? extends T` (upper) or `? super T` (lower); only as a type argument."""

    upper: TypeSyntax | None = None
    lower: TypeSyntax | None = None


@dataclass(frozen=True, slots=True, eq=False)
class ArrayTypeSyntax(TypeSyntax):
    element: TypeSyntax
    dimensions: int


# --- primary expressions ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class NullLiteral(Expression):
    pass


@dataclass(frozen=True, slots=True, eq=False)
class PrimitiveLiteral(Expression):
    """`value` is a bool, an int (a char: its UTF-16 unit) or a float, in the range of `kind`."""

    kind: PrimitiveKind
    value: bool | int | float


@dataclass(frozen=True, slots=True, eq=False)
class StringLiteral(Expression):
    """A string or a text block, escapes resolved; it may hold unpaired surrogates."""

    value: str


@dataclass(frozen=True, slots=True, eq=False)
class ClassLiteral(Expression):
    type: TypeSyntax


@dataclass(frozen=True, slots=True, eq=False)
class Name(Expression):
    identifier: str


@dataclass(frozen=True, slots=True, eq=False)
class This(Expression):
    """`this` or `Outer.this`."""

    qualifier: NamedTypeSyntax | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Super(Expression):
    """`super` or `Interface.super`, only as the target of a field access or a call."""

    qualifier: NamedTypeSyntax | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Parenthesized(Expression):
    inner: Expression


@dataclass(frozen=True, slots=True, eq=False)
class FieldAccess(Expression):
    target: Expression
    name: str
    name_span: Span


@dataclass(frozen=True, slots=True, eq=False)
class ArrayAccess(Expression):
    array: Expression
    index: Expression


@dataclass(frozen=True, slots=True, eq=False)
class MethodCall(Expression):
    target: Expression | None
    name: str
    name_span: Span
    arguments: tuple[Expression, ...]
    type_arguments: tuple[TypeSyntax, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class NewObject(Expression):
    """`new T(…)` or `outer.new T(…)`."""

    type: NamedTypeSyntax
    arguments: tuple[Expression, ...]
    outer: Expression | None = None


@dataclass(frozen=True, slots=True, eq=False)
class ArrayInitializer(Expression):
    """`{1, 2}`; an element may be an ArrayInitializer itself."""

    elements: tuple[Expression, ...]


@dataclass(frozen=True, slots=True, eq=False)
class NewArray(Expression):
    """`new int[2][n][]`: two lengths, one open dimension; or open ones and an initializer."""

    element: TypeSyntax
    lengths: tuple[Expression, ...]
    open_dimensions: int
    initializer: ArrayInitializer | None = None


# --- patterns (JLS 14.30) -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Pattern(Node):
    pass


@dataclass(frozen=True, slots=True, eq=False)
class TypePattern(Pattern):
    """`T name`. `type` is None for `var`, `name` for `_`."""

    type: TypeSyntax | None
    name: str | None
    name_span: Span


@dataclass(frozen=True, slots=True, eq=False)
class RecordPattern(Pattern):
    """`Point(int x, var y)`."""

    type: TypeSyntax
    components: tuple[Pattern, ...]


# --- operators ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Unary(Expression):
    """`operator` is one of `+ - ~ !`."""

    operator: str
    operand: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Update(Expression):
    """`++x`, `x--`: `operator` is `++` or `--`."""

    operator: str
    operand: Expression
    is_prefix: bool


@dataclass(frozen=True, slots=True, eq=False)
class Binary(Expression):
    operator: str
    left: Expression
    right: Expression
    operator_span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Conditional(Expression):
    condition: Expression
    when_true: Expression
    when_false: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Cast(Expression):
    """`types` has more than one element for an intersection cast `(A & B) x`."""

    types: tuple[TypeSyntax, ...]
    operand: Expression


@dataclass(frozen=True, slots=True, eq=False)
class InstanceOf(Expression):
    operand: Expression
    tested: TypeSyntax | Pattern


@dataclass(frozen=True, slots=True, eq=False)
class Assignment(Expression):
    """`operator` is `=` or a compound one such as `+=`."""

    operator: str
    target: Expression
    value: Expression
    operator_span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Adapted(Expression):
    """`value`, meant for what `like` names: see `assigning`. No text has it."""

    value: Expression
    like: Expression


# --- switch (JLS 14.11, 15.28) ------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Case(Node):
    """`case A, B when guard:` with the statements up to the next label, or `->` with its one.

    A label of `null` is a NullLiteral. `is_default` also for `case null, default`.
    """

    labels: tuple[Expression | Pattern, ...]
    is_default: bool
    guard: Expression | None
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Switch(Expression):
    """A switch: an expression, and inside an ExpressionStatement as a statement."""

    selector: Expression
    cases: tuple[Case, ...]
    is_arrow: bool


# --- statements (JLS 14) ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Statement(Node):
    pass


@dataclass(frozen=True, slots=True, eq=False)
class LocalDeclaration(Statement):
    """`T name = value`; one for each name. `type` is None for `var`."""

    type: TypeSyntax | None
    name: str
    name_span: Span
    value: Expression | None
    is_final: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class ExpressionStatement(Statement):
    expression: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Block(Statement):
    """`opens_scope` is False for the names of one declaration, `int a, b`."""

    statements: tuple[Statement, ...]
    opens_scope: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class If(Statement):
    condition: Expression
    then: Statement
    otherwise: Statement | None


@dataclass(frozen=True, slots=True, eq=False)
class Loop(Statement):
    """`while`, `do` (`tests_first` False) and `for`; `condition` is None for `for (;;)`."""

    first: tuple[Statement, ...]
    condition: Expression | None
    update: tuple[Expression, ...]
    body: Statement
    tests_first: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class ForEach(Statement):
    """`type` is None for `var`."""

    type: TypeSyntax | None
    name: str
    name_span: Span
    iterable: Expression
    body: Statement


@dataclass(frozen=True, slots=True, eq=False)
class Labeled(Statement):
    label: str
    body: Statement


@dataclass(frozen=True, slots=True, eq=False)
class Jump(Statement):
    """`break` and `continue`, by `word`."""

    word: str
    label: str | None


@dataclass(frozen=True, slots=True, eq=False)
class Return(Statement):
    value: Expression | None


@dataclass(frozen=True, slots=True, eq=False)
class Yield(Statement):
    value: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Throw(Statement):
    exception: Expression


def class_code(name: str, span: Span) -> Expression:
    """A class as the target of a call or field access, by its binary name."""
    first, *rest = name.split(".")
    code: Expression = Name(span, first)
    for each in rest:
        code = FieldAccess(span, code, each, span)
    return code
