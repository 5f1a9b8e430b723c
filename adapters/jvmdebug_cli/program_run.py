# SPDX-License-Identifier: Apache-2.0
"""The program of a subcommand that asks or watches: one that runs (TARGET) or is started (-- MAIN).

Owns when a program that is started begins, that it can still be asked when it is about to end, that
what it writes is shown, and how its end decides the exit code. Called by `subcommands/asking`.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
from typing import TYPE_CHECKING, Final

import jvmdebug
from jvmdebug_cli.exit_codes import DONE, FAILED
from jvmdebug_cli.interrupts import Interrupts

if TYPE_CHECKING:
    import argparse

    from jvmdebug_cli.printer import Printer

_LAST: Final = "java.lang.Shutdown#runHooks"
"""Where a JVM goes before it ends, whether by System.exit or after its last thread; not if it is
halted or killed."""
_BEGINS: Final = (
    "jvmdebug: the program was held at its start (suspend=y) and begins now: it is held for its"
    " first debugger only; `jvmdebug attach` sets breakpoints before that"
)


class ProgramRun:
    """A program, until the subcommand has what it wants to know."""

    def __init__(
        self, session: jvmdebug.Session, parsed: argparse.Namespace, out: Printer, beside: Printer
    ) -> None:
        self.session = session
        self.is_ours = getattr(parsed, "target", None) is None
        """Whether it was started for this."""
        self._is_json = bool(parsed.json)
        self._out = out
        self._beside = beside
        self._interrupts = Interrupts()
        self._unsubscribe = session.subscribe(self._pass_on)
        self._ending: asyncio.Task[jvmdebug.Stop | None] | None = None
        self.was_interrupted = False

    async def begin(self, *, hold_at_end: bool = False) -> None:
        """Let it run, if it is held at its start. `hold_at_end`: one that we have started is held
        when it is about to end, and can be asked then.
        """
        if self.session.state is not jvmdebug.SessionState.HELD:
            return
        if self.is_ours and hold_at_end:
            await self.session.break_at(_LAST)
            self._ending = asyncio.create_task(self.session.next_stop(), name="last stop")
        elif not self.is_ours:
            print(_BEGINS, file=sys.stderr, flush=True)
        await self.session.start()

    @property
    def is_at_end(self) -> bool:
        """Whether it is held, because it is about to end."""
        return self._ending is not None and self._ending.done() and not self.session.is_disconnected

    async def until(self, seconds: float | None) -> bool:
        """Wait for so long, for the end of the program, or for Ctrl-C; whether it can be asked."""
        ended = asyncio.create_task(self._end(), name="end of the program")
        try:
            with self._interrupts.handled(), contextlib.suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    self.was_interrupted |= await self._interrupts.come_during(ended)
        finally:
            ended.cancel()
            await asyncio.gather(ended, return_exceptions=True)
        return not self.session.is_disconnected

    async def _end(self) -> None:
        if self._ending is not None:
            await asyncio.wait((self._ending,))
        else:
            await self.session.wait()

    async def leave(self) -> int:
        """The exit code: FAILED if it was started for this, has ended by itself, and has failed."""
        if self.is_at_end:
            await self.session.resume()
            await self.session.wait()
        if self._ending is not None:
            self._ending.cancel()
        self._unsubscribe()
        if self.is_ours and self.session.is_disconnected and not self.was_interrupted:
            return FAILED if await self.session.wait() else DONE
        return DONE

    def _pass_on(self, event: jvmdebug.SessionEvent) -> None:
        if isinstance(event, jvmdebug.Output):
            is_beside = event.stream == "stderr" or self._is_json
            (self._beside if is_beside else self._out).write_output(event.text)
