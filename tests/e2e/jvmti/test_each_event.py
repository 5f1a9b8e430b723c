# SPDX-License-Identifier: Apache-2.0
"""Each event of JVM TI arrives where docs/reference/jvmti.md says that it does."""

from __future__ import annotations

import asyncio
import os
import signal
from typing import TYPE_CHECKING, Final

import pytest

import jvmdebug
from jvmdebug.jvmti.events import ELSEWHERE, EVENTS
from tests.support.debuggees import debuggee
from tests.support.sessions import launched, next_stop, stop_at
from tools.jvmti_reference import table

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from tests.support.debuggees import Debuggee
    from tests.support.jdks import Jdk
    from tests.support.process import AgentInVm, AgentKind

    Check = Callable[[jvmdebug.Session, Debuggee], Coroutine[object, object, None]]

_WITHIN_S: Final = 60.0
_OURS: Final = "needs our agent"
_OF_VIRTUAL_THREADS: Final = {"VirtualThreadStart", "VirtualThreadEnd"}


def test_each_event_of_the_table_has_a_place() -> None:
    rows = {row.name: row for row in table()["events"]}
    given_out = {name for name, row in rows.items() if row.calls}
    assert given_out == set(EVENTS) | set(ELSEWHERE)
    for name in EVENTS:
        assert "session.jvmti.events" in rows[name].calls, name
    for name, place in ELSEWHERE.items():
        assert set(place.split(" and ")) == set(rows[name].calls) - {"session.jvmti.events"}, name
    checked = {name for names in CHECKS for name in names}
    assert checked == set(ELSEWHERE) | {"ExceptionCatch"}


async def test_each_recorded_event_arrives(jdk: Jdk, agent_kind: AgentInVm) -> None:
    if agent_kind == "stock":
        pytest.skip(_OURS)
    program = debuggee("jvmti", "Eventful")
    async with launched(program, jdk, agent_kind, vm_args=["-Xmx64m"]) as session:
        await stop_at(session, program, "event-turn")
        extensions = [each.id for each in await session.jvmti.get_extension_events()]
        assert len(extensions) == (1 if jdk.version < 21 else 3)
        names = {*EVENTS, *extensions}
        if jdk.version < 21:
            for name in _OF_VIRTUAL_THREADS:
                with pytest.raises(jvmdebug.UnsupportedError, match=f"has no event {name}"):
                    await session.jvmti.events(name).open()
            names -= _OF_VIRTUAL_THREADS
        missing = set(names)
        seen: dict[str, jvmdebug.JvmtiEvent] = {}
        async with session.jvmti.events(*sorted(names)) as events:
            await session.current_stops[0].frame.evaluate("new java.util.zip.Adler32().update(1)")
            await session.resume()
            assert session.pid is not None
            os.kill(session.pid, signal.SIGQUIT)
            try:
                async with asyncio.timeout(_WITHIN_S):
                    while missing:
                        event = await events.next()
                        assert event is not None
                        seen.setdefault(event.name, event)
                        missing.discard(event.name)
            except TimeoutError:
                pytest.fail(f"these did not arrive: {sorted(missing)}")
        assert all(each.vm_time for each in seen.values())
        for name in (*_OF_VIRTUAL_THREADS, *extensions):
            event = seen.get(name)
            if event is not None and "VirtualThread" in name:
                assert event.thread_id > 0, name
                assert event.thread.startswith("VirtualThread[#"), name
        # What is over stays over: another recording gets only its own.
        others: set[str] = set()
        async with session.jvmti.events("GarbageCollectionStart", limit=20) as events:
            async with asyncio.timeout(_WITHIN_S):
                others |= {each.name async for each in events}
        assert others == {"GarbageCollectionStart"}


async def test_events_that_are_elsewhere_are_refused_with_the_place(
    jdk: Jdk, agent_kind: AgentInVm
) -> None:
    if agent_kind == "stock":
        pytest.skip(_OURS)
    async with launched(debuggee("jvmti", "Eventful"), jdk, agent_kind) as session:
        for name, place in ELSEWHERE.items():
            with pytest.raises(jvmdebug.UnsupportedError, match=f"{name} is .*behind {place}"):
                await session.jvmti.events(name).open()
        with pytest.raises(jvmdebug.UnsupportedError, match="VMStart is an event of JVM TI that"):
            await session.jvmti.events("VMStart").open()


async def _init_and_prepare(session: jvmdebug.Session, program: Debuggee) -> None:
    assert session.state is jvmdebug.SessionState.HELD
    source, line = program.marked("later")
    breakpoint_ = await session.break_at(f"{source}:{line}")
    assert not breakpoint_.locations
    stop = await next_stop(session)
    assert (stop.reason, stop.frame.line) == (jvmdebug.StopReason.BREAKPOINT, line)
    await breakpoint_.remove()


async def _steps(session: jvmdebug.Session, program: Debuggee) -> None:
    stop = await stop_at(session, program, "calls")
    await stop.step_into()
    stop = await next_stop(session)
    assert stop.reason is jvmdebug.StopReason.STEP
    assert stop.frame.line == program.marker("throws")
    await stop.step_over()
    stop = await next_stop(session)
    assert program.marker("throws") < (stop.frame.line or 0) <= program.marker("catches")
    await stop.step_out()
    stop = await next_stop(session)
    assert stop.frame.line in (program.marker("calls"), program.marker("after"))


async def _exception(session: jvmdebug.Session, program: Debuggee) -> None:
    breakpoint_ = await session.break_on_exception("java.lang.IllegalStateException", caught=True)
    await session.resume()
    stop = await next_stop(session)
    assert (stop.reason, stop.frame.line) == (
        jvmdebug.StopReason.EXCEPTION,
        program.marker("throws"),
    )
    await breakpoint_.remove()


