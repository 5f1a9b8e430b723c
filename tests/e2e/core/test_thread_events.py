# SPDX-License-Identifier: Apache-2.0
"""Threads of a real VM: start, end, stops, and which stop suspends which thread."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug.events import (
    RESUME,
    BreakpointOccurrence,
    MonitorContendedEnterOccurrence,
    Occurrence,
    StopFor,
    ThreadDeathOccurrence,
    ThreadStartOccurrence,
    Verdict,
)
from jvmdebug.jdwp.generated.constants import EventKind, SuspendPolicy
from jvmdebug.model import Frame, PrimitiveKind, PrimitiveValue
from tests.e2e.core.conftest import Asked, locals_of, only, stop, thread_of

if TYPE_CHECKING:
    from tests.e2e.core.conftest import OpenProgram

ALL, EVENT_THREAD, NONE = SuspendPolicy.ALL, SuspendPolicy.EVENT_THREAD, SuspendPolicy.NONE


def number(value: int) -> PrimitiveValue:
    return PrimitiveValue(PrimitiveKind.INT, value)


async def test_the_life_of_threads(open_program: OpenProgram) -> None:
    program = await open_program("threads", "ManyThreads", args=["4"])
    await program.prepared()
    started: list[str] = []
    ended: list[str] = []

    async def note(occurrence: Occurrence) -> Verdict:
        if isinstance(occurrence, ThreadStartOccurrence):
            started.append(await occurrence.thread.name())
        elif isinstance(occurrence, ThreadDeathOccurrence):
            ended.append(await occurrence.thread.name())
        return RESUME

    for kind in (EventKind.THREAD_START, EventKind.THREAD_DEATH):
        await program.router.arm(kind, (), EVENT_THREAD, note)
    await program.finish(program.start)
    workers = {f"worker-{each}" for each in range(4)}
    assert workers <= set(started)
    assert workers <= set(ended)


async def test_many_threads_stop_one_after_the_other(open_program: OpenProgram) -> None:
    """Each of eight threads hits the line once; every stop holds all threads.

    But one that was stopped before may be at its end: behind its last event, it is listed until the
    VM has removed it, and runs no code of the program.
    """
    program = await open_program("threads", "ManyThreads", args=["8"])
    declaring = await program.prepared()
    await program.break_at(declaring, "work")
    names: list[str] = []
    stopped = program.start
    for _ in range(8):
        await program.router.resume(stopped)
        stopped = await program.next()
        assert program.router.current_stops == (stopped,)
        thread = thread_of(stopped)
        states = {
            await each.name(): (await each.status()).is_suspended
            for each in await program.vm.all_threads()
        }
        assert {name for name, is_suspended in states.items() if not is_suspended} <= set(names)
        names.append(await thread.name())
    assert sorted(names) == [f"worker-{each}" for each in range(8)]
    await program.finish(stopped)
    assert "done 8" in program.jvm.stdout


async def test_several_single_threads_are_stopped_at_once(open_program: OpenProgram) -> None:
    program = await open_program("threads", "ManyThreads", args=["6"])
    declaring = await program.prepared()
    await program.break_at(declaring, "work", policy=EVENT_THREAD)
    await program.router.resume(program.start)
    stops = [await program.next() for _ in range(6)]
    assert len(program.router.current_stops) == 6
    for stopped in stops[:-1]:
        assert await thread_of(stopped).suspend_count() == 1
        await program.router.resume(stopped)
    await program.finish(stops[-1])
    assert "done 6" in program.jvm.stdout


async def test_a_widened_stop_suspends_all_threads(open_program: OpenProgram) -> None:
    program = await open_program("threads", "ManyThreads", args=["6"])
    declaring = await program.prepared()
    frames: list[Frame] = []

    async def stop_all(occurrence: BreakpointOccurrence) -> Verdict:
        frames.append(await occurrence.thread.frame(0))
        return StopFor(Asked(suspends_all=True))

    await program.break_at(declaring, "work", stop_all, policy=EVENT_THREAD)
    names = set()
    stopped = program.start
    for _ in range(6):
        await program.router.resume(stopped)
        stopped = await program.next()
        assert program.router.current_stops == (stopped,)
        assert stopped.suspends_all
        assert frames[-1].is_valid
        assert await thread_of(stopped).suspend_count() == 1
        names.add(await thread_of(stopped).name())
    assert len(names) == 6
    await program.finish(stopped)
    assert "done 6" in program.jvm.stdout


async def test_pausing_and_releasing_one_thread(open_program: OpenProgram) -> None:
    program = await open_program("threads", "ManyThreads", args=["2"])
    declaring = await program.prepared()
    await program.break_at(declaring, "work")
    await program.router.resume(program.start)
    first = await program.next()
    others = {await each.name(): each for each in await program.vm.all_threads()}
    name = "worker-1" if await thread_of(first).name() == "worker-0" else "worker-0"
    await program.router.resume_thread(others[name])
    second = await program.next()
    assert await thread_of(second).name() == name
    await program.router.resume(second)
    await program.finish(first)
    assert "done 2" in program.jvm.stdout


async def test_suspending_on_demand(open_program: OpenProgram) -> None:
    program = await open_program("threads", "Deadlock")
    stopped, _ = await program.run_to("deadlocked")
    await program.router.resume(stopped)
    paused = await program.router.suspend_all()
    threads = {await each.name(): each for each in await program.vm.all_threads()}
    frames = await threads["one"].frames()
    assert frames
    await program.router.resume(paused)
    assert not frames[0].is_valid
    only_one = await program.router.suspend_thread(threads["one"])
    assert (await threads["one"].status()).is_suspended
    assert not (await threads["two"].status()).is_suspended
    await program.router.resume(only_one)
    await program.vm.exit(0)


async def test_monitor_contention(open_program: OpenProgram) -> None:
    program = await open_program("threads", "Deadlock")
    await program.prepared()
    await program.router.arm(EventKind.MONITOR_CONTENDED_ENTER, (), ALL, stop)
    stopped = program.start
    while True:  # the VM's own start contends for monitors too
        await program.router.resume(stopped)
        stopped = await program.next()
        occurrence = only(stopped, MonitorContendedEnterOccurrence)
        where = occurrence.location
        if where is not None and where.method.name.startswith("lambda$locking"):
            break
    assert (await occurrence.object.type()).name == "java.lang.Object"
    await program.vm.exit(0)


async def test_virtual_threads_stop_and_show_their_locals(open_program: OpenProgram) -> None:
    program = await open_program("virtual", "VirtualThreads", args=["3"])
    declaring = await program.prepared()
    await program.break_at(declaring, "third")
    names = set()
    stopped = program.start
    for _ in range(3):
        await program.router.resume(stopped)
        stopped = await program.next()
        thread = thread_of(stopped)
        assert await thread.is_virtual()
        name = await thread.name()
        names.add(name)
        frame = await thread.frame(0)
        found = await locals_of(frame)
        own = int(name.removeprefix("virtual-"))
        assert (found["number"], found["doubled"]) == (number(own), number(own * 2))
        assert len(await thread.frames()) > 1
    assert names == {"virtual-0", "virtual-1", "virtual-2"}
    await program.finish(stopped)
