# SPDX-License-Identifier: Apache-2.0
"""Whether a condition can hold where a breakpoint is armed, told when it is set.

Only what is certain counts: a variable that is not in scope there, a type that is not boolean. A
class that is not loaded yet may be by the time of the hit. Called by `arming`.
"""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING, Final

from jvmdebug.errors import EvaluationError, VmError
from jvmdebug.evaluator import types

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmdebug.breakpoints.breakpoint import Breakpoint
    from jvmdebug.breakpoints.points import Point
    from jvmdebug.evaluator import CompiledExpression
    from jvmdebug.model.location import Location

_VARIABLE: Final = re.compile(r"[a-z_$][\w$]*")


async def right_points(
    breakpoint_: Breakpoint, points: Sequence[Point]
) -> tuple[tuple[Point, ...], str | None]:
    """The points where the condition has a meaning; why there are none, if so.

    A line may have several: of a lambda and of the code around it, with different variables.
    """
    condition = breakpoint_.compiled_condition
    if condition is None or not points:
        return tuple(points), None
    reasons = await asyncio.gather(*(_why_wrong(condition, each.code) for each in points))
    right = tuple(each for each, why in zip(points, reasons, strict=True) if why is None)
    if right:
        return right, None
    return (), f"condition {breakpoint_.condition!r} is wrong here: {reasons[0]}"


async def _why_wrong(condition: CompiledExpression, location: Location | None) -> str | None:
    if location is None:
        return None
    try:
        found = await condition.type_at(location)
    except EvaluationError as error:
        return str(error) if _is_certain(condition.text, error) else None
    except VmError:
        return None  # a class that was unloaded meanwhile, say
    is_other_primitive = isinstance(found, types.PrimitiveType) and found != types.BOOLEAN
    if is_other_primitive or found == types.STRING:
        return f"expected a boolean, found {found}"
    return None


def _is_certain(text: str, error: EvaluationError) -> bool:
    """Whether it is about a single name with a small letter: no class, no package."""
    if error.column is None or "no variable" not in str(error):
        return False
    named = _VARIABLE.match(text, error.column)
    return named is not None and not text[named.end() :].lstrip().startswith((".", "("))
