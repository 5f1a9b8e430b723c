# SPDX-License-Identifier: Apache-2.0
"""Locations where the program checks what it can itself, by probes. The VM has events for the rest.

A location with a condition, a hit condition or a log message gets a probe where that is possible;
elsewhere `how` and `why_event` tell why not. A location without any of these gets one in code that
nothing has run yet, or that the program runs often (`busy_methods`). The program writes log
messages into a ring (`log_drain`). Where it cannot, the debugger writes them: the program stops in
a second for as many messages as the debugger writes, and counts the others. See `location_checker`;
`late_checker` is for a VM that has no events.
"""

from __future__ import annotations

import asyncio
import contextlib
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Final

from jvmdebug import probes
from jvmdebug.breakpoints.busy_methods import BusyMethods
from jvmdebug.breakpoints.counted_hits import CountedHits
from jvmdebug.breakpoints.field_stores import why_not_checked
from jvmdebug.breakpoints.guarded_checks import GuardedChecks
from jvmdebug.breakpoints.location_checker import LocationChecker
from jvmdebug.breakpoints.log_drain import LogDrain
from jvmdebug.breakpoints.probe_questions import (
    NoProbeError,
    as_far_as_compiled,
    is_compiled_now,
    keeps_methods,
    probed_local,
    question_of,
    why_not,
)
from jvmdebug.breakpoints.probe_uses import is_same
from jvmdebug.breakpoints.resolver import Resolver
from jvmdebug.breakpoints.same_method import ask_together, reported_with
from jvmdebug.breakpoints.specs import FieldSpec, FieldStoreSpec
from jvmdebug.errors import UnsupportedError, VmError
from jvmdebug.events import CHANGED_BY_OTHERS, clear_together
from jvmdebug.jdwp.generated.constants import EventKind
from jvmdebug.jdwp.generated.events import ByProbeModifier

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence

    from jvmdebug.breakpoints.armed_breakpoint import ArmedBreakpoint
    from jvmdebug.breakpoints.armed_location import ArmedLocation
    from jvmdebug.breakpoints.breakpoint import Breakpoint
    from jvmdebug.breakpoints.hit import Hit
    from jvmdebug.breakpoints.hooks import BreakpointHooks
    from jvmdebug.breakpoints.location import BreakpointLocation
    from jvmdebug.breakpoints.location_checker import Reaction
    from jvmdebug.breakpoints.log_drain import CallSink, Patience
    from jvmdebug.events import RequestHandle, Router
    from jvmdebug.jdwp.generated.events import Modifier
    from jvmdebug.jdwp.ids import ReferenceTypeId, RequestId
    from jvmdebug.model.method import Method
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.model.thread import Thread
    from jvmdebug.model.virtual_machine import VirtualMachine
    from jvmdebug.probes import Probe, ProbeHit, ProbeQuestion

_MOST_AT_ONCE: Final = 50
"""The most locations of a breakpoint without a condition that get probes."""
_MORE_TRIES: Final = 40
"""How often it is tried again to put in a probe where the VM sets no breakpoint."""
_PAUSE_S: Final = 0.05
"""The time between two of these tries."""
_MOST_OF_A_CLASS: Final = 100
"""The most locations in one class of breakpoints without conditions that get probes: the program
waits some 2 ms for each.
"""


