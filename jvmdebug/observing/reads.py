# SPDX-License-Identifier: Apache-2.0
"""Tells who reads a field: each read, with the value and the stack.

A field watch that stops nothing. Made by `session.who_reads`.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmdebug.breakpoints import FieldChange
from jvmdebug.events import FieldAccessOccurrence
from jvmdebug.observing.hits import HitObservation
from jvmdebug.observing.observed import (
    ObservedEvent,
    ObservedValue,
    StackEntry,
    now,
    observe,
    stack_of,
)
from jvmdebug.printable import one_line

if TYPE_CHECKING:
    from jvmdebug.breakpoints import FieldSpec
    from jvmdebug.events import LocatedOccurrence
    from jvmdebug.observing.observation import Limits, ObservedProgram


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class FieldRead(ObservedEvent):
    """A field is read; `str(read)` is one line."""

    field: str
    """`shop.Customer.name`"""
    value: ObservedValue
    instance: ObservedValue | None
    """The object that has the field; None for a static field."""
    stack: tuple[StackEntry, ...]
    """The topmost is the code that reads."""

    @property
    def at(self) -> StackEntry:
        """The code that reads."""
        return self.stack[0]

    def __str__(self) -> str:
        return f"{self.field}: {self.value} at {self.at}, thread {self.thread}"


class FieldReads(HitObservation[FieldRead]):
    """The reads of a field."""

    def __init__(
        self,
        program: ObservedProgram,
        spec: FieldSpec,
        condition: str | None,
        *,
        frames: int,
        limits: Limits,
    ) -> None:
        what = f"{spec.type_name}.{spec.field_name}"
        super().__init__(program, what, FieldRead, spec, condition, frames=frames, limits=limits)

    async def _read(self, occurrence: LocatedOccurrence) -> FieldRead | None:
        if not isinstance(occurrence, FieldAccessOccurrence):
            return None
        when, thread = now(), occurrence.thread
        change, stack, name = await asyncio.gather(
            FieldChange.read(occurrence),
            stack_of(thread, self._frames),
            self.observations.thread_name(thread),
        )
        style = self.observations.style(self._limits.value_length)
        field = occurrence.field
        return FieldRead(
            time=when,
            thread=name,
            thread_id=thread.id,
            field=one_line(f"{field.declaring_type.name}.{field.name}"),
            value=await observe(change.old, style),
            instance=None if change.instance is None else await observe(change.instance, style),
            stack=stack,
        )
