# SPDX-License-Identifier: Apache-2.0
"""Tells what one thread executes: each line, or each instruction, while it runs on.

Each step holds the thread for a moment, so it is for short ways. Made by `session.steps_of`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from jvmdebug.events import RESUME, StepOccurrence
from jvmdebug.jdwp.generated.constants import EventKind, StepDepth, StepSize, SuspendPolicy
from jvmdebug.jdwp.generated.events import ClassExcludeModifier, StepModifier
from jvmdebug.observing.observation import Observation
from jvmdebug.observing.observed import ObservedEvent, StackEntry, entry_of, now

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmdebug.events import Occurrence, RequestHandle, Verdict
    from jvmdebug.jdwp.generated.events import Modifier
    from jvmdebug.model.thread import Thread
    from jvmdebug.observing.observation import Limits, ObservedProgram

StepUnit: TypeAlias = Literal["line", "instruction"]


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ObservedStep(ObservedEvent):
    """A thread has come to a line or an instruction; `str(step)` is one line."""

    at: StackEntry
    index: int
    """The index of the instruction in the bytecode of its method."""

    def __str__(self) -> str:
        return f"{self.at} [{self.index}], thread {self.thread}"


class SingleSteps(Observation[ObservedStep]):
    """The steps of one thread."""

    def __init__(
        self,
        program: ObservedProgram,
        thread: Thread,
        *,
        unit: StepUnit,
        excluded: Sequence[str],
        limits: Limits,
    ) -> None:
        super().__init__(program, f"the {unit}s of a thread", ObservedStep, limits)
        self._thread = thread
        self._size = StepSize.LINE if unit == "line" else StepSize.MIN
        self._excluded = tuple(excluded)
        self._request: RequestHandle | None = None

    async def _arm(self) -> None:
        modifiers: tuple[Modifier, ...] = (
            StepModifier(self._thread.id, self._size, StepDepth.INTO),
            *map(ClassExcludeModifier, self._excluded),
        )
        router = self.observations.router
        self._request = await router.arm(
            EventKind.SINGLE_STEP, modifiers, SuspendPolicy.EVENT_THREAD, self._on_step
        )

    async def _disarm(self) -> None:
        if self._request is not None:
            await self._request.clear()

    async def _on_step(self, occurrence: Occurrence) -> Verdict:
        if not isinstance(occurrence, StepOccurrence) or not self.is_open:
            return RESUME
        thread = occurrence.thread
        self._put(
            ObservedStep(
                time=now(),
                thread=await self.observations.thread_name(thread),
                thread_id=thread.id,
                at=await entry_of(occurrence.location),
                index=occurrence.location.index,
            )
        )
        if self._limits.events is not None and self.count >= self._limits.events:
            self._end()
        return RESUME