class ProbeChecker(LocationChecker):
    """A checker for a VM in which the program checks what it can itself."""

    hands_over: ClassVar[bool] = False
    """Whether the thread stays in a check that holds, which hands its variables over."""

    def __init__(
        self,
        vm: VirtualMachine,
        router: Router,
        hooks: BreakpointHooks,
        tell_changed: Callable[[Breakpoint], None],
    ) -> None:
        super().__init__(vm, router, hooks, tell_changed)
        self._placed: dict[RequestId, ArmedLocation] = {}
        """All locations that are armed, by request."""
        self._counted = CountedHits(vm, router, self.flush_logs)
        self._guarded = GuardedChecks(
            vm, self._limits, self._costs, self._placed, self._give_up, tell_changed
        )
        self._put_in: dict[ReferenceTypeId, int] = {}
        """How many locations without a condition got probes in each class that nothing
        had run yet.
        """

    # What is to be armed

    def resolver(self, breakpoint_: Breakpoint) -> Resolver:
        """The resolver of its locations: the instructions that write a field, unless the VM watches
        the field.
        """
        spec, read_source = breakpoint_.spec, self._hooks.source_text
        why = why_not_checked(self._vm, breakpoint_, self.why_no_probes)
        if isinstance(spec, FieldSpec) and why is None:
            return Resolver(self._vm, FieldStoreSpec(spec), read_source)
        return Resolver(self._vm, spec, read_source, why)

    @property
    def why_no_probes(self) -> str | None:
        """Why the program checks nothing itself, because the user wants it so; else None."""
        return None if self._hooks.uses_probes() else "probes are off"

    def may_keep_request(self, placed: ArmedLocation) -> bool:
        """Whether a location keeps its request, so that the program's code is not changed."""
        return placed.now.how == "probe"

    # The life of a location

    @contextlib.asynccontextmanager
    async def together(self) -> AsyncIterator[Mapping[RequestId, str]]:
        """A context at whose end probes are put in, or at the end of an outer one; then others are
        removed.
        """
        async with (
            clear_together(self._vm),  # left last: others are put in first
            probes.put_in_together(self._vm) as refused,
        ):
            yield refused

    async def _arm(self, placed: ArmedLocation, locations: int, *, is_new: bool) -> None:
        if placed.request_id is not None:
            self._placed[placed.request_id] = placed
        may_change = is_new and locations <= _MOST_AT_ONCE and self._may_change(placed)
        try:
            placed.now = await self._checked(placed, may_change=may_change)
        except NoProbeError as error:
            await self._refuse(placed, str(error))
        else:
            is_by_vm = placed.now.how == "event" and not self.hands_over
            if placed.request_id is not None and is_by_vm:
                busy = self._vm.companion(BusyMethods)
                busy.watch(
                    self._vm,
                    placed.request_id,
                    self._change_busy,
                    self._reports_changed,
                    may_change=self._may_hold(placed),
                )

    async def _request(
        self, placed: ArmedLocation, react: Reaction, *more: Modifier
    ) -> RequestHandle | None:
        """Leave it to a probe where a breakpoint of the VM would do harm."""
        try:
            return await super()._request(placed, react, *more)
        except UnsupportedError as error:
            is_plain = placed.now.event_kind is EventKind.BREAKPOINT and not placed.now.store
            if not is_plain or more or self.why_no_probes is not None:
                raise
            placed.needs_probe = str(error)
        return await self._request(placed, react, ByProbeModifier())

    async def _refuse(self, placed: ArmedLocation, reason: str) -> None:
        """Take out a location where nothing would stop."""
        placed.leave()
        await self.disarm([placed])
        raise UnsupportedError(reason)

    def _may_change(self, placed: ArmedLocation) -> bool:
        """Whether not too many were put into the class already. True counts one more."""
        if placed.now.code is None:
            return False
        id_ = placed.now.code.type.id
        self._put_in[id_] = self._put_in.get(id_, 0) + 1
        return self._put_in[id_] <= _MOST_OF_A_CLASS

    async def _asked(self, placed: ArmedLocation, *, may_change: bool) -> BreakpointLocation:
        """Put a probe there, have it answer another question, or take it away."""
        location = placed.now
        if location.request is None or location.code is None:
            return location
        await self._begin_asking(placed)
        if placed.needs_probe is not None:
            return await self._ask_to_stop(placed)
        question, reason = self._question(placed)
        if question is None and location.written:
            question = probes.ProbeQuestion()
        elif question is None and self._may_hold(placed):
            if may_change or placed.probe is not None:
                question = probes.ProbeQuestion()
            found = await self._ask(placed, question, None)
            return found.checked_by(found.how, None)
        return await self._ask(placed, question, reason)

    async def _begin_asking(self, placed: ArmedLocation) -> None:
        code = placed.now.code
        if placed.request_id in self._counted:
            await self._counted.read()  # what was written until now has the old format
        # Checks that call the method need a guard from now on.
        if code is not None:
            await self._compile_again(lambda leaf: is_same(leaf, code.method))

    def _question(self, placed: ArmedLocation) -> tuple[ProbeQuestion | None, str | None]:
        """The question for the location, and why the program cannot answer it."""
        breakpoint_, location = placed.breakpoint, placed.now
        question = question_of(breakpoint_, self._limits(), location)
        if question is None:
            return None, None
        if placed.given_up is not None and placed.given_up[0].asks_as(question):
            return question, placed.given_up[1]
        if location.store is not None:
            question = question.as_filter()  # the debugger counts and logs behind the instruction
        return question, self.why_no_probes or why_not(breakpoint_, location)

    def _may_hold(self, placed: ArmedLocation) -> bool:
        """Whether a breakpoint without a condition may have a probe, which always holds."""
        breakpoint_, location = placed.breakpoint, placed.now
        if breakpoint_.is_own or breakpoint_.once or location.store:
            return False
        if not self._hooks.uses_probes() or not keeps_methods(self._vm):
            return False
        return why_not(breakpoint_, location) is None

    async def _ask(
        self, placed: ArmedLocation, question: ProbeQuestion | None, reason: str | None
    ) -> BreakpointLocation:
        """Ask the question, unless there is a `reason` not to."""
        location, request_id = placed.now, placed.request_id
        if question is None or reason is not None or request_id is None:
            await self._remove(placed)
            return location.checked_by("event", None if question is None else reason)
        # Noted before it is installed, because the first hit may come before the reply.
        probe = placed.probe = placed.probe or self._new_probe(placed)
        asked, unasked = as_far_as_compiled(location, question)
        reason = await probe.ask(asked)
        self._counted.forget(request_id)
        is_unknown = reason is not None and bool(location.written) and probe.is_uncompiled
        if is_unknown and await probe.ask(probes.ProbeQuestion()) is None:
            return location.checked_by("event", reason)  # the debugger asks each time
        if reason is not None:
            placed.probe = None
        elif question.count is not None:
            await self._counted.add(request_id, placed)
        self._guarded.watch(request_id, probe)
        why = reason or unasked
        return location.checked_by("event" if why is not None else "probe", why)

    async def _ask_to_stop(self, placed: ArmedLocation) -> BreakpointLocation:
        """Put a probe there where nothing else stops, or another question to it: one that holds
        each time if the debugger has to check. NoProbeError if that is impossible.
        """
        location, request_id = placed.now, placed.request_id
        if request_id is None or location.code is None:
            return location
        found, reason = self._question(placed)
        question = found or probes.ProbeQuestion()
        probe = placed.probe = placed.probe or self._new_probe(placed)
        self._counted.forget(request_id)
        if reason is None:
            reason = await self._put(placed.breakpoint, probe, question)
        if reason is not None and not question.asks_nothing:
            asked, unasked = as_far_as_compiled(location, question)
            asked = probes.ProbeQuestion() if unasked is None else asked
            refused = await self._put(placed.breakpoint, probe, asked)
            if refused is None:
                if asked.count is not None:
                    await self._counted.add(request_id, placed)
                return location.checked_by("event", reason)
            reason = refused
        if reason is not None:
            placed.probe = None
            why = placed.needs_probe
            raise NoProbeError(f"{why} (a probe is not possible: {reason})" if why else reason)
        if question.count is not None:
            await self._counted.add(request_id, placed)
        self._guarded.watch(request_id, probe)
        return location.checked_by("probe", None)

    async def _put(
        self, _breakpoint: Breakpoint, probe: Probe, question: ProbeQuestion
    ) -> str | None:
        """Install a probe, or change it. The reason, if it cannot be: mostly a thread that runs is
        in the way, and is gone a moment later.
        """
        reason = await probe.ask(question)
        for _ in range(_MORE_TRIES):
            if reason is None or probe.is_uncompiled:
                break
            await asyncio.sleep(_PAUSE_S)
            reason = await probe.ask(question)
        return reason

    def _new_probe(self, placed: ArmedLocation) -> Probe:
        location, request = placed.now, placed.now.request
        assert location.code is not None
        assert request is not None
        source = placed.breakpoint, location.code, request.request_id
        return probes.Probe(
            self._vm,
            request.request_id,
            location.code,
            partial(self._vm.companion(LogDrain).add, self._vm, self._hooks, source),
            self._has_breakpoint,
            location.written[0] if location.written else None,
            probed_local(location),
            hands_over=self.hands_over,
        )

    def _has_breakpoint(self, method: Method) -> bool:
        codes = (each.now.code for each in self._placed.values() if each.is_armed)
        return any(code is not None and is_same(code.method, method) for code in codes)

    async def _again(self, placed: ArmedLocation, *, may_change: bool = False) -> None:
        """Ask at a location again. The check that is there stays if nothing else is possible."""
        with contextlib.suppress(NoProbeError):
            placed.become(await self._checked(placed, may_change=may_change))

    async def _change_busy(self, busy: Collection[RequestId]) -> None:
        """Install probes for breakpoints whose methods the program runs often."""
        some = [self._placed[each] for each in busy if each in self._placed]
        if not some:
            return
        again = partial(self._again, may_change=True)
        async with some[0].of.lock:
            await ask_together(some[0], some[1:], self, again, self._tell_changed)
        for each in some:
            if each.now.how == "probe" and each.request_id is not None:
                self._vm.companion(BusyMethods).forget(each.request_id)

    async def _reports_changed(
        self, unset: Collection[RequestId], again: Collection[RequestId]
    ) -> None:
        """Install probes for the requests that the VM does not report any more, or tell the user;
        and tell of those that it reports again.
        """
        for request_id in again:
            placed = self._placed.get(request_id)
            if placed is not None and placed.unreported is not None:
                placed.unreported = None
                placed.breakpoint.message = self.notice(placed.of)
                self._tell_changed(placed.breakpoint)
        for request_id in unset:
            placed = self._placed.get(request_id)
            if placed is None:
                continue
            async with placed.of.lock:
                if not placed.is_armed or placed.probe is not None:
                    continue
                placed.needs_probe = CHANGED_BY_OTHERS
                try:
                    placed.become(await self._checked(placed))
                except NoProbeError as error:
                    placed.unreported = str(error)
                    placed.of.has_unreported = True
                    placed.breakpoint.message = self.notice(placed.of)
                self._tell_changed(placed.breakpoint)

    async def _compile_again(self, calls: Callable[[Method], bool]) -> None:
        stale = self._vm.companion(probes.LeafCallers).calling(calls)
        for placed in list(self._placed.values()) if stale else ():
            if placed.is_armed and placed.probe is not None and placed.probe in stale:
                placed.probe.compile_again()
                await self._again(placed)

    async def _recorded(self, placed: ArmedLocation) -> None:
        if placed.now.how == "probe" and placed.request_id is not None:
            self._vm.companion(BusyMethods).forget(placed.request_id)

    async def disarm(self, placed: Sequence[ArmedLocation]) -> None:
        """Clear the requests of locations, and with them their probes, together."""
        await self.end_counts(placed)
        for each in placed:
            each.probe = each.given_up = None
            if each.request_id is not None:
                self._placed.pop(each.request_id, None)
                self._forget(each.request_id)
        async with clear_together(self._vm):
            await super().disarm(placed)

    def _forget(self, request_id: RequestId) -> None:
        self._vm.companion(BusyMethods).forget(request_id)
        self._guarded.forget(request_id)
        self._vm.companion(LogDrain).forget(request_id)

    async def end_counts(self, placed: Sequence[ArmedLocation]) -> None:
        """Stop counting at these locations, and read what the program has counted and written."""
        requests = [each.request_id for each in placed if each.request_id is not None]
        await self._counted.end(requests, self.refresh_hits)

    async def redefined(self, types: Collection[ReferenceType]) -> None:
        """Compile checks again that depend on the code that methods of these types had."""
        ids = {each.id for each in types}
        await self._compile_again(lambda leaf: leaf.declaring_type.id in ids)

    # Hits

    async def _found(self, placed: ArmedLocation, thread: Thread) -> ProbeHit | None:
        probe = placed.probe
        if probe is None or placed.now.store:
            return None
        if probe.question is not None and probe.question.asks_nothing:
            return None
        if self._vm.companion(LogDrain).writes_for(placed.breakpoint):
            # What the thread has written before, perhaps at another location, is shown first.
            await self.flush_logs()
        return await probe.last_hit(thread)

    async def _reconsider(self, placed: ArmedLocation, probed: ProbeHit | None, hit: Hit) -> None:
        if probed is None:
            with contextlib.suppress(VmError):  # it was removed meanwhile
                await self._try_again(placed)
        elif probed.has_failed and not hit.has_failed:
            await self._give_up(placed, "the check failed where the debugger's evaluation did not")
        else:
            await self._renew(placed)

    async def _try_again(self, placed: ArmedLocation) -> None:
        """Try to install a probe again, now and then, after the debugger had to check. What
        prevented it when the breakpoint was set (a thread in the method, a class that was not
        loaded) may be gone.
        """
        breakpoint_, location = placed.breakpoint, placed.now
        if location.why_event is None or not self._hooks.uses_probes():
            return
        if not self._may_pass(breakpoint_):
            return
        if not is_compiled_now(breakpoint_, location) and not placed.is_retry_due():
            return
        if placed.probe is not None or self.hands_over:
            await self._again(placed)
            return
        found = reported_with(placed, self._placed.values())
        if found is None:
            return
        others = [each for each in found if each.now.why_event and self._may_pass(each.breakpoint)]
        await ask_together(placed, others, self, self._again, self._tell_changed)

    def _may_pass(self, _breakpoint: Breakpoint) -> bool:
        """Whether what prevents a check may be gone later."""
        return True

    async def _renew(self, placed: ArmedLocation) -> None:
        """Change the probe after a hit, if the limit of messages has changed, or the program may be
        able to write them itself by now.
        """
        probe, many = placed.probe, len(placed.breakpoint.locations)
        if probe is None or probe.question is None:
            return
        count, rate = probe.question.count, self._limits().log_messages_per_second
        is_other = count is not None and count.most_per_second not in {None, rate}
        # Hits that several locations leave out are reported together, so then none of them writes.
        may_write = probe.may_write_log_later and many == 1
        if is_other or (may_write and placed.is_retry_due()):
            await self._again(placed)

    async def _give_up(self, placed: ArmedLocation, reason: str) -> None:
        """Have the debugger check from now on."""
        probe = placed.probe
        if probe is not None and probe.question is not None:
            placed.given_up = (probe.question, reason)
        await self._leave_to_debugger(placed)
        placed.become(placed.now.checked_by("event", reason))

    async def _leave_to_debugger(self, placed: ArmedLocation) -> None:
        """Have only the debugger check a location."""
        await self._remove(placed)

    async def _remove(self, placed: ArmedLocation) -> None:
        probe, placed.probe = placed.probe, None
        request_id = placed.request_id
        if probe is None or request_id is None:
            return
        self._counted.forget(request_id)
        self._guarded.forget(request_id)
        try:
            await probe.remove()
            await self.flush_logs()
        except VmError:
            pass  # the class was unloaded, and the request with it
        self._vm.companion(LogDrain).forget(request_id)

    # What there is to tell

    def notice(self, armed: ArmedBreakpoint) -> str | None:
        """Why nothing stops at some location."""
        some = armed.locations.values() if armed.has_unreported else ()
        return armed.refused or next((each.unreported for each in some if each.unreported), None)

    def _probe_at(self, location: BreakpointLocation) -> Probe | None:
        if location.request is None:
            return None
        placed = self._placed.get(location.request.request_id)
        return None if placed is None else placed.probe

    async def refresh_hits(self) -> None:
        """Set `hits` of breakpoints whose hits the program counts, and show their log lines."""
        await self.flush_logs(patience="some")
        await self._counted.refresh()

    async def flush_logs(self, *, patience: Patience = "all") -> None:
        """Show what log points have written until now; see `LogDrain.flush`."""
        await self._vm.companion(LogDrain).flush(self._vm, self._hooks, patience=patience)

    def add_calls(self, formats: Sequence[int], sink: CallSink) -> None:
        """Pass records of calls that are about to be written in these formats to `sink`."""
        self._vm.companion(LogDrain).add_calls(self._vm, self._hooks, formats, sink)