async def _fields(session: jvmdebug.Session, program: Debuggee) -> None:
    for read, write in ((True, False), (False, True)):
        breakpoint_ = await session.watch("Eventful.turns", read=read, write=write)
        await session.resume()
        stop = await next_stop(session)
        assert stop.reason is jvmdebug.StopReason.WATCHPOINT
        assert program.marker("event-turn") <= (stop.frame.line or 0) <= program.marker("after")
        await breakpoint_.remove()
    async with session.who_sets("Eventful.turns", limit=1) as writes, asyncio.timeout(_WITHIN_S):
        await session.resume()
        assert await writes.next() is not None


async def _methods(session: jvmdebug.Session, program: Debuggee) -> None:
    breakpoint_ = await session.break_at("Eventful#caught")
    stop = await next_stop(session)
    assert stop.reason is jvmdebug.StopReason.FUNCTION_BREAKPOINT
    await breakpoint_.remove()
    for recorded in (False, True):
        trace = session.trace("Eventful$Later#half", limit=1, recorded=recorded)
        async with trace, asyncio.timeout(_WITHIN_S):
            await session.resume()
            call = await trace.next()
            assert call is not None
            assert call.result is not None
        await stop_at(session, program, "event-turn")


async def _monitors(session: jvmdebug.Session, _program: Debuggee) -> None:
    kinds: set[bool] = set()
    async with session.contention(waits=True) as contention, asyncio.timeout(_WITHIN_S):
        await session.resume()
        while kinds != {True, False}:
            blocked = await contention.next()
            assert blocked is not None
            if blocked.is_over:
                kinds.add(blocked.is_wait)


async def _threads(session: jvmdebug.Session, _program: Debuggee) -> None:
    events = await _reported(session, lambda thread: thread.name == "short")
    assert [type(each) for each in events] == [jvmdebug.ThreadStarted, jvmdebug.ThreadEnded]


async def _reported(
    session: jvmdebug.Session, is_meant: Callable[[jvmdebug.ThreadHandle], bool]
) -> list[jvmdebug.ThreadStarted | jvmdebug.ThreadEnded]:
    """The first start of such a thread, and its end."""
    found: list[jvmdebug.ThreadStarted | jvmdebug.ThreadEnded] = []
    both = asyncio.Event()

    def note(event: jvmdebug.SessionEvent) -> None:
        if isinstance(event, jvmdebug.ThreadStarted) and not found and is_meant(event.thread):
            found.append(event)
        elif isinstance(event, jvmdebug.ThreadEnded) and event.thread in [
            each.thread for each in found
        ]:
            found.append(event)
            both.set()

    unsubscribe = session.subscribe(note)
    async with asyncio.timeout(_WITHIN_S):
        await session.resume()
        await both.wait()
    unsubscribe()
    return found


async def _heap(session: jvmdebug.Session, program: Debuggee) -> None:
    stop = await stop_at(session, program, "event-turn")
    mark = await session.heap.mark(await stop.frame.evaluate("new Object()"))
    async with session.allocations(every=64) as allocations, asyncio.timeout(_WITHIN_S):
        await session.resume()
        await mark.wait()
        while not (await allocations.profile()).sites:
            pass
    assert await session.classes.class_file("Eventful")


async def _death(session: jvmdebug.Session, program: Debuggee) -> None:
    stop = await stop_at(session, program, "event-turn")
    await stop.frame.evaluate("isOver = true")
    await session.resume()
    assert await session.wait() == 0


CHECKS: Final[dict[tuple[str, ...], Check]] = {
    ("VMInit", "ClassPrepare", "Breakpoint"): _init_and_prepare,
    ("Exception",): _exception,
    ("FieldAccess", "FieldModification"): _fields,
    ("MethodEntry", "MethodExit"): _methods,
    (
        *("MonitorWait", "MonitorWaited"),
        *("MonitorContendedEnter", "MonitorContendedEntered"),
    ): _monitors,
    ("ThreadStart", "ThreadEnd"): _threads,
    ("ObjectFree", "SampledObjectAlloc", "ClassFileLoadHook"): _heap,
    ("SingleStep", "ExceptionCatch", "FramePop"): _steps,
    ("VMDeath",): _death,
}
"""The events that are behind other calls → what shows that they arrive, in this order."""


async def test_each_other_event_arrives(jdk: Jdk, agent_kind: AgentKind) -> None:
    program = debuggee("jvmti", "Eventful")
    async with launched(program, jdk, agent_kind, vm_args=["-Xmx64m"]) as session:
        for check in CHECKS.values():
            if agent_kind != "stock" or check is not _heap:
                await check(session, program)


async def test_virtual_threads_reach_subscribers(jdk: Jdk, agent_kind: AgentKind) -> None:
    if jdk.version < 21:
        pytest.skip("there are no virtual threads")
    program = debuggee("jvmti", "Eventful")
    async with launched(program, jdk, agent_kind) as session:
        await stop_at(session, program, "event-turn")
        started: list[jvmdebug.SessionEvent] = []
        session.subscribe(started.append)
        await session.report_virtual_threads()
        events = await _reported(session, lambda thread: thread.name.startswith("VirtualThread[#"))
        assert [type(each) for each in events] == [jvmdebug.ThreadStarted, jvmdebug.ThreadEnded]
        await stop_at(session, program, "event-turn")
        threads = [each.thread for each in started if isinstance(each, jvmdebug.ThreadStarted)]
        assert len(threads) == len(set(threads))  # each once
        await session.report_virtual_threads(on=False)
        started.clear()
        await stop_at(session, program, "event-turn")
        await stop_at(session, program, "event-turn")
        names = {each.thread.name for each in started if isinstance(each, jvmdebug.ThreadStarted)}
        assert names == {"short", "waits"}
