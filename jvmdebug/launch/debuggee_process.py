# SPDX-License-Identifier: Apache-2.0
"""The debuggee's process: started, read until both streams have ended, waited for, killed.

Owns the process, its pipes and the tasks that read them. It does not connect. Called by the opening
of a session.
"""

from __future__ import annotations

import asyncio
import codecs
import subprocess
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Literal, TypeAlias

from jvmdebug.errors import LaunchError, StateError
from jvmdebug.launch.process_exit import exit_of
from jvmdebug.names_of_files import environment_for
from jvmdebug.os_errors import reason
from jvmdebug.platform.processes import ask_to_end, own_group
from jvmdebug.platform.streams import reader_of, writer_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from jvmdebug.launch.process_guard import ProcessGuard

StreamName: TypeAlias = Literal["stdout", "stderr"]
StdinChoice: TypeAlias = Literal["null", "pipe", "inherit"]
OutputSink: TypeAlias = "Callable[[StreamName, str], None]"

_CHUNK_BYTES = 1 << 16
_MAX_STARTUP_CHARACTERS = 8_000
# A grandchild that inherited the pipes may keep them open for ever.
_END_OF_STREAMS_GRACE_S = 2.0


@dataclass(frozen=True, slots=True)
class ProcessPlan:
    """What to start and how."""

    command: tuple[str, ...]
    cwd: str | None
    env: Mapping[str, str]
    encoding: str
    stdin: StdinChoice = "null"


