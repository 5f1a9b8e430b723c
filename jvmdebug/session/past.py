# SPDX-License-Identifier: Apache-2.0
"""The past: a session whose program is a recording, and what only such a session can do.

`replay` opens one, as `attach` does; it is stopped at the end of the recording. Steps and resumes
go forward unless they are made here. Called by users and front ends.
"""

from __future__ import annotations

import asyncio
import itertools
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeVar

from jvmdebug.errors import JvmDebugError
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
from jvmdebug.stepping.step import StepEnded

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable, Sequence

    from jvmdebug.breakpoints import Breakpoint
    from jvmdebug.events import Occurrence, Verdict
    from jvmdebug.events.verdicts import Cause
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
        self._arrival: Cause | None = None
        """Why it stops where it goes to next."""
        self.is_at_line_before = False
        """Whether the first stop of `session.recorded.look_back` is one step back already: the
        thread has not begun to run its line, so that this was not recorded.
        """
        self._notes: list[str] = []
        self._copies: dict[Breakpoint, Breakpoint] = {}
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
        return [*notes_of(self._program.reader), *self._notes]

    def original_of(self, breakpoint_: Breakpoint) -> Breakpoint | None:
        """The breakpoint of which `use_breakpoints` has set a copy here; None for another one."""
        return self._copies.get(breakpoint_)

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
        self._arrival = MovedInPast()
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

    async def go_to_failure(self, test: str | None = None) -> None:
        """Go to where a test failed, `shop.CartTest#adds`: the line of recorded code at which the
        exception came up that ended it. Without a test, where the last exception came up that no
        recorded code has caught. RecordingError if there is none.
        """
        found = await self._asked(lambda: self.recording.failure(test))
        if found is None:
            raise RecordingError(_no_failure(test))
        await self.go_to(found)

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

    async def use_breakpoints(self, breakpoints: Iterable[Breakpoint]) -> None:
        """Set the breakpoints of another session here too, with their numbers and zero hits, in
        place of those that this has set before. What is none in a recording is left out, and what
        concerns one object or one thread.
        """
        table = self._services.breakpoints
        wanted = list(breakpoints)
        await table.remove(self._copies)
        self._copies = {}
        for each in wanted:
            with suppress(JvmDebugError):
                self._copies[await table.copy(each)] = each

    async def _asked(self, question: Callable[[], R]) -> R:
        def asked() -> R:
            with self._program.reader.reading("it"):
                return question()

        return await asyncio.to_thread(asked)

    async def _begin(self, failure: str | None, at: Position | None) -> None:
        """Stop at the end of the recording, or where a test failed, or at a position.
        RecordingError if a part of it cannot be read.
        """
        if at is not None:
            is_step = self._program.present is None  # it is the line before the present
            self._program.goal = at
            self._arrival = StepEnded() if is_step else MovedInPast()
        if failure is not None:
            found = await self._asked(lambda: self.recording.failure(failure))
            if found is None:
                self._notes.append(_no_failure(failure))
            else:
                self._program.goal, self._arrival = found.position, MovedInPast()
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
        arrival, self._arrival = self._arrival, None
        if arrival is not None:
            return StopFor(arrival)
        is_back = self._program.direction == "back"
        return StopFor(RecordingEnd(is_beginning=is_back))


@asynccontextmanager
async def replay(
    path: str | Path, *, source_path: Sequence[str | Path] = (), failure: str | None = None
) -> AsyncIterator[Session]:
    """Open a recording as a program that is stopped at its end: `session.next_stop()` gives that
    stop. `session.past` has the ways back; what would run or change something raises ReadOnlyError.

    `failure`: a test, `shop.CartTest#adds`; the first stop is at the line that failed it. If it did
    not fail, `session.past.notes` says so.

    `source_path` has directories and jars of sources; those that the recording names are searched
    too. RecordingError if the file cannot be read.
    """
    program = await asyncio.to_thread(_opened, Path(path))
    async with replayed(program, source_path, failure=failure) as session:
        yield session


@asynccontextmanager
async def replayed(
    program: ReplayedProgram,
    source_path: Sequence[str | Path],
    *,
    failure: str | None = None,
    at: Position | None = None,
) -> AsyncIterator[Session]:
    """A session on a recording that is open; it is closed with the session."""
    from jvmdebug.session.services import connected_services  # noqa: PLC0415 - slow to import
    from jvmdebug.session.session import Session  # noqa: PLC0415

    async with AsyncExitStack() as stack:
        connection = ReplayConnection(program)
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
        await session.past._begin(failure, at)  # noqa: SLF001 - of this module
        yield session


open_replay = kept_open(replay)


def _no_failure(test: str | None) -> str:
    what = "no recorded test" if test is None else f"{test} is not recorded, or has not"
    return f"{what} ended by an exception"


def _opened(path: Path) -> ReplayedProgram:
    return program_of(RecordingReader(path))


def program_of(reader: RecordingReader) -> ReplayedProgram:
    """The program of a recording. Closes the reader if there is none in it: RecordingError."""
    try:
        with reader.reading("it"):
            return ReplayedProgram(reader)
    except BaseException:
        reader.close()
        raise
