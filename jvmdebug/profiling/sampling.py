# SPDX-License-Identifier: Apache-2.0
"""Sampling by our agent: started, read several times a second, and ended whatever happens.

Owns the talk with the agent (command set Sampling) and the profile that grows from it. Called by
the session's door, `session.profile`.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, Literal, TypeAlias
from weakref import WeakSet

from jvmdebug.arguments import require_one_of, require_whole
from jvmdebug.classfile.descriptors import java_name
from jvmdebug.errors import ConnectionLost, NotImplementedByVmError, ProgramEnded, VmError
from jvmdebug.jdwp.generated import sampling as sampling_set
from jvmdebug.model.agent import AgentCapability
from jvmdebug.profiling.errors import ProfileError
from jvmdebug.profiling.profile import Profile, ProfiledThread
from jvmdebug.profiling.stack_tree import Key, ProfiledFrame
from jvmdebug.to_the_end import begun, done

if TYPE_CHECKING:
    from jvmdebug.model.virtual_machine import VirtualMachine

ProfileProgress: TypeAlias = Callable[[float, int], bool | None]
"""Told for how many seconds has been sampled, and how many samples there are; False ends it."""

SampledClock: TypeAlias = Literal["cpu", "wall"]
SampledAt: TypeAlias = Literal["safepoints", "signals"]
MOST_HZ: Final = 5000.0
LEAST_HZ: Final = 0.1
_PERIOD_S: Final = 0.2
_STATES: Final = ("running", "blocked", "waiting", "sleeping", "suspended", "idle")
_KINDS: Final = ("platform", "virtual", "vm")
_HOW: Final = {
    ("cpu", "safepoints"): "stacks are read at safepoints, one thread at a time (biased towards"
    " loop ends and calls); times are CPU times",
    ("wall", "safepoints"): "stacks are read at safepoints, one thread at a time (biased towards"
    " loop ends and calls); times are wall-clock times, whatever a thread does",
    ("cpu", "signals"): "stacks are read wherever a thread is (AsyncGetCallTrace), by a timer on"
    " its CPU time: no safepoint bias",
}
_Methods: TypeAlias = list[tuple[str, str, str]]
"""Class, name and source file of each method that the agent has named."""
_busy: WeakSet[VirtualMachine] = WeakSet()


async def record(
    vm: VirtualMachine,
    program: str,
    *,
    seconds: float | None,
    clock: SampledClock,
    hz: float,
    frames: int,
    at: SampledAt,
    progress: ProfileProgress | None,
) -> Profile:
    """See `session.profile`."""
    profile = _new(program, seconds, clock, hz, at, frames)
    vm.require_of_agent(AgentCapability.SAMPLING, "profiling")
    if vm in _busy:
        raise ProfileError("this program is being profiled already: wait for its end")
    _busy.add(vm)
    methods: _Methods = []
    starting = begun(_start(vm, clock, hz, frames, at), "starting to sample")
    try:
        try:
            await done(starting)
            await _collect(vm, profile, methods, seconds, progress)
        finally:
            await done(begun(_stop(vm, starting, profile, methods), "sampling no more"))
    except ConnectionLost as lost:
        # What there is, is the profile, even if the program was too short for a sample.
        profile.is_complete = False
        if not profile.threads and not isinstance(lost, ProgramEnded):
            raise
    return profile


def _new(
    program: str,
    seconds: float | None,
    clock: SampledClock,
    hz: float,
    at: SampledAt,
    frames: int,
) -> Profile:
    if seconds is not None and seconds <= 0:
        raise ProfileError(f"{seconds:g} s: how long has to be greater than 0")
    if not LEAST_HZ <= hz <= MOST_HZ:
        raise ProfileError(f"{hz:g} Hz: choose {LEAST_HZ:g} to {MOST_HZ:g} samples a second")
    require_whole("frames", frames, 1)
    require_one_of("clock", clock, dict.fromkeys(each for each, _ in _HOW))
    require_one_of("at", at, dict.fromkeys(each for _, each in _HOW))
    how = _HOW.get((clock, at))
    if how is None:
        raise ProfileError(
            "with signals only CPU time is sampled: a thread that waits is not interrupted"
        )
    return Profile(
        kind=clock,
        unit="nanoseconds",
        how=how,
        program=program,
        interval_s=1 / hz,
        started_at=time.time(),
    )


async def _start(
    vm: VirtualMachine, clock: SampledClock, hz: float, frames: int, at: SampledAt
) -> None:
    command = sampling_set.Start(
        clock=int(clock == "cpu"),
        way=int(at == "signals"),
        interval=round(1e6 / hz),
        frames=min(max(frames, 1), 2048),
    )
    try:
        await vm.request(command)
    except NotImplementedByVmError:
        why = "AsyncGetCallTrace is missing"
        if vm.agent is not None and not vm.agent.has(AgentCapability.SIGNAL_SAMPLING):
            why = vm.agent.why_off(AgentCapability.SIGNAL_SAMPLING)
        raise ProfileError(
            f"this JVM cannot be sampled by signals ({why}): sample at safepoints"
        ) from None


async def _collect(
    vm: VirtualMachine,
    profile: Profile,
    methods: _Methods,
    seconds: float | None,
    progress: ProfileProgress | None,
) -> None:
    loop = asyncio.get_running_loop()
    start = loop.time()
    while True:
        so_far = loop.time() - start
        left = _PERIOD_S if seconds is None else min(_PERIOD_S, seconds - so_far)
        if left <= 0:
            return
        await asyncio.sleep(left)
        await _read(vm, profile, methods)
        if progress is not None and progress(profile.duration_s, profile.samples) is False:
            profile.is_complete = False
            return


async def _stop(
    vm: VirtualMachine, starting: asyncio.Task[None], profile: Profile, methods: _Methods
) -> None:
    """Stops the recording, whose caller may have been cancelled before it began."""
    await asyncio.wait({starting})
    try:
        if starting.exception() is None:
            await vm.request(sampling_set.Stop())
            await _read(vm, profile, methods)
    except (ConnectionLost, VmError):
        pass  # with the VM the sampling has ended
    finally:
        _busy.discard(vm)


async def _read(vm: VirtualMachine, profile: Profile, methods: _Methods) -> None:
    news = await vm.request(sampling_set.Read(), timeout_s=None)
    tree = profile.tree
    methods += [
        (java_name(each.type) if each.type else "", each.name or "(unloaded)", each.source)
        for each in news.methods
    ]
    profile.threads += [ProfiledThread(each.name, _KINDS[each.category]) for each in news.threads]
    for node in news.nodes:
        type_name, name, source = methods[node.method]
        line = node.line if node.line > 0 else None
        tree.append(node.parent, ProfiledFrame(type_name, name, source, line))
    for each in news.samples:
        tree.add(Key(each.thread, each.node, _STATES[each.state]), each.count, each.time)
    profile.duration_s = news.elapsed / 1e6
    profile.rounds = news.rounds
    profile.failed += news.failed
    profile.unseen_s = news.unseen / 1e9
    profile.process_cpu_s = news.process_cpu / 1e9
    profile.sampler_cpu_s = news.sampler_cpu / 1e9
