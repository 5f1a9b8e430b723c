# SPDX-License-Identifier: Apache-2.0
"""Where `break`, `continue`, `yield` and `return` may go at a place (JLS 14.15 to 14.17, 14.21)."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jvmdebug.errors import EvaluationError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jvmdebug.evaluator.bind.bound import Bound
    from jvmdebug.evaluator.parse.syntax import Span


@dataclass(slots=True)
class _Around:
    """What is around a statement, up to the nearest switch expression: no jump leaves that."""

    targets: list[str] = field(default_factory=list)
    """`loop` and `switch`, from the outside in."""
    labels: list[str] = field(default_factory=list)
    labels_of_next: list[str] = field(default_factory=list)
    yields: list[Bound] | None = None
    """The values of the switch expression around; None outside of one."""


class Jumps:
    """The binder keeps one."""

    def __init__(self) -> None:
        self._around = _Around()

    @contextlib.contextmanager
    def loop(self) -> Iterator[tuple[str, ...]]:
        """Around the parts of a loop; gives the labels that stand before it."""
        labels = tuple(self._around.labels_of_next)
        with self._target("loop"):
            yield labels

    @contextlib.contextmanager
    def switch_statement(self) -> Iterator[None]:
        with self._target("switch"):
            yield

    @contextlib.contextmanager
    def _target(self, kind: str) -> Iterator[None]:
        around = self._around
        waiting, around.labels_of_next = around.labels_of_next, []
        around.targets.append(kind)
        try:
            yield
        finally:
            around.targets.pop()
            around.labels_of_next = waiting

    @contextlib.contextmanager
    def switch_expression(self) -> Iterator[list[Bound]]:
        """Around the cases; gives the list that the values of `yield` go to."""
        before, values = self._around, list["Bound"]()
        self._around = _Around(yields=values)
        try:
            yield values
        finally:
            self._around = before

    @contextlib.contextmanager
    def labeled(self, label: str, span: Span) -> Iterator[None]:
        around = self._around
        if label in around.labels:
            raise EvaluationError(f"there is a label {label} around here already", span.column)
        around.labels.append(label)
        around.labels_of_next.append(label)
        try:
            yield
        finally:
            around.labels.remove(label)
            around.labels_of_next = [each for each in around.labels_of_next if each != label]

    def check(self, word: str, label: str | None, span: Span) -> None:
        """Refuse a `break` or `continue` that has nowhere to go."""
        around = self._around
        if label is not None:
            if label not in around.labels:
                raise EvaluationError(f"there is no label {label} around here", span.column)
        elif word == "continue" and "loop" not in around.targets:
            raise EvaluationError("continue stands in no loop", span.column)
        elif not around.targets:
            raise EvaluationError("break stands in no loop and no switch statement", span.column)

    def check_return(self, span: Span) -> None:
        if self._around.yields is not None:
            raise EvaluationError("return cannot leave a switch expression", span.column)

    def yielded(self, value: Bound, span: Span) -> int:
        """Note the value of a `yield`; its number."""
        if self._around.yields is None:
            raise EvaluationError("yield stands in no switch expression", span.column)
        self._around.yields.append(value)
        return len(self._around.yields) - 1
