# SPDX-License-Identifier: Apache-2.0
"""The bound tree: statements and switch. See `bound`, which has the expressions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmdebug.evaluator.bind.bound import Bound, BoundNode

if TYPE_CHECKING:
    from jvmdebug.evaluator.bind.bound import Temporary, Variable


@dataclass(frozen=True, slots=True, eq=False)
class Statement(BoundNode):
    pass


@dataclass(frozen=True, slots=True, eq=False)
class Block(Statement):
    """A block. If it completes normally, its value is that of its last expression statement."""

    statements: tuple[Statement, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Declare(Statement):
    variable: Variable
    value: Bound | None


@dataclass(frozen=True, slots=True, eq=False)
class Evaluate(Statement):
    expression: Bound


@dataclass(frozen=True, slots=True, eq=False)
class If(Statement):
    condition: Bound
    then: Statement
    otherwise: Statement | None


@dataclass(frozen=True, slots=True, eq=False)
class Loop(Statement):
    """`labels` are those of the loop: `continue` may name them."""

    first: tuple[Statement, ...]
    condition: Bound | None
    update: tuple[Bound, ...]
    body: Statement
    tests_first: bool
    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ForEach(Statement):
    """`conversion` converts the element, in `temporary`, to the type of the variable."""

    variable: Variable
    temporary: Temporary
    conversion: Bound
    iterable: Bound
    body: Statement
    labels: tuple[str, ...]


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
    value: Bound | None


@dataclass(frozen=True, slots=True, eq=False)
class Throw(Statement):
    exception: Bound


# --- switch ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Yield(Statement):
    """`number` is the index of its conversion in the `results` of the Switch."""

    value: Bound
    number: int


@dataclass(frozen=True, slots=True, eq=False)
class Case(BoundNode):
    """`tests` are conditions on the selector, one per label; `guard` must hold as well."""

    tests: tuple[Bound, ...]
    is_default: bool
    guard: Bound | None
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Switch(Bound):
    """A switch; of type void as a statement. The selector is in `temporary`. `results` convert the
    values of the Yields, in `result_temporaries`, to the type of the switch.
    """

    selector: Bound
    temporary: Temporary
    cases: tuple[Case, ...]
    falls_through: bool
    takes_null: bool
    result_temporaries: tuple[Temporary, ...]
    results: tuple[Bound, ...]


@dataclass(frozen=True, slots=True, eq=False)
class StringEquality(Bound):
    """Whether a string equals a constant string."""

    operand: Bound
    text: str
