# SPDX-License-Identifier: Apache-2.0
"""Block scopes of the evaluated text: the local and pattern variables that it declares.

Each binder has one. Names of the frame are in `scope`; as in Java, the text may not redeclare them.
"""

from __future__ import annotations

import contextlib
from dataclasses import replace
from typing import TYPE_CHECKING

from jvmdebug.errors import EvaluationError
from jvmdebug.evaluator.bind.bound import Variable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from jvmdebug.evaluator.bind.scope import FrameScope
    from jvmdebug.evaluator.parse.syntax import Span, TypePattern
    from jvmdebug.evaluator.symbols.types import ConstantValue, ValueType


class BlockScopes:
    """A stack of blocks."""

    def __init__(self, scope: FrameScope) -> None:
        self._scope = scope
        self._blocks: list[dict[str, Variable]] = [{}]
        self._of_patterns: dict[TypePattern, Variable] = {}

    @contextlib.contextmanager
    def block(self) -> Iterator[None]:
        """A context that is a new block; its names go out of scope at the end."""
        self._blocks.append({})
        try:
            yield
        finally:
            self._blocks.pop()

    @property
    def names(self) -> list[str]:
        return [name for block in self._blocks for name in block]

    def variable(self, name: str) -> Variable | None:
        return next((block[name] for block in reversed(self._blocks) if name in block), None)

    def declare(
        self,
        name: str,
        type_: ValueType,
        span: Span,
        *,
        is_final: bool = False,
        constant: ConstantValue | None = None,
    ) -> Variable:
        """A new variable of the innermost block."""
        variable = replace(self._new(name, type_, span), is_final=is_final, constant=constant)
        self._blocks[-1][name] = variable
        return variable

    def pattern_variable(self, pattern: TypePattern, type_: ValueType) -> Variable | None:
        """The variable of a pattern, not in scope yet; None for `_`."""
        if pattern.name is None:
            return None
        variable = self._new(pattern.name, type_, pattern.name_span)
        self._of_patterns[pattern] = variable
        return variable

    def of_pattern(self, pattern: TypePattern) -> Variable:
        """The variable of a pattern that was bound before."""
        return self._of_patterns[pattern]

    def introduce(self, patterns: Iterable[TypePattern]) -> None:
        """Bring the variables of the patterns into scope, until the end of the block."""
        for pattern in patterns:
            if pattern.name is not None:
                self._blocks[-1][pattern.name] = self._of_patterns[pattern]

    def _new(self, name: str, type_: ValueType, span: Span) -> Variable:
        if self.variable(name) is not None or self._scope.local(name) is not None:
            raise EvaluationError(
                f"there is a variable {name} here already: take another name", span.column
            )
        return Variable(name, type_)
