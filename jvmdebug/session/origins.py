# SPDX-License-Identifier: Apache-2.0
"""The stacks that submitted the task of a thread, read at a stop.

The agent takes them (command set Origins) while that is switched on: `origin_tracking`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug.model.agent import AgentCapability
from jvmdebug.observing.task_origins import origins_of

if TYPE_CHECKING:
    from jvmdebug.observing.task_origins import Origin
    from jvmdebug.session.stop import Stop
    from jvmdebug.session.threads import ThreadHandle

WHAT: Final = "where tasks were submitted"


async def origins(stop: Stop, *, thread: ThreadHandle | None = None) -> tuple[Origin, ...]:
    """The stack that submitted the task which `thread` (default: the stop's) runs, then the one
    that submitted the task which did so, and so on: at most 8, of which the last one is the first
    of all.

    In front of them, in a coroutine of Kotlin that was suspended: the functions that wait for the
    one which runs. Empty if it is not known, as for all that was submitted before
    `session.origins()`.
    UnsupportedError if the agent knows no origins.
    """
    thread = thread or stop.thread
    stop.require_current(thread)
    stop.vm.require_of_agent(AgentCapability.ORIGINS, WHAT)
    async with thread.telling_its_end():
        return await origins_of(thread.thread)
