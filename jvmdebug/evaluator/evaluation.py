# SPDX-License-Identifier: Apache-2.0
"""What the evaluator offers to its callers: evaluate once, compile and run often, assign.

Owns deadlines and the cache of bindings per location. Called by breakpoints and the session.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jvmdebug.model.frame import Frame
    from jvmdebug.model.values import Value


class CompiledExpression:
    """A parsed expression that is bound once per location and may run in many frames."""

    text: str

    def __init__(self, text: str, *, read_only: bool = False) -> None:
        """Parse; EvaluationError with the column when the text is not a Java expression.

        `read_only` refuses, at binding, whatever could change the debuggee: assignments, `++`,
        method calls, object creation.
        """
        raise NotImplementedError

    async def evaluate(
        self,
        frame: Frame,
        *,
        deadline_s: float | None = None,
        names: Mapping[str, Value] | None = None,
    ) -> Value:
        """The value in `frame`. `names` are further names (`$exception`) that hide nothing.

        Raises EvaluationError (column 0-based) when the text has no meaning here, when Java would
        throw, and when `deadline_s` is over; DebuggeeException when invoked code threw.
        """
        raise NotImplementedError

    async def test(self, frame: Frame, *, deadline_s: float | None = None) -> bool:
        """The value of a condition; EvaluationError when its type is not boolean or Boolean."""
        raise NotImplementedError


def compile_expression(text: str, *, read_only: bool = False) -> CompiledExpression:
    """Parse `text`; it is bound to types at its first evaluation at a location."""
    return CompiledExpression(text, read_only=read_only)


async def evaluate(
    frame: Frame,
    text: str,
    *,
    deadline_s: float | None = None,
    read_only: bool = False,
    names: Mapping[str, Value] | None = None,
) -> Value:
    """The value of the Java expression `text` in `frame`; errors as CompiledExpression's."""
    expression = CompiledExpression(text, read_only=read_only)
    return await expression.evaluate(frame, deadline_s=deadline_s, names=names)


async def assign(
    frame: Frame,
    target_text: str,
    value_text: str,
    *,
    deadline_s: float | None = None,
    names: Mapping[str, Value] | None = None,
) -> Value:
    """Assign the value of `value_text` to the variable, field or element `target_text`.

    Java's assignment conversion applies. The value that is there now. Columns of errors are those
    of the text that is wrong, which the message names.
    """
    raise NotImplementedError
