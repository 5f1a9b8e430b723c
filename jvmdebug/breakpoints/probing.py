# SPDX-License-Identifier: Apache-2.0
"""Which locations of breakpoints are checked by the program itself, and which by the debugger.

A location with a condition, a hit condition or a log message gets a probe where that is possible;
what is not says why (`how`, `why_event`). The program writes the log messages into a ring
(`log_drain`); where it cannot, the debugger does: the program stops for no more of them in a second
than it writes, and counts the others. At a hit `hit` decides, with what the check has found. Called
by `arming`.

Where the VM reports no breakpoints, as the agent was loaded into a program that ran already, every
location has a probe, in which the thread stays; one that always holds if the debugger has to check.
"""

from __future__ import annotations

import contextlib
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from jvmdebug import probes
from jvmdebug.breakpoints.counted_hits import CountedHits
from jvmdebug.breakpoints.guarding import Guarding
from jvmdebug.breakpoints.log_drain import LogDrain
from jvmdebug.breakpoints.probe_questions import (
    NoProbeError,
    as_far_as_compiled,
    ask_with_steps,
    is_compiled_later,
    is_compiled_now,
    is_counted,
    keeps_methods,
    probed_local,
    question_of,
    why_not,
)
from jvmdebug.breakpoints.probe_uses import ProbeUse, asking_of, has_breakpoint, is_same, uses_of
from jvmdebug.breakpoints.recorder import recorded_again
from jvmdebug.breakpoints.retries import Retries
from jvmdebug.errors import VmError
from jvmdebug.jdwp.generated.constants import EventKind
from jvmdebug.model.agent import AgentCapability

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from jvmdebug.breakpoints.armed import Armed
    from jvmdebug.breakpoints.breakpoint import Breakpoint
    from jvmdebug.breakpoints.hooks import BreakpointHooks
    from jvmdebug.breakpoints.location import BreakpointLocation
    from jvmdebug.breakpoints.log_drain import CallSink, Patience
    from jvmdebug.events import Router
    from jvmdebug.jdwp.ids import RequestId
    from jvmdebug.model.location import Location
    from jvmdebug.model.method import Method
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.model.thread import Thread
    from jvmdebug.model.virtual_machine import VirtualMachine
    from jvmdebug.probes import Probe, ProbeHit, ProbeQuestion


