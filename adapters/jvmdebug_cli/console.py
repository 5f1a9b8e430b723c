# SPDX-License-Identifier: Apache-2.0
"""Input and output of the prompt: a terminal, or pipes.

Owns where lines come from (the commands given on the command line, then the terminal or standard
input); what is printed is safe by its base, the `printer`. Knows nothing of debugging. The line
editor is in `editor`, Ctrl-C in `interrupts`; what is shown is made in `view`, as text or as
anything that rich can draw.
"""

from __future__ import annotations

import asyncio
import os
import stat
import sys
from collections import deque
from typing import TYPE_CHECKING, Final, TextIO

from jvmdebug.platform.streams import reader_of
from jvmdebug_cli import terminal
from jvmdebug_cli.interrupts import Interrupts
from jvmdebug_cli.logical_lines import logical_lines
from jvmdebug_cli.printer import Printer

if TYPE_CHECKING:
    from collections.abc import Iterable

    from prompt_toolkit import PromptSession

PROMPT: Final = "(jvmdebug) "
CONTINUED: Final = "> "
"""The prompt for the lines of `commands`."""


class Interrupted(Exception):  # noqa: N818 - what the user did
    """Ctrl-C instead of a command."""


class Console(Printer):
    """Lines in, text out."""

    def __init__(
        self, *, commands: Iterable[str], batch: bool, interactive: bool, output: TextIO
    ) -> None:
        self._commands = deque(commands)
        self.is_batch = batch
        self.is_interactive = interactive
        """Whether somebody sits there: then stops show more than one line of the source."""
        self.editor: PromptSession[str] | None = None
        """The line editor, if there is a terminal; set by the shell, which knows what to complete.
        """
        self._reader: asyncio.StreamReader | None = None
        self._reading: asyncio.Task[bytes] | None = None
        """Of a line that was not there yet when Ctrl-C came."""
        self.interrupts = Interrupts()
        # While a line is being edited, sys.stdout writes above it.
        super().__init__(None if interactive else output, is_terminal=output.isatty())

    @classmethod
    def open(cls, *, commands: Iterable[str], batch: bool) -> Console:
        """The console of this process; a line editor if it is a terminal."""
        interactive = terminal.is_interactive()
        return cls(commands=commands, batch=batch, interactive=interactive, output=sys.stdout)

    async def line(self, prompt: str = PROMPT) -> str | None:
        """The next command; None at the end of the input. Raises Interrupted for Ctrl-C."""
        if self.interrupts.take():
            raise Interrupted
        if self._commands:
            command = self._commands.popleft()
            self.write(f"{prompt}{command}")
            return command
        if self.is_batch:
            return None
        if self.editor is None:
            return await self._piped_line(prompt)
        typed = await self._edited_line(self.editor, prompt)
        if typed is None:
            return None
        first, *others = logical_lines(typed) or [""]
        self._commands.extend(others)  # several lines were pasted
        return first

    async def _edited_line(self, editor: PromptSession[str], prompt: str) -> str | None:
        """What was typed at the terminal. Ctrl-C is a key while the editor reads it, and a signal
        before and afterwards.
        """
        # Slow to import, and no batch needs it.
        from prompt_toolkit.patch_stdout import patch_stdout  # noqa: PLC0415

        from jvmdebug_cli.editor import interrupted_afterwards, press_interrupt  # noqa: PLC0415

        def take_interrupt() -> None:
            """End the editor for a signal that came before it ran: the first time, or again."""
            if self.interrupts.take():
                editor.app.exit(exception=KeyboardInterrupt)

        while True:
            try:
                with patch_stdout(raw=True), self.interrupts.read_by(press_interrupt):
                    typed = await editor.prompt_async(
                        prompt, handle_sigint=False, pre_run=take_interrupt
                    )
            except KeyboardInterrupt:
                if not editor.default_buffer.text:
                    raise Interrupted from None
                # Only what was typed is dropped.
            except EOFError:
                return None
            else:
                if interrupted_afterwards(editor):
                    self.interrupts.press()
                return typed

    def first(self, commands: Iterable[str]) -> None:
        """Have these commands come before all others."""
        self._commands.extendleft(reversed(list(commands)))

    async def _piped_line(self, prompt: str) -> str | None:
        if self._reader is None and not _has_to_wait(sys.stdin):
            return self._typed(sys.stdin.readline(), prompt)
        if self._reader is None:
            self._reader, _ = await reader_of(sys.stdin)
        reading = self._reading or asyncio.create_task(self._reader.readline(), name="input")
        self._reading = reading
        if await self.interrupts.come_during(reading):
            raise Interrupted
        self._reading = None
        return self._typed(reading.result().decode(errors="replace"), prompt)

    def _typed(self, line: str, prompt: str) -> str | None:
        if not line:
            return None
        command = line.rstrip("\n")
        self.write(f"{prompt}{command}")
        return command


def _has_to_wait(stream: TextIO) -> bool:
    """False for a file (`jvmdebug launch X.java < commands`): an event loop cannot wait for it."""
    mode = os.fstat(stream.fileno()).st_mode
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) or stream.isatty()
