# SPDX-License-Identifier: Apache-2.0
"""The functions of the evaluator: evaluate a text, compile it for many frames.

Owns the cache of recent expressions in each VM. Called by breakpoints and the session.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Final

from jvmdebug.evaluator.expression import CompiledExpression

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jvmdebug.model.frame import Frame
    from jvmdebug.model.values import Value

_MAX_EXPRESSIONS: Final = 128


class RecentExpressions:
    """The expressions evaluated last, so that a watch is bound (and a lambda compiled) once per
    location. One for each VM: `vm.companion(RecentExpressions)`.
    """

    def __init__(self) -> None:
        self._recent: OrderedDict[tuple[str, bool], CompiledExpression] = OrderedDict()

    async def expression(self, text: str, *, read_only: bool) -> CompiledExpression:
        """The expression made for this text before, or a new one."""
        key = (text, read_only)
        known = self._recent.get(key)
        if known is None:
            known = self._recent[key] = CompiledExpression(text, read_only=read_only)
        self._recent.move_to_end(key)
        if len(self._recent) > _MAX_EXPRESSIONS:
            _, oldest = self._recent.popitem(last=False)
            await oldest.release()
        return known

    async def close(self) -> None:
        """The connection is closed: there is nothing left to release in the debuggee."""
        self._recent.clear()


def compile_expression(
    text: str,
    *,
    read_only: bool = False,
    imports: tuple[str, ...] | None = None,
    may_be_kotlin: bool = True,
) -> CompiledExpression:
    """Parse `text`; it is bound to types at its first evaluation at a location."""
    return CompiledExpression(
        text, read_only=read_only, imports=imports, may_be_kotlin=may_be_kotlin
    )


async def evaluate(
    frame: Frame,
    text: str,
    *,
    deadline_s: float | None = None,
    read_only: bool = False,
    names: Mapping[str, Value] | None = None,
    imports: tuple[str, ...] | None = None,
) -> Value:
    """The value of the Java expression `text` in `frame`; errors as CompiledExpression's.

    The binding at a location is cached, unless `imports` are passed.
    """
    if imports is None:
        recent = frame.thread.vm.companion(RecentExpressions)
        expression = await recent.expression(text, read_only=read_only)
        return await expression.evaluate(frame, deadline_s=deadline_s, names=names)
    expression = CompiledExpression(text, read_only=read_only, imports=imports)
    try:
        return await expression.evaluate(frame, deadline_s=deadline_s, names=names)
    finally:
        await expression.release()
