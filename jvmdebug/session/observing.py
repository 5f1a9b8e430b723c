# SPDX-License-Identifier: Apache-2.0
"""`session.observe`: what happens in the program, without stopping it.

Owns the arguments of `trace`, `who_sets`, `count`, `time_between`, `sample`, `contention`,
`snapshot`, `thread_dump` and `origins`, which are the session's methods too; the observations are
`jvmdebug.observing`'s.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from jvmdebug import heap, observing, sources
from jvmdebug.arguments import require_one_of, require_whole
from jvmdebug.breakpoints import ExceptionSpec
from jvmdebug.errors import LaunchError, UnsupportedError
from jvmdebug.heap.defaults import DEFAULT_INTERVAL
from jvmdebug.model.agent import AgentCapability
from jvmdebug.observing.defaults import (
    DEFAULT_CAPACITY,
    DEFAULT_LENGTH,
    DEFAULT_VIRTUAL_THREADS,
)
from jvmdebug.session.origin_tracking import DEFAULT_BUDGET, OriginTracking
from jvmdebug.session.origins import WHAT
from jvmdebug.session.state import Operation

if TYPE_CHECKING:
    from collections.abc import Coroutine, Sequence

    from jvmdebug.breakpoints import BreakpointSpec
    from jvmdebug.heap import Allocations
    from jvmdebug.observing import (
        Consistency,
        Contention,
        Exceptions,
        FieldReads,
        FieldWrites,
        GcEvents,
        LineCount,
        LineTiming,
        ObservedValue,
        Samples,
        SingleSteps,
        Snapshot,
        StepUnit,
        ThreadSnapshot,
        Trace,
    )
    from jvmdebug.session.data_target import DataTarget
    from jvmdebug.session.program import DebuggedProgram
    from jvmdebug.session.threads import ThreadHandle
    from jvmdebug.sources import MethodSpec


_VM_ANSWERS_S: Final = 5.0


class SessionObserving:
    """Traces, writes to fields, samples and snapshots of one debugged program."""

    def __init__(self, program: DebuggedProgram) -> None:
        self._program = program

    def __repr__(self) -> str:
        return f"SessionObserving(of {self._program.name})"

    def trace(
        self,
        methods: str | MethodSpec,
        *,
        condition: str | None = None,
        stack: int = 0,
        limit: int | None = None,
        duration_s: float | None = None,
        capacity: int = DEFAULT_CAPACITY,
        value_length: int = DEFAULT_LENGTH,
        recorded: bool = True,
    ) -> Trace:
        """The calls of `shop.Cart#add`, `shop.Cart#*` or `shop.*#save(int)`, as they end.

        Iterate over the result, or arm it with `async with` or `await` first. `stack`: how many
        callers each call has. It ends by itself when `limit` calls have ended, or after
        `duration_s`; the `open_calls` have not ended then. A condition is evaluated where the
        method begins. Results of native methods are not known in the agent's fast mode
        (`call.why_no_result`).
        No call stops where the program itself can record arguments, results and times: with our
        agent, without a condition and a stack (`trace.why_stopped` says what cannot). Objects are
        only their class and hash code then. `recorded=False`: each call stops for a moment, and
        objects are shown with their fields.
        BreakpointError for a text that is no method.
        """
        spec = sources.parse_method(methods) if isinstance(methods, str) else methods
        require_whole("stack", stack, 0)
        limits = observing.Limits(limit, duration_s, capacity, value_length)
        kind = observing.RecordedTrace if recorded else observing.Trace
        return kind(self._program, spec, condition, frames=stack, limits=limits)

    def who_sets(
        self,
        field: str | DataTarget,
        *,
        to: str | None = None,
        condition: str | None = None,
        stack: int = 10,
        limit: int | None = None,
        duration_s: float | None = None,
        capacity: int = DEFAULT_CAPACITY,
        value_length: int = DEFAULT_LENGTH,
    ) -> FieldWrites:
        """The writes to the field `shop.Customer.name`, with value before and after, and stack.

        `to` is the Java expression of the only new value that counts: `null`, `0`, `"Ann"`. A
        condition may name `$old` and `$new`. The rest as of `trace`.
        """
        from jvmdebug.session.data_target import field_spec  # noqa: PLC0415 - slow to import

        require_whole("stack", stack, 0)
        spec = field_spec(field, read=False, write=True)
        limits = observing.Limits(limit, duration_s, capacity, value_length)
        return observing.FieldWrites(
            self._program, spec, observing.condition_of(to, condition), frames=stack, limits=limits
        )

    def who_reads(
        self,
        field: str | DataTarget,
        *,
        condition: str | None = None,
        stack: int = 10,
        limit: int | None = None,
        duration_s: float | None = None,
        capacity: int = DEFAULT_CAPACITY,
        value_length: int = DEFAULT_LENGTH,
    ) -> FieldReads:
        """The reads of the field `shop.Customer.name`, with its value and stack.

        Each read holds its thread for a moment. The rest as of `who_sets`.
        """
        from jvmdebug.session.data_target import field_spec  # noqa: PLC0415 - slow to import

        require_whole("stack", stack, 0)
        spec = field_spec(field, read=True, write=False)
        limits = observing.Limits(limit, duration_s, capacity, value_length)
        return observing.FieldReads(self._program, spec, condition, frames=stack, limits=limits)

    def exceptions(  # noqa: PLR0913 - the options of an observation
        self,
        type_name: str = "java.lang.Throwable",
        *,
        caught: bool = True,
        uncaught: bool = True,
        condition: str | None = None,
        stack: int = 10,
        limit: int | None = None,
        duration_s: float | None = None,
        capacity: int = DEFAULT_CAPACITY,
        value_length: int = DEFAULT_LENGTH,
    ) -> Exceptions:
        """The exceptions that are thrown: message, stack, and who catches them. Nothing stops.

        `type_name` may be a pattern or several: `com.acme.*, !com.acme.Expected`; subtypes count.
        A condition may name the exception: `$exception`. Each throw holds its thread for a moment.
        The rest as of `trace`.
        """
        require_whole("stack", stack, 0)
        spec = ExceptionSpec(type_name, caught, uncaught)
        limits = observing.Limits(limit, duration_s, capacity, value_length)
        return observing.Exceptions(self._program, spec, condition, frames=stack, limits=limits)

    def steps_of(
        self,
        thread: ThreadHandle,
        *,
        unit: StepUnit = "line",
        excluded: Sequence[str] = ("java.*", "javax.*", "jdk.*", "sun.*"),
        limit: int | None = None,
        duration_s: float | None = None,
        capacity: int = DEFAULT_CAPACITY,
    ) -> SingleSteps:
        """What a thread executes: each `"line"`, or each `"instruction"`, as it comes to it.

        Not in classes whose names fit a pattern of `excluded`: `com.acme.*` or `*.Logger`. Each
        step holds the thread for a moment. The thread may be stopped when it is armed: resume it
        then. While it is observed so, it cannot be stepped at a stop. The rest as of `trace`.
        """
        require_one_of("unit", unit, ("line", "instruction"))
        limits = observing.Limits(limit, duration_s, capacity)
        return observing.SingleSteps(
            self._program, thread.thread, unit=unit, excluded=excluded, limits=limits
        )

    def count(self, at: str | BreakpointSpec, *, condition: str | None = None) -> LineCount:
        """How often the program comes to `Cart.java:12` or `shop.Cart#add`, without a stop.

        `async with session.count("Cart.java:12") as count:` begins it, `await count.read()` has the
        number, also when it is over. The program counts itself, exactly; where it cannot, the
        debugger does, as for a hit condition. BreakpointError for an `at` that is no location.
        """
        spec = sources.parse_spec(at) if isinstance(at, str) else at
        return observing.LineCount(self._program, spec, condition)

    def time_between(self, start: str | BreakpointSpec, end: str | BreakpointSpec) -> LineTiming:
        """How long a thread takes from `Cart.java:10` to `Cart.java:20`, each time, without a stop.

        `async with session.time_between(…) as timing:` begins it, `await timing.read()` has count,
        mean, least, longest and percentiles, of all threads and of each, also when it is over. A
        thread that comes to the start again before the end begins anew. What the measuring itself
        takes is in it. Needs our agent, and probes: else UnsupportedError.
        BreakpointError for what is no location, or if both are the same.
        """
        specs = [
            sources.parse_spec(each) if isinstance(each, str) else each for each in (start, end)
        ]
        return observing.LineTiming(self._program, specs[0], specs[1])

    def sample(
        self,
        expression: str,
        *,
        every: float | None = None,
        at: str | BreakpointSpec | None = None,
        condition: str | None = None,
        limit: int | None = None,
        duration_s: float | None = None,
        capacity: int = DEFAULT_CAPACITY,
        value_length: int = DEFAULT_LENGTH,
    ) -> Samples:
        """The values of an expression: each time that `at` is reached, or each `every` seconds.

        Without `at` it is over static fields, `shop.Main.orders.get("a").total`, and no code is
        run: methods that only read are computed from what is read; every second by default. With
        `at` it is evaluated there, and with both at most each `every` seconds. EvaluationError for
        a text that is no expression, BreakpointError for an `at` that is no location.
        """
        spec = sources.parse_spec(at) if isinstance(at, str) else at
        every_s = every if every is not None else 0.0 if spec is not None else 1.0
        limits = observing.Limits(limit, duration_s, capacity, value_length)
        return observing.Samples(
            self._program, expression, spec, condition, every_s=every_s, limits=limits
        )

    def contention(
        self,
        *,
        longer_than_s: float = 0.0,
        stack: int = 8,
        waits: bool = False,
        break_after_s: float | None = None,
        limit: int | None = None,
        duration_s: float | None = None,
        capacity: int = DEFAULT_CAPACITY,
        value_length: int = DEFAULT_LENGTH,
    ) -> Contention:
        """The waits of threads for monitors that others have, as they end; `by_monitor` and
        `by_stack` have the totals, `blocked` those that wait now.

        Shorter ones than `longer_than_s` are left out. `stack`: how many frames of each; for that a
        thread is held for a moment before it waits, with 0 it is not, and the code that waits is
        still known. `waits`: those of `Object.wait` too. With `break_after_s` the program is
        suspended as soon as a thread has waited to enter for so long; the event, not over, comes
        then. Locks of java.util.concurrent are no monitors: `snapshot` knows them. The rest as of
        `trace`.
        """
        require_whole("stack", stack, 0)
        return observing.Contention(
            self._program,
            longer_than_s=longer_than_s,
            frames=stack,
            waits=waits,
            break_after_s=break_after_s,
            suspend=self._program.suspend,
            of_vm=self._text_of_vm,
            limits=observing.Limits(limit, duration_s, capacity, value_length),
        )

    def gc_events(
        self,
        *,
        longer_than_s: float = 0.0,
        break_after_s: float | None = None,
        limit: int | None = None,
        duration_s: float | None = None,
        capacity: int = DEFAULT_CAPACITY,
    ) -> GcEvents:
        """The moments for which the VM stands still to collect garbage (`GcPause`), and what it
        runs out of, with the stack that asked (`ResourceExhausted`).

        Shorter ones than `longer_than_s` are left out, but for the totals. With `break_after_s` the
        program is suspended after a collection that took so long; 0: after each. Needs our agent.
        The rest as of `trace`.
        """
        return observing.GcEvents(
            self._program,
            longer_than_s=longer_than_s,
            break_after_s=break_after_s,
            suspend=self._program.suspend,
            limits=observing.Limits(limit, duration_s, capacity),
        )

    def allocations(self, *, every: int = DEFAULT_INTERVAL, stack: int = 16) -> Allocations:
        """Sample what the program allocates, by site, and how much of it is still alive.

        A sample is taken each time that a thread has allocated `every` bytes; 0: for each object,
        which is slow. The VM chose the first sample of a thread when the thread began: one that ran
        before is sampled once it has allocated 512 KiB on average. `stack`: the number of frames
        that tell sites apart.

        `async with session.allocations() as allocations:` begins it, `await allocations.profile()`
        has the figures. Needs our agent.
        """
        return heap.Allocations(self._program.services, every, stack)

    async def evaluate(
        self, expression: str, *, timeout_s: float = 5.0, value_length: int = DEFAULT_LENGTH
    ) -> ObservedValue:
        """The value of a Java expression outside of any frame: `shop.Main.orders.size()`.

        Static fields are read without stopping anything, and methods that only read are computed
        from what is read. What has to run a method does so in the next thread that enters one,
        which is held meanwhile; not in a read-only session (ReadOnlyError). EvaluationError for
        what cannot be evaluated, also if no thread comes by within `timeout_s`, and at once if none
        can, as all are held; DebuggeeException if it threw.
        """
        services = self._program.services
        services.stops.require(Operation.INSPECT)
        style = services.settings.style.within(value_length)
        return await observing.value_anywhere(
            services.router,
            expression,
            style,
            timeout_s=timeout_s,
            nothing_runs=services.stops.nothing_runs,
        )

    async def snapshot(
        self,
        *,
        frames: int = 30,
        variables: int = 1,
        value_length: int = DEFAULT_LENGTH,
        origins: bool = False,
    ) -> Snapshot:
        """All threads with `frames` of their stacks, monitors and deadlocks, and the variables of
        their topmost `variables` frames. A program that runs is suspended for a moment.

        `origins`: also the stacks that submitted the tasks which threads run, as far as they are
        known since `session.origins()`; UnsupportedError if the agent knows none.
        """
        require_whole("frames", frames, 0)
        require_whole("variables", variables, 0)
        services = self._program.services
        services.stops.require(Operation.INSPECT)
        style = services.settings.style.within(value_length)
        taking = observing.take_snapshot(
            services.router, style, frames=frames, variables=variables, of_vm=self._text_of_vm
        )
        return self._as_held(await (self._with_origins(taking) if origins else taking))

    def origins(self, *, budget: float = DEFAULT_BUDGET) -> OriginTracking:
        """Remember which stacks submit tasks and start threads, from the beginning of the context
        that this returns to its end: `async with session.origins(): …; await stop.origins()`.

        The program is not stopped. `budget`: the part of one processor's time that this may take;
        tasks beyond it are not remembered, and counted. What was submitted before is not known.
        Needs our agent: the context raises UnsupportedError where the agent cannot do it.
        """
        if not 0 < budget <= 1:
            raise ValueError(f"the budget must be more than 0 and at most 1, not {budget}")
        return OriginTracking(self._program, budget)

    async def thread_dump(
        self,
        *,
        frames: int = 30,
        virtual_threads: int = DEFAULT_VIRTUAL_THREADS,
        consistency: Consistency = "all",
        origins: bool = False,
    ) -> Snapshot:
        """Read what all threads do, in one answer of our agent: `frames` of their stacks (up to
        1,024), monitors and locks of java.util.concurrent, waits for the initialization of classes,
        deadlocks, processor time, and up to `virtual_threads` virtual threads, also those that the
        debugger has not met. Monitors that an agent which came late does not know are taken from
        the thread dump that the VM of a program on this machine writes, a moment later.

        `consistency`: "all" suspends the program for a moment, so that stacks and locks are of the
        same moment; with "stacks" the VM stops once for all stacks, and locks are read while it
        runs; with "none" each thread is read alone and nothing else waits, which takes longer.
        `held_s` of the result says for how long the program was held.

        `origins`: also the stacks that submitted the tasks which threads run, as far as they are
        known since `session.origins()`. Needs `consistency` "all".

        Another agent is asked with many commands. It gives no processor times and no virtual
        threads that the debugger has not met, and supports only "all": UnsupportedError for the
        others.
        """
        require_whole("frames", frames, 0)
        require_whole("virtual_threads", virtual_threads, 0)
        require_one_of("consistency", consistency, ("all", "stacks", "none"))
        services = self._program.services
        services.stops.require(Operation.INSPECT)
        if services.vm.agent_can(AgentCapability.THREAD_DUMP):
            if origins:
                require_one_of("with origins the consistency", consistency, ("all",))
            taking = observing.take_thread_dump(
                services.vm,
                frames=frames,
                virtual_threads=virtual_threads,
                consistency=consistency,
                of_vm=self._text_of_vm,
            )
            return self._as_held(await (self._with_origins(taking) if origins else taking))
        if consistency != "all":
            services.vm.require_of_agent(
                AgentCapability.THREAD_DUMP, "reading threads that are not suspended"
            )
        return await self.snapshot(frames=frames, variables=0, origins=origins)

    async def _with_origins(self, taking: Coroutine[Any, Any, Snapshot]) -> Snapshot:
        services = self._program.services
        try:
            services.vm.require_of_agent(AgentCapability.ORIGINS, WHAT)
        except UnsupportedError:
            taking.close()
            raise
        began = time.monotonic()
        async with services.router.all_suspended():
            taken = await observing.with_origins(services.vm, await taking)
        held_s = None if taken.held_s is None else time.monotonic() - began
        return replace(taken, held_s=held_s)

    def _as_held(self, taken: Snapshot) -> Snapshot:
        """Names what a stop holds stopped or suspended, and puts the VM's own threads last."""
        stops = self._program.services.stops.current
        of_stops = {stop.thread.id for stop in stops}
        are_all_held = any(stop.all_threads for stop in stops)

        def held(thread: ThreadSnapshot) -> ThreadSnapshot:
            if thread.status != "running" or not (are_all_held or thread.id in of_stops):
                return thread
            status = "stopped" if thread.id in of_stops else "suspended"
            return replace(thread, status=status)

        ordered = sorted(map(held, taken.threads), key=lambda each: each.is_of_vm)
        return replace(taken, threads=tuple(ordered))

    async def _text_of_vm(self) -> str | None:
        """The thread dump that the VM writes, as an attached tool gets it; None if it does not."""
        from jvmdebug import attaching  # noqa: PLC0415 - for agents that came late only

        services = self._program.services
        pid = services.vm.connection.peer_process
        if pid is None or services.stops.nothing_runs:  # then the VM's own listener does not run
            return None
        try:
            return await asyncio.to_thread(attaching.thread_dump_text, pid, timeout_s=_VM_ANSWERS_S)
        except LaunchError:
            return None

    async def instance_counts(self, *type_names: str) -> dict[str, int]:
        """How many objects of exactly each class the program can reach, in one walk of the heap; 0
        for a class that is not loaded.
        """
        services = self._program.services
        services.stops.require(Operation.INSPECT)
        from jvmdebug.session.instances import (  # noqa: PLC0415 - slow to import
            instance_counts,
        )

        return await instance_counts(services.vm, type_names)
