# SPDX-License-Identifier: Apache-2.0
"""The replayed program: where it is, what a debugger has asked to be told of, and what comes next.

The position is a record of one thread; the other threads are where they were then. A resume looks
for the next record, in the direction that was chosen, that a request wants to be told of, goes
there, and gives its event. At either end it gives the event of the request of method entries
without a filter, which the session makes for that.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, Final, Literal

from jvmdebug.errors import VmError
from jvmdebug.jdwp.generated import events
from jvmdebug.jdwp.generated.constants import ErrorCode, EventKind, StepDepth, SuspendPolicy
from jvmdebug.jdwp.generated.event import Composite
from jvmdebug.jdwp.ids import Location, MethodId, ReferenceTypeId, ThreadId
from jvmdebug.recording.format import RecordKind
from jvmdebug.recording.moves import Moves
from jvmdebug.recording.replay.objects import THREADS, ReplayObjects
from jvmdebug.recording.replay.types import ReplayTypes
from jvmdebug.recording.states import Past, Position

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from jvmdebug.jdwp.generated.event_request import Set
    from jvmdebug.recording.moves import Depth
    from jvmdebug.recording.reader import RecordingReader
    from jvmdebug.recording.states import FrameAt

Direction = Literal["forward", "back"]
_DEPTHS: Final[dict[StepDepth, Depth]] = {
    StepDepth.INTO: "into",
    StepDepth.OVER: "over",
    StepDepth.OUT: "out",
}
_SUPPORTED: Final = frozenset(
    (
        *(EventKind.BREAKPOINT, EventKind.SINGLE_STEP, EventKind.FIELD_MODIFICATION),
        *(EventKind.EXCEPTION, EventKind.METHOD_ENTRY, EventKind.METHOD_EXIT),
        *(EventKind.METHOD_EXIT_WITH_RETURN_VALUE, EventKind.CLASS_PREPARE),
        *(EventKind.CLASS_UNLOAD, EventKind.THREAD_START, EventKind.THREAD_DEATH),
        *(EventKind.VM_DEATH, EventKind.VM_START),
    )
)
"""Those that a debugger may request, some of which never come."""
_MAX_SKIPPED: Final = 100_000
"""Steps through classes that are left out, until a step ends anyway."""


@dataclass(slots=True)
class Request:
    """An event request."""

    id: int
    command: Set
    left: int
    """How many events are passed over before the one that is told; 0: all are told."""
    begun: Position | None = None
    """Where a step began; None: it has not."""
    sites: frozenset[int] = field(default_factory=frozenset)

    def modifiers(self, kind: type[Any]) -> Iterable[Any]:
        """Its modifiers of that class."""
        return (each for each in self.command.modifiers if isinstance(each, kind))


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
        self.position = self.moves.end() or Position(0, 0)
        self._others: dict[int, Position] | None = None
        self.objects = ReplayObjects(self.past, self.types, lambda: self.position)
        self.names = {each.number: each.name for each in reader.index.threads}
        self.virtual = {each.number for each in reader.index.threads if each.is_virtual}
        self._requests: dict[int, Request] = {}
        self._last_id = 0

    # Threads

    @property
    def threads(self) -> list[int]:
        """The threads that have records."""
        return self.reader.threads

    def go_to(self, position: Position) -> None:
        """Look at another position."""
        self.position = position
        self._others = None

    def position_of(self, thread: int) -> Position | None:
        """Where a thread is; None: before its first record."""
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

    def thread_number(self, thread_id: int) -> int:
        """The number of a thread in the recording."""
        number = thread_id - THREADS
        if number not in self.names and number not in self.reader.threads:
            raise VmError.of_code(ErrorCode.INVALID_THREAD, "a thread")
        return number

    def location(self, frame: FrameAt) -> Location:
        """Where a frame is, as the wire has it."""
        return self._location(frame.method.owner.number, frame.method.number, frame.bci)

    def _location(self, owner: int, method: int, bci: int) -> Location:
        type_ = self.types.of_class(owner)
        return Location(type_.tag, ReferenceTypeId(type_.id), MethodId(method + 1), bci)  # type: ignore[arg-type]

    # Requests

    def request(self, command: Set) -> int:
        """Make an event request; its number."""
        if command.event_kind not in _SUPPORTED:
            raise VmError.of_code(ErrorCode.NOT_IMPLEMENTED, "an event of a recording")
        self._last_id += 1
        made = Request(self._last_id, command, 0)
        for count in made.modifiers(events.CountModifier):
            made.left = count.count
        made.sites = self._sites(command, made)
        self._requests[made.id] = made
        return made.id

    def clear(self, request_id: int) -> None:
        """Clear a request; an unknown one is no error."""
        self._requests.pop(request_id, None)

    def clear_breakpoints(self) -> None:
        """Clear all requests of breakpoints."""
        kind = EventKind.BREAKPOINT
        self._requests = {
            number: each
            for number, each in self._requests.items()
            if each.command.event_kind is not kind
        }

    def _sites(self, command: Set, made: Request) -> frozenset[int]:
        match command.event_kind:
            case EventKind.BREAKPOINT:
                found: set[int] = set()
                for each in made.modifiers(events.LocationOnlyModifier):
                    type_ = self.types.of(each.location.type_id)
                    if type_.info is None:
                        raise VmError.of_code(ErrorCode.INVALID_LOCATION, "a breakpoint")
                    number = type_.method(each.location.method_id).number
                    found |= self.moves.sites_at(type_.info.number, number, each.location.index)
                return frozenset(found)
            case EventKind.FIELD_MODIFICATION:
                for each in made.modifiers(events.FieldOnlyModifier):
                    owner, definition = self.types.field(each.field_id)
                    return self.past.field_sites(owner.name, definition.name)
                return frozenset()
            case EventKind.EXCEPTION:
                return self._of_kinds(RecordKind.THROWS, RecordKind.THROWN)
            case EventKind.METHOD_ENTRY if command.modifiers:
                return self._of_kinds(RecordKind.ENTER)
            case EventKind.METHOD_EXIT | EventKind.METHOD_EXIT_WITH_RETURN_VALUE:
                return self._of_kinds(RecordKind.EXIT)
            case _:
                return frozenset()

    def _of_kinds(self, *kinds: RecordKind) -> frozenset[int]:
        return frozenset(
            number
            for info in self.past.classes
            for number, kind in enumerate(info.sites[::8], info.first_site)
            if kind in kinds
        )

    # Running

    def run(self) -> Composite | None:
        """Go to the next position that a request wants to be told of, and give its event set."""
        found = self._next()
        if found is None:
            return self._at_end()
        self.go_to(found.position)
        for each in found.requests:
            if each.left:
                self.clear(each.id)
        made = tuple(self._event(each) for each in found.requests)
        policy = max(each.command.suspend_policy for each in found.requests)
        return Composite(SuspendPolicy(policy), made)

    def _at_end(self) -> Composite | None:
        is_back = self.direction == "back"
        thread = self.position.thread
        end = self.moves.first(thread) if is_back else self.moves.end()
        if end is not None:
            self.go_to(end)
        for each in self._requests.values():
            if each.command.event_kind is EventKind.METHOD_ENTRY and not each.command.modifiers:
                return Composite(each.command.suspend_policy, (self._event(each),))
        return None

    def _next(self) -> Found | None:
        """The nearest position of all threads that is told of."""
        steps = [self._stepped(each) for each in self._of_kind(EventKind.SINGLE_STEP)]
        found = [each for each in steps if each is not None]
        watching = [each for each in self._requests.values() if each.sites]
        if watching:
            found += (
                each
                for each in map(self._hit, self.threads, [watching] * len(self.threads))
                if each
            )
        if not found:
            return None
        is_back = self.direction == "back"
        by_thread: dict[int, list[Found]] = {}
        for each in found:
            by_thread.setdefault(each.position.thread, []).append(each)
        nearest = []
        for all_of_one in by_thread.values():
            indexes = [each.position.index for each in all_of_one]
            index = max(indexes) if is_back else min(indexes)
            here = [each for each in all_of_one if each.position.index == index]
            requests = tuple(one for each in here for one in each.requests)
            nearest.append(Found(here[0].position, requests))
        if len(nearest) == 1:
            return nearest[0]
        choose = max if is_back else min
        return choose(nearest, key=lambda each: self.past.time(each.position))

    def _of_kind(self, kind: EventKind) -> list[Request]:
        return [each for each in self._requests.values() if each.command.event_kind is kind]

    def _stepped(self, request: Request) -> Found | None:
        step = next(iter(request.modifiers(events.StepModifier)), None)
        if step is None:
            return None
        at = self.position_of(self.thread_number(step.thread))
        depth = _DEPTHS[StepDepth(step.depth)]
        patterns = [each.pattern for each in request.modifiers(events.ClassExcludeModifier)]
        for _ in range(_MAX_SKIPPED):
            if at is None:
                return None
            at = (self.moves.step_back if self.direction == "back" else self.moves.step)(at, depth)
            if at is None:
                return None
            frames = self.past.stack(at)
            if frames and not any(
                fnmatchcase(frames[0].method.owner.name, each) for each in patterns
            ):
                return Found(at, (request,))
        return None

    def _hit(self, thread: int, watching: list[Request]) -> Found | None:
        """The next position of one thread that a request other than a step is told of."""
        is_back = self.direction == "back"
        at = self.position_of(thread)
        if at is None:
            if is_back:
                return None
            at = Position(thread, self.reader.first(thread) - 1)
        sites = frozenset().union(*(each.sites for each in watching))
        for each in self.moves.all_of(at, sites, back=is_back):
            site, value = self.reader.record(*each)
            told = [one for one in watching if site in one.sites and self._passes(one, each, value)]
            if told:
                return Found(each, tuple(told))
        return None

    def _passes(self, request: Request, at: Position, value: int) -> bool:
        kind = request.command.event_kind
        for each in request.command.modifiers:
            match each:
                case events.ThreadOnlyModifier(thread):
                    passes = self.thread_number(thread) == at.thread
                case events.ClassMatchModifier(pattern):
                    passes = fnmatchcase(self._class_at(at), pattern)
                case events.ClassExcludeModifier(pattern):
                    passes = not fnmatchcase(self._class_at(at), pattern)
                case events.ClassOnlyModifier(type_id):
                    passes = self.types.of(type_id).name == self._class_at(at)
                case events.InstanceOnlyModifier(instance):
                    passes = self._instance(kind, at) == instance
                case events.ExceptionOnlyModifier():
                    passes = self._is_of(each, value)
                case _:
                    passes = True
            if not passes:
                return False
        if kind is EventKind.EXCEPTION and not self._is_first_of(at, value):
            return False
        if request.left > 1:
            request.left -= 1
            return False
        return True

    def _class_at(self, at: Position) -> str:
        return self.past.method_of(self.reader.record(*at)[0]).owner.name

    def _instance(self, kind: EventKind, at: Position) -> int:
        if kind is EventKind.FIELD_MODIFICATION:
            return self._object_of(at)
        frames = self.past.stack(at)
        return self.past.this(frames[0]) if frames else 0

    def _object_of(self, at: Position) -> int:
        """The object whose field a record sets; 0 of a static one."""
        if at.index <= self.reader.first(at.thread):
            return 0
        site, value = self.reader.record(at.thread, at.index - 1)
        return value if self.reader.sites.kinds[site] == RecordKind.OBJECT else 0

    def _is_of(self, only: events.ExceptionOnlyModifier, exception: int) -> bool:
        wanted = only.exception_type
        if not wanted or not exception:
            return True
        definition = self.past.definition(exception)
        if definition is None:
            return False
        type_ = self.types.named(definition.class_name, definition.kind)
        return any(each.id == wanted for each in self.types.above(type_))

    def _is_first_of(self, at: Position, exception: int) -> bool:
        """Whether an exception comes up here: it passes through frames later."""
        previous = at.index - 1
        while previous >= self.reader.first(at.thread):
            site, value = self.reader.record(at.thread, previous)
            kind = self.reader.sites.kinds[site]
            if kind in (RecordKind.THROWS, RecordKind.THROWN):
                return value != exception
            if kind < RecordKind.CLOCK:
                return True
            previous -= 1
        return True

    # Events

    def _event(self, request: Request) -> Any:
        at = self.position
        thread = ThreadId(THREADS + at.thread)  # type: ignore[arg-type]
        site, value = self.reader.record(*at)
        frames = self.past.stack(at)
        if frames:
            location = self.location(frames[0])
        else:
            method = self.past.method_of(site)
            location = self._location(method.owner.number, method.number, 0)
        match request.command.event_kind:
            case EventKind.SINGLE_STEP:
                return events.SingleStepEvent(request.id, thread, location)
            case EventKind.BREAKPOINT:
                return events.BreakpointEvent(request.id, thread, location)
            case EventKind.METHOD_EXIT:
                return events.MethodExitEvent(request.id, thread, location)
            case EventKind.METHOD_EXIT_WITH_RETURN_VALUE:
                result = self.past.method_of(site).descriptor.rpartition(")")[2]
                returned = self.objects.value(value, result)
                return events.MethodExitWithReturnValueEvent(request.id, thread, location, returned)
            case EventKind.EXCEPTION:
                nowhere = Location(location.tag, ReferenceTypeId(0), MethodId(0), 0)  # type: ignore[arg-type]
                return events.ExceptionEvent(
                    request.id, thread, location, self.objects.tagged(value), nowhere
                )
            case EventKind.FIELD_MODIFICATION:
                return self._field_event(request, thread, location, value)
            case _:
                return events.MethodEntryEvent(request.id, thread, location)

    def _field_event(
        self, request: Request, thread: ThreadId, location: Location, value: int
    ) -> events.FieldModificationEvent:
        """The event of a write, at the record before it: the field has its old value."""
        at = self.position
        object_ = self._object_of(at)
        only = next(iter(request.modifiers(events.FieldOnlyModifier)))
        owner, definition = self.types.field(only.field_id)
        bci = self.reader.sites[self.reader.record(*at)[0]].bci
        here = Location(location.tag, location.type_id, location.method_id, bci)
        return events.FieldModificationEvent(
            request.id,
            thread,
            here,
            owner.tag,
            ReferenceTypeId(owner.id),  # type: ignore[arg-type]
            only.field_id,
            self.objects.tagged(object_),
            self.objects.value(value, definition.signature),
        )

    def look_before_write(self, make: Callable[[], Any]) -> Any:
        """What `make` gives while the position is the record before."""
        at = self.position
        self.position = Position(at.thread, max(at.index - 1, self.reader.first(at.thread)))
        try:
            return make()
        finally:
            self.position = at
