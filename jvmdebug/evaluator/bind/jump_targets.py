# SPDX-License-Identifier: Apache-2.0
"""Targets of `break`, `continue`, `yield`, `return` in a statement (JLS 14.15 to 14.17, 14.21)."""

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
class _Context:
    """What encloses a statement, up to the nearest switch expression: no jump leaves that."""

    targets: list[str] = field(default_factory=list)
    """`loop` and `switch`, outermost first."""
    labels: list[str] = field(default_factory=list)
    labels_of_next: list[str] = field(default_factory=list)
    yields: list[Bound] | None = None
    """The values yielded in the enclosing switch expression; None outside of one."""


class JumpTargets:
    """Each binder has one."""

    def __init__(self) -> None:
        self._context = _Context()

    @contextlib.contextmanager
    def loop(self) -> Iterator[tuple[str, ...]]:
        """A context in which the parts of a loop are bound; gives the labels of the loop."""
        labels = tuple(self._context.labels_of_next)
        with self._target("loop"):
            yield labels

    @contextlib.contextmanager
    def switch_statement(self) -> Iterator[None]:
        with self._target("switch"):
            yield

    @contextlib.contextmanager
    def _target(self, kind: str) -> Iterator[None]:
        context = self._context
        waiting, context.labels_of_next = context.labels_of_next, []
        context.targets.append(kind)
        try:
            yield
        finally:
            context.targets.pop()
            context.labels_of_next = waiting

    @contextlib.contextmanager
    def switch_expression(self) -> Iterator[list[Bound]]:
        """A context in which the cases are bound; gives the list that collects the values of
        `yield`.
        """
        before, values = self._context, list["Bound"]()
        self._context = _Context(yields=values)
        try:
            yield values
        finally:
            self._context = before

    @contextlib.contextmanager
    def labeled(self, label: str, span: Span) -> Iterator[None]:
        context = self._context
        if label in context.labels:
            raise EvaluationError(f"there is an enclosing label {label} already", span.column)
        context.labels.append(label)
        context.labels_of_next.append(label)
        try:
            yield
        finally:
            context.labels.remove(label)
            context.labels_of_next = [each for each in context.labels_of_next if each != label]

    def check(self, word: str, label: str | None, span: Span) -> None:
        """Raise EvaluationError for a `break` or `continue` without target."""
        context = self._context
        if label is not None:
            if label not in context.labels:
                raise EvaluationError(f"there is no enclosing label {label}", span.column)
        elif word == "continue" and "loop" not in context.targets:
            raise EvaluationError("continue is outside of any loop", span.column)
        elif not context.targets:
            raise EvaluationError("break is outside of any loop or switch statement", span.column)

    def check_return(self, span: Span) -> None:
        if self._context.yields is not None:
            raise EvaluationError("return cannot leave a switch expression", span.column)

    def yielded(self, value: Bound, span: Span) -> int:
        """Add the value of a `yield`; its number."""
        if self._context.yields is None:
            raise EvaluationError("yield is outside of any switch expression", span.column)
        self._context.yields.append(value)
        return len(self._context.yields) - 1
