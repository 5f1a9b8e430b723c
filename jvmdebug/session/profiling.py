# SPDX-License-Identifier: Apache-2.0
"""`session.profiling`: where the program spends its time, waits and allocates.

Owns the arguments of `profile`, `profile_locks` and `profile_allocations`, which are the session's
methods too; sampling and profiles are `jvmdebug.profiling`'s, waits for monitors
`jvmdebug.observing`'s, allocations `jvmdebug.heap`'s.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import TYPE_CHECKING

from jvmdebug import profiling, warning
from jvmdebug.errors import ConnectionLost, StateError
from jvmdebug.heap.defaults import DEFAULT_INTERVAL
from jvmdebug.patience import PATIENCE_S
from jvmdebug.session.state import Operation

if TYPE_CHECKING:
    from jvmdebug.heap import CodePlace
    from jvmdebug.heap.allocations import AllocationProfile, Allocations, AllocationSite
    from jvmdebug.observing import Blocked, Contention
    from jvmdebug.profiling import Profile, ProfileProgress, SampledAt, SampledClock
    from jvmdebug.session.observing import SessionObserving
    from jvmdebug.session.program import DebuggedProgram

_NOTHING_RUNS = (
    "nothing of the program runs while it is profiled: let it go on (session.resume()) before, or"
    " in another task"
)
_PERIOD_S = 0.2
_CAPACITY = 1_000_000


class SessionProfiling:
    """Profiles of one debugged program."""

    def __init__(self, program: DebuggedProgram, observe: SessionObserving) -> None:
        self._program = program
        self._observe = observe

    def __repr__(self) -> str:
        return f"SessionProfiling(of {self._program.name})"

    async def profile(
        self,
        seconds: float | None = 10.0,
        clock: SampledClock = "cpu",
        hz: float = 100.0,
        *,
        at: SampledAt = "safepoints",
        frames: int = 512,
        progress: ProfileProgress | None = None,
    ) -> Profile:
        """Sample where the program spends its time, without stopping it, in platform and virtual
        threads.

        `clock`: time on a CPU ("cpu"), or wall-clock time ("wall"), whatever a thread does; virtual
        threads count only while they run. `hz`: how often each thread is sampled in a second, on
        average. `at`: with "safepoints" one thread after the other at its next safepoint; with
        "signals" wherever it is: exact, by the VM's AsyncGetCallTrace, which no specification
        covers. `progress` is called now and then, and ends the sampling by returning False; without
        `seconds` only that, the end of the program or a cancellation ends it. Needs our agent.
        Raises ProfileError for what cannot be sampled.
        """
        services = self._program.services
        services.stops.require(Operation.INSPECT)
        told = _Told(self._program, progress)
        profile = await profiling.record(
            services.vm,
            self._program.name,
            seconds=seconds,
            clock=clock,
            hz=hz,
            frames=frames,
            at=at,
            progress=told,
        )
        told.warn_if_nothing_ran()
        return profile

    async def profile_locks(
        self,
        seconds: float | None = 10.0,
        *,
        frames: int = 64,
        progress: ProfileProgress | None = None,
    ) -> Profile:
        """Measure for which monitors threads wait and where, as a profile; `contention` has the
        waits one by one. The other parameters are those of `profile`; any agent will do.
        """
        if seconds is not None and seconds <= 0:
            raise profiling.ProfileError(f"{seconds:g} s: how long has to be greater than 0")
        loop = asyncio.get_running_loop()
        waits: list[Blocked] = []
        is_complete = True
        told = _Told(self._program, progress)
        async with self._observe.contention(stack=frames, capacity=_CAPACITY) as contention:
            started, start = time.time(), loop.time()  # arming may have taken seconds
            runs = asyncio.Event()
            taking = asyncio.create_task(_take(runs, contention, waits), name="waits for monitors")
            try:
                while not taking.done():
                    if not self._program.is_held:
                        runs.set()
                    so_far = loop.time() - start
                    left = _PERIOD_S if seconds is None else min(_PERIOD_S, seconds - so_far)
                    if left <= 0:
                        break
                    await asyncio.wait((taking,), timeout=left)
                    if told(so_far, len(waits)) is False:
                        is_complete = False
                        break
                else:
                    is_complete = False
            finally:
                taking.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await taking
            waits += contention.blocked
            duration_s = loop.time() - start
        told.warn_if_nothing_ran()
        found = profiling.of_waits(map(_wait, waits), self._program.name, duration_s, started)
        found.is_complete = is_complete
        return found

    async def profile_allocations(
        self,
        seconds: float | None = 10.0,
        *,
        every: int = DEFAULT_INTERVAL,
        frames: int = 64,
        live: bool = False,
        progress: ProfileProgress | None = None,
    ) -> Profile:
        """Measure what is allocated and where, as a profile in bytes by stack, with the class of
        the objects on top of each stack. Its states are `alive` and `collected`.

        A sample is taken each time that a thread has allocated `every` bytes; 0: for each object. A
        thread that ran before is sampled once it has allocated what the VM counts to by default,
        512 KiB on average.
        With `live`, garbage is collected at the end, and the profile has only what is still alive.
        The other parameters are those of `profile`; `allocations` has the same as figures by site.
        """
        if seconds is not None and seconds <= 0:
            raise profiling.ProfileError(f"{seconds:g} s: how long has to be greater than 0")
        loop = asyncio.get_running_loop()
        told = _Told(self._program, progress)
        async with self._observe.allocations(every=every, stack=frames) as allocations:
            started, start = time.time(), loop.time()
            found, is_complete = await _allocated(allocations, seconds, told)
            duration_s = loop.time() - start
            if live and is_complete is not None:
                await allocations.close()  # what comes meanwhile is not collected yet
                found = await allocations.profile(collect=True)
        if found is None:
            raise profiling.ProfileError("the program ended before anything was sampled")
        told.warn_if_nothing_ran()
        profile = profiling.of_allocations(
            map(_site, found.sites),
            self._program.name,
            every=every,
            only_live=live,
            duration_s=duration_s,
            started_at=started,
        )
        profile.is_complete = bool(is_complete)
        return profile


class _Told:
    """The progress of a profile, which warns once if nothing runs that could be in it."""

    def __init__(self, program: DebuggedProgram, progress: ProfileProgress | None) -> None:
        self._program = program
        self._progress = progress
        self._began = time.monotonic()
        self._has_run = False
        self._has_warned = False

    def __call__(self, seconds: float, samples: int) -> bool | None:
        self._has_run |= not (self._program.is_held or self._program.is_stopped)
        if time.monotonic() - self._began > PATIENCE_S:
            self.warn_if_nothing_ran()
        return None if self._progress is None else self._progress(seconds, samples)

    def warn_if_nothing_ran(self) -> None:
        """Warn if the program is held and has not run: the caller may wait for ever."""
        is_held = self._program.is_held or self._program.is_stopped
        if is_held and not self._has_run and not self._has_warned:
            self._has_warned = True
            warning.warn(_NOTHING_RUNS)


async def _allocated(
    allocations: Allocations, seconds: float | None, progress: ProfileProgress
) -> tuple[AllocationProfile | None, bool | None]:
    """Sample to the end: the last profile, and whether the end is the one that was asked for; None:
    the program has ended, and the profile was read shortly before.
    """
    loop = asyncio.get_running_loop()
    start = loop.time()
    found = None
    pause = _PERIOD_S
    try:
        while True:
            so_far = loop.time() - start
            left = pause if seconds is None else min(pause, seconds - so_far)
            if left > 0:
                await asyncio.sleep(left)
            began = loop.time()
            found = await allocations.profile()
            # All sites come each time: reading takes a tenth of the time at most.
            pause = max(_PERIOD_S, 10 * (loop.time() - began))
            if progress(began - start, found.samples) is False:
                return found, False
            if left <= 0:
                return found, True
    except (ConnectionLost, StateError):
        return found, None


def _site(site: AllocationSite) -> profiling.Allocated:
    return profiling.Allocated(
        site.type_name,
        list(map(_frame, site.stack)),
        site.samples,
        site.bytes,
        site.live_samples,
        site.live_bytes,
    )


def _frame(place: CodePlace) -> profiling.ProfiledFrame:
    return profiling.ProfiledFrame(
        place.type_name, place.method_name, place.source or "", place.line
    )


async def _take(runs: asyncio.Event, contention: Contention, waits: list[Blocked]) -> None:
    await runs.wait()  # to take its events would start a held program, which no profile does
    async for each in contention:
        waits.append(each)  # noqa: PERF401 - what is there counts when it is cancelled


def _wait(event: Blocked) -> profiling.Wait:
    monitor = "a monitor" if event.monitor is None else event.monitor.text
    frames = [
        profiling.ProfiledFrame(
            each.type_name,
            each.method_name,
            "" if each.source_path is None else each.source_path.rpartition("/")[2],
            each.line,
        )
        for each in event.stack
    ]
    return profiling.Wait(event.thread, monitor, frames, event.duration_s)
