# SPDX-License-Identifier: Apache-2.0
"""The bound tree: statements and switch. See `bound`, which has the expressions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmdebug.evaluator.bind.bound import Bound, BoundNode

if TYPE_CHECKING:
    from jvmdebug.evaluator.bind.bound import Held, Variable


@dataclass(frozen=True, slots=True, eq=False)
class Statement(BoundNode):
    pass


@dataclass(frozen=True, slots=True, eq=False)
class Block(Statement):
    """When it ends by itself, the value of a block is that of its last expression statement."""

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
    """`labels` are the names that `continue` may give it."""

    first: tuple[Statement, ...]
    condition: Bound | None
    update: tuple[Bound, ...]
    body: Statement
    tests_first: bool
    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ForEach(Statement):
    """`conversion` gives the element in `held` as the variable has it."""

    variable: Variable
    held: Held
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
    """`number` says which of the conversions of its Switch applies."""

    value: Bound
    number: int


@dataclass(frozen=True, slots=True, eq=False)
class Case(BoundNode):
    """`tests` are conditions on the selector's value; with `guard` it must hold as well."""

    tests: tuple[Bound, ...]
    is_default: bool
    guard: Bound | None
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Switch(Bound):
    """Of type void as a statement. The selector's value is in `held`; `held_results` and `results`
    give the value of the n-th Yield in the type of the switch.
    """

    selector: Bound
    held: Held
    cases: tuple[Case, ...]
    falls_through: bool
    takes_null: bool
    held_results: tuple[Held, ...]
    results: tuple[Bound, ...]


@dataclass(frozen=True, slots=True, eq=False)
class SameText(Bound):
    """Whether a string equals a constant one."""

    operand: Bound
    text: str
