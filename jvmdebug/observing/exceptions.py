# SPDX-License-Identifier: Apache-2.0
"""Tells which exceptions are thrown: each throw, with its message, stack and whether it is caught.

An exception breakpoint that stops nothing. Made by `session.exceptions`.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmdebug.display import layout
from jvmdebug.events import ExceptionOccurrence
from jvmdebug.model.values import StringReference
from jvmdebug.observing.hits import HitObservation
from jvmdebug.observing.observed import (
    ObservedEvent,
    ObservedValue,
    StackEntry,
    entry_of,
    now,
    observe,
    stack_of,
)
from jvmdebug.printable import one_line

if TYPE_CHECKING:
    from jvmdebug.breakpoints import ExceptionSpec
    from jvmdebug.events import LocatedOccurrence
    from jvmdebug.model.values import ObjectReference
    from jvmdebug.observing.observation import Limits, ObservedProgram


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ObservedException(ObservedEvent):
    """An exception is thrown; `str(event)` is one line."""

    exception: ObservedValue
    type_name: str
    """`java.lang.IllegalStateException`: its own class."""
    message: str | None
    """Its detail message; None if it has none."""
    caught_at: StackEntry | None
    """The code that will catch it; None if nothing known does."""
    stack: tuple[StackEntry, ...]
    """The topmost is the code that throws."""

    @property
    def at(self) -> StackEntry:
        """The code that throws."""
        return self.stack[0]

    @property
    def is_caught(self) -> bool:
        """Whether code is known that will catch it."""
        return self.caught_at is not None

    def __str__(self) -> str:
        what = self.type_name if self.message is None else f"{self.type_name}: {self.message}"
        end = f"caught at {self.caught_at}" if self.caught_at is not None else "not caught"
        return f"{what} at {self.at}, {end}, thread {self.thread}"


class Exceptions(HitObservation[ObservedException]):
    """The exceptions that a program throws."""

    def __init__(
        self,
        program: ObservedProgram,
        spec: ExceptionSpec,
        condition: str | None,
        *,
        frames: int,
        limits: Limits,
    ) -> None:
        super().__init__(
            program, str(spec), ObservedException, spec, condition, frames=frames, limits=limits
        )

    async def _read(self, occurrence: LocatedOccurrence) -> ObservedException | None:
        if not isinstance(occurrence, ExceptionOccurrence):
            return None
        when, thread, caught = now(), occurrence.thread, occurrence.catch_location
        style = self.observations.style(self._limits.value_length)
        shown, message, stack, name = await asyncio.gather(
            observe(occurrence.exception, style),
            _message(occurrence.exception),
            stack_of(thread, self._frames),
            self.observations.thread_name(thread),
        )
        return ObservedException(
            time=when,
            thread=name,
            thread_id=thread.id,
            exception=shown,
            type_name=shown.type_name,
            message=message,
            caught_at=None if caught is None else await entry_of(caught),
            stack=stack,
        )


async def _message(exception: ObjectReference) -> str | None:
    try:
        (found,) = await layout.read(exception, "detailMessage", of="java.lang.Throwable")
    except layout.UnknownLayoutError:
        return None
    return one_line(await found.as_text(), None) if isinstance(found, StringReference) else None
