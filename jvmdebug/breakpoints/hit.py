# SPDX-License-Identifier: Apache-2.0
"""What happens when a breakpoint is reached: condition, count, log message, or stop.

Owns that decision and the message of a condition that fails. Suspends and resumes nothing: the
answer goes to the router. Called by `breakpoint_table` for each occurrence.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING

from jvmdebug.breakpoints.control_exceptions import is_control
from jvmdebug.breakpoints.element_stores import INDEX, ElementStored
from jvmdebug.breakpoints.field_change import NEW, OLD, FieldChange
from jvmdebug.breakpoints.field_locations import is_excluded
from jvmdebug.breakpoints.local_writes import LocalWritten
from jvmdebug.breakpoints.specs import ExceptionSpec
from jvmdebug.errors import ConnectionLost, JvmDebugError
from jvmdebug.events import ExceptionOccurrence, FieldOccurrence
from jvmdebug.model.primitives import PrimitiveKind, PrimitiveValue

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence

    from jvmdebug.breakpoints.breakpoint import Breakpoint
    from jvmdebug.events import LocatedOccurrence
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.model.thread import Thread
    from jvmdebug.model.values import ObjectReference, Value
    from jvmdebug.probes import ProbeHit


class HitResult(Enum):
    """The result of a hit."""

    PASS = auto()
    LOG = auto()
    STOP = auto()


@dataclass(frozen=True, slots=True)
class HitLimits:
    """Limits of the evaluation at a hit."""

    deadline_s: float
    max_log_value_length: int
    log_messages_per_second: int = 500
    """The most messages of one breakpoint that the debugger writes in a second."""
    budget_ms: int | None = None
    """The milliseconds of a second for which one breakpoint may keep threads; 0: no limit; None:
    the default of the VM's checker.
    """
    total_budget_ms: int | None = None
    """The same for all breakpoints together."""
    log_lines_per_second: int | None = None
    """The most lines of one breakpoint that the program itself writes in a second; None: as many as
    there is room for.
    """


@dataclass(frozen=True, slots=True)
class Hit:
    """The result, with the text to log for LOG."""

    result: HitResult
    log_text: str = ""
    message_is_new: bool = False
    """Whether the breakpoint has a message that it did not have before."""
    has_failed: bool = False
    """Whether the condition could not be evaluated."""


async def evaluate_hit(
    breakpoint_: Breakpoint,
    thread: Thread,
    names: Mapping[str, Value],
    limits: HitLimits,
    count: Callable[[], Awaitable[int]],
    probed: ProbeHit | None = None,
) -> Hit:
    """Decide on one hit by `thread`, and count it. `names`: the extra variables of a condition.

    The condition comes first: only hits for which it holds are counted, by `count`, which returns
    the number of the hit. `probed` is the answer of the program's own check, if it has one. Then
    the condition holds and the hit is counted already, unless the check has failed.
    """
    if probed is not None and not probed.has_failed:
        breakpoint_.hits = probed.count or breakpoint_.hits + 1
        return await _reached(breakpoint_, thread, names, limits, probed)
    try:
        holds = await _condition_holds(breakpoint_, thread, names, limits)
    except ConnectionLost:
        raise
    except JvmDebugError as error:
        message = f"condition {breakpoint_.condition!r} failed: {error}"
        is_new = breakpoint_.message != message
        breakpoint_.message = breakpoint_.condition_error = message
        breakpoint_.hits = await count()
        breakpoint_.was_reached = True
        return Hit(HitResult.STOP, message_is_new=is_new, has_failed=True)
    if not holds:
        return Hit(HitResult.PASS)
    number = breakpoint_.hits = await count()
    hit_condition = breakpoint_.compiled_hit_condition
    if hit_condition is not None and not hit_condition.holds(number):
        return Hit(HitResult.PASS)
    return await _reached(breakpoint_, thread, names, limits)


async def _reached(
    breakpoint_: Breakpoint,
    thread: Thread,
    names: Mapping[str, Value],
    limits: HitLimits,
    probed: ProbeHit | None = None,
) -> Hit:
    """Stop, or log a message."""
    breakpoint_.was_reached = True
    log_message = breakpoint_.compiled_log_message
    if log_message is None:
        return Hit(HitResult.STOP)
    budget = breakpoint_.log_budget
    if probed is not None and probed.is_limited:
        budget.leave_out(probed.left_out)
        is_over = probed.is_full
    else:
        is_over = not budget.take(time.monotonic(), limits.log_messages_per_second)
    if is_over:
        notice = budget.notice(limits.log_messages_per_second)
        return Hit(HitResult.PASS) if notice is None else Hit(HitResult.LOG, notice)
    text = await log_message.render(
        await thread.frame(0),
        names=names,
        deadline_s=limits.deadline_s,
        max_length=limits.max_log_value_length,
    )
    return Hit(HitResult.LOG, budget.take_summary() + text)


async def _condition_holds(
    breakpoint_: Breakpoint, thread: Thread, names: Mapping[str, Value], limits: HitLimits
) -> bool:
    condition = breakpoint_.compiled_condition
    if condition is None:
        return True
    frame = await thread.frame(0)
    return await condition.test(frame, deadline_s=limits.deadline_s, names=names)


async def is_meant(
    breakpoint_: Breakpoint, receivers: Collection[ReferenceType], occurrence: LocatedOccurrence
) -> bool:
    """Whether the hit counts at all."""
    thread, instance = breakpoint_.options.only_thread, breakpoint_.options.only_object
    if thread is not None and occurrence.thread.id != thread.id:
        return False
    if instance is not None:
        this = await (await occurrence.thread.frame(0)).this_object()
        if this is None or this.id != instance.id:
            return False
    return not receivers or await _is_on(receivers, occurrence)


async def _is_on(receivers: Collection[ReferenceType], occurrence: LocatedOccurrence) -> bool:
    """Whether `this` is of one of these types. A native frame has no `this`, and counts."""
    this = await (await occurrence.thread.frame(0)).this_object()
    if this is None:
        return True
    type_ = await this.type()
    return any([await type_.is_subtype_of(each.name) for each in receivers])


async def extra_variables(
    breakpoint_: Breakpoint, occurrence: LocatedOccurrence
) -> dict[str, Value]:
    """The variables of a condition and a log message in addition to those of the frame."""
    if isinstance(occurrence, ExceptionOccurrence):
        return {"$exception": occurrence.exception}
    if isinstance(occurrence, FieldOccurrence) and breakpoint_.has_code:
        return (await FieldChange.read(occurrence)).names()
    if isinstance(occurrence, LocalWritten):
        return {OLD: occurrence.old, NEW: occurrence.new}
    if isinstance(occurrence, ElementStored):
        index = PrimitiveValue(PrimitiveKind.INT, occurrence.index)
        return {OLD: occurrence.old, NEW: occurrence.new, INDEX: index}
    return {}


async def is_excluded_exception(
    breakpoint_: Breakpoint,
    occurrence: LocatedOccurrence,
    is_ours: Callable[[ObjectReference], bool],
    control_exceptions: Sequence[str],
) -> bool:
    """Whether it is an exception that the breakpoint excludes, one that is thrown on purpose if the
    breakpoint is for all exceptions, or one of the debugger's own.
    """
    spec = breakpoint_.spec
    if not isinstance(occurrence, ExceptionOccurrence):
        return False
    if is_ours(occurrence.exception):
        return True
    if not isinstance(spec, ExceptionSpec):
        return False
    if not spec.excluded and not spec.names_none:
        return False
    type_ = await occurrence.exception.type()
    if await is_excluded(spec, type_):
        return True
    is_caught = occurrence.catch_location is not None
    return spec.names_none and is_control(
        [each.name for each in (type_, *await type_.supertypes())],
        control_exceptions,
        is_caught=is_caught,
    )
