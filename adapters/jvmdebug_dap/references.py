# SPDX-License-Identifier: Apache-2.0
"""The numbers by which the client refers to frames, variable containers, threads and sources.

A frame or a container belongs to a stop and is refused with a clear error after it; its number is
never used again. Threads and sources keep their numbers for the whole session.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Generic, TypeAlias, TypeVar

from jvmdebug_dap.errors import ErrorId, RequestError

if TYPE_CHECKING:
    from collections.abc import Hashable

    from jvmdebug import CallSite, FrameHandle, Scope, Stop, Variable


@dataclass(frozen=True, slots=True)
class ScopeContents:
    """The variables of a scope of a frame."""

    scope: Scope

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
    """Where a variable is declared; looked up on request."""

    variable: Variable


@dataclass(frozen=True, slots=True)
class DefinitionOf:
    """Where the code of a lambda, or a class, is defined."""

    variable: Variable


Place: TypeAlias = DeclarationOf | DefinitionOf
Container: TypeAlias = ScopeContents | ValueChildren | ElementRange | LazyValue


class StopReferences:
    """Frame ids and variable references of the current stops."""

    def __init__(self) -> None:
        self._numbers = count(1)
        self._frames: dict[int, FrameHandle] = {}
        self._containers: dict[int, tuple[Stop, Container]] = {}
        self._places: dict[int, tuple[Stop, Place]] = {}
        self._calls: dict[int, tuple[FrameHandle, CallSite]] = {}
        self._given_out = 0

    def add_frame(self, frame: FrameHandle) -> int:
        self._given_out = number = next(self._numbers)
        self._frames[number] = frame
        return number

    def add_container(self, stop: Stop, container: Container) -> int:
        self._given_out = number = next(self._numbers)
        self._containers[number] = (stop, container)
        return number

    def add_place(self, place: Place) -> int:
        self._given_out = number = next(self._numbers)
        self._places[number] = (place.variable.stop, place)
        return number

    def place(self, number: int) -> Place:
        """Raises RequestError if the number is not a location reference of a current stop."""
        found = self._places.get(number)
        if found is None or not found[0].is_current:
            raise self._refusal("location reference", number)
        return found[1]

    def add_call(self, frame: FrameHandle, call: CallSite) -> int:
        """Register a call that a step-in may enter."""
        self._given_out = number = next(self._numbers)
        self._calls[number] = (frame, call)
        return number

    def call(self, number: int) -> tuple[FrameHandle, CallSite]:
        """Raises RequestError if the number is not a call of a current stop."""
        found = self._calls.get(number)
        if found is None or not found[0].stop.is_current:
            raise self._refusal("step-in target", number)
        return found

    def frame(self, number: int) -> FrameHandle:
        """Raises RequestError if the number is not a frame of a current stop."""
        frame = self._frames.get(number)
        if frame is None or not frame.stop.is_current:
            raise self._refusal("frame id", number)
        return frame

    def container(self, number: int) -> Container:
        """Raises RequestError if the number is not a variables reference of a current stop."""
        found = self._containers.get(number)
        if found is None or not found[0].is_current:
            raise self._refusal("variables reference", number)
        return found[1]

    def drop_stale(self) -> None:
        """Forget the references of stops that are over."""
        self._frames = {n: f for n, f in self._frames.items() if f.stop.is_current}
        self._containers = {n: c for n, c in self._containers.items() if c[0].is_current}
        self._places = {n: p for n, p in self._places.items() if p[0].is_current}
        self._calls = {n: c for n, c in self._calls.items() if c[0].stop.is_current}

    def _refusal(self, kind: str, number: int) -> RequestError:
        if 0 < number <= self._given_out:
            text = (
                f"{kind} {number} belongs to a stop that is over (or is something else): "
                f"ask for the stack again after the next `stopped` event"
            )
        else:
            text = f"{kind} {number} was never given out"
        return RequestError(ErrorId.STALE_REFERENCE, text)


ItemT = TypeVar("ItemT", bound="Hashable")


class Numbering(Generic[ItemT]):
    """Small stable numbers, from 1, for objects that live as long as the session."""

    def __init__(self) -> None:
        self._numbers: dict[ItemT, int] = {}
        self._items: dict[int, ItemT] = {}
        self._next = count(1)

    def number(self, item: ItemT) -> int:
        """The item's number; assigns one the first time."""
        if item not in self._numbers:
            number = next(self._next)
            self._numbers[item] = number
            self._items[number] = item
        return self._numbers[item]

    def item(self, number: int) -> ItemT | None:
        return self._items.get(number)

    def forget(self, item: ItemT) -> None:
        number = self._numbers.pop(item, None)
        if number is not None:
            del self._items[number]

    def clear(self) -> list[int]:
        """Forget all items and return their numbers, which are not used again."""
        numbers = list(self._items)
        self._numbers.clear()
        self._items.clear()
        return numbers
