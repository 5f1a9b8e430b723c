# SPDX-License-Identifier: Apache-2.0
"""The event requests of a replayed program: which sites each is about, what passes its filters."""

from __future__ import annotations

from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, TypeVar

from jvmdebug.errors import VmError
from jvmdebug.jdwp.generated import events
from jvmdebug.jdwp.generated.constants import ErrorCode, EventKind
from jvmdebug.recording.format import RecordKind
from jvmdebug.recording.replay.objects import THREADS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jvmdebug.jdwp.generated.event_request import Set
    from jvmdebug.recording.moves import Moves
    from jvmdebug.recording.replay.type_table import ReplayTypes
    from jvmdebug.recording.states import Past, Position

ModifierT = TypeVar("ModifierT")
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
_KINDS: Final = {
    EventKind.EXCEPTION: (RecordKind.THROWS, RecordKind.THROWN),
    EventKind.METHOD_ENTRY: (RecordKind.ENTER,),
    EventKind.METHOD_EXIT: (RecordKind.EXIT,),
    EventKind.METHOD_EXIT_WITH_RETURN_VALUE: (RecordKind.EXIT,),
}


@dataclass(slots=True)
class Request:
    """An event request."""

    id: int
    command: Set
    left: int = 0
    """The number of the event that is told, of those that pass from here on; 0: all are told."""
    sites: frozenset[int] = field(default_factory=frozenset)

    @property
    def kind(self) -> EventKind:
        """The kind of its events."""
        return self.command.event_kind

    def modifiers(self, kind: type[ModifierT]) -> Iterator[ModifierT]:
        """The modifiers of that class."""
        return (each for each in self.command.modifiers if isinstance(each, kind))


class Requests:
    """The requests of one replayed program, by number."""

    def __init__(self, past: Past, moves: Moves, types: ReplayTypes) -> None:
        self._past = past
        self._reader = past.reader
        self._moves = moves
        self._types = types
        self._requests: dict[int, Request] = {}
        self._last_id = 0

    def __iter__(self) -> Iterator[Request]:
        return iter(list(self._requests.values()))

    def of_kind(self, kind: EventKind) -> list[Request]:
        """The requests for events of a kind."""
        return [each for each in self if each.kind is kind]

    def add(self, command: Set) -> int:
        """Make an event request; its number."""
        if command.event_kind not in _SUPPORTED:
            raise VmError.of_code(ErrorCode.NOT_IMPLEMENTED, "an event of a recording")
        made = Request(self._last_id + 1, command)
        for count in made.modifiers(events.CountModifier):
            made.left = count.count
        made.sites = self._sites(made)
        self._last_id = made.id
        self._requests[made.id] = made
        return made.id

    def clear(self, request_id: int) -> None:
        """Clear a request; an unknown one is no error."""
        self._requests.pop(request_id, None)

    def clear_breakpoints(self) -> None:
        """Clear all requests of breakpoints."""
        for each in self.of_kind(EventKind.BREAKPOINT):
            self.clear(each.id)

    def _sites(self, made: Request) -> frozenset[int]:
        if made.kind is EventKind.BREAKPOINT:
            return self._at_locations(made)
        if made.kind is EventKind.FIELD_MODIFICATION:
            only = next(made.modifiers(events.FieldOnlyModifier), None)
            if only is None:
                return frozenset()
            owner, definition = self._types.field(only.field_id)
            return self._past.field_sites(owner.name, definition.name)
        if made.kind is EventKind.METHOD_ENTRY and not made.command.modifiers:
            return frozenset()  # that of the session, for the ends of the recording
        return self._of_kinds(*_KINDS.get(made.kind, ()))

    def _of_kinds(self, *kinds: RecordKind) -> frozenset[int]:
        return frozenset(
            number
            for info in self._past.classes
            for number, kind in enumerate(info.sites[::8], info.first_site)
            if kind in kinds
        )

    @cached_property
    def _caught(self) -> frozenset[int]:
        return self._of_kinds(RecordKind.CAUGHT)

    def _at_locations(self, made: Request) -> frozenset[int]:
        """The lines of locations. Two of them, which no thread is at, are a write of a local
        variable: the instruction, and what is behind it.
        """
        found: set[int] = set()
        locations = tuple(made.modifiers(events.LocationOnlyModifier))
        for each in locations[1:]:
            type_ = self._types.of(each.location.type_id)
            if type_.info is not None:
                number = type_.method(each.location.method_id).number
                found |= self._moves.writes_at(type_.info.number, number, each.location.index)
        if found or len(locations) > 1:
            return frozenset(found)
        for each in locations:
            type_ = self._types.of(each.location.type_id)
            if type_.info is None:
                raise VmError.of_code(ErrorCode.INVALID_LOCATION, "a breakpoint")
            number = type_.method(each.location.method_id).number
            found |= self._moves.sites_at(type_.info.number, number, each.location.index)
        return frozenset(found)

    # Filters

    def passes(self, request: Request, at: Position, value: int) -> bool:
        """Whether a record passes the filters; `value` is its bits. Nothing is counted here: the
        program may look at records that it does not come to.
        """
        if not all(
            self._lets_through(each, request.kind, at, value) for each in request.command.modifiers
        ):
            return False
        return request.kind is not EventKind.EXCEPTION or self._is_first_of(at, value)

    def _lets_through(self, modifier: Any, kind: EventKind, at: Position, value: int) -> bool:  # noqa: ANN401, PLR0911 - any modifier
        match modifier:
            case events.ThreadOnlyModifier(thread):
                return bool(thread == THREADS + at.thread)
            case events.ClassMatchModifier(pattern):
                return fnmatchcase(self._class_at(at), pattern)
            case events.ClassExcludeModifier(pattern):
                return not fnmatchcase(self._class_at(at), pattern)
            case events.ClassOnlyModifier(type_id):
                return self._types.of(type_id).name == self._class_at(at)
            case events.InstanceOnlyModifier(instance):
                return bool(self._instance(kind, at) == instance)
            case events.ExceptionOnlyModifier(exception_type, caught, uncaught):
                is_caught = caught == uncaught or self.catch_of(at, value) is not None
                return self._is_of(exception_type, value) and (caught if is_caught else uncaught)
            case _:
                return True

    def _class_at(self, at: Position) -> str:
        return self._past.method_of(self._reader.record(*at)[0]).owner.name

    def _instance(self, kind: EventKind, at: Position) -> int:
        if kind is EventKind.FIELD_MODIFICATION:
            return self._past.object_of(at)
        frames = self._past.stack(at)
        return self._past.this(frames[0]) if frames else 0

    def _is_of(self, wanted: int, exception: int) -> bool:
        if not wanted or not exception:
            return True
        definition = self._past.definition(exception)
        if definition is None:
            return False
        type_ = self._types.named(definition.class_name, definition.kind)
        return any(each.id == wanted for each in self._types.above(type_))

    def catch_of(self, at: Position, exception: int) -> Position | None:
        """The record of the handler that catches an exception; None if no recorded code does."""
        for each in self._moves.all_of(at, self._caught):
            if self._reader.record(*each)[1] == exception:
                return each
        return None

    def _is_first_of(self, at: Position, exception: int) -> bool:
        """Whether an exception comes up here: it passes through frames later."""
        for previous in range(at.index - 1, self._reader.first(at.thread) - 1, -1):
            site, value = self._reader.record(at.thread, previous)
            kind = self._reader.sites.kinds[site]
            if kind in (RecordKind.THROWS, RecordKind.THROWN):
                return value != exception
            if kind < RecordKind.CLOCK:
                return True
        return True
