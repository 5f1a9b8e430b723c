# SPDX-License-Identifier: Apache-2.0
"""A recording for scripts: moments, frames, variables, and all calls, writes and lines.

    recording = jvmdebug.recording.open("fail.jvmrec")
    moment = recording.end
    while moment is not None:
        print(moment.frames[0], moment.frames[0].variables())
        moment = moment.step_back()

Synchronous and read-only. A session on it, with expressions and breakpoints, is
`jvmdebug.replay(path)`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Self

from jvmdebug.recording.format import RecordKind
from jvmdebug.recording.moves import Moves
from jvmdebug.recording.questions import Questions
from jvmdebug.recording.reader import RecordingReader, notes_of
from jvmdebug.recording.states import Past, Position

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType

    from jvmdebug.recording.format import Ending, Header
    from jvmdebug.recording.moves import Depth
    from jvmdebug.recording.states import FrameAt, Written


@dataclass(frozen=True, slots=True)
class Thread:
    """A thread that has records."""

    number: int
    name: str
    is_virtual: bool = False


@dataclass(frozen=True, slots=True)
class Value:
    """A variable or a field at a moment."""

    name: str
    type: str
    """Its descriptor."""
    text: str
    """As Java would write it; `not recorded` if it is not known."""


@dataclass(frozen=True, slots=True)
class Write:
    """A write of a variable, a field or an element."""

    moment: Moment
    name: str
    text: str
    """The value."""
    where: str
    """`shop.Till.add(Till.java:16)`"""
    unordered: tuple[Write, ...] = ()
    """With `who_wrote`: the last writes of other threads, if it is not known whether they were
    before this one.
    """


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a recorded method."""

    thread: int
    index: int
    """Record index of its beginning; -1 if it ran before the recording began."""
    end: int | None
    """Record index of its end; None: it had not ended."""
    depth: int
    name: str
    """`shop.Till.add`"""
    start_ns: int
    end_ns: int
    arguments: tuple[str, ...] = ()
    result: str = ""
    """What it returned; empty for void."""
    exception: str = ""
    """What it threw."""


