# SPDX-License-Identifier: Apache-2.0
"""The way from a stop of a program that is recorded into what was recorded of it so far.

Owns which thread of the recording is the one that has stopped, and where the present is in it. The
past is a session of its own, beside the one that has stopped. Called by `recorded`.
"""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final, NamedTuple

from jvmdebug.printable import one_line
from jvmdebug.recording.errors import QuestionError, RecordingError
from jvmdebug.recording.format import RecordKind
from jvmdebug.recording.states import Position
from jvmdebug.session.past import program_of, replayed
from jvmdebug.to_the_end import begun, done

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from jvmdebug.recording.reader import RecordingReader
    from jvmdebug.recording.recorder import Recorder
    from jvmdebug.recording.replay.program import ReplayedProgram
    from jvmdebug.recording.states import FrameAt
    from jvmdebug.session.program import DebuggedProgram
    from jvmdebug.session.session import Session
    from jvmdebug.session.threads import ThreadHandle

_NOTHING: Final = "nothing of the thread {} was recorded so far"


@asynccontextmanager
async def looking_back(
    program: DebuggedProgram, recorder: Recorder, thread: ThreadHandle
) -> AsyncIterator[Session]:
    """The session of the past. RecordingError if nothing of the thread was recorded."""
    name = thread.name
    frames = [
        _LiveFrame(each.type_name, each.method.name, each.line) for each in await thread.frames()
    ]
    reader = await recorder.reader()
    opening = begun(asyncio.to_thread(_opened, reader, name, frames), "opening the past")
    try:
        past, at, is_before = await done(opening)
    except asyncio.CancelledError:
        opening.add_done_callback(lambda _: reader.close())
        raise
    past.present = None if is_before else at
    async with replayed(past, program.services.sources.source_roots, at=at) as session:
        assert session.past is not None
        session.past.is_at_line_before = is_before
        session.settings.step_filters = program.services.settings.step_filters
        if program.services.has_breakpoints:
            await session.past.use_breakpoints(program.services.breakpoints.breakpoints)
        yield session


class _LiveFrame(NamedTuple):
    """A frame of the thread that has stopped."""

    type_name: str
    method: str
    line: int | None


def _opened(
    reader: RecordingReader, name: str, frames: Sequence[_LiveFrame]
) -> tuple[ReplayedProgram, Position, bool]:
    """The program of the recording, where the present is in it, and whether that is at the line
    before. Closes the reader if there is none.
    """
    if not reader.threads:
        reader.close()
        raise RecordingError(_NOTHING.format(name))
    past = program_of(reader)
    try:
        with reader.reading("it"):
            at = _present(past, name, frames)
            return past, at, _is_at_line_before(past, at, frames)
    except BaseException:
        reader.close()
        raise


def _present(past: ReplayedProgram, name: str, frames: Sequence[_LiveFrame]) -> Position:
    """The last record of the thread that has this name; of several, of the one whose frames are
    most like these.
    """
    ends = {
        each: Position(each, past.reader.length(each) - 1)
        for each in past.threads
        if one_line(past.names.get(each, "")) == name
    }
    if not ends:
        raise QuestionError(_NOTHING.format(name))
    return max(ends.values(), key=lambda at: _common(past.past.stack(at), frames))


def _common(recorded: Sequence[FrameAt], frames: Sequence[_LiveFrame]) -> int:
    """The number of recorded frames that are among these, in order."""
    rest = iter(frames)
    return sum(any(_is_same(each, one) for one in rest) for each in recorded)


def _is_same(recorded: FrameAt, frame: _LiveFrame) -> bool:
    method = recorded.method
    return (method.owner.name, method.name) == (frame.type_name, frame.method)


def _is_at_line_before(past: ReplayedProgram, at: Position, frames: Sequence[_LiveFrame]) -> bool:
    """Whether the thread is in front of a line that was not recorded yet, and the last record is
    that it came to the one before.
    """
    site, _ = past.reader.record(*at)
    stack = past.past.stack(at)
    if not stack or past.reader.sites.kinds[site] != RecordKind.LINE:
        return False
    here = next((each for each in frames if _is_same(stack[0], each)), None)
    return here is not None and here.line != stack[0].line
