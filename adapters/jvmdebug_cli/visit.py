# SPDX-License-Identifier: Apache-2.0
"""The way from a stop at the prompt into what was recorded of the program so far, and back."""

from __future__ import annotations

from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

import jvmdebug

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmdebug_cli.shell import Shell


_OF_DATA = (
    *(jvmdebug.BreakpointKind.FIELD, jvmdebug.BreakpointKind.LOCAL),
    jvmdebug.BreakpointKind.ELEMENT,
)


class Visit:
    """The past that the prompt shows in place of the program, which does not move meanwhile."""

    def __init__(
        self, stack: AsyncExitStack, session: jvmdebug.Session, stop: jvmdebug.Stop
    ) -> None:
        self._stack = stack
        self._session = session
        self._stop = stop

    async def end(self, shell: Shell) -> None:
        """Back to the present: its stop is shown again. Breakpoints that were set in the past are
        set in the program, but not watches of what only the recording has.
        """
        past = shell.session.past
        assert past is not None
        try:
            for each in shell.session.breakpoints:
                if past.original_of(each) is None and each.kind not in _OF_DATA:
                    await self._session.breakpoints.copy(each)
        finally:
            await self.leave(shell)
        shell.console.write("Back in the present.")
        await shell.show_stop(self._stop)

    async def leave(self, shell: Shell) -> None:
        """Let go the past: the prompt is the program's again."""
        shell.visit, shell.session, shell.stop = None, self._session, self._stop
        await self._stack.aclose()

    def ends_at(self, stop: jvmdebug.Stop) -> bool:
        """Whether a stop is where the present begins."""
        return stop.reason is jvmdebug.StopReason.RECORDING_END


def originals(
    shell: Shell, breakpoints: Sequence[jvmdebug.Breakpoint]
) -> list[jvmdebug.Breakpoint]:
    """The program's breakpoints, of those that are set in its past too."""
    past = None if shell.visit is None else shell.session.past
    found = [] if past is None else [past.original_of(each) for each in breakpoints]
    return [each for each in found if each is not None]


async def begin(shell: Shell) -> bool:
    """Show the past of the current thread. Whether it is at the line before already."""
    stop, session, frame = shell.current_stop(), shell.session, shell.frame
    above = await frame.thread.frames(0, frame.depth)
    skipped = sum(_is_of_same_method(each, frame) for each in above)
    async with AsyncExitStack() as opening:
        then = await opening.enter_async_context(session.recorded.look_back(stop))
        first, past = await then.next_stop(), then.past
        assert first is not None
        assert past is not None
        opening.callback(then.subscribe(shell.show_event, batches=True))
        shell.visit = Visit(opening.pop_all(), session, stop)
    shell.session = then
    then.settings.style = session.settings.style
    await shell.select_stop(first)
    same = [each for each in await first.thread.frames() if _is_of_same_method(each, frame)]
    if skipped < len(same):
        shell.select(same[skipped])
    return past.is_at_line_before


def _is_of_same_method(one: jvmdebug.FrameHandle, other: jvmdebug.FrameHandle) -> bool:
    return (one.type_name, one.method.name) == (other.type_name, other.method.name)