@dataclass(frozen=True, slots=True)
class Frame:
    """An open frame at a moment."""

    _moment: Moment
    _at: FrameAt

    @property
    def class_name(self) -> str:
        """The class that declares its method."""
        return self._at.method.owner.name

    @property
    def method(self) -> str:
        """The name of its method."""
        return self._at.method.name

    @property
    def line(self) -> int | None:
        """The line that it is at; None without debug information."""
        return self._at.line

    @property
    def depth(self) -> int:
        """The number of frames below it: 0 is the outermost one."""
        return self._at.depth

    @property
    def place(self) -> str:
        """`shop.Till.add(Till.java:16)`"""
        return place_of(self._at)

    def variables(self) -> list[Value]:
        """`this` if there is one, parameters and local variables in scope."""
        past, position = self._moment.recording.past, self._moment.position
        found = []
        if not self._at.method.is_static:
            this = self._at.open.locals.get(0)
            text = "not recorded" if this is None else past.text(this[2], "L", position)
            found.append(Value("this", f"L{self.class_name.replace('.', '/')};", text))
        for each in past.local_values(self._at, position.thread):
            type_ = each.variable.descriptor
            text = "not recorded"
            if each.written is not None:
                text = past.text_of(each.written, type_[0], position)
            found.append(Value(each.variable.name, type_, text))
        return found

    def __repr__(self) -> str:
        return f"Frame({self.place})"


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment of one thread: a record of it."""

    recording: Recording
    position: Position

    @property
    def thread(self) -> Thread:
        """The thread that it is a moment of."""
        return self.recording.thread(self.position.thread)

    @property
    def time_ns(self) -> int:
        """Nanoseconds since the recording began, near enough."""
        return self.recording.past.time(self.position)

    @property
    def frames(self) -> list[Frame]:
        """The stack, the topmost frame first."""
        return [Frame(self, each) for each in self.recording.past.stack(self.position)]

    def step(self, depth: Depth = "over") -> Moment | None:
        """The moment where a step ends; None: the recording ends before."""
        return self._moment(self.recording.moves.step(self.position, depth))

    def step_back(self, depth: Depth = "over") -> Moment | None:
        """The moment where a step back ends; None: the recording begins after it."""
        return self._moment(self.recording.moves.step_back(self.position, depth))

    def value(self, name: str, frame: int = 0) -> str:
        """A variable, field or element by name, `this.total`, as text. `frame`: whose variables and
        `this` are meant; 0 is the topmost one.
        """
        questions = self.recording.questions
        target = questions.target(self.position, name, frame)
        written = questions.last_write(self.position, target)
        if written is not None:
            return self.recording.past.text_of(written, target.type, self.position)
        bits = questions.bits(self.position, target)
        if bits is None:
            return "not recorded"
        return self.recording.past.text(bits, target.type, self.position)

    def who_wrote(self, name: str, frame: int = 0) -> Write | None:
        """The write that gave a variable, field or element the value that it has here."""
        questions = self.recording.questions
        target = questions.target(self.position, name, frame)
        written = questions.last_writes(self.position, target)
        if not written or written[0].position.index < 0:  # before the recording
            return None
        last, *others = (self.recording.write(each, name, target.type) for each in written)
        return replace(last, unordered=tuple(others))

    def values(self, name: str, frame: int = 0) -> list[Write]:
        """All values that a variable (in that frame), field or element has had, in order."""
        questions = self.recording.questions
        target = questions.target(self.position, name, frame)
        return [self.recording.write(each, name, target.type) for each in questions.writes(target)]

    def when(self, comparison: str, frame: int = 0, *, back: bool = True) -> Write | None:
        """The last write before here (or the first after) with which `sum == 42` came to hold."""
        questions = self.recording.questions
        found = questions.when(self.position, comparison, frame, back=back)
        if found is None:
            return None
        type_ = chr(self.recording.reader.sites[found.site].type)
        return self.recording.write(found, comparison, type_)

    def _moment(self, position: Position | None) -> Moment | None:
        return None if position is None else Moment(self.recording, position)

    def __repr__(self) -> str:
        top = next(iter(self.frames), None)
        return f"Moment({self.position.thread}, {self.position.index}, {top})"


class Recording:
    """One recording. Close it, or use it in a `with`."""

    def __init__(self, of: str | Path | Moves) -> None:
        """Opens the file, if it is not the recording of others already. RecordingError that says
        why it cannot be read.
        """
        self.moves = of if isinstance(of, Moves) else Moves(Past(RecordingReader(Path(of))))
        self.past = self.moves.past
        self.reader = self.past.reader
        self.questions = Questions(self.past, self.moves)

    def close(self) -> None:
        """May be repeated."""
        self.reader.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _type: type[BaseException] | None,
        _error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def header(self) -> Header:
        """What it says of the program."""
        return self.reader.index.header

    @property
    def ending(self) -> Ending | None:
        """How it ended; None if its writer was killed."""
        return self.reader.index.ending

    @property
    def notes(self) -> list[str]:
        """Sentences about what is incomplete."""
        return notes_of(self.reader)

    @property
    def threads(self) -> list[Thread]:
        """The threads that have records."""
        return [self.thread(each) for each in self.reader.threads]

    def thread(self, number: int) -> Thread:
        """The thread of a number."""
        for each in self.reader.index.threads:
            if each.number == number:
                return Thread(number, each.name, each.is_virtual)
        return Thread(number, f"thread {number}")

    @property
    def end(self) -> Moment | None:
        """The last line that was come to; in a recording without lines the last record; None in one
        without records.
        """
        found = self.moves.end()
        return None if found is None else Moment(self, found)

    def at(self, thread: int, index: int) -> Moment:
        """The moment of a record. RecordingError if there is none."""
        self.reader.number_of(thread, index)
        return Moment(self, Position(thread, index))

    def lines(self, thread: int | None = None) -> Iterator[Moment]:
        """The moments at which a line was come to, for each thread in order."""
        kind = bytes((RecordKind.LINE,))
        for number in self.reader.threads if thread is None else [thread]:
            for entry in self.reader.chunks_of(number):
                kinds = self.reader.chunk(entry).kinds
                at = kinds.find(kind)
                while at >= 0:
                    yield Moment(self, Position(number, entry.first + at))
                    at = kinds.find(kind, at + 1)

    def writes(self, name: str, value: str | None = None) -> Iterator[Write]:
        """The writes of all variables and fields of a name; with a value those that gave it:
        `writes("total", "42")`.
        """
        for written in self.questions.all_writes(name, value):
            type_ = chr(self.reader.sites[written.site].type)
            yield self.write(written, name, type_)

    def calls(self, thread: int | None = None) -> Iterator[Call]:
        """All calls of recorded methods, for each thread in the order in which they ended."""
        from jvmdebug.recording.calls import all_calls  # noqa: PLC0415 - not for every question

        for number in self.reader.threads if thread is None else [thread]:
            yield from all_calls(self.past, number)

    def failure(self, test: str | None = None) -> Moment | None:
        """The moment at which the exception came up that ended a test, in recorded code and not in
        a library of assertions: `failure("shop.CartTest#adds")`, `failure("shop.CartTest")`.
        Without a test the last exception that no recorded code has caught. None if there is none.
        """
        from jvmdebug.recording.failures import failure_at  # noqa: PLC0415 - seldom asked

        found = failure_at(self.past, self.moves, test)
        return None if found is None else Moment(self, found)

    def to_parquet(self, folder: str | Path) -> list[Path]:
        """Write tables of calls, lines and writes as Parquet files; needs `jvmdebug[heap]`."""
        from jvmdebug.recording.exporting import to_parquet  # noqa: PLC0415 - pyarrow

        return to_parquet(self, Path(folder))

    def to_perfetto(self, path: str | Path) -> None:
        """Write the calls as a trace that ui.perfetto.dev and chrome://tracing show."""
        from jvmdebug.recording.exporting import to_perfetto  # noqa: PLC0415 - seldom needed

        to_perfetto(self, Path(path))

    def write(self, written: Written, name: str, type_: str) -> Write:
        """A write for people."""
        frames = self.past.stack(written.position)
        where = place_of(frames[0]) if frames else str(self.past.method_of(written.site))
        text = self.past.text_of(written, type_)
        return Write(Moment(self, written.position), name, text, where)


def place_of(frame: FrameAt) -> str:
    """`shop.Till.add(Till.java:16)`"""
    owner = frame.method.owner
    source = owner.source_file or owner.name
    return f"{owner.name}.{frame.method.name}({source}:{frame.line or '?'})"


def open(path: str | Path) -> Recording:  # noqa: A001 - jvmdebug.recording.open
    """Open a recording. RecordingError that says why it cannot be read."""
    return Recording(path)