class DebuggeeProcess:
    """A started process. Made by `start`; ends with `close` at the latest."""

    def __init__(
        self,
        plan: ProcessPlan,
        process: subprocess.Popen[bytes],
        sink: OutputSink,
        guard: ProcessGuard,
    ) -> None:
        self._plan = plan
        self._process = process
        self._sink = sink
        self._guard = guard
        self._is_starting = True
        self._startup_output: deque[str] = deque()
        self._startup_characters = 0
        self._closers: list[Callable[[], object]] = []
        self._stdin: asyncio.StreamWriter | None = None
        self._readers: list[asyncio.Task[None]] = []
        self._ended: asyncio.Task[int] | None = None
        self.is_released = False
        """Detached: we do not end it any more."""
        self.killed_after_s: float | None = None
        """How long it was given to end after SIGTERM, if it was killed since it did not."""

    @classmethod
    async def start(
        cls, plan: ProcessPlan, sink: OutputSink, guard: ProcessGuard
    ) -> DebuggeeProcess:
        """Start the process; `sink` gets each piece of output, on the event loop. The guard ends
        it when we cannot.
        """
        stdin = {"null": subprocess.DEVNULL, "pipe": subprocess.PIPE, "inherit": None}
        try:
            process = subprocess.Popen(  # noqa: ASYNC220, S603 - it returns at once; no shell
                plan.command,
                bufsize=0,
                stdin=stdin[plan.stdin],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=plan.cwd,
                env=environment_for(plan.env, [*plan.command, plan.cwd or Path.cwd()]),
                **own_group(),
            )
        except OSError as error:
            raise LaunchError(f"cannot start {plan.command[0]}: {reason(error)}") from error
        guard.watch(process.pid)
        self = cls(plan, process, sink, guard)
        await self._open_pipes()
        self._ended = asyncio.create_task(self._wait(), name="debuggee process")
        return self

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    @property
    def exit_code(self) -> int | None:
        """The exit code, negative for a signal; None while it runs."""
        return None if self.is_released else self._process.returncode

    def has_come_up(self) -> None:
        """The VM is there: what it has written so far will not be needed for a message."""
        self._is_starting = False
        self._startup_output.clear()

    async def wait(self) -> int:
        """Wait for the end of the process and of its output; the exit code."""
        return await asyncio.shield(self._require_ended())

    @property
    def takes_input(self) -> bool:
        """Whether its standard input is a pipe from us that is open."""
        return self._stdin is not None and not self._stdin.is_closing()

    async def write_stdin(self, text: str | None) -> None:
        """Write to standard input (None: close it); StateError if it is no pipe, or closed."""
        stream = self._stdin
        if stream is None:
            raise StateError("standard input is no pipe: launch with stdin='pipe'")
        if stream.is_closing():
            raise StateError("standard input is closed")
        if text is None:
            stream.close()
            return
        try:
            stream.write(text.encode(self._plan.encoding, errors="replace"))
            await stream.drain()
        except (BrokenPipeError, ConnectionResetError) as error:
            raise StateError("the program has closed its standard input") from error

    def signal_end(self) -> None:
        """SIGTERM, which runs the program's shutdown hooks; one that is stopped goes on for it."""
        if self._process.returncode is None:
            ask_to_end(self._process)

    def kill(self) -> None:
        """SIGKILL."""
        with suppress(ProcessLookupError):
            self._process.kill()

    async def end(self, grace_s: float) -> int:
        """SIGTERM, after `grace_s` seconds SIGKILL; the exit code."""
        ended = self._require_ended()
        if self._process.returncode is None:
            self.signal_end()
            await asyncio.wait({ended}, timeout=grace_s)
            if self._process.returncode is None:
                self.killed_after_s = grace_s
                self.kill()
        return await asyncio.shield(ended)

    async def close(self) -> None:
        """Kill the process if it runs, and close pipes and tasks. May be called again."""
        if self._process.returncode is None:
            self.kill()
        if self._ended is not None:
            await asyncio.shield(self._ended)
        await self._close_streams()

    async def release(self) -> None:
        """Close pipes and tasks; the process runs on."""
        self.is_released = True
        await self._close_streams()
        if self._process.returncode is None:
            # Popen warns of a child that is left running; this one is, on purpose.
            self._process.returncode = 0

    async def _close_streams(self) -> None:
        tasks = [*self._readers, *([] if self._ended is None else [self._ended])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for close in self._closers:
            close()

    async def _open_pipes(self) -> None:
        streams: tuple[tuple[StreamName, IO[bytes] | None], ...] = (
            ("stdout", self._process.stdout),
            ("stderr", self._process.stderr),
        )
        for name, pipe in streams:
            if pipe is None:
                continue
            reader, close = await reader_of(pipe)
            self._closers.append(close)
            pump = asyncio.create_task(self._pump(name, reader), name=f"{name} reader")
            self._readers.append(pump)
        if self._process.stdin is not None:
            self._stdin = await writer_of(self._process.stdin)
            self._closers.append(self._stdin.close)

    async def _pump(self, name: StreamName, reader: asyncio.StreamReader) -> None:
        decoder = codecs.getincrementaldecoder(self._plan.encoding)(errors="replace")
        final = False
        while not final:
            data = await reader.read(_CHUNK_BYTES)
            final = not data
            text = decoder.decode(data, final)
            if text:
                self._keep_startup_output(text)
                self._sink(name, text)

    async def _wait(self) -> int:
        code = await exit_of(self._process)
        self._guard.let_go()  # its process id may soon be another's
        await asyncio.wait(self._readers, timeout=_END_OF_STREAMS_GRACE_S)
        return code

    def _require_ended(self) -> asyncio.Task[int]:
        if self._ended is None:
            raise StateError("the process was not started")
        return self._ended

    def _keep_startup_output(self, text: str) -> None:
        """Keep the start of the output, for the message if the VM does not come up."""
        if not self._is_starting:
            return
        self._startup_output.append(text)
        self._startup_characters += len(text)
        while self._startup_characters > _MAX_STARTUP_CHARACTERS and len(self._startup_output) > 1:
            self._startup_characters -= len(self._startup_output.popleft())

    def startup_output(self) -> str:
        """The output from before the connection, for the end of a message."""
        written = "".join(self._startup_output).strip()
        command = " ".join(self._plan.command[:1])
        return f"; {command} wrote:\n{written}" if written else f"; {command} wrote nothing"
