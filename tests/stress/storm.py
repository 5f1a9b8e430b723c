# SPDX-License-Identifier: Apache-2.0
"""A storm: random work of a debugger on any program, by the public API, which is to change nothing
in what the program does.

Owns the choice of what is done and the record of it. Each deed draws from a chance of its own, made
of the seed and its number: what one deed finds does not change what the next ones do. `storm_stops`
has what is done where a thread stops, `oracle_running` what must come of it.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

import jvmdebug
from tests.stress.patience import patiently
from tests.stress.storm_stops import StopWork

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from jvmdebug.classfile import ClassEditor
    from tests.stress.storm_targets import StormOutcome, Targets

DEED_S: Final = 60.0
"""How much processor time a deed may take. It says "hangs" then."""
LEAST_DEEDS: Final = 12
"""That a session does, be the machine as slow as it is."""
_LONG_S: Final = 5.0
_MOST: Final = 6
_A_MOMENT_S: Final = 0.15
_SUSPENDS: Final[tuple[jvmdebug.Suspend, ...]] = ("all", "thread")
_NEVER: Final = (
    "1 > 2",
    "Thread.currentThread() == null",
    'String.valueOf((Object) "a").length() == 2',
    "System.nanoTime() == 5L && 1 < 2",
)
_REFUSALS: Final = (
    jvmdebug.BreakpointError,
    jvmdebug.EvaluationError,
    jvmdebug.StateError,
    jvmdebug.UnsupportedError,
    jvmdebug.SourceError,
    jvmdebug.VmError,
)
"""Answers that a debugger may give. What they are is counted."""


class Storm:
    """The random work of one session."""

    def __init__(
        self,
        session: jvmdebug.Session,
        pid: int,
        targets: Targets,
        seed: str,
        outcome: StormOutcome,
        deeds: tuple[str, ...] = (),
    ) -> None:
        self._session = session
        self._pid = pid
        self._targets = targets
        self._seed = seed
        self._outcome = outcome
        self._chance = random.Random(seed)
        self._set: list[jvmdebug.Breakpoint] = []
        self._names: list[str] = []
        self._work = StopWork(session, targets, outcome)
        self._possible = [
            (weight, deed)
            for weight, deed in self._all()
            if not deeds or deed.__name__.strip("_") in deeds
        ]
        session.subscribe(self._note)

    def _all(self) -> list[tuple[int, Callable[[], Awaitable[None]]]]:
        return [
            (8, self._condition),
            (6, self._log),
            (4, self._counted),
            (4, self._method),
            (5, self._all_of_class),
            (6, self._remove),
            (2, self._change),
            (6, self._stop),
            (3, self._watch),
            (2, self._exceptions),
            (2, self._trace),
            (1, self._trace_all),
            (2, self._count),
            (1, self._time),
            (1, self._sample),
            (1, self._who_sets),
            (1, self._who_reads),
            (1, self._exception_stream),
            (1, self._transform),
            (1, self._steps),
            (1, self._contention),
            (1, self._allocations),
            (1, self._allocation_stop),
            (1, self._profile),
            (1, self._coverage),
            (1, self._origins),
            (1, self._record),
            (2, self._pause),
            (2, self._swap),
            (1, self._heap),
            (1, self._threads),
            (3, self._wait),
        ]

    async def go_on(self, seconds: float) -> None:
        """Random deeds for so long."""
        names = {each.name for each in await self._session.vm.all_classes()}
        self._names = sorted(filter(self._targets.takes, names))
        assert self._names, f"no class of {self._targets.prefixes} is loaded"
        end = time.monotonic() + seconds
        number = 0
        least = LEAST_DEEDS if seconds >= _LONG_S else 1
        while time.monotonic() < end or number < least:
            if self._session.is_disconnected:
                return
            number += 1
            await self._do(number)

    async def rest(self) -> None:
        """Take everything back. Nothing is left then that the session knows of."""
        left = await patiently(self._all_back(), self._pid, DEED_S)
        assert not left, f"probes are left: {left}"

    async def _all_back(self) -> list[jvmdebug.ProbeUse]:
        await self._session.breakpoints.remove()
        self._set.clear()
        await self._session.resume()
        return await self._session.probes()

    async def _do(self, number: int) -> None:
        self._chance = random.Random(f"{self._seed}/{number}")
        weights = [weight for weight, _ in self._possible]
        deed = self._chance.choices([each for _, each in self._possible], weights)[0]
        self._outcome.begin(f"{self._seed}/{number}: {deed.__name__.strip('_')}")
        try:
            await patiently(self._done(deed), self._pid, DEED_S)
        except _REFUSALS as error:
            self._outcome.refused[f"{deed.__name__.strip('_')}: {type(error).__name__}"] += 1
            self._say(f"refused: {error}")
            await patiently(self._let_go(), self._pid, DEED_S)
        except TimeoutError:
            raise AssertionError(f"hangs: {self._outcome.deeds[-1]}") from None

    async def _done(self, deed: Callable[[], Awaitable[None]]) -> None:
        await deed()
        await self._let_go()

    def _say(self, text: str) -> None:
        self._outcome.add(text)

    def _note(self, event: jvmdebug.SessionEvent) -> None:
        if isinstance(event, jvmdebug.BreakpointLogged):
            self._outcome.logged += 1

    async def _let_go(self) -> None:
        """Look at what has stopped meanwhile, and let it run."""
        while self._session.current_stops:
            self._outcome.stops += 1
            stop = self._session.current_stops[0]
            await self._work.look(stop, self._chance)
        # Those that were handed out are over: `next_stop` has the next one.
        while not self._session.is_disconnected:
            try:
                following = await self._session.next_stop(timeout_s=0.001)
            except TimeoutError:
                return
            if following is None:
                return
            if following.is_current:
                await self._work.resume(following)

    # What is chosen

    async def _line(self) -> str:
        """The line of a class that is loaded: `checked/Fields.java:12`."""
        for _ in range(20):
            name = self._chance.choice(self._names)
            outer = name.partition("$")[0]
            path = outer.replace(".", "/") + ".java"
            lines = await self._session.breakpoints.breakable_lines(path)
            if lines:
                line = self._chance.choice(lines)
                parts = await self._session.breakpoints.breakable_parts(path, line, line)
                part = self._chance.choice(["line", "all", *(each.part for each in parts)])
                named = part if isinstance(part, str) else f"lambda{part}"
                return f"{path}:{line}:{named}"
        raise jvmdebug.BreakpointError("no lines")

    def _type(self) -> str:
        return self._chance.choice(self._names)

    async def _field(self) -> str:
        types = {each.name: each for each in await self._session.vm.all_classes()}
        for _ in range(50):
            type_ = types.get(self._type())
            fields = await type_.fields() if type_ else ()
            named = sorted(each.name for each in fields if "$" not in each.name)
            if type_ and named:
                return f"{type_.name}.{self._chance.choice(named)}"
        raise jvmdebug.BreakpointError("no fields")

    def _never(self) -> str:
        return self._chance.choice(_NEVER)

    async def _add(self, spec: str, **options: Any) -> None:
        self._say(f"{spec} {options}")
        if len(self._set) >= _MOST:
            await self._set.pop(0).remove()
        self._set.append(await self._session.break_at(spec, **options))

    # What is done

    async def _condition(self) -> None:
        await self._add(await self._line(), condition=self._never())

    async def _log(self) -> None:
        every = self._chance.choice(("% 50", "% 1000", ">= 3"))
        await self._add(await self._line(), log_message="{1 + 2} here", hit_condition=every)

    async def _counted(self) -> None:
        await self._add(await self._line(), hit_condition=self._chance.choice(("== 7", "% 5000")))

    async def _method(self) -> None:
        method = self._chance.choice(("*", "*", "<init>"))
        await self._add(f"{self._type()}#{method}", condition=self._never())

    async def _all_of_class(self) -> None:
        """A condition at each line of a source, set and removed at once: all methods change."""
        path, _, _ = (await self._line()).partition(":")
        lines = await self._session.breakpoints.breakable_lines(path)
        condition = self._never()
        self._say(f"{path} {len(lines)} lines, {condition}")
        options = jvmdebug.BreakpointOptions(condition=condition)
        requests = [
            jvmdebug.BreakpointRequest(jvmdebug.LineSpec(line, path=path), options)
            for line in lines[:200]
        ]
        await self._session.breakpoints.replace("all", requests)
        await asyncio.sleep(self._chance.random() * _A_MOMENT_S)
        await self._session.breakpoints.replace("all", [])

    async def _remove(self) -> None:
        if self._set:
            await self._set.pop(self._chance.randrange(len(self._set))).remove()

    async def _change(self) -> None:
        if self._set:
            await self._chance.choice(self._set).set_condition(self._never())

    async def _stop(self) -> None:
        spec = await self._line()
        suspend: jvmdebug.Suspend = self._chance.choice(_SUSPENDS)
        condition = self._chance.choice((None, None, "1 < 2", "Thread.currentThread() != null"))
        self._say(f"{spec} {suspend} {condition}")
        at = await self._session.break_at(spec, suspend=suspend, condition=condition)
        try:
            with contextlib.suppress(TimeoutError):
                stop = await self._session.next_stop(timeout_s=1)
                if stop is not None:
                    await at.remove()
                    self._outcome.stops += 1
                    await self._work.look(stop, self._chance)
        finally:
            await at.remove()

    async def _watch(self) -> None:
        name = await self._field()
        read = self._chance.random() < 0.4
        self._say(f"{name} read={read}")
        watched = await self._session.watch(name, read=read, condition=self._never())
        self._set.append(watched)
        if len(self._set) > _MOST:
            await self._set.pop(0).remove()

    async def _exceptions(self) -> None:
        type_name = self._chance.choice(
            ("java.lang.RuntimeException", "java.lang.NullPointerException", "java.lang.Throwable")
        )
        self._say(type_name)
        at = await self._session.break_on_exception(
            type_name, caught=True, condition=self._chance.choice((self._never(), None))
        )
        await asyncio.sleep(_A_MOMENT_S)
        await at.remove()

    async def _trace(self) -> None:
        await self._traced(f"{self._type()}#*")

    async def _trace_all(self) -> None:
        name = self._type()
        await self._traced(f"{name.rpartition('.')[0]}.*#{self._chance.choice(('get*', 'pass'))}")

    async def _traced(self, methods: str) -> None:
        limit = self._chance.choice((1, 20, 200))
        self._say(f"{methods} limit={limit}")
        async with self._session.trace(methods, limit=limit, duration_s=0.5) as trace:
            await self._going_on(trace.collect())

    async def _going_on(self, waiting: Any) -> None:
        """Wait, and let go what stops meanwhile."""
        task = asyncio.ensure_future(waiting)
        try:
            while not task.done():
                await asyncio.wait({task}, timeout=_A_MOMENT_S)
                for each in self._session.current_stops:
                    await self._work.resume(each)
            task.result()
        finally:
            task.cancel()

    async def _count(self) -> None:
        spec = await self._line()
        self._say(spec)
        async with self._session.count(spec) as count:
            await asyncio.sleep(_A_MOMENT_S)
            await count.read()

    async def _time(self) -> None:
        first = await self._line()
        self._say(first)
        async with self._session.time_between(first, await self._line()) as timing:
            await asyncio.sleep(_A_MOMENT_S)
            await timing.read()

    async def _sample(self) -> None:
        spec = await self._line()
        self._say(spec)
        sampled = self._session.sample("1 + 1", at=spec, limit=20, duration_s=0.3)
        async with sampled as samples:
            await self._going_on(samples.collect())

    async def _who_sets(self) -> None:
        name = await self._field()
        self._say(name)
        async with self._session.who_sets(name, limit=20, duration_s=0.3) as writes:
            await self._going_on(writes.collect())

    async def _who_reads(self) -> None:
        name = await self._field()
        self._say(name)
        async with self._session.who_reads(name, limit=20, duration_s=0.3) as reads:
            await self._going_on(reads.collect())

    async def _exception_stream(self) -> None:
        async with self._session.exceptions(limit=20, duration_s=0.3) as thrown:
            await self._going_on(thrown.collect())

    async def _transform(self) -> None:
        name = self._type()
        self._say(name)

        # HotSpot keeps the constants of calls that were added, and class files are compared.
        def look(editor: ClassEditor) -> bytes:
            return editor.encode()

        async with self._session.transform_classes(name, look) as transform:
            await asyncio.sleep(_A_MOMENT_S)
        assert not transform.failures, transform.failures

    async def _steps(self) -> None:
        thread = self._chance.choice(await self._session.threads())
        self._say(thread.name)
        unit: Literal["line", "instruction"] = self._chance.choice(("line", "instruction"))
        async with self._session.steps_of(thread, unit=unit, limit=20, duration_s=0.3) as steps:
            await self._going_on(steps.collect())

    async def _contention(self) -> None:
        async with self._session.contention(limit=20, duration_s=0.3) as waits:
            await self._going_on(waits.collect())

    async def _allocations(self) -> None:
        async with self._session.allocations(every=16 * 1024):
            await asyncio.sleep(_A_MOMENT_S)

    async def _allocation_stop(self) -> None:
        at = f"{self._type()}#*"
        self._say(at)
        type_name = self._chance.choice(("java.lang.String", "java.lang.Integer", "int[]"))
        added = await self._session.break_on_allocation(type_name, at, condition=self._never())
        await asyncio.sleep(_A_MOMENT_S)
        await added.remove()

    async def _profile(self) -> None:
        way = self._chance.choice(("cpu", "allocations", "locks"))
        self._say(way)
        if way == "cpu":
            await self._session.profile(0.2, "cpu", 500.0)
        elif way == "locks":
            await self._session.profile_locks(0.2)
        else:
            await self._session.profile_allocations(0.2, every=16 * 1024)

    async def _coverage(self) -> None:
        self._say(self._type())
        async with self._session.coverage(include=[f"{self._type()}*"]) as recording:
            await asyncio.sleep(_A_MOMENT_S)
            await recording.read()

    async def _origins(self) -> None:
        async with self._session.origins() as tracking:
            await asyncio.sleep(_A_MOMENT_S)
            stop = await self._session.suspend()
            for thread in await self._session.threads():
                if thread.stop is stop and self._chance.random() < 0.5:
                    await stop.origins(thread=thread)
            if stop.is_current:
                await stop.resume()
            assert (await tracking.status()).is_running

    async def _record(self) -> None:
        self._say(self._type())
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "storm.jvmrec"
            what = self._chance.choice(["calls", "lines", "all"])
            async with self._session.record(path, what=what, only=[f"{self._type()}*"]):
                await asyncio.sleep(_A_MOMENT_S)

    async def _pause(self) -> None:
        stop = await self._session.suspend()
        await self._work.stacks(self._chance)
        if self._chance.random() < 0.4:
            await self._condition()
        if stop.is_current:
            await stop.resume()

    async def _swap(self) -> None:
        """A class, or some, get the code that they have."""
        names = {self._type() for _ in range(self._chance.choice((1, 1, 4)))}
        self._say(" ".join(sorted(names)))
        with tempfile.TemporaryDirectory() as folder:
            paths = []
            for number, name in enumerate(sorted(names)):
                content = self._targets.class_file(name)
                if content is not None:
                    paths.append(Path(folder, f"{number}.class"))
                    paths[-1].write_bytes(content)
            if paths:
                self._outcome.swapped.update(f"{each}.class" for each in names)
                await self._session.redefine(*paths, changed_only=False)

    async def _heap(self) -> None:
        way = self._chance.choice(("histogram", "instances", "counts", "collect"))
        name = self._type()
        self._say(f"{way} {name}")
        if way == "histogram":
            await self._session.heap.histogram()
        elif way == "instances":
            await self._session.heap.instances(name, limit=10)
        elif way == "counts":
            await self._session.instance_counts(name)
        else:
            await self._session.heap.collect()

    async def _threads(self) -> None:
        await self._session.thread_dump()
        await self._session.report_virtual_threads(on=self._chance.random() < 0.5)

    async def _wait(self) -> None:
        await asyncio.sleep(self._chance.random() * 0.3)
