# SPDX-License-Identifier: Apache-2.0
"""The replayed program: where it is, what a debugger has asked to be told of, and what comes next.

The position is a record of one thread; the other threads are where they were then. A resume looks
for the next record, in the direction that was chosen, that a request wants to be told of, goes
there, and gives its event. At either end it gives the event of the request of method entries
without a filter, which the session makes for that.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, Final, Literal

from jvmdebug.errors import VmError
from jvmdebug.jdwp.generated import events
from jvmdebug.jdwp.generated.constants import ErrorCode, EventKind, StepDepth, SuspendPolicy
from jvmdebug.jdwp.generated.event import Composite
from jvmdebug.jdwp.ids import Location, MethodId, ReferenceTypeId, ThreadId
from jvmdebug.recording.errors import UnreadableRecording
from jvmdebug.recording.moves import Moves
from jvmdebug.recording.replay.objects import THREADS, ReplayObjects
from jvmdebug.recording.replay.requests import Requests
from jvmdebug.recording.replay.type_table import ReplayTypes
from jvmdebug.recording.states import Past, Position

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jvmdebug.jdwp.ids import Value
    from jvmdebug.recording.moves import Depth
    from jvmdebug.recording.reader import RecordingReader
    from jvmdebug.recording.replay.requests import Request
    from jvmdebug.recording.states import FrameAt

Direction = Literal["forward", "back"]
_DEPTHS: Final[dict[StepDepth, Depth]] = {
    StepDepth.INTO: "into",
    StepDepth.OVER: "over",
    StepDepth.OUT: "out",
}
_MAX_SKIPPED: Final = 100_000
"""Steps through classes that are left out, until a step ends anyway."""


@dataclass(frozen=True, slots=True)
class Found:
    """A position that requests want to be told of."""

    position: Position
    requests: tuple[Request, ...]


class ReplayedProgram:
    """One recording, as a program that is suspended whenever somebody looks."""

    def __init__(self, reader: RecordingReader) -> None:
        self.reader = reader
        self.past = Past(reader)
        self.moves = Moves(self.past)
        self.types = ReplayTypes(self.past)
        self.direction: Direction = "forward"
        """That of the next resumes."""
        self.goal: Position | None = None
        """The position to which the next resume goes, whatever was requested."""
        self.present: Position | None = None
        """The position of a program that still runs: whatever is told of there is the end."""
        end = self.moves.end()
        if end is None:
            raise UnreadableRecording(f"cannot replay {reader.path}: nothing was recorded")
        self.position = end
        self._others: dict[int, Position] | None = None
        self.objects = ReplayObjects(self.past, self.types, lambda: self.position)
        self.names = {each.number: each.name for each in reader.index.threads}
        self.virtual = {each.number for each in reader.index.threads if each.is_virtual}
        self.requests = Requests(self.past, self.moves, self.types)
        self._told: Position | None = None
        """A write that was told of, and whose record comes after the position."""

    # Threads

    @property
    def threads(self) -> list[int]:
        """The threads that have records."""
        return self.reader.threads

    def go_to(self, position: Position) -> None:
        """Look at another position."""
        self.position = position
        self._others = self._told = None

    def position_of(self, thread: int) -> Position | None:
        """The position of a thread; None: before its first record."""
        if self._others is None:
            if self.position.thread not in self.reader.threads:
                return None
            found = self.past.everywhere(self.position)
            self._others = {each.thread: each for each in found}
        return self._others.get(thread)

    def frames(self, thread_id: int) -> tuple[FrameAt, ...]:
        """The stack of a thread."""
        number = self.thread_number(thread_id)
        at = self.position_of(number)
        return () if at is None else self.past.stack(at)

    def value_before(self, thread_id: int, slot: int, signature: str) -> Value | None:
        """The value that a local variable of a thread's topmost frame had before the record at
        which the thread is; None if it had none.
        """
        at = self.position_of(self.thread_number(thread_id))
        if at is None or at.index <= self.reader.first(at.thread):
            return None
        here, before = self.past.stack(at), self.past.stack(Position(at.thread, at.index - 1))
        if not here or not before or before[0].key != here[0].key:
            return None
        variable = here[0].method.variable(slot, here[0].bci)
        if variable is None:
            return None
        written = self.past.slot(before[0], at.thread, variable)
        if written is None:
            return None
        return self.objects.at_site(written.site, written.value, signature)

    def thread_number(self, thread_id: int) -> int:
        """The number of a thread in the recording."""
        number = thread_id - THREADS
        if number not in self.names and number not in self.reader.threads:
            raise VmError.of_code(ErrorCode.INVALID_THREAD, "a thread")
        return number

    def location(self, frame: FrameAt) -> Location:
        """The place of a frame, as the wire has it."""
        return self._location(frame.method.owner.number, frame.method.number, frame.bci)

    def _location(self, owner: int, method: int, bci: int) -> Location:
        type_ = self.types.of_class(owner)
        return Location(type_.tag, ReferenceTypeId(type_.id), MethodId(method + 1), bci)  # type: ignore[arg-type]

    # Running

    def run(self) -> Composite | None:
        """Go to the next position that a request wants to be told of, and give its event set."""
        found = self._next() if self.goal is None else None
        if found is None or (found.position == self.present and self.direction == "forward"):
            return self._at_end()
        self.go_to(found.position)
        for each in found.requests:
            if each.left:
                self.requests.clear(each.id)
            if each.kind is EventKind.FIELD_MODIFICATION:  # the field has its old value still
                self._show_before(found.position)
        made = tuple(self._event(each) for each in found.requests)
        policy = max(each.command.suspend_policy for each in found.requests)
        return Composite(SuspendPolicy(policy), made)

    def _show_before(self, told: Position) -> None:
        before = max(told.index - 1, self.reader.first(told.thread))
        self.go_to(Position(told.thread, before))
        self._told = told

    def _at_end(self) -> Composite | None:
        end = self.moves.end()
        if self.direction == "back":
            end = self.moves.first(self.position.thread)
        if self.goal is not None:
            end, self.goal = self.goal, None
        if end is not None:
            self.go_to(end)
        for each in self.requests.of_kind(EventKind.METHOD_ENTRY):
            if not each.command.modifiers:
                return Composite(each.command.suspend_policy, (self._event(each),))
        return None

    def _next(self) -> Found | None:
        """The nearest position of all threads that is told of. What is counted on the way there
        counts, what is behind it does not.
        """
        found = [self._stepped(each) for each in self.requests.of_kind(EventKind.SINGLE_STEP)]
        steps = sorted((each for each in found if each is not None), key=self._order)
        step = steps[0] if steps else None
        hit = self._counted(step)
        if step is None or hit is None:
            return hit or step
        if step.position == hit.position:
            return Found(step.position, (*step.requests, *hit.requests))
        return hit

    def _order(self, found: Found) -> int:
        """What comes first has the lower number: times, or the indexes of a single thread."""
        at = found.position
        key = at.index if len(self.threads) == 1 else self.past.time(at)
        return -key if self.direction == "back" else key

    def _counted(self, step: Found | None) -> Found | None:
        """The first hit, not behind a step, of a request that has counted to its end."""
        watching = [each for each in self.requests if each.sites]
        by_thread = (self._hits(each, watching) for each in self.threads if watching)
        for each in heapq.merge(*by_thread, key=self._order):
            if step is not None and self._is_behind(each, step):
                return None
            told = tuple(one for one in each.requests if one.left <= 1)
            for one in each.requests:
                if one.left > 1:
                    one.left -= 1
            if told:
                return Found(each.position, told)
        return None

    def _is_behind(self, hit: Found, step: Found) -> bool:
        if hit.position.thread != step.position.thread:
            return self._order(hit) > self._order(step)
        index = step.position.index
        is_back = self.direction == "back"
        return hit.position.index < index if is_back else hit.position.index > index

    def _stepped(self, request: Request) -> Found | None:
        step = next(request.modifiers(events.StepModifier), None)
        if step is None:
            return None
        at = self.position_of(self.thread_number(step.thread))
        move = self.moves.step_back if self.direction == "back" else self.moves.step
        depth = _DEPTHS[StepDepth(step.depth)]
        patterns = [each.pattern for each in request.modifiers(events.ClassExcludeModifier)]
        for _ in range(_MAX_SKIPPED):
            at = None if at is None else move(at, depth)
            if at is None:
                return None
            frames = self.past.stack(at)
            name = frames[0].method.owner.name if frames else None
            if name is not None and not any(fnmatchcase(name, each) for each in patterns):
                return Found(at, (request,))
        return None

    def _hits(self, thread: int, watching: list[Request]) -> Iterator[Found]:
        """The next positions of one thread that pass the filters of requests other than steps."""
        is_back = self.direction == "back"
        at = self.position_of(thread)
        if self._told is not None and self._told.thread == thread:
            at = self._told
        if at is None:
            if is_back:
                return
            at = Position(thread, self.reader.first(thread) - 1)
        sites = frozenset().union(*(each.sites for each in watching))
        for each in self.moves.all_of(at, sites, back=is_back):
            site, value = self.reader.record(*each)
            told = tuple(
                one
                for one in watching
                if site in one.sites and self.requests.passes(one, each, value)
            )
            if told:
                yield Found(each, told)

    # Events

    def _event(self, request: Request) -> Any:  # noqa: ANN401 - an event of any kind
        at = self.position if self._told is None else self._told
        thread = ThreadId(THREADS + at.thread)  # type: ignore[arg-type]
        site, value = self.reader.record(*at)
        location = self._here(site)
        made: Any
        match request.kind:
            case EventKind.SINGLE_STEP:
                made = events.SingleStepEvent(request.id, thread, location)
            case EventKind.BREAKPOINT:
                made = events.BreakpointEvent(request.id, thread, location)
            case EventKind.METHOD_EXIT:
                made = events.MethodExitEvent(request.id, thread, location)
            case EventKind.METHOD_EXIT_WITH_RETURN_VALUE:
                result = self.past.method_of(site).descriptor.rpartition(")")[2]
                found = self.objects.at_site(site, value, result)
                made = events.MethodExitWithReturnValueEvent(request.id, thread, location, found)
            case EventKind.EXCEPTION:
                thrown = self.objects.tagged(value)
                handler = self._handler(at, value, location)
                made = events.ExceptionEvent(request.id, thread, location, thrown, handler)
            case EventKind.FIELD_MODIFICATION:
                made = self._field_event(request, thread, location, at)
            case _:
                made = events.MethodEntryEvent(request.id, thread, location)
        return made

    def _handler(self, at: Position, exception: int, thrown: Location) -> Location:
        """The place where an exception is caught; none if no recorded code catches it."""
        found = self.requests.catch_of(at, exception)
        if found is None:
            return Location(thrown.tag, ReferenceTypeId(0), MethodId(0), 0)  # type: ignore[arg-type]
        site, _ = self.reader.record(*found)
        method = self.past.method_of(site)
        return self._location(method.owner.number, method.number, self.reader.sites[site].bci)

    def _here(self, site: int) -> Location:
        frames = self.past.stack(self.position)
        if frames:
            return self.location(frames[0])
        method = self.past.method_of(site)
        return self._location(method.owner.number, method.number, 0)

    def _field_event(
        self, request: Request, thread: ThreadId, location: Location, told: Position
    ) -> events.FieldModificationEvent:
        """The event of a write, while the position is before it."""
        site, value = self.reader.record(*told)
        only = next(request.modifiers(events.FieldOnlyModifier))
        owner, definition = self.types.field(only.field_id)
        here = replace(location, index=self.reader.sites[site].bci)
        return events.FieldModificationEvent(
            request.id,
            thread,
            here,
            owner.tag,
            ReferenceTypeId(owner.id),  # type: ignore[arg-type]
            only.field_id,
            self.objects.tagged(self.past.object_of(told)),
            self.objects.at_site(site, value, definition.signature),
        )
