# SPDX-License-Identifier: Apache-2.0
"""Input and output of the prompt: a terminal, or pipes.

Owns the line editor, its history, colours and the interrupt key. Knows nothing of debugging. Lines
come first from the commands given on the command line, then from the terminal or standard input.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
import stat
import sys
from collections import deque
from typing import TYPE_CHECKING, TextIO

from prompt_toolkit import PromptSession
from prompt_toolkit.patch_stdout import patch_stdout

from jvmdebug import several_lines
from jvmdebug_cli import terminal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

PROMPT = "(jvmdebug) "
_BOLD, _DIM, _PLAIN = "\x1b[1m", "\x1b[2m", "\x1b[0m"
_STYLES = re.compile(r"(\x1b\[[012]m)")


class Interrupted(Exception):  # noqa: N818 - what the user did
    """Ctrl-C instead of a command."""


class Console:
    """Lines in, text out."""

    def __init__(
        self, *, commands: Iterable[str], batch: bool, interactive: bool, output: TextIO
    ) -> None:
        self._commands = deque(commands)
        self._batch = batch
        self._editor: PromptSession[str] | None = PromptSession() if interactive else None
        self._reader: asyncio.StreamReader | None = None
        self._reading: asyncio.Task[bytes] | None = None
        """Of a line that was not there yet when Ctrl-C came."""
        self._interrupts: list[asyncio.Event] = []
        self._output = output
        self._coloured = interactive and output.isatty()

    @classmethod
    def open(cls, *, commands: Iterable[str], batch: bool) -> Console:
        """The console of this process; a line editor if it is a terminal."""
        interactive = terminal.is_interactive()
        return cls(commands=commands, batch=batch, interactive=interactive, output=sys.stdout)

    async def line(self) -> str | None:
        """The next command; None at the end of the input. Raises Interrupted for Ctrl-C."""
        if self._commands:
            command = self._commands.popleft()
            self.write(f"{PROMPT}{command}")
            return command
        if self._batch:
            return None
        if self._editor is None:
            return await self._piped_line()
        with patch_stdout(raw=True):
            try:
                return await self._editor.prompt_async(PROMPT)
            except KeyboardInterrupt:
                raise Interrupted from None
            except EOFError:
                return None

    async def _piped_line(self) -> str | None:
        if self._reader is None and not _has_to_wait(sys.stdin):
            return self._typed(sys.stdin.readline())
        if self._reader is None:
            self._reader = asyncio.StreamReader()
            protocol = asyncio.StreamReaderProtocol(self._reader)
            await asyncio.get_running_loop().connect_read_pipe(lambda: protocol, sys.stdin)
        with self.interrupt() as pressed:
            reading = self._reading or asyncio.create_task(self._reader.readline(), name="input")
            waiting = asyncio.create_task(pressed.wait(), name="interrupt")
            await asyncio.wait((reading, waiting), return_when=asyncio.FIRST_COMPLETED)
            waiting.cancel()
            self._reading = None if reading.done() else reading
        if not reading.done():
            raise Interrupted
        return self._typed(reading.result().decode(errors="replace"))

    def _typed(self, line: str) -> str | None:
        if not line:
            return None
        command = line.rstrip("\n")
        self.write(f"{PROMPT}{command}")
        return command

    def write(self, text: str, *, end: str = "\n") -> None:
        """Print text and flush it; of control characters, only our own styles and line ends."""
        parts = _STYLES.split(text)
        safe = (each if _STYLES.fullmatch(each) else several_lines(each, None) for each in parts)
        self.write_output("".join(safe) + end)

    def write_output(self, text: str) -> None:
        """Print what the program has printed, as it is."""
        # While a line is being edited, sys.stdout writes above it.
        print(text, end="", file=self._output if self._editor is None else sys.stdout, flush=True)

    def bold(self, text: str) -> str:
        """Text that stands out."""
        return f"{_BOLD}{text}{_PLAIN}" if self._coloured else text

    def dim(self, text: str) -> str:
        """Text of minor interest."""
        return f"{_DIM}{text}{_PLAIN}" if self._coloured else text

    @contextlib.contextmanager
    def interrupt(self) -> Iterator[asyncio.Event]:
        """An event that Ctrl-C sets while the context is active; the innermost context wins."""
        pressed = asyncio.Event()
        loop = asyncio.get_running_loop()
        self._interrupts.append(pressed)
        loop.add_signal_handler(signal.SIGINT, pressed.set)
        try:
            yield pressed
        finally:
            self._interrupts.remove(pressed)
            if self._interrupts:
                loop.add_signal_handler(signal.SIGINT, self._interrupts[-1].set)
            else:
                loop.remove_signal_handler(signal.SIGINT)


def _has_to_wait(stream: TextIO) -> bool:
    """False for a file (`jvmdebug launch X.java < commands`): an event loop cannot wait for it."""
    mode = os.fstat(stream.fileno()).st_mode
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) or stream.isatty()
