# SPDX-License-Identifier: Apache-2.0
"""Checks the code of a breakpoint at its locations, when the breakpoint is set.

Reports only errors that are certain: a variable that is not in scope there, a member that no loaded
class has, a type that is not boolean. A class that is not loaded yet may be loaded by the time of
the hit. Called by `armed_breakpoint`.
"""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from jvmdebug.breakpoints.element_stores import INDEX
from jvmdebug.breakpoints.field_change import NEW, OLD
from jvmdebug.breakpoints.subtypes import is_of_jdk, is_prepared, loaded_subtypes
from jvmdebug.classfile.access import Access
from jvmdebug.errors import VmError
from jvmdebug.evaluator.errors import MissingMemberError, ReadOnlyError
from jvmdebug.sources import LineSpec

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from jvmdebug.breakpoints.breakpoint import Breakpoint
    from jvmdebug.breakpoints.location import BreakpointLocation
    from jvmdebug.breakpoints.log_message import LogMessage
    from jvmdebug.errors import EvaluationError
    from jvmdebug.evaluator import CompiledExpression
    from jvmdebug.evaluator.symbols.types import JavaType
    from jvmdebug.model.location import Location
    from jvmdebug.model.reference_type import ReferenceType

_VARIABLE: Final = re.compile(r"[a-z_$][\w$]*(\s*\.\s*[a-z_$][\w$]*)?")
_MEMBER: Final = re.compile(r"[\w$]+")


@dataclass(frozen=True, slots=True)
class Checked:
    """The locations where a condition can be bound."""

    locations: tuple[BreakpointLocation, ...]
    wrong: str | None = None
    """Why there are none, or which part of a log message is wrong."""
    lacking: tuple[ReferenceType, ...] = ()
    """The types that lack the member which the condition uses; a subtype may have it."""


@dataclass(frozen=True, slots=True)
class _Reason:
    """Why an expression is wrong at a location."""

    text: str
    lacking: tuple[ReferenceType, ...] = ()


async def checked(breakpoint_: Breakpoint, locations: Sequence[BreakpointLocation]) -> Checked:
    """Check the condition and the log message at the locations of the breakpoint.

    A line may have several locations with different variables, for instance in a lambda and in the
    code around it.
    """
    condition, log_message = breakpoint_.compiled_condition, breakpoint_.compiled_log_message
    valid = tuple(locations)
    if condition is not None and locations:
        reasons = await asyncio.gather(*(_why_invalid(condition, each) for each in locations))
        valid = tuple(each for each, why in zip(locations, reasons, strict=True) if why is None)
        found = [why for why in reasons if why is not None]
        if not valid:
            wrong = f"condition {breakpoint_.condition!r} is wrong here: {found[0].text}"
            return Checked((), wrong, _lacking(found))
    if log_message is None:
        return Checked(valid)
    found_all = await _log_checked(log_message, valid)
    # For a field or a method each location is a place of its own, so all are needed.
    is_of_line = isinstance(breakpoint_.spec, LineSpec)
    return found_all if is_of_line else replace(found_all, locations=valid)


async def _log_checked(
    log_message: LogMessage, locations: tuple[BreakpointLocation, ...]
) -> Checked:
    """Check the parts of a log message at the copies of a line. One copy at which all can be bound
    is enough: the copy in a lambda, which has other variables, then logs nothing.
    """
    right = locations
    for part in log_message.parts:
        if isinstance(part, str) or not locations:
            continue
        checks = await asyncio.gather(*(_check(part, each) for each in locations))
        reasons = {each: why for each, (_, why) in zip(locations, checks, strict=True)}
        found = [why for why in reasons.values() if why is not None]
        if len(found) == len(checks):
            wrong = f"{{{part.text}}} in the log message is wrong here: {found[0].text}"
            return Checked(locations, wrong, _lacking(found))
        right = tuple(each for each in right if reasons[each] is None)
    return Checked(right or locations)


def _place(location: BreakpointLocation) -> tuple[Location | None, Mapping[str, str]]:
    """The code location at which the condition is evaluated, and the descriptors of the names that
    the breakpoint adds to those of the frame.
    """
    if location.array_signature is not None:
        element = location.array_signature[1:]
        return location.code, {OLD: element, NEW: element, INDEX: "I"}
    if location.written:  # as for the VM's own watch, which has no location in the code
        return None, {}
    if location.store is None:
        return location.code, {}
    signature = location.store.variable.signature
    return location.store.behind, {OLD: signature, NEW: signature}


def _lacking(reasons: Sequence[_Reason]) -> tuple[ReferenceType, ...]:
    return tuple(dict.fromkeys(type_ for each in reasons for type_ in each.lacking))


async def _why_invalid(
    condition: CompiledExpression, location: BreakpointLocation
) -> _Reason | None:
    found, why = await _check(condition, location)
    if why is not None:
        return why
    from jvmdebug.evaluator.symbols import types  # noqa: PLC0415 - slow to import

    is_other_primitive = isinstance(found, types.PrimitiveType) and found != types.BOOLEAN
    if is_other_primitive or found == types.STRING:
        return _Reason(f"expected a boolean, found {found}")
    return None


async def _check(
    expression: CompiledExpression, at: BreakpointLocation
) -> tuple[JavaType | None, _Reason | None]:
    """The static type, if it is known, or the reason why the expression is certainly wrong."""
    location, extra = _place(at)
    if location is None:
        return None, None
    try:
        found = await expression.check_at(location, extra)
        match found.error:
            case None:
                return found.type, None
            case ReadOnlyError() as refused:
                why: _Reason | None = _Reason(
                    f"{refused}: {location.type.vm.connection.why_read_only}"
                )
            case MissingMemberError() as missing:
                why = await _why_missing(location, missing)
            case error if found.is_final or is_about_a_variable(expression.text, error):
                why = _Reason(str(error))
            case _:
                why = None
    except VmError:
        return None, None  # for instance a class that was unloaded meanwhile
    return None, why


async def _why_missing(location: Location, missing: MissingMemberError) -> _Reason | None:
    """Why a member is missing; None if an object may be of a class that has it."""
    if missing.receiver.startswith("["):
        return _Reason(str(missing))
    vm = location.type.vm
    named = await vm.classes_by_signature(missing.receiver)
    if not named or not all(await asyncio.gather(*map(is_prepared, named))):
        return None
    if all([await each.modifiers() & Access.FINAL for each in named]):
        return _Reason(str(missing))
    if any(is_of_jdk(each.name) for each in named):
        return None
    subtypes = await loaded_subtypes({each.name for each in named}, await vm.all_classes())
    if any(await asyncio.gather(*(_declares(each, missing.member) for each in subtypes))):
        return None
    return _Reason(str(missing), tuple(named))


async def _declares(type_: ReferenceType, member: str) -> bool:
    fields = (each.name for each in await type_.fields())
    return member in fields or member in {each.name for each in await type_.methods()}


def is_about_a_variable(text: str, error: EvaluationError) -> bool:
    """Whether the error is about a name that can only mean a variable, not a class that may be
    loaded later: `count` and `item.count`, which begin with a small letter, or `Item.count` of a
    known class.
    """
    if error.column is None:
        return False
    if "no variable" in str(error):
        named = _VARIABLE.match(text, error.column)
    elif "no static field" in str(error):
        named = _MEMBER.match(text, error.column)
    else:
        return False
    return named is not None and not text[named.end() :].lstrip().startswith((".", "("))
