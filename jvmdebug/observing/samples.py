# SPDX-License-Identifier: Apache-2.0
"""Samples of an expression: at intervals, or where a line or a method is reached.

At intervals nothing is suspended: fields are read while the program runs, and methods that only
read are computed from them. At a location the expression is evaluated in the frame, whatever it
calls. Made by `session.sample`.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jvmdebug import evaluator
from jvmdebug.breakpoints import BreakpointOptions
from jvmdebug.breakpoints.condition_check import is_about_a_variable
from jvmdebug.errors import (
    BreakpointError,
    ConnectionLost,
    EvaluationError,
    JvmDebugError,
)
from jvmdebug.notebook import table
from jvmdebug.observing.observation import Limits, Observation, require_possible
from jvmdebug.observing.observed import (
    ObservedEvent,
    ObservedValue,
    StackEntry,
    entry_of,
    now,
    observe,
)
from jvmdebug.printable import one_line
from jvmdebug.to_the_end import all_of

if TYPE_CHECKING:
    from jvmdebug.breakpoints import Breakpoint, BreakpointSpec
    from jvmdebug.events import LocatedOccurrence
    from jvmdebug.model.values import Value
    from jvmdebug.observing.observation import ObservedProgram

_DEADLINE_S: Final = 5.0
_CLASS_POLL_S: Final = 0.1
"""How often it is asked whether a class is loaded by now, if that is oftener than each interval."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Sample(ObservedEvent):
    """The value of an expression at one moment."""

    value: ObservedValue | None
    """None if it could not be evaluated."""
    error: str | None = None
    """Why it could not, on one line: `shop.Main is not loaded`."""
    at: StackEntry | None = None
    """The code that was reached; None for a sample at an interval."""

    @property
    def number(self) -> float | None:
        """The value as a number, for a chart; None if it is none."""
        value = None if self.value is None else self.value.value
        return float(value) if isinstance(value, int | float) else None

    def _repr_html_(self) -> str:
        rows = [("value", self.value or self.error), ("thread", self.thread), ("at", self.at)]
        return table("Sample", [(name, value) for name, value in rows if value])

    def __str__(self) -> str:
        shown = f"<{self.error}>" if self.value is None else str(self.value)
        return shown if self.at is None else f"{shown} at {self.at}, thread {self.thread}"


class Samples(Observation[Sample]):
    """The values of an expression."""

    def __init__(
        self,
        program: ObservedProgram,
        expression: str,
        at: BreakpointSpec | None,
        condition: str | None,
        *,
        every_s: float,
        limits: Limits,
    ) -> None:
        super().__init__(program, expression, Sample, limits)
        if every_s < 0 or (at is None and every_s == 0):
            raise BreakpointError(f"every is {every_s}: it must be greater than 0 seconds")
        self._text = expression
        self._in_frame = evaluator.compile_expression(
            expression
        )  # EvaluationError for what is none
        self._of_class = evaluator.ClassExpression(expression)
        self._spec = at
        self._condition = condition
        self._every_s = every_s
        self._breakpoint: Breakpoint | None = None
        self._next_at = 0.0
        self._not_loaded: str | None = None
        """Which class an expression at intervals waits for."""

    @property
    def message(self) -> str | None:
        return self._not_loaded if self._breakpoint is None else self._breakpoint.message

    async def _arm(self) -> None:
        if self._spec is None:
            due = time.monotonic()
            await self._sample()
            self.observations.spawn(self._sample_on(due), f"sampling {self._text}")
            return
        options = BreakpointOptions(condition=self._condition)
        breakpoints = self.observations.breakpoints
        self._breakpoint = await breakpoints.add_observed(self._spec, options, self)
        require_possible(self._breakpoint)

    async def _disarm(self) -> None:
        removed = [] if self._breakpoint is None else [self._breakpoint.remove()]
        await all_of(*removed, self._in_frame.release(), self._of_class.release())

    # At a location

    async def reached(self, _breakpoint: Breakpoint, occurrence: LocatedOccurrence) -> None:
        """The location was reached."""
        started = time.monotonic()
        if not self.is_open or started < self._next_at:
            return
        self._next_at = started + self._every_s
        when, thread = now(), occurrence.thread
        at = await entry_of(occurrence.location)
        name = await self.observations.thread_name(thread)
        value, error = None, None
        try:
            frame = await thread.frame(0)
            found = await self._in_frame.evaluate(frame, deadline_s=_DEADLINE_S)
            value = await self._observed(found)
        except ConnectionLost:
            raise
        except JvmDebugError as failure:
            error = one_line(str(failure))
        self._add(
            Sample(time=when, thread=name, thread_id=thread.id, value=value, error=error, at=at)
        )

    def changed(self, breakpoint_: Breakpoint) -> None:
        """A class was loaded that has no such line or method."""
        try:
            require_possible(breakpoint_)
        except BreakpointError as error:
            self._fail(error)

    # At intervals

    async def _sample_on(self, due: float) -> None:
        while self.is_open:
            waits_for_class = self._not_loaded is not None
            every_s = min(self._every_s, _CLASS_POLL_S) if waits_for_class else self._every_s
            due = max(due + every_s, time.monotonic())
            await asyncio.sleep(due - time.monotonic())
            try:
                await self._sample()
            except ConnectionLost:
                return
            except EvaluationError as failure:
                self._fail(failure)

    async def _sample(self) -> None:
        """One sample, if the class is loaded. EvaluationError for what never has a value."""
        if not self.is_open:
            return
        when, value, error = now(), None, None
        try:
            read = await self._of_class.evaluate(self.observations.vm)
            value = await self._observed(read)
        except evaluator.ReadOnlyError as failure:
            raise _only_reading(failure) from failure
        except evaluator.NotLoadedError as failure:
            self._not_loaded = one_line(str(failure))
            return
        except ConnectionLost:
            raise
        except JvmDebugError as failure:
            if isinstance(failure, EvaluationError) and is_about_a_variable(self._text, failure):
                raise
            error = one_line(str(failure))
        self._not_loaded = None
        self._add(Sample(time=when, thread="", thread_id=0, value=value, error=error))

    async def _observed(self, value: Value) -> ObservedValue:
        return await observe(value, self.observations.style(self._limits.value_length))

    def _add(self, sample: Sample) -> None:
        self._put(sample)
        if self._limits.events is not None and self.count >= self._limits.events:
            self._end()


def _only_reading(error: evaluator.ReadOnlyError) -> EvaluationError:
    return EvaluationError(
        f"{error}: at intervals nothing is run; to run methods, sample where a thread comes by, "
        "at='shop.Cart:42'"
    )