class Probing:
    """The probes of a VM, by their requests."""

    def __init__(
        self,
        vm: VirtualMachine,
        router: Router,
        hooks: BreakpointHooks,
        armed: Mapping[Breakpoint, Armed],
        tell_changed: Callable[[Breakpoint], None],
    ) -> None:
        """`armed`: all of the VM; `tell_changed`: of one that is given up."""
        self._vm = vm
        self._router = router
        self._is_wanted = hooks.uses_probes
        self._limits = hooks.hit_limits
        self._hooks = hooks
        self._armed = armed
        self.guarding = Guarding(vm, hooks.hit_limits, armed, tell_changed, self.give_up)
        self._probes: dict[RequestId, Probe] = {}
        self._retries = Retries()
        self.counted = CountedHits(vm, router, self._probes, self.flush_logs)
        self._given_up: dict[RequestId, tuple[ProbeQuestion, str]] = {}
        """What is not asked in this way again, and why."""

    @property
    def is_only_way(self) -> bool:
        """Whether the VM reports no breakpoints, so that each needs a probe."""
        return not self._vm.agent_can(AgentCapability.BREAKPOINT_EVENTS)

    @property
    def is_off(self) -> bool:
        """Whether the user wants none."""
        return not self._is_wanted() and not self.is_only_way

    def _log_rate(self) -> int:
        return self._limits().log_messages_per_second

    async def place(
        self,
        breakpoint_: Breakpoint,
        location: BreakpointLocation,
        *,
        locations: int,
        may_change: bool = False,
    ) -> BreakpointLocation:
        """Put a probe there, or another question to it, or take it away; and say how it is now.

        `locations`: how many the breakpoint has. `may_change`: whether the code of the class is
        changed for one that asks nothing too. NoProbeError if nothing would stop there.
        """
        request, code = location.request, location.code
        if request is None or code is None or location.event_kind is not EventKind.BREAKPOINT:
            return location
        if breakpoint_.recorder is not None:
            return await recorded_again(breakpoint_.recorder, location)
        if request.request_id in self.counted:
            await self.counted.read()  # what it has written until now keeps its format
        # Checks that call the method have to be guarded from now on.
        await self._compile_again(lambda leaf: is_same(leaf, code.method))
        if self.is_only_way:
            return await self.place_only(breakpoint_, location, request.request_id, locations)
        question, reason = self._asked(breakpoint_, location, request.request_id, locations)
        if question is None and location.written:
            question = probes.ProbeQuestion()
        elif question is None and self.may_hold(breakpoint_, location, locations):
            if may_change or request.request_id in self._probes:
                question = probes.ProbeQuestion()
            asked = self._asked_of(breakpoint_, location, request.request_id, question, None)
            return replace(await asked, why_event=None)
        return await self._asked_of(breakpoint_, location, request.request_id, question, reason)

    async def _asked_of(
        self,
        breakpoint_: Breakpoint,
        location: BreakpointLocation,
        request_id: RequestId,
        question: ProbeQuestion | None,
        reason: str | None,
    ) -> BreakpointLocation:
        """`reason`: why it is not asked."""
        probe = self._probes.get(request_id)
        if question is None or reason is not None or location.code is None:
            if probe is not None:
                await self._remove(request_id, probe)
            return replace(location, how="event", why_event=None if question is None else reason)
        if probe is None:
            # Before it is installed: the first hit may come before the reply.
            probe = self._new_probe(breakpoint_, location, location.code, request_id)
            self._probes[request_id] = probe
        asked, unasked = as_far_as_compiled(location, question)
        reason = await probe.ask(asked)
        self.counted.forget(request_id)
        is_unknown = reason is not None and bool(location.written) and probe.is_uncompiled
        if is_unknown and await probe.ask(probes.ProbeQuestion()) is None:
            return replace(location, how="event", why_event=reason)  # it looks at each write
        if reason is not None:
            self._probes.pop(request_id, None)
        elif question.count is not None:
            await self.counted.add(request_id, breakpoint_)
        self.guarding.watch(request_id, probe)
        why = reason or unasked
        return replace(location, how="event" if why is not None else "probe", why_event=why)

    def may_hold(
        self, breakpoint_: Breakpoint, location: BreakpointLocation, locations: int
    ) -> bool:
        """Whether a breakpoint that asks nothing may have a probe, which holds each time."""
        if breakpoint_.is_own or breakpoint_.once or location.store or not self._is_wanted():
            return False
        is_possible = self._vm.agent_can(AgentCapability.PROBES) and keeps_methods(self._vm)
        return is_possible and why_not(breakpoint_, location, locations) is None

    def _asked(
        self,
        breakpoint_: Breakpoint,
        location: BreakpointLocation,
        request_id: RequestId,
        locations: int,
    ) -> tuple[ProbeQuestion | None, str | None]:
        """What there is to check, and why the program cannot."""
        question = question_of(breakpoint_, self._limits(), location)
        if question is None:
            return None, None
        given_up = self._given_up.get(request_id)
        if given_up is not None and given_up[0].asks_as(question):
            return question, given_up[1]
        if location.store is not None:
            question = question.as_filter()  # the debugger counts and logs behind the instruction
        off = "probes are off" if self.is_off else None
        return question, off or why_not(breakpoint_, location, locations)

    async def place_only(
        self,
        breakpoint_: Breakpoint,
        location: BreakpointLocation,
        request_id: RequestId,
        locations: int,
    ) -> BreakpointLocation:
        """Where nothing else stops: one that holds each time if the debugger has to check."""
        vm = self._vm
        asked, reason = self._asked(breakpoint_, location, request_id, locations)
        question = asked or probes.ProbeQuestion()
        probe = self._probes.get(request_id)
        if probe is None and location.code is not None:
            probe = self._new_probe(breakpoint_, location, location.code, request_id)
            self._probes[request_id] = probe
        if probe is None:
            return location
        self.counted.forget(request_id)
        if reason is None:
            reason = await ask_with_steps(vm, self._router, breakpoint_, probe, question)
        if reason is not None and not question.asks_nothing:
            asked, unasked = as_far_as_compiled(location, question)
            asked = probes.ProbeQuestion() if unasked is None else asked
            always = vm, self._router, breakpoint_, probe, asked
            if (refused := await ask_with_steps(*always)) is None:
                if asked.count is not None:
                    await self.counted.add(request_id, breakpoint_)
                return replace(location, how="event", why_event=reason)
            reason = refused
        if reason is not None:
            self._probes.pop(request_id, None)
            raise NoProbeError(reason)
        if question.count is not None:
            await self.counted.add(request_id, breakpoint_)
        self.guarding.watch(request_id, probe)
        return replace(location, how="probe", why_event=None)

    def _new_probe(
        self,
        breakpoint_: Breakpoint,
        location: BreakpointLocation,
        code: Location,
        request_id: RequestId,
    ) -> Probe:
        source = breakpoint_, code, request_id
        add_format = partial(self._vm.companion(LogDrain).add, self._vm, self._hooks, source)
        watched = partial(has_breakpoint, self._armed)
        field = location.written[0] if location.written else None
        local = probed_local(location)
        return probes.Probe(self._vm, request_id, code, add_format, watched, field, local)

    async def redefined(self, types: Collection[ReferenceType]) -> None:
        """Checks were compiled for the code that methods of these types had."""
        if self.is_only_way:
            await self._vm.companion(probes.StepPoints).redefined(types)
        ids = {each.id for each in types}
        await self._compile_again(lambda leaf: leaf.declaring_type.id in ids)

    async def _compile_again(self, calls: Callable[[Method], bool]) -> None:
        stale = self._vm.companion(probes.LeafCallers).calling(calls)
        for breakpoint_, armed in list(self._armed.items()) if stale else ():
            for key, location in list(armed.locations.items()):
                if (probe := self._of(location)) not in stale or probe is None:
                    continue
                probe.compile_again()
                with contextlib.suppress(NoProbeError):  # the one that is there stays
                    placed = await self.place(breakpoint_, location, locations=len(armed.locations))
                    armed.replace(breakpoint_, key, placed)

    def add_calls(self, formats: Sequence[int], sink: CallSink) -> None:
        """Records of these formats are about to be written."""
        self._vm.companion(LogDrain).add_calls(self._vm, self._hooks, formats, sink)

    async def flush_logs(self, *, patience: Patience = "all") -> None:
        """Have shown what log points have written until now, see `LogDrain.flush`."""
        await self._vm.companion(LogDrain).flush(self._vm, self._hooks, patience=patience)

    async def count_together(self, breakpoint_: Breakpoint, armed: Armed) -> None:
        """One of several locations cannot be a probe: the debugger counts the hits of all."""
        by_program = {self._counts(each) for each in armed.locations.values()}
        if not is_counted(breakpoint_) or len(by_program) < 2:
            return
        breakpoint_.counts_apart = True
        for key, location in list(armed.locations.items()):
            if self._counts(location):
                with contextlib.suppress(NoProbeError):  # the one that is there stays
                    many = len(armed.locations)
                    armed.locations[key] = await self.place(breakpoint_, location, locations=many)

    async def uses(self) -> list[ProbeUse]:
        """Of the user's breakpoints that have something to check."""
        asking = asking_of(self._armed, self._limits(), self._of)
        return await uses_of(self._vm, asking, self._of)

    async def refresh_hits(self) -> None:
        """Set `hits` of breakpoints whose hits the program counts, and show their log lines."""
        await self.flush_logs(patience="some")
        await self.counted.refresh()

    async def last_hit(
        self, location: BreakpointLocation | None, thread: Thread
    ) -> ProbeHit | None:
        """What the check has found where the thread stands; None if the debugger has to look."""
        probe = self._of(location)
        if probe is None or location is None or location.request is None or location.store:
            return None
        asks_nothing = probe.question is not None and probe.question.asks_nothing
        is_ours = self._vm.agent_can(AgentCapability.PROBES)  # libjdwp 17 crashes at our commands
        if asks_nothing or not is_ours:
            return None
        if probe.writes_log:  # what the thread has written before comes before
            await self.flush_logs()
        return await probe.last_hit(thread)

    async def reconsider(
        self, breakpoint_: Breakpoint, location: BreakpointLocation
    ) -> BreakpointLocation:
        """The debugger had to check: what was in the way when the breakpoint was set, a thread in
        the method or a class that was not loaded, may be gone now. Tried again now and then.
        """
        request = location.request
        if request is None or location.why_event is None or not self._is_wanted():
            return location
        stays = self.is_only_way and not is_compiled_later(breakpoint_)
        is_compiled = is_compiled_now(breakpoint_, location)
        are_together = is_counted(breakpoint_) and len(breakpoint_.locations) > 1
        if stays or (are_together and not is_compiled):
            return location  # it does not pass by itself, or all are counted together
        if not (is_compiled or self._retries.is_due(request.request_id)):
            return location
        return await self.place(breakpoint_, location, locations=len(breakpoint_.locations))

    async def renew(
        self, breakpoint_: Breakpoint, location: BreakpointLocation
    ) -> BreakpointLocation:
        """It has been hit: more or fewer messages may be written in a second than before, or the
        program may be able to write them itself by now.
        """
        probe = self._of(location)
        if probe is None or probe.question is None or location.request is None:
            return location
        request_id = location.request.request_id
        count = probe.question.count
        is_other = count is not None and count.most_per_second not in {None, self._log_rate()}
        # What several locations leave out is told of all together: then none of them writes.
        may_write = probe.may_write_log_later and len(breakpoint_.locations) == 1
        if not is_other and not (may_write and self._retries.is_due(request_id)):
            return location
        try:
            return await self.place(breakpoint_, location, locations=len(breakpoint_.locations))
        except NoProbeError:
            return location

    async def give_up(self, location: BreakpointLocation, reason: str) -> BreakpointLocation:
        """The debugger looks from now on."""
        probe = self._of(location)
        if probe is not None and location.request is not None:
            request_id = location.request.request_id
            if probe.question is not None:
                self._given_up[request_id] = (probe.question, reason)
            if self.is_only_way:
                self.counted.forget(request_id)
                self.guarding.forget(request_id)
                if await probe.ask(probes.ProbeQuestion()) is None:
                    return replace(location, how="event", why_event=reason)
            await self._remove(request_id, probe)
        return replace(location, how="event", why_event=reason)

    async def forget(self, requests: Collection[RequestId]) -> None:
        """They are about to be cleared, and with them the probes."""
        await self.end_counts(requests)
        for request_id in requests:
            self._probes.pop(request_id, None)
            self._retries.forget(request_id)
            self._given_up.pop(request_id, None)
            self.guarding.forget(request_id)
            self._vm.companion(LogDrain).forget(request_id)

    async def end_counts(self, requests: Collection[RequestId]) -> None:
        """What the program has counted and written of these until now is all."""
        await self.counted.end(requests, self.refresh_hits)

    def _of(self, location: BreakpointLocation | None) -> Probe | None:
        if location is None or location.request is None:
            return None
        return self._probes.get(location.request.request_id)

    def _counts(self, location: BreakpointLocation) -> bool:
        """Whether the program has the count of its hits."""
        probe = self._of(location)
        question = None if probe is None else probe.question
        return question is not None and question.count is not None

    async def _remove(self, request_id: RequestId, probe: Probe) -> None:
        self._probes.pop(request_id, None)
        self.counted.forget(request_id)
        self.guarding.forget(request_id)
        try:
            await probe.remove()
            await self.flush_logs()
        except VmError:
            pass  # the class was unloaded, and the request with it
        self._vm.companion(LogDrain).forget(request_id)
