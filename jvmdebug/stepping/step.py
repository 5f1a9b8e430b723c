# SPDX-License-Identifier: Apache-2.0
"""One step: armed, perhaps led on through code that is filtered out, then done or called off.

Owns its event request for as long as it lives. Resumes nothing: the stop that it starts from does.
Called by `stepper`.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING

from jvmdebug.events import StepOccurrence, Verdict
from jvmdebug.jdwp.generated.constants import EventKind, StepDepth, StepSize, SuspendPolicy
from jvmdebug.jdwp.generated.events import ClassExcludeModifier, Modifier, StepModifier

if TYPE_CHECKING:
    from jvmdebug.events import Occurrence, RequestHandle, Router
    from jvmdebug.model.frame import Frame
    from jvmdebug.model.location import Location
    from jvmdebug.model.thread import Thread
    from jvmdebug.stepping.filters import StepFilters


class StepState(Enum):
    """Where a step is in its life."""

    NEW = auto()
    ARMED = auto()
    DONE = auto()
    CALLED_OFF = auto()


class Step:
    """One step of one thread."""

    def __init__(
        self,
        router: Router,
        thread: Thread,
        *,
        depth: StepDepth,
        size: StepSize,
        filters: StepFilters,
        policy: SuspendPolicy,
    ) -> None:
        self.thread = thread
        self.state = StepState.NEW
        self._router = router
        self._depth = depth
        self._size = size
        self._filters = filters
        self._policy = policy
        self._request: RequestHandle | None = None

    @property
    def suspends_all(self) -> bool:
        """Whether all threads stand still at its end."""
        return self._policy is SuspendPolicy.ALL

    async def arm(self, start: Frame | None) -> None:
        """Make the request; `start` is the frame that the step leaves."""
        patterns = self._filters.class_patterns()
        if start is not None and self._filters.skips_class(start.location.type.name):
            # Who stopped inside of a filtered class wants to step there.
            patterns = ()
        modifiers: list[Modifier] = [StepModifier(self.thread.id, self._size, self._depth)]
        modifiers += [ClassExcludeModifier(pattern) for pattern in patterns]
        self._request = await self._router.arm(
            EventKind.SINGLE_STEP, tuple(modifiers), self._policy, self._on_step
        )
        self.state = StepState.ARMED

    async def call_off(self) -> None:
        """Take the request out of the VM, whatever has become of the step."""
        request, self._request = self._request, None
        if self.state is StepState.ARMED:
            self.state = StepState.CALLED_OFF
        if request is not None:
            await request.clear()

    async def _on_step(self, occurrence: Occurrence) -> Verdict:
        if not isinstance(occurrence, StepOccurrence) or self.state is not StepState.ARMED:
            return Verdict.RESUME
        if self._goes_on_from(occurrence.location):
            return Verdict.RESUME
        self.state = StepState.DONE
        return Verdict.STOP

    def _goes_on_from(self, location: Location) -> bool:
        """Whether the filters do not let the step end here; the request then steps further."""
        if self._depth is not StepDepth.INTO:
            return False
        method = location.method
        if self._filters.skip_static_initializers and method.is_static_initializer:
            return True
        if self._filters.skip_constructors and method.is_constructor:
            return True
        return (
            self._filters.skip_synthetic
            and method.is_synthetic
            and not method.name.startswith("lambda$")
        )
