# SPDX-License-Identifier: Apache-2.0
"""The past: a session whose program is a recording, and what only such a session can do.

`replay` opens one, as `attach` does; it is stopped at the end of the recording. Steps and resumes
go forward unless they are made here. Called by users and front ends.
"""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from jvmdebug.events import StopFor
from jvmdebug.jdwp.generated.constants import EventKind, SuspendPolicy
from jvmdebug.recording.reader import RecordingReader, notes_of
from jvmdebug.recording.replay.connection import ReplayConnection
from jvmdebug.recording.replay.program import ReplayedProgram
from jvmdebug.session.causes import RecordingEnd
from jvmdebug.session.events import Stopped
from jvmdebug.session.launch import kept_open

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from jvmdebug.events import Occurrence, Verdict
    from jvmdebug.session.events import SessionEvent
    from jvmdebug.session.services import Services
    from jvmdebug.session.session import Session
    from jvmdebug.session.stop import Stop


class SessionPast:
    """The recording behind a session: the ways back."""

    def __init__(self, services: Services, connection: ReplayConnection) -> None:
        self._services = services
        self._connection = connection
        self._program = connection.program

    @property
    def path(self) -> Path:
        """The file."""
        return self._program.reader.path

    @property
    def started_ms(self) -> int:
        """When the recording began: milliseconds since 1970."""
        return self._program.reader.index.header.started

    @property
    def notes(self) -> list[str]:
        """Sentences about what is incomplete, and how it ended."""
        return notes_of(self._program.reader)

    async def step_back(self, stop: Stop, depth: Literal["into", "over", "out"] = "over") -> None:
        """Step the thread of a stop back: to the line before in its frame or to the call that the
        frame came from (`over`), to the line before in any frame, which may be the last of a method
        that was called (`into`), or to the call (`out`).
        """
        self._program.direction = "back"
        try:
            match depth:
                case "into":
                    await stop.step_into()
                case "out":
                    await stop.step_out()
                case _:
                    await stop.step_over()
        except BaseException:
            self._program.direction = "forward"
            raise

    async def reverse_continue(self) -> None:
        """Go back to the nearest breakpoint that is hit, else to the beginning."""
        self._program.direction = "back"
        await self._services.stops.resume_all()

    async def begin(self) -> None:
        """Stop at the end of the recording."""
        self._services.feed.subscribe(self._on_event)
        await self._services.router.arm(EventKind.METHOD_ENTRY, (), SuspendPolicy.ALL, self._at_end)
        self._connection.begin()

    def _on_event(self, event: SessionEvent) -> None:
        if isinstance(event, Stopped):
            self._program.direction = "forward"

    async def _at_end(self, _: Occurrence) -> Verdict:
        is_back = self._program.direction == "back"
        return StopFor(RecordingEnd(is_beginning=is_back))


@asynccontextmanager
async def replay(
    path: str | Path, *, source_path: Sequence[str | Path] = ()
) -> AsyncIterator[Session]:
    """Open a recording as a program that is stopped at its end: `session.next_stop()` gives that
    stop. `session.past` has the ways back; what would run or change something raises ReadOnlyError.

    `source_path` has directories and jars of sources; those that the recording names are searched
    too. RecordingError if the file cannot be read.
    """
    from jvmdebug.session.services import connected_services  # noqa: PLC0415 - slow to import
    from jvmdebug.session.session import Session  # noqa: PLC0415

    async with AsyncExitStack() as stack:
        connection = ReplayConnection(await asyncio.to_thread(_opened, Path(path)))
        stack.push_async_callback(connection.close)
        header = connection.program.reader.index.header
        services = await connected_services(
            connection,
            stack,
            source_path=(*source_path, *header.source_roots),
            suspend="all",
        )
        session = Session(services, close=stack.aclose, name=header.main)
        session.settings.probes = "off"
        session.past = SessionPast(services, connection)
        await session.past.begin()
        yield session


open_replay = kept_open(replay)


def _opened(path: Path) -> ReplayedProgram:
    reader = RecordingReader(path)
    try:
        return ReplayedProgram(reader)
    except BaseException:
        reader.close()
        raise
