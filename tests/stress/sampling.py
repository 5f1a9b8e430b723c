# SPDX-License-Identifier: Apache-2.0
"""Sampling under stress: CPU by safepoints and by signals, allocations, waits for monitors,
collections, marks, dumps of heap and threads, all at once in the busy program, whose classes come
and go, with a collector that is chosen. Some sessions end well, some are lost in the middle.

Owns what is done and what must come of it. Used by `test_sampling`, `tests.stress --sampling` and
`tools.races`.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import subprocess
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal

import jvmdebug
from tests.stress.running import port_of, reckon, started
from tests.support.debuggees import debuggee

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from pathlib import Path

    from tests.support.jdks import Jdk

COLLECTORS: Final = ("Serial", "Parallel", "G1", "Z", "Shenandoah")
_STEP_S: Final = 120.0
_UNLOADED: Final = "unloaded"
_PASSENGER: Final = "busy.Passenger"
_WAYS: Final[tuple[Literal["cpu", "wall", "signals"], ...]] = ("cpu", "wall", "signals")


@dataclass
class SamplingOutcome:
    """What came of a run."""

    samples: Counter[str] = field(default_factory=Counter)
    """By what was sampled."""
    deeds: Counter[str] = field(default_factory=Counter)
    sessions: int = 0
    pauses: int = 0
    unloaded: int = 0
    """Classes that the VM has unloaded."""

    def __str__(self) -> str:
        return (
            f"{self.sessions} sessions, {dict(self.samples)} samples, {self.pauses} pauses, "
            f"{self.unloaded} classes unloaded, {dict(self.deeds)}"
        )


def has_collector(jdk: Jdk, collector: str) -> bool:
    """Whether the VM was built with it."""
    command = [str(jdk.java), f"-XX:+Use{collector}GC", "-version"]
    return not subprocess.run(command, capture_output=True, check=False, timeout=50).returncode


def sample_under_stress(
    jdk: Jdk, collector: str, *, seed: int, seconds: float, sessions: int, fast: bool = True
) -> SamplingOutcome:
    """One run; AssertionError when anything was not right, with the seed in it."""
    chance = random.Random(seed)
    program = debuggee("busy", "busy.Busy")
    outcome = SamplingOutcome()
    options = (
        f"-XX:+Use{collector}GC",
        f"-Xlog:class+unload=info:file={_UNLOADED}",
        # Else an alarm of the sampler that comes while the VM writes an error is lost in it.
        "-XX:ErrorFile=hs_err_%p.log",
    )
    try:
        with started(jdk, program, options, fast=fast) as (jvm, output, folder):
            for number in range(sessions):
                asyncio.run(_session(output, folder, chance, outcome, number, seconds / sessions))
                assert jvm.poll() is None, "the VM has ended"
                outcome.sessions += 1
            port_of(output, sessions + 1)  # the last session is over
            reckon(jvm, output, folder)
            unloaded = (folder / _UNLOADED).read_text(errors="replace")
            outcome.unloaded = unloaded.count("unloading class")
    except Exception as error:
        error.add_note(f"seed {seed}, JDK {jdk.version}, {collector}, fast={fast}: {outcome}")
        raise
    return outcome


async def _session(
    output: Path,
    folder: Path,
    chance: random.Random,
    outcome: SamplingOutcome,
    number: int,
    seconds: float,
) -> None:
    port = port_of(output, number + 1)
    is_lost = chance.random() < 0.4
    async with jvmdebug.attach("127.0.0.1", port) as session:
        work = _Sampling(session, folder, chance, outcome)
        loop = asyncio.get_running_loop()
        await work.until(loop.time() + seconds)
        if is_lost:
            left = [asyncio.create_task(each()) for each in work.samplers]
            await asyncio.sleep(chance.random() * 0.2)
            await session.vm.connection.close()
            await asyncio.gather(*left, return_exceptions=True)


class _Sampling:
    """What one session does, each of these in a task of its own."""

    def __init__(
        self,
        session: jvmdebug.Session,
        folder: Path,
        chance: random.Random,
        outcome: SamplingOutcome,
    ) -> None:
        self._session = session
        self._folder = folder
        self._chance = chance
        self._outcome = outcome
        self.samplers: list[Callable[[], Coroutine[Any, Any, None]]] = [
            self._cpu,
            self._allocations,
            self._locks,
            self._collections,
            self._deeds,
        ]

    async def until(self, end: float) -> None:
        """Do all of them again and again until that moment of the loop's clock."""
        loop = asyncio.get_running_loop()

        async def again(deed: Callable[[], Coroutine[Any, Any, None]]) -> None:
            while True:
                await asyncio.wait_for(deed(), _STEP_S)
                if loop.time() >= end:
                    return

        async with asyncio.TaskGroup() as tasks:
            for each in self.samplers:
                tasks.create_task(again(each))
        assert not self._session.is_disconnected, "the connection was lost"

    def _seconds(self) -> float:
        return 0.1 + self._chance.random()

    async def _cpu(self) -> None:
        way = self._chance.choice(_WAYS)
        hz = self._chance.choice((100.0, 1000.0))
        seconds = self._seconds()
        if way == "signals":
            try:
                found = await self._session.profile(seconds, "cpu", hz, at="signals")
            except jvmdebug.UnsupportedError:
                self._outcome.deeds["no signals"] += 1
                return
        else:
            found = await self._session.profile(seconds, way, hz)
        self._outcome.samples[way] += found.samples
        assert sum(each.value for each in found.stacks) == found.total

    async def _allocations(self) -> None:
        every = self._chance.choice((1024, 16 * 1024, 512 * 1024))
        live = self._chance.random() < 0.3
        found = await self._session.profile_allocations(self._seconds(), every=every, live=live)
        self._outcome.samples["alloc"] += found.samples

    async def _locks(self) -> None:
        found = await self._session.profile_locks(self._seconds())
        self._outcome.samples["locks"] += found.samples

    async def _collections(self) -> None:
        async with self._session.gc_events(duration_s=self._seconds()) as events:
            async for _ in events:
                self._outcome.pauses += 1

    async def _deeds(self) -> None:
        deed = self._chance.choice(
            (
                self._histogram,
                self._snapshot,
                self._dump,
                self._mark,
                self._threads,
                self._instances,
            )
        )
        self._outcome.deeds[deed.__name__.strip("_")] += 1
        await deed()
        await asyncio.sleep(self._chance.random() * 0.2)

    async def _histogram(self) -> None:
        assert await self._session.heap.histogram()

    async def _snapshot(self) -> None:
        heap = await self._session.heap.snapshot()
        assert heap.retained_size("busy.Ledger") > 0

    async def _dump(self) -> None:
        dumping = asyncio.create_task(self._session.heap.dump(self._folder / "busy.hprof"))
        if self._chance.random() < 0.5:
            await asyncio.sleep(self._chance.random() * 0.05)
            dumping.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await dumping

    async def _mark(self) -> None:
        page = await self._session.heap.instances("busy.Ledger")
        mark = await self._session.heap.mark(next(iter(page)))
        await self._session.heap.collect()
        assert not mark.is_collected

    async def _threads(self) -> None:
        dump = await self._session.thread_dump()
        assert any(each.name == "worker-booking" for each in dump.threads)

    async def _instances(self) -> None:
        """Instances of a class that is loaded again and again, and each time not for long."""
        with contextlib.suppress(jvmdebug.EvaluationError):
            await self._session.heap.instances(_PASSENGER)
