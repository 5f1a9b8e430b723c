# SPDX-License-Identifier: Apache-2.0
"""A visit to the past of a program that is recorded, from a stop of it: the client sees what was
recorded so far, until it goes on past the end of that and is back in the present.

Owns the core session of the past, beside that of the program, which does not move meanwhile.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Final

import jvmdebug
from jvmdebug.errors import JvmDebugError
from jvmdebug_dap.debuggee import Debuggee

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmdebug_dap.session import AdapterSession

PAST_DATA: Final = "data of the past"
"""The group of the data breakpoints on objects that only the past has."""


class Visit:
    """The past that the client sees now."""

    def __init__(
        self, opened: Debuggee, from_: jvmdebug.Stop, unsubscribe: Callable[[], None]
    ) -> None:
        self.core = opened.core
        self.from_ = from_
        """The stop in the present."""
        self._opened = opened
        self._unsubscribe = unsubscribe

    def ends_at(self, stop: jvmdebug.Stop) -> bool:
        """Whether a stop is where the present begins."""
        is_end = stop.reason is jvmdebug.StopReason.RECORDING_END
        return is_end and stop in self.core.current_stops

    def original_of(self, breakpoint_: jvmdebug.Breakpoint) -> jvmdebug.Breakpoint:
        """The program's breakpoint, of one that is set in its past too; else the same."""
        past = self.core.past
        return (past and past.original_of(breakpoint_)) or breakpoint_

    async def close(self) -> None:
        """Let go the past."""
        self._unsubscribe()
        await self._opened.leave()


async def begin(
    session: AdapterSession, stop: jvmdebug.Stop, thread: jvmdebug.ThreadHandle
) -> tuple[jvmdebug.Stop, bool]:
    """Show the client the past of a thread that has stopped. The stop where the present is in it,
    and whether that is one line before already. RecordingError if nothing of it was recorded.
    """
    live = session.core
    opened = Debuggee(lambda: live.recorded.look_back(stop, thread), is_ours=False)
    try:
        core = await opened.opened()
        past, first = core.past, await core.next_stop()
        assert past is not None
        assert first is not None
    except BaseException:
        await opened.leave()
        raise
    session.visit = Visit(opened, stop, core.subscribe(session.pump.take, batches=True))
    from jvmdebug_dap.models.custom import RecordingBody  # noqa: PLC0415 - slow to import

    core.settings.step_filters = live.settings.step_filters
    core.settings.style = live.settings.style
    core.settings.inline_frames = live.settings.inline_frames
    body = RecordingBody(path=str(past.path), started=past.started_ms)
    session.channel.send_event("jvmdebug/recording", body)
    return first, past.is_at_line_before


async def use_breakpoints(session: AdapterSession) -> None:
    """Set the breakpoints of the program in its past, which the client sees."""
    if session.visit is not None and session.visit.core.past is not None:
        await session.visit.core.past.use_breakpoints(session.live.breakpoints)


async def end(session: AdapterSession) -> None:
    """Back to the present: what has stopped there is told again."""
    visit, session.visit = session.visit, None
    if visit is None:
        return
    _forget_data(session)
    await visit.close()
    session.references.drop_stale()
    session.pump.announce("jvmdebug/present")
    stops = list(session.core.current_stops)
    if visit.from_ in stops:  # the client selects the thread that is told last
        stops = [*(each for each in stops if each != visit.from_), visit.from_]
    for each in stops:
        session.pump.take(jvmdebug.Stopped(each))


async def drop(session: AdapterSession) -> None:
    """Let go the past, because the program ends or is left."""
    visit, session.visit = session.visit, None
    if visit is not None:
        _forget_data(session)
        with contextlib.suppress(JvmDebugError):
            await visit.close()


def _forget_data(session: AdapterSession) -> None:
    """The objects of the past whose data was watched are gone with it."""
    from jvmdebug_dap.models.generated.events import BreakpointEventBody  # noqa: PLC0415 - slow
    from jvmdebug_dap.models.generated.types import Breakpoint  # noqa: PLC0415 - slow

    for each in session.breakpoints.forget_group(PAST_DATA):
        gone = Breakpoint(id=each, verified=False)
        session.channel.send_event(
            "breakpoint", BreakpointEventBody(reason="removed", breakpoint=gone)
        )
