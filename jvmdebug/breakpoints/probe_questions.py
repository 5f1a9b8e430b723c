# SPDX-License-Identifier: Apache-2.0
"""The question for the probe of a breakpoint, why there can be none, and which check does not
return.

Called by the checkers of locations.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from jvmdebug import probes
from jvmdebug.breakpoints.specs import FieldSpec
from jvmdebug.errors import VmError
from jvmdebug.evaluator import COMPILED_LATER
from jvmdebug.printable import one_line

if TYPE_CHECKING:
    from jvmdebug.breakpoints.breakpoint import Breakpoint
    from jvmdebug.breakpoints.hit import HitLimits
    from jvmdebug.breakpoints.location import BreakpointLocation
    from jvmdebug.model.virtual_machine import VirtualMachine
    from jvmdebug.probes import HitFilter, ProbeQuestion, StuckCheck, WrittenLocal

_FIRST_THAT_KEEPS_METHODS: Final = 17


class NoProbeError(Exception):
    """Raised if nothing stops at a location, because the VM reports no breakpoints and no probe is
    possible. The text is the reason.
    """


async def whereabouts(stuck: StuckCheck) -> str:
    try:
        name = await stuck.thread.name()
    except VmError:
        return "the debugger checks the condition from now on"
    return (
        f"thread {name} is still in it, in {one_line(stuck.where)}. The debugger checks the"
        " condition from now on; the thread goes on when that method returns or throws"
    )


def logs(breakpoint_: Breakpoint) -> bool:
    return breakpoint_.compiled_log_message is not None


def is_compiled_later(breakpoint_: Breakpoint) -> bool:
    """Whether javac compiles the condition when the debugger evaluates it for the first time."""
    condition = breakpoint_.compiled_condition
    return condition is not None and condition.needs_javac


def is_compiled_now(breakpoint_: Breakpoint, location: BreakpointLocation) -> bool:
    """Whether that was the only reason against a probe there, and javac has compiled the condition
    since.
    """
    condition, code = breakpoint_.compiled_condition, location.code
    if location.why_event != COMPILED_LATER or condition is None or code is None:
        return False
    return not condition.awaits_code_at(code)


def question_of(
    breakpoint_: Breakpoint,
    limits: HitLimits,
    location: BreakpointLocation | None = None,
) -> ProbeQuestion | None:
    """The question; None if the breakpoint asks nothing, at any location or at this one."""
    only = _filter_of(breakpoint_, location)
    if breakpoint_.timing is not None:
        return probes.ProbeQuestion(timing=breakpoint_.timing)
    condition, hits = breakpoint_.compiled_condition, breakpoint_.compiled_hit_condition
    message = breakpoint_.compiled_log_message
    if condition is None and hits is None and message is None and only == probes.EVERY_HIT:
        return None
    most = limits.log_messages_per_second if message is not None else None
    if hits is None and most is None:
        return probes.ProbeQuestion(condition, None, only=only)
    text = breakpoint_.options.hit_condition
    comparison, number = (">", 0) if hits is None else (hits.comparison, hits.number)
    lines = limits.log_lines_per_second if most is not None else None
    count = probes.CountTest(comparison, number, breakpoint_.hits, text, most, lines)
    return probes.ProbeQuestion(
        condition,
        count,
        None if message is None else message.parts,
        only=only,
        counts=breakpoint_.shared_counts,
    )


def _filter_of(breakpoint_: Breakpoint, location: BreakpointLocation | None) -> HitFilter:
    thread, instance = breakpoint_.options.only_thread, breakpoint_.options.only_object
    spec = breakpoint_.spec
    owner = spec.instance if isinstance(spec, FieldSpec) else None
    if location is not None and any(each.is_static for each in location.written):
        owner = None
    return probes.HitFilter(
        frozenset() if location is None else location.receivers,
        None if thread is None else thread.id,
        None if instance is None else instance.id,
        None if owner is None else owner.id,
    )


def as_far_as_compiled(
    location: BreakpointLocation, question: ProbeQuestion
) -> tuple[ProbeQuestion, str | None]:
    """The question that the program can answer now, and why it cannot check the condition. javac
    compiles such a condition only after the debugger has evaluated it. Until then there is a check
    without the condition, so that threads in the method run code with the call; if the program
    counts hits, that check keeps the count.
    """
    condition, code = question.condition, location.code
    if condition is None or code is None or location.store is not None:
        return question, None
    is_awaited = condition.awaits_code_at(code)
    is_counted_there = question.count is not None and condition.is_never_code_at(code)
    if not (is_awaited or is_counted_there):
        return question, None
    return replace(question, stands_in=True), condition.why_unbound_at(code)


def keeps_methods(vm: VirtualMachine) -> bool:
    """Whether not all frames of a class run older code after it gets a probe, as they do before JDK
    17: docs/reference/jdks.md.
    """
    return vm.version.feature_release >= _FIRST_THAT_KEEPS_METHODS


def why_not(breakpoint_: Breakpoint, location: BreakpointLocation) -> str | None:
    """Why the program cannot check; None if it may be able to."""
    filters = breakpoint_.compiled_condition is not None or breakpoint_.options.only_thread
    if location.store is not None and not (filters or breakpoint_.options.only_object):
        return "the debugger looks at what the instruction writes"
    if breakpoint_.waits:
        return "it counts only after another breakpoint"
    return None


def probed_local(location: BreakpointLocation) -> WrittenLocal | None:
    """The variable that the instruction writes, as the probe needs it; None if it writes none."""
    store = location.store
    if store is None:
        return None
    slot, signature = store.variable.slot, store.variable.signature
    return probes.WrittenLocal(slot, signature, store.behind, store.increment)
