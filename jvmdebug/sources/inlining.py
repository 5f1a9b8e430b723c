# SPDX-License-Identifier: Apache-2.0
"""Code that Kotlin's compiler has copied into a method: inline functions and the lambdas they call.

The compiler marks each copy by a local variable whose range is the copy: `$i$f$forEach` for a
function, `$i$a$-forEach-Cart$total$1` for a lambda, which is code of the method's own file inside
of the copied function. Called by steps.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmdebug.model.location import Location

FUNCTION_MARK: Final = "$i$f$"
LAMBDA_MARK: Final = "$i$a$"


@dataclass(frozen=True, slots=True)
class InlineScope:
    """One copy. Equal for the copies of the same lambda, which a function may call twice."""

    name: str
    index: int | None
    """Where the copy begins; None for a lambda."""

    @property
    def is_lambda(self) -> bool:
        """A lambda of the method's own, not a function from elsewhere."""
        return self.index is None


async def inline_scopes(location: Location) -> tuple[InlineScope, ...]:
    """The copies that a location is in, the outermost first; none in what Kotlin did not compile.

    No requests but the first time for a class, and for a method of one with a source map.
    """
    if not await location.type.source_debug_extension():
        return ()
    slots = await location.method.variable_table() or ()
    around = [
        each
        for each in slots
        if each.name.startswith((FUNCTION_MARK, LAMBDA_MARK)) and each.is_visible_at(location.index)
    ]
    return tuple(
        InlineScope(each.name, None if each.name.startswith(LAMBDA_MARK) else each.start)
        for each in sorted(around, key=lambda each: (each.start, -each.length))
    )


def around_function(scopes: Sequence[InlineScope]) -> tuple[InlineScope, ...]:
    """The functions around the innermost function: where it is called."""
    functions = [at for at, each in enumerate(scopes) if not each.is_lambda]
    return tuple(scopes[: functions[-1]]) if functions else ()
