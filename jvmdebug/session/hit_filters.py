# SPDX-License-Identifier: Apache-2.0
"""Restricts the hits of a breakpoint that count to one thread, or to methods of one object.

Called by the session for each way to set a breakpoint.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from jvmdebug.errors import BreakpointError
from jvmdebug.model.values import ObjectReference

if TYPE_CHECKING:
    from jvmdebug.breakpoints import BreakpointOptions
    from jvmdebug.session.threads import ThreadHandle
    from jvmdebug.session.variable import Variable


def only_hits_of(
    thread: ThreadHandle | None, instance: Variable | None, options: BreakpointOptions
) -> BreakpointOptions:
    """The options with that thread and that object; BreakpointError for one that is none.

    An object that is collected is not kept for that.
    """
    value = None if instance is None else instance.value
    if value is not None and not isinstance(value, ObjectReference):
        raise BreakpointError("only hits of one object were asked for, and its value is no object")
    only_thread = None if thread is None else thread.thread
    return replace(options, only_thread=only_thread, only_object=value)
