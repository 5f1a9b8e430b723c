# SPDX-License-Identifier: Apache-2.0
"""`session.profile` and `jvmdebug profile`: planted hot spots are on top, on real VMs."""

from __future__ import annotations

import asyncio
import contextlib
import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

import jvmdebug
from jvmdebug.profiling import ProfileError
from tests.support.debuggees import debuggee
from tests.support.sessions import launched

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from jvmdebug.profiling import Profile, SampledAt
    from tests.support.jdks import Jdk
    from tests.support.process import AgentInVm, AgentKind

_FIRST_WITH_VIRTUAL_THREADS = 21
_WAYS: Final[tuple[SampledAt, ...]] = ("safepoints", "signals")
_ENOUGH_CPU_S: Final = 0.15  # to be found running at 2000 Hz, whatever else there is
_NEEDS_OURS = "needs our agent: see test_what_only_our_agent_can"


@contextlib.asynccontextmanager
async def _running(
    jdk: Jdk, agent_kind: AgentInVm, what: str, *vm_args: str
) -> AsyncIterator[jvmdebug.Session]:
    program = debuggee("profiled", "Profiled")
    async with launched(program, jdk, agent_kind, args=[what], vm_args=vm_args) as session:
        await session.start()
        yield session


def _share(profile: Profile, method: str) -> float:
    """The share of what its thread did: the JIT compilers' threads have a part of the whole."""
    found = {each.name: each.self_value for each in profile.methods(1000)}
    return found.get(method, 0) / profile.by_thread["worker"]


def _until_enough(_seconds: float, samples: int) -> bool:
    """Whether to go on: a second has few samples where other programs have the processors."""
    return samples < 300


async def test_what_only_our_agent_can(jdk: Jdk, agent_kind: AgentKind) -> None:
    if agent_kind != "stock":
        pytest.skip("it is what the other agent refuses")
    async with _running(jdk, agent_kind, "platform") as session:
        with pytest.raises(jvmdebug.UnsupportedError, match=r"profiling .*jvmdebug's own agent"):
            await session.profile(1)


async def test_a_planted_hot_spot_is_on_top(jdk: Jdk, agent_kind: AgentKind) -> None:
    if agent_kind == "stock":
        pytest.skip(_NEEDS_OURS)
    async with _running(jdk, agent_kind, "waiting") as session:
        assert (await session.profile(0.1)).is_complete
        profile = await session.profile(30, hz=200, progress=_until_enough)
        assert profile.methods(1)[0].name == "Profiled.hot"
        assert 0.65 < _share(profile, "Profiled.hot") < 0.97
        assert 0 < _share(profile, "Profiled.warm") < 0.3
        assert next(iter(profile.by_thread)) == "worker"
        (stack,) = {each.frames[1:] for each in profile.stacks if "hot" in str(each.frames[:1])}
        assert [each.method for each in stack][:1] == ["work"]
        # CPU times are those of the threads, however rarely they were looked at.
        assert profile.process_cpu_s is not None
        assert profile.total / 1e9 <= profile.process_cpu_s + 0.1
        wall = await session.profile(1, "wall", hz=50)
        assert {"running", "waiting"} <= set(wall.by_state)
        (idle,) = [each for each in wall.stacks if each.thread.name == "main"]
        assert "idle" in [each.method for each in idle.frames]
        assert 0.5e9 < idle.value < 1.6e9
        assert session.state is jvmdebug.SessionState.RUNNING


async def test_virtual_threads(jdk: Jdk, agent_kind: AgentKind) -> None:
    if agent_kind == "stock":
        pytest.skip(_NEEDS_OURS)
    if jdk.version < _FIRST_WITH_VIRTUAL_THREADS:
        pytest.skip("this JDK has no virtual threads")
    async with _running(jdk, agent_kind, "virtual") as session:
        profile = await session.profile(1, hz=200)
        assert profile.methods(1)[0].name == "Profiled.hot"
        assert next(iter(profile.by_thread)) == "virtual threads"
        (kind,) = {each.thread.kind for each in profile.stacks if "hot" in str(each.frames[:1])}
        assert kind == "virtual"


async def test_signals_read_stacks_wherever_threads_are(jdk: Jdk, agent_kind: AgentKind) -> None:
    if agent_kind == "stock":
        pytest.skip(_NEEDS_OURS)
    async with _running(jdk, agent_kind, "waiting") as session:
        await session.profile(0.2, hz=500, at="signals")  # it may be begun again
        profile = await session.profile(30, hz=200, at="signals", progress=_until_enough)
        assert profile.methods(1)[0].name == "Profiled.hot"
        assert 0.65 < _share(profile, "Profiled.hot") < 0.95
        assert next(iter(profile.by_thread)) == "worker"
        async with _sampled(session, at="signals"):
            await session.close()


