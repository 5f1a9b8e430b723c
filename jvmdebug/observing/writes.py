# SPDX-License-Identifier: Apache-2.0
"""Tells who sets a field: each write, with the value before and after and the stack.

A field watch that stops nothing. Made by `session.who_sets`.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmdebug.breakpoints import FieldChange
from jvmdebug.events import FieldModificationOccurrence
from jvmdebug.notebook import table
from jvmdebug.observing.hits import HitObservation
from jvmdebug.observing.observed import (
    ObservedEvent,
    ObservedValue,
    StackEntry,
    now,
    observe,
    observe_all,
    stack_of,
)
from jvmdebug.printable import one_line

if TYPE_CHECKING:
    from jvmdebug.breakpoints import FieldSpec
    from jvmdebug.events import LocatedOccurrence
    from jvmdebug.observing.observation import Limits, ObservedProgram


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class FieldWrite(ObservedEvent):
    """A field is given a value; `str(write)` is one line."""

    field: str
    """`shop.Customer.name`"""
    old: ObservedValue
    new: ObservedValue
    instance: ObservedValue | None
    """The object that has the field; None for a static field."""
    stack: tuple[StackEntry, ...]
    """The topmost is the code that writes."""

    @property
    def at(self) -> StackEntry:
        """The code that writes."""
        return self.stack[0]

    def _repr_html_(self) -> str:
        rows: list[tuple[object, object]] = [("before", self.old), ("after", self.new)]
        rows += [("of", self.instance), ("thread", self.thread)]
        return table(self.field, [*rows, *(("at", each) for each in self.stack)])

    def __str__(self) -> str:
        return f"{self.field}: {self.old} -> {self.new} at {self.at}, thread {self.thread}"


def condition_of(to: str | None, condition: str | None) -> str | None:
    """The condition of the watch: of the new value `to`, and that of the user."""
    if to is None:
        return condition
    text = to.strip()
    wanted = f"({text}).equals($new)" if text.startswith('"') else f"$new == ({text})"
    return wanted if condition is None else f"({wanted}) && ({condition})"


class FieldWrites(HitObservation[FieldWrite]):
    """The writes to a field."""

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
        super().__init__(program, what, FieldWrite, spec, condition, frames=frames, limits=limits)

    async def _read(self, occurrence: LocatedOccurrence) -> FieldWrite | None:
        if not isinstance(occurrence, FieldModificationOccurrence):
            return None
        when, thread = now(), occurrence.thread
        change, stack, name = await asyncio.gather(
            FieldChange.read(occurrence),
            stack_of(thread, self._frames),
            self.observations.thread_name(thread),
        )
        style = self.observations.style(self._limits.value_length)
        old, new = await observe_all([change.old, change.new], style)
        instance = None if change.instance is None else await observe(change.instance, style)
        field = occurrence.field
        return FieldWrite(
            time=when,
            thread=name,
            thread_id=thread.id,
            field=one_line(f"{field.declaring_type.name}.{field.name}"),
            old=old,
            new=new,
            instance=instance,
            stack=stack,
        )
