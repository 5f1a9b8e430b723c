# SPDX-License-Identifier: Apache-2.0
"""The steps of a session: at most one for each thread, cancelled by any other stop.

Owns the steps that are under way. Called by the session when a stop is left by stepping, and at
each new stop.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from jvmdebug.jdwp.generated.constants import StepDepth, StepSize, SuspendPolicy
from jvmdebug.model.agent import AgentCapability
from jvmdebug.stepping.approximate_step import ApproximateStep
from jvmdebug.stepping.filters import NO_FILTERS
from jvmdebug.stepping.step import Step
from jvmdebug.stepping.targeted_step import TargetedStep

if TYPE_CHECKING:
    from jvmdebug.events import Router
    from jvmdebug.model.frame import Frame
    from jvmdebug.model.thread import Thread
    from jvmdebug.stepping.call_sites import CallSite
    from jvmdebug.stepping.filters import StepFilters
    from jvmdebug.stepping.libraries import LibraryFilter

AnyStep: TypeAlias = "Step | TargetedStep | ApproximateStep"

Granularity: TypeAlias = Literal["line", "instruction"]
"""How far one step goes."""

_SIZES: dict[Granularity, StepSize] = {"line": StepSize.LINE, "instruction": StepSize.MIN}


class Stepper:
    """All steps of a session."""

    def __init__(self, router: Router) -> None:
        self._router = router
        self._steps: dict[Thread, AnyStep] = {}

    async def begin(
        self,
        thread: Thread,
        depth: StepDepth,
        granularity: Granularity,
        filters: StepFilters,
        libraries: LibraryFilter | None = None,
        *,
        suspends_all: bool,
        origin: Frame | None = None,
    ) -> None:
        """Arm a step of `thread`, which is suspended; it begins when the thread resumes.

        `libraries`: what `$Libraries` means, if that is among the filters. `origin`: the frame that
        the user steps from, if code of others is above it: the filters hold there too.
        """
        self.cancel(thread)
        if self._are_approximate and granularity == "line":
            await self._arm(
                ApproximateStep(
                    self._router, thread, depth=depth, filters=filters, suspends_all=suspends_all
                )
            )
            return
        policy = SuspendPolicy.ALL if suspends_all else SuspendPolicy.EVENT_THREAD
        step = Step(
            self._router,
            thread,
            depth=depth,
            size=_SIZES[granularity],
            filters=filters,
            libraries=libraries,
            policy=policy,
            origin=origin,
        )
        await self._arm(step)

    async def begin_into(self, thread: Thread, target: CallSite, *, suspends_all: bool) -> None:
        """Arm a step of `thread`, which is suspended, into one call that is ahead on its line."""
        self.cancel(thread)
        if self._are_approximate:
            await self._arm(
                ApproximateStep(
                    self._router,
                    thread,
                    depth=StepDepth.INTO,
                    filters=NO_FILTERS,
                    target=target,
                    suspends_all=suspends_all,
                )
            )
            return
        await self._arm(TargetedStep(self._router, thread, target, suspends_all=suspends_all))

    @property
    def _are_approximate(self) -> bool:
        """Whether the VM gives no steps, but the agent can put probes at lines."""
        vm = self._router.vm
        return not vm.agent_can(AgentCapability.STEPS) and vm.agent_can(AgentCapability.PROBES)

    async def _arm(self, step: AnyStep) -> None:
        self._steps[step.thread] = step
        frames = await step.thread.frames(0, 1)
        await step.arm(frames[0] if frames else None)

    def cancel(self, thread: Thread | None = None) -> None:
        """End the step of `thread`, or all steps: done or not, its request is cleared."""
        if thread is None:
            steps = list(self._steps.values())
            self._steps.clear()
        else:
            steps = [self._steps.pop(key) for key in self._keys(thread)]
        for step in steps:
            step.cancel()

    def _keys(self, thread: Thread) -> list[Thread]:
        """What the steps of a thread began in: a coroutine may have taken one to another thread."""
        return [key for key, step in self._steps.items() if thread in (key, step.thread)]
