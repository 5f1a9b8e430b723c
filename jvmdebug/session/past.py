# SPDX-License-Identifier: Apache-2.0
"""The past: a session whose program is a recording, and what only such a session can do.

`replay` opens one, as `attach` does; it is stopped at the end of the recording. Steps and resumes
go forward unless they are made here. Called by users and front ends.
"""

from __future__ import annotations

import asyncio
import itertools
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeVar

from jvmdebug.events import StopFor
from jvmdebug.jdwp.generated.constants import EventKind, SuspendPolicy
from jvmdebug.recording.calls import calls_in
from jvmdebug.recording.errors import RecordingError
from jvmdebug.recording.reader import RecordingReader, notes_of
from jvmdebug.recording.recording import Recording
from jvmdebug.recording.replay.connection import ReplayConnection
from jvmdebug.recording.replay.program import ReplayedProgram
from jvmdebug.session.causes import MovedInPast, RecordingEnd
from jvmdebug.session.events import Stopped
from jvmdebug.session.launch import kept_open

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence

    from jvmdebug.events import Occurrence, Verdict
    from jvmdebug.recording.recording import Call, Moment, Write
    from jvmdebug.recording.states import Position
    from jvmdebug.session.events import SessionEvent
    from jvmdebug.session.frame_handle import FrameHandle
    from jvmdebug.session.services import Services
    from jvmdebug.session.session import Session
    from jvmdebug.session.stop import Stop

R = TypeVar("R")


class SessionPast:
    """The recording behind a session: the ways back."""

    def __init__(self, services: Services, connection: ReplayConnection) -> None:
        self._services = services
        self._connection = connection
        self._program = connection.program
        self._goes_to = False
        self._stopped = asyncio.Event()
        self.recording = Recording(connection.program.moves)
        """The recording, for questions that no stop can answer. It is closed with the session."""

    @property
    def path(self) -> Path:
        """The file."""
        return self._program.reader.path

    @property
    def started_ms(self) -> int:
        """The time when the recording began: milliseconds since 1970."""
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

    async def go_to(self, moment: Moment) -> None:
        """Go to a moment of the recording: the next stop is there."""
        self._program.goal = moment.position
        self._goes_to = True
        await self._services.stops.resume_all()

    async def go_to_line(self, frame: FrameHandle, line: int) -> None:
        """Go to the last time before here that a line of a frame's class, or of one nested in it,
        ran; else to the first time after. RecordingError if it was never recorded.
        """
        at = self.moment(frame).position
        name = frame.type_name.partition("$")[0]

        def found() -> Position | None:
            moves = self.recording.moves
            sites = moves.line_sites(name, line)
            return moves.next_of(at, sites, back=True) or moves.next_of(at, sites)

        position = await self._asked(found)
        if position is None:
            raise RecordingError(f"line {line} was not recorded in thread {frame.thread.name}")
        await self.go_to(self.recording.at(*position))

    def moment(self, frame: FrameHandle) -> Moment:
        """The moment at which the thread of a frame is."""
        number = self._program.thread_number(frame.thread.id)
        at = self._program.position_of(number) or self._program.position
        return self.recording.at(*at)

    async def who_wrote(self, frame: FrameHandle, name: str) -> Write | None:
        """The write that gave a variable of a frame, or a field (`this.total`) or an element of
        what it names, the value that it has here; None: it was not recorded. RecordingError for a
        name that means nothing there.
        """
        return await self._asked(lambda: self.moment(frame).who_wrote(name, frame.depth))

    async def values(self, frame: FrameHandle, name: str) -> list[Write]:
        """All values that the same has had in the recording, in order."""
        return await self._asked(lambda: self.moment(frame).values(name, frame.depth))

    async def when(self, frame: FrameHandle, comparison: str, *, back: bool = True) -> Write | None:
        """The last write before here, or the first after, with which `sum == 42` came to hold."""
        return await self._asked(
            lambda: self.moment(frame).when(comparison, frame.depth, back=back)
        )

    async def search(self, name: str, value: str | None = None, limit: int = 1000) -> list[Write]:
        """The writes of all variables and fields of a name, those that gave a value if one is
        given: `search("total", "42")`.
        """
        return await self._asked(
            lambda: list(itertools.islice(self.recording.writes(name, value), limit))
        )

    async def calls(self, thread: int, parent: int | None = None) -> list[Call]:
        """The calls that a call has made, by the record of its beginning; None: the outermost ones
        of a thread (its number in the recording).
        """
        return await self._asked(lambda: calls_in(self._program.past, thread, parent))

    async def _asked(self, question: Callable[[], R]) -> R:
        def asked() -> R:
            with self._program.reader.reading("it"):
                return question()

        return await asyncio.to_thread(asked)

    async def _begin(self) -> None:
        """Stop at the end of the recording. RecordingError if a part of it cannot be read."""
        self._services.feed.subscribe(self._on_event)
        await self._services.router.arm(EventKind.METHOD_ENTRY, (), SuspendPolicy.ALL, self._at_end)
        ended = asyncio.ensure_future(self._connection.wait_closed())
        stopped = asyncio.ensure_future(self._stopped.wait())
        self._connection.begin()
        try:
            await asyncio.wait((ended, stopped), return_when=asyncio.FIRST_COMPLETED)
        finally:
            ended.cancel()
            stopped.cancel()
        if not self._stopped.is_set():
            why = None if ended.cancelled() or not ended.done() else ended.result()
            raise why or RecordingError(f"cannot replay {self.path}: it was closed")

    def _on_event(self, event: SessionEvent) -> None:
        if isinstance(event, Stopped):
            self._program.direction = "forward"
            self._stopped.set()

    async def _at_end(self, _: Occurrence) -> Verdict:
        if self._goes_to:
            self._goes_to = False
            return StopFor(MovedInPast())
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
        await session.past._begin()  # noqa: SLF001 - of this module
        yield session


open_replay = kept_open(replay)


def _opened(path: Path) -> ReplayedProgram:
    reader = RecordingReader(path)
    try:
        with reader.reading("it"):
            return ReplayedProgram(reader)
    except BaseException:
        reader.close()
        raise
