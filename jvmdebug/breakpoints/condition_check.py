# SPDX-License-Identifier: Apache-2.0
"""Checks the code of a breakpoint at its locations, when the breakpoint is set.

Reports certain errors only: a variable that is not in scope there, a type that is not boolean. A
class that is not loaded yet may be by the time of the hit. Called by `arming`.
"""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING, Final

from jvmdebug.errors import EvaluationError, VmError
from jvmdebug.evaluator.symbols import types

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmdebug.breakpoints.breakpoint import Breakpoint
    from jvmdebug.breakpoints.location import BreakpointLocation
    from jvmdebug.evaluator import CompiledExpression
    from jvmdebug.evaluator.symbols.types import JavaType
    from jvmdebug.model.location import Location

_VARIABLE: Final = re.compile(r"[a-z_$][\w$]*")


async def valid_locations(
    breakpoint_: Breakpoint, locations: Sequence[BreakpointLocation]
) -> tuple[tuple[BreakpointLocation, ...], str | None]:
    """The locations where the condition can be bound; the reason if there are none.

    A line may have several: of a lambda and of the code around it, with different variables.
    """
    condition = breakpoint_.compiled_condition
    if condition is None or not locations:
        return tuple(locations), None
    reasons = await asyncio.gather(*(_why_invalid(condition, each.code) for each in locations))
    valid = tuple(each for each, why in zip(locations, reasons, strict=True) if why is None)
    if valid:
        return valid, None
    return (), f"condition {breakpoint_.condition!r} is wrong here: {reasons[0]}"


async def invalid_log_part(
    breakpoint_: Breakpoint, locations: Sequence[BreakpointLocation]
) -> str | None:
    """The part of the log message that can be bound at none of the locations, with the reason."""
    log_message = breakpoint_.compiled_log_message
    if log_message is None or not locations:
        return None
    for part in log_message.parts:
        if isinstance(part, str):
            continue
        asked = (_type_at(part, each.code) for each in locations)
        reasons = [why for _, why in await asyncio.gather(*asked)]
        if all(reasons):
            return f"{{{part.text}}} in the log message is wrong here: {reasons[0]}"
    return None


async def _why_invalid(condition: CompiledExpression, location: Location | None) -> str | None:
    found, why = await _type_at(condition, location)
    if why is not None:
        return why
    is_other_primitive = isinstance(found, types.PrimitiveType) and found != types.BOOLEAN
    if is_other_primitive or found == types.STRING:
        return f"expected a boolean, found {found}"
    return None


async def _type_at(
    expression: CompiledExpression, location: Location | None
) -> tuple[JavaType | None, str | None]:
    """The static type if it is known, or why there is none."""
    if location is None:
        return None, None
    try:
        return await expression.type_at(location), None
    except EvaluationError as error:
        return None, str(error) if _is_certain(expression.text, error) else None
    except VmError:
        return None, None  # a class that was unloaded meanwhile, say


def _is_certain(text: str, error: EvaluationError) -> bool:
    """Whether it is about a single name with a small letter: no class, no package."""
    if error.column is None or "no variable" not in str(error):
        return False
    named = _VARIABLE.match(text, error.column)
    return named is not None and not text[named.end() :].lstrip().startswith((".", "("))
