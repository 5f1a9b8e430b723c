# SPDX-License-Identifier: Apache-2.0
"""What the probe of a breakpoint is to ask, who checks, and which check does not return.

Called by `probing`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug import probes
from jvmdebug.errors import VmError
from jvmdebug.printable import one_line

if TYPE_CHECKING:
    from jvmdebug.breakpoints.breakpoint import Breakpoint
    from jvmdebug.breakpoints.hit import HitLimits
    from jvmdebug.probes import ProbeQuestion, StuckCheck


async def whereabouts(stuck: StuckCheck) -> str:
    try:
        name = one_line(await stuck.thread.name())
    except VmError:
        return "the debugger checks the condition from now on"
    return (
        f"thread {name} is still in it, in {one_line(stuck.where)}. The debugger checks the"
        " condition from now on; the thread goes on when that method returns or throws"
    )


def logs(breakpoint_: Breakpoint) -> bool:
    return breakpoint_.compiled_log_message is not None


def question_of(
    breakpoint_: Breakpoint, limits: HitLimits, *, locations: int
) -> ProbeQuestion | None:
    """None if the breakpoint asks nothing."""
    condition, hits = breakpoint_.compiled_condition, breakpoint_.compiled_hit_condition
    message = breakpoint_.compiled_log_message
    if condition is None and hits is None and message is None:
        return None
    most = limits.log_messages_per_second if message is not None and locations == 1 else None
    if hits is None and most is None:
        return probes.ProbeQuestion(condition, None)
    text = breakpoint_.options.hit_condition
    comparison, number = (">", 0) if hits is None else (hits.comparison, hits.number)
    count = probes.CountTest(comparison, number, breakpoint_.hits, text, most)
    is_written = message is not None and most is not None and not limits.are_logs_limited
    return probes.ProbeQuestion(condition, count, message.parts if message and is_written else None)
