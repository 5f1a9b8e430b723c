# SPDX-License-Identifier: Apache-2.0
"""The numbers by which the client refers to frames, variable containers, threads and sources.

A frame or a container belongs to a stop and is refused with a clear error after it; its number is
never used again. Of each kind, as many are kept as a user can look at: a client that reads a large
collection page by page may get millions. Threads and sources keep their numbers for the whole
session.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Final, Generic, TypeAlias, TypeVar

from jvmdebug_dap.errors import ErrorId, RequestError

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator
    from collections.abc import Set as AbstractSet

    from jvmdebug import CallSite, FrameHandle, Origin, Scope, Stop, Variable


@dataclass(frozen=True, slots=True)
class ScopeContents:
    """The variables of a scope of a frame."""

    scope: Scope
    before: tuple[Variable, ...] = ()
    """What is shown above them."""

    @property
    def frame(self) -> FrameHandle:
        """The frame that it belongs to."""
        return self.scope.frame


@dataclass(frozen=True, slots=True)
class ValueChildren:
    """The fields or elements of a value, and the other views of it."""

    variable: Variable


@dataclass(frozen=True, slots=True)
class ElementRange:
    """A range of very many elements, for a client without paging."""

    variable: Variable
    start: int
    count: int

    @property
    def frame(self) -> FrameHandle:
        """The frame that it belongs to."""
        return self.variable.frame


@dataclass(frozen=True, slots=True)
class LazyValue:
    """The result of a call that is made when the client requests the only child."""

    variable: Variable

    @property
    def frame(self) -> FrameHandle:
        """The frame that it belongs to."""
        return self.variable.frame


@dataclass(frozen=True, slots=True)
class DeclarationOf:
    """The place where a variable is declared; looked up on request."""

    variable: Variable


@dataclass(frozen=True, slots=True)
class DefinitionOf:
    """The place where the code of a lambda, or a class, is defined."""

    variable: Variable


@dataclass(frozen=True, slots=True)
class MissingSource:
    """The place of a frame that has neither source nor bytecode: a text that says why."""

    file_name: str | None
    """Of the source; None if the class file does not tell it."""
    class_name: str
    is_old_code: bool
    """The code was replaced by a hot swap while the frame ran it."""

    @property
    def name(self) -> str:
        """What the editor calls the text."""
        return self.file_name or self.class_name.rpartition(".")[2]

    @property
    def text(self) -> str:
        """What the editor shows in the place of the source."""
        if self.is_old_code:
            return (
                f"// This frame runs code of {self.class_name} that was replaced by a hot swap.\n"
                f"// {self.name} has the new code, and nobody has the lines of the old one.\n"
                "// Restart the frame to run the new code, or continue: the next call runs it.\n"
            )
        if self.file_name is None:
            return (
                f"// The class file of {self.class_name} does not say what its source is, and the"
                " VM does not give the bytecode.\n"
            )
        return (
            f"// {self.name}, the source of {self.class_name}, was not found, and the VM does not"
            " give the bytecode.\n"
            "// Add the folder or archive that has it to `sourcePaths`.\n"
        )


Place: TypeAlias = DeclarationOf | DefinitionOf
Container: TypeAlias = ScopeContents | ValueChildren | ElementRange | LazyValue


MAX_KEPT: Final = 50_000
"""How many references of a kind are kept, the last used ones: some 30 MB."""
T = TypeVar("T")


class _Numbered(Generic[T]):
    """What one kind of number refers to, with the stop that it belongs to."""

    def __init__(self, kind: str, numbers: Iterator[int]) -> None:
        self._kind = kind
        self._numbers = numbers
        self._kept: dict[int, tuple[Stop, T]] = {}
        self._newest = 0
        self._last_forgotten = 0

    def add(self, stop: Stop, item: T) -> int:
        self._newest = number = next(self._numbers)
        self._kept[number] = (stop, item)
        if len(self._kept) > MAX_KEPT:
            oldest = next(iter(self._kept))
            del self._kept[oldest]
            self._last_forgotten = max(self._last_forgotten, oldest)
        return number

    def get(self, number: int) -> T:
        """Raises RequestError if the number does not refer to anything in a current stop."""
        found = self._kept.pop(number, None)
        if found is None or not found[0].is_current:
            raise self._refusal(number, is_over=found is not None)
        self._kept[number] = found  # now the last used one
        return found[1]

    def has(self, number: int) -> bool:
        """Whether the number refers to something in a current stop."""
        found = self._kept.get(number)
        return found is not None and found[0].is_current

    def drop_stale(self) -> None:
        self._kept = {n: kept for n, kept in self._kept.items() if kept[0].is_current}
        if not self._kept:
            self._last_forgotten = 0

    def is_of_an_ended_stop(self, number: int) -> bool:
        """Whether the number was given out, in a stop that is over."""
        found = self._kept.get(number)
        if found is None:
            return 0 < number <= self._newest and number > self._last_forgotten
        return not found[0].is_current

    def _refusal(self, number: int, *, is_over: bool) -> RequestError:
        if not 0 < number <= self._newest:
            text = f"{self._kind} {number} was never given out"
        elif number <= self._last_forgotten and not is_over:
            text = (
                f"{self._kind} {number} is no longer kept: {MAX_KEPT:,} newer ones were given out"
                f" in this stop; ask again for what it was given out with"
            )
        else:
            text = (
                f"{self._kind} {number} belongs to a stop that is over (or is something else): "
                f"ask for the stack again after the next `stopped` event"
            )
        return RequestError(ErrorId.STALE_REFERENCE, text)


class StopReferences:
    """Frame ids and variable references of the current stops; a number refers to one thing."""

    def __init__(self) -> None:
        numbers = count(1)
        self._frames: _Numbered[FrameHandle] = _Numbered("frame id", numbers)
        self._containers: _Numbered[Container] = _Numbered("variables reference", numbers)
        self._places: _Numbered[Place] = _Numbered("location reference", numbers)
        self._calls: _Numbered[tuple[FrameHandle, CallSite]] = _Numbered("step-in target", numbers)
        self._origins: _Numbered[Origin] = _Numbered("frame id", numbers)
        self._lines: _Numbered[tuple[FrameHandle, int]] = _Numbered("goto target", numbers)

    def add_frame(self, frame: FrameHandle) -> int:
        return self._frames.add(frame.stop, frame)

    def add_container(self, stop: Stop, container: Container) -> int:
        return self._containers.add(stop, container)

    def add_place(self, place: Place) -> int:
        return self._places.add(place.variable.stop, place)

    def place(self, number: int) -> Place:
        """Raises RequestError if the number is not a location reference of a current stop."""
        return self._places.get(number)

    def add_call(self, frame: FrameHandle, call: CallSite) -> int:
        """Register a call that a step-in may enter."""
        return self._calls.add(frame.stop, (frame, call))

    def call(self, number: int) -> tuple[FrameHandle, CallSite]:
        """Raises RequestError if the number is not a call of a current stop."""
        return self._calls.get(number)

    def add_line(self, frame: FrameHandle, line: int) -> int:
        """Register a line that the thread of the frame may jump to."""
        return self._lines.add(frame.stop, (frame, line))

    def line(self, number: int) -> tuple[FrameHandle, int]:
        """Raises RequestError if the number is not a line of a current stop to jump to."""
        return self._lines.get(number)

    def add_origin(self, stop: Stop, origin: Origin) -> int:
        """Register a frame of a stack that submitted a task: it is over, and has no variables."""
        return self._origins.add(stop, origin)

    def is_origin(self, frame_id: int) -> bool:
        """Whether the frame is one of a stack that submitted a task."""
        return self._origins.has(frame_id)

    def frame(self, number: int) -> FrameHandle:
        """Raises RequestError if the number is not a frame of a current stop."""
        if self.is_origin(number):
            text = "this frame was there when the task was submitted, and is over: it has no values"
            raise RequestError(ErrorId.NOT_POSSIBLE, text)
        return self._frames.get(number)

    def is_of_an_ended_stop(self, frame_id: int) -> bool:
        """Whether the frame belongs to a stop that is over."""
        return self._frames.is_of_an_ended_stop(frame_id)

    def container(self, number: int) -> Container:
        """Raises RequestError if the number is not a variables reference of a current stop."""
        return self._containers.get(number)

    def drop_stale(self) -> None:
        """Forget the references of stops that are over."""
        others = (self._places, self._calls, self._origins, self._lines)
        for kept in (self._frames, self._containers, *others):
            kept.drop_stale()


ItemT = TypeVar("ItemT", bound="Hashable")


class Numbering(Generic[ItemT]):
    """Small stable numbers, from 1, for objects that live as long as the session."""

    def __init__(self) -> None:
        self._numbers: dict[ItemT, int] = {}
        self._items: dict[int, ItemT] = {}
        self._next = count(1)
        self._last = 0

    def number(self, item: ItemT) -> int:
        """The item's number; assigns one the first time."""
        if item not in self._numbers:
            self._last = number = next(self._next)
            self._numbers[item] = number
            self._items[number] = item
        return self._numbers[item]

    def item(self, number: int) -> ItemT | None:
        return self._items.get(number)

    def has_forgotten(self, number: int) -> bool:
        """Whether the number was assigned, and its item is forgotten."""
        return 0 < number <= self._last and number not in self._items

    def forget(self, item: ItemT) -> None:
        number = self._numbers.pop(item, None)
        if number is not None:
            del self._items[number]

    def forget_others(self, kept: AbstractSet[ItemT]) -> None:
        """Forget all items but these."""
        for item in [each for each in self._numbers if each not in kept]:
            self.forget(item)

    def __len__(self) -> int:
        return len(self._numbers)

    def clear(self) -> list[int]:
        """Forget all items and return their numbers, which are not used again."""
        numbers = list(self._items)
        self._numbers.clear()
        self._items.clear()
        return numbers