@pytest.mark.parametrize(
    ("collector", "seconds"),
    [
        ("G1", 1),
        ("Z", 1),
        *(
            pytest.param(each, 60, marks=[pytest.mark.slow, pytest.mark.timeout(240)])
            for each in ("G1", "Serial", "Parallel", "Z", "Shenandoah")
        ),
    ],
)
async def test_classes_are_unloaded_and_objects_moved_meanwhile(
    jdk: Jdk, agent_kind: AgentKind, collector: str, seconds: int
) -> None:
    if agent_kind == "stock":
        pytest.skip(_NEEDS_OURS)
    option = f"-XX:+Use{collector}GC"
    if not await asyncio.to_thread(_takes, jdk, option):
        pytest.skip(f"this JVM has no {option}")
    async with _running(jdk, agent_kind, "unloading", option, "-Xmx256m") as session:
        until = asyncio.get_running_loop().time() + seconds
        assert session.pid is not None
        seen = dict.fromkeys(_WAYS, False)
        while asyncio.get_running_loop().time() < until or not all(seen.values()):
            for at in _WAYS:
                before = _cpu_s(session.pid, "unloader")
                profile = await session.profile(0.5, hz=2000, at=at)
                is_seen = "unloader" in profile.by_thread
                seen[at] |= is_seen
                # A collection, or another program, may take all of a round.
                assert is_seen or _cpu_s(session.pid, "unloader") - before < _ENOUGH_CPU_S
                assert profile.failed <= profile.samples
        assert session.state is jvmdebug.SessionState.RUNNING


def _cpu_s(pid: int, thread: str) -> float:
    """What the threads of a name have used so far."""
    ticks = 0
    for task in Path(f"/proc/{pid}/task").iterdir():
        with contextlib.suppress(OSError):  # it has ended
            name, _, rest = (task / "stat").read_text().partition("(")[2].rpartition(")")
            ticks += sum(map(int, rest.split()[11:13])) if name == thread else 0
    return ticks / os.sysconf("SC_CLK_TCK")


def _takes(jdk: Jdk, option: str) -> bool:
    command = [str(jdk.java), option, "-version"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


async def test_the_end_of_the_program_is_the_end_of_the_profile(
    jdk: Jdk, agent_kind: AgentKind
) -> None:
    if agent_kind == "stock":
        pytest.skip(_NEEDS_OURS)
    async with _running(jdk, agent_kind, "done") as session:
        profile = await session.profile(None)
        assert not profile.is_complete
        # The last part of a second is not told, so what is hot is not looked at here.
        assert profile.methods(1)[0].name.startswith("Profiled.")
        assert await session.wait() == 0


async def test_it_can_be_ended_and_cancelled_and_asked_wrongly(
    jdk: Jdk, agent_kind: AgentKind
) -> None:
    if agent_kind == "stock":
        pytest.skip(_NEEDS_OURS)
    async with _running(jdk, agent_kind, "platform") as session:
        told = []

        def enough(seconds: float, samples: int) -> bool:
            told.append((seconds, samples))
            return samples < 5

        profile = await session.profile(60, progress=enough)
        assert not profile.is_complete
        assert profile.samples >= 5
        assert told[-1][1] >= 5
        async with _sampled(session) as running:
            with pytest.raises(ProfileError, match="is being profiled already"):
                await session.profile(1)
            running.cancel()
            with pytest.raises(asyncio.CancelledError):
                await running
        assert (await session.profile(0.3)).is_complete
        for wrong, words in (
            ({"seconds": 0}, "greater than 0"),
            ({"hz": 0}, "0 Hz: choose"),
            ({"clock": "wall", "at": "signals"}, "only CPU time"),
        ):
            with pytest.raises(ProfileError, match=words):
                await session.profile(**wrong)
        async with _sampled(session):
            await session.close()


@contextlib.asynccontextmanager
async def _sampled(
    session: jvmdebug.Session, at: SampledAt = "safepoints"
) -> AsyncIterator[asyncio.Task[Profile]]:
    """A session that is being profiled."""
    begun = asyncio.Event()

    def progress(_seconds: float, _samples: int) -> None:
        begun.set()

    running = asyncio.create_task(session.profile(60, at=at, progress=progress))
    await asyncio.wait_for(begun.wait(), 30)
    try:
        yield running
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
