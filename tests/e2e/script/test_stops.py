# SPDX-License-Identifier: Apache-2.0
"""Stops, threads and handles in real VMs: which threads are suspended, and until when."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

import jvmdebug
from jvmdebug import Continued, SessionState, StateError, Stopped, StopReason
from tests.support.sessions import compiled, next_stop, stop_at

if TYPE_CHECKING:
    from jvmdebug import Session, SessionEvent
    from tests.e2e.script.conftest import Launch
    from tests.support.jdks import Jdk


async def until(session: Session, text: str) -> None:
    """Wait until the program has written `text`."""
    written = ""
    async with asyncio.timeout(20):
        async for piece in session.output:
            written += piece.text
            if text in written:
                return
    pytest.fail(f"the program ended without writing {text!r}; it wrote {written!r}")


async def test_handles_are_refused_after_their_stop(launch: Launch, jdk: Jdk) -> None:
    async with launch("basics", "Loop") as session:
        stop = await stop_at(session, compiled("basics", "Loop", jdk), "call")
        frame = stop.frame
        variable = await frame.get("i")
        await stop.step_over()
        await next_stop(session)
        assert not stop.is_current
        for refused in (frame.variables, frame.this, variable.as_text, stop.frames, stop.resume):
            with pytest.raises(StateError, match="stepped from"):
                await refused()
        with pytest.raises(StateError):
            await frame.set("i", "1")
        assert frame.location.startswith("Loop.main("), "what was fetched may still be read"


async def test_a_collected_object_is_shown_as_collected(launch: Launch, jdk: Jdk) -> None:
    async with launch("shop", "shop.Main", suspend="thread") as session:
        stop = await stop_at(session, compiled("shop", "shop.Main", jdk), "third")
        lines = await (await stop.frame.evaluate("cart.lines")).children()
        known, unknown = lines
        assert await known.child_count() == 2
        await stop.frame.evaluate("cart.lines.clear()")
        async with asyncio.timeout(20):
            while await known.as_text() != "<collected>":
                await stop.frame.evaluate("System.gc()")
        assert await known.type_name() == "shop.Cart$Line", "that was asked before"
        assert await known.children() == []
        assert (await unknown.as_text(), await unknown.type_name()) == (
            "<collected>",
            "<collected>",
        )
        assert (await unknown.child_count(), await unknown.children()) == (0, [])
        assert not await unknown.is_indexed()
        assert not await unknown.has_views()


async def test_waiting_while_all_is_stopped_is_an_error(launch: Launch, jdk: Jdk) -> None:
    async with launch("basics", "Loop") as session:
        states = [session.state]
        with pytest.raises(StateError, match="held"):
            await session.suspend()
        stop = await stop_at(session, compiled("basics", "Loop", jdk), "call")
        states.append(session.state)
        assert states == [SessionState.HELD, SessionState.STOPPED]
        with pytest.raises(StateError, match="resume it first"):
            await session.next_stop()
        await stop.resume()
        assert await session.next_stop(timeout_s=20) is None
        assert session.state is SessionState.ENDED
        assert await session.next_stop() is None
        with pytest.raises(StateError, match="ended"):
            await session.threads()
        assert await session.wait() == 0


async def test_no_stop_in_time(launch: Launch) -> None:
    async with launch("script", "Spin") as session:
        with pytest.raises(TimeoutError):
            await session.next_stop(timeout_s=0.2)
        assert session.state is SessionState.RUNNING


async def test_pause_and_go_on(launch: Launch) -> None:
    async with launch("script", "Spin") as session:
        events: list[SessionEvent] = []
        await session.start()
        await until(session, "spinning")
        session.subscribe(events.append)
        stop = await session.suspend()
        assert stop.reason is StopReason.PAUSE
        assert stop.all_threads
        assert stop.thread.name == "main"
        assert await session.suspend() is stop, "twice is once"
        frames = await stop.frames()
        assert frames[-1].function == "Spin.main(String[])"
        assert [f.location for f in await stop.frames(len(frames) - 1)] == [frames[-1].location]
        others = [t for t in await session.threads() if t != stop.thread]
        assert others
        assert all(t.stop is stop for t in others)
        tops = [await t.frames(0, 1) for t in others]
        assert any(tops)
        assert not all(tops), "a thread that runs no Java code has no frames"
        finalizer = next(t for t in others if t.name == "Finalizer")
        assert await finalizer.frame_count() == len(await finalizer.frames())
        assert await finalizer.status() == "waiting"
        assert await finalizer.group_name() == "system"
        await stop.resume()
        assert session.state is SessionState.RUNNING
        with pytest.raises(StateError, match="running"):
            await finalizer.frames()
        kinds = [type(event) for event in events]
        assert [kind for kind in kinds if kind in (Stopped, Continued)] == [Stopped, Continued]


async def test_one_thread_is_resumed_alone(launch: Launch) -> None:
    async with launch("script", "Spin") as session:
        await session.start()
        await until(session, "spinning")
        stop = await session.suspend()
        await stop.thread.resume()
        assert stop.thread.stop is None
        with pytest.raises(StateError, match="running"):
            await stop.frames()
        counted = await session.break_at("Spin#round", suspend="thread", hit_condition=">= 5")
        again = await next_stop(session)
        assert again.breakpoints == (counted,)
        assert again.thread == stop.thread
        assert set(session.current_stops) == {stop, again}
        await counted.remove()
        await session.resume()
        assert session.current_stops == ()
        await session.break_at("Spin#round", once=True)
        last = await next_stop(session)
        assert last.all_threads, "the program runs as before"


async def test_one_thread_is_suspended_alone(launch: Launch) -> None:
    async with launch("script", "Spin") as session:
        await session.start()
        await until(session, "spinning")
        main = next(t for t in await session.threads() if t.name == "main")
        stop = await main.suspend()
        assert (stop.reason, stop.all_threads, main.stop) == (StopReason.PAUSE, False, stop)
        assert await main.suspend() is stop
        assert await main.frames()
        await main.resume()
        assert not stop.is_current
        assert main.stop is None
        assert session.state is SessionState.RUNNING


async def test_each_thread_stops_by_itself(launch: Launch, jdk: Jdk) -> None:
    program = compiled("threads", "ManyThreads", jdk)
    async with launch("threads", "ManyThreads", args=["4"], suspend="thread") as session:
        line = await session.break_at(f"ManyThreads.java:{program.marker('work')}")
        stops = [await next_stop(session) for _ in range(4)]
        assert {stop.thread.name for stop in stops} == {f"worker-{i}" for i in range(4)}
        assert all(stop.is_current and not stop.all_threads for stop in stops)
        assert line.hits == 4
        values = [int(str((await stop.frame.get("square")).value)) for stop in stops]
        assert sorted(values) == [0, 1, 4, 9]
        await stops[2].resume()
        assert [stop.is_current for stop in stops] == [True, True, False, True]
        await session.resume()
        assert await session.next_stop(timeout_s=20) is None
        assert session.exit_code == 0


async def test_an_evaluation_goes_on_when_another_thread_suspends_all(
    launch: Launch, jdk: Jdk
) -> None:
    program = compiled("threads", "ManyThreads", jdk)
    async with launch("threads", "ManyThreads", args=["2"], suspend="thread") as session:
        line = program.marker("work")
        await session.break_at(f"ManyThreads.java:{line}")
        evaluating, other = [await next_stop(session) for _ in range(2)]
        await session.break_at(f"ManyThreads.java:{line + 1}", suspend="all", condition="true")
        text = "java.util.concurrent.TimeUnit.MILLISECONDS.sleep(700)"
        task = asyncio.create_task(evaluating.frame.evaluate(text, deadline_s=10))
        while not session.vm.invocations.any_running:  # noqa: ASYNC110 - no event reports it
            await asyncio.sleep(0)
        await other.resume()
        stop = await next_stop(session)
        assert (stop.thread, stop.all_threads) == (other.thread, True)
        await task
        assert evaluating.is_current
        assert (await evaluating.frame.get("number")).name == "number"
        await session.resume()
        assert session.current_stops == ()
        last = await next_stop(session)
        assert last.thread == evaluating.thread
        await last.resume()
        assert await session.next_stop(timeout_s=20) is None
        assert session.exit_code == 0


async def test_an_evaluation_in_a_thread_suspended_by_two_stops(launch: Launch, jdk: Jdk) -> None:
    program = compiled("threads", "ManyThreads", jdk)
    async with launch("threads", "ManyThreads", args=["2"], suspend="thread") as session:
        line = program.marker("work")
        await session.break_at(f"ManyThreads.java:{line}")
        evaluating, other = [await next_stop(session) for _ in range(2)]
        await session.break_at(f"ManyThreads.java:{line + 1}", suspend="all", condition="true")
        await other.resume()
        stop = await next_stop(session)
        assert (stop.thread, stop.all_threads) == (other.thread, True)
        text = "java.util.concurrent.TimeUnit.MILLISECONDS.sleep(10)"
        await evaluating.frame.evaluate(text, deadline_s=10)
        assert (evaluating.is_current, stop.is_current) == (True, True)
        assert (await evaluating.frame.get("number")).name == "number"
        await session.resume()
        last = await next_stop(session)
        assert last.thread == evaluating.thread
        await last.resume()
        assert await session.next_stop(timeout_s=20) is None
        assert session.exit_code == 0


async def test_all_threads_hit_one_breakpoint_one_after_the_other(launch: Launch, jdk: Jdk) -> None:
    program = compiled("threads", "ManyThreads", jdk)
    async with launch("threads", "ManyThreads", args=["6"]) as session:
        await session.break_at(f"ManyThreads.java:{program.marker('work')}")
        names = []
        async for stop in session.stops():
            assert stop.all_threads
            names.append(stop.thread.name)
        assert sorted(names) == [f"worker-{i}" for i in range(6)]
        assert session.exit_code == 0


async def test_threads_start_and_end(launch: Launch, jdk: Jdk) -> None:
    started: list[str] = []
    ended: list[str] = []

    def take(event: SessionEvent) -> None:
        match event:
            case jvmdebug.ThreadStarted():
                started.append(event.thread.name)
            case jvmdebug.ThreadEnded():
                ended.append(event.thread.name)
            case _:
                pass

    async with launch("threads", "ManyThreads", args=["3"]) as session:
        session.subscribe(take)
        stop = await stop_at(session, compiled("threads", "ManyThreads", jdk), "all-started")
        live = {thread.name for thread in await session.threads()}
        workers = {"worker-0", "worker-1", "worker-2"}
        assert workers < live
        await stop.resume()
        assert await session.next_stop(timeout_s=20) is None
    assert workers <= set(started)
    assert workers <= set(ended)


async def test_a_step_of_another_thread_than_the_one_that_stopped(launch: Launch, jdk: Jdk) -> None:
    program = compiled("threads", "ManyThreads", jdk)
    async with launch("threads", "ManyThreads", args=["1"]) as session:
        stop = await stop_at(session, compiled("threads", "ManyThreads", jdk), "all-started")
        worker = next(each for each in await session.threads() if each.name == "worker-0")
        # The worker waits for the main thread, which runs on with it, and then leaves `await`.
        await stop.step_out(thread=worker)
        stopped = await session.next_stop(timeout_s=20)
        assert stopped is not None
        assert stopped.thread == worker
        assert stopped.reason is StopReason.STEP
        while stopped.frame.line != program.marker("work"):
            await stopped.step_over()
            stopped = await session.next_stop(timeout_s=20)
            assert stopped is not None
            assert stopped.thread == worker
        await stopped.resume()
        assert await session.wait() == 0


async def test_the_program_dies_while_stopped(launch: Launch, jdk: Jdk) -> None:
    async with launch("basics", "Loop") as session:
        events: list[SessionEvent] = []
        session.subscribe(events.append)
        stop = await stop_at(session, compiled("basics", "Loop", jdk), "call")
        await session.kill()
        assert session.exit_code == -9
        assert not stop.is_current
        with pytest.raises(StateError, match="ended"):
            await stop.frame.variables()
        assert await session.next_stop() is None
        assert isinstance(events[-1], jvmdebug.Ended)
        assert events[-2] == jvmdebug.Exited(-9)


async def test_leaving_the_loop_early_resumes_nothing(launch: Launch, jdk: Jdk) -> None:
    program = compiled("basics", "Loop", jdk)
    async with launch("basics", "Loop") as session:
        await session.break_at(f"Loop.java:{program.marker('call')}")
        async for _ in session.stops():
            break
        assert len(session.current_stops) == 1
        numbers = [str((await s.frame.get("i")).value) async for s in session.stops()]
        assert numbers == ["1", "2", "3", "4"], "a new loop goes on from there"


async def test_virtual_threads(launch: Launch, jdk: Jdk) -> None:
    program = compiled("virtual", "VirtualThreads", jdk)
    async with launch("virtual", "VirtualThreads", args=["2"]) as session:
        await session.break_at(f"VirtualThreads.java:{program.marker('first')}", once=True)
        stop = await next_stop(session)
        assert await stop.thread.is_virtual()
        assert stop.thread.name.startswith("virtual-")
        assert stop.thread in await session.threads()
        assert stop.frame.function.startswith("VirtualThreads.work(")
        assert "number" in [v.name for v in await stop.frame.variables()]
        await stop.step_over()
        stop = await next_stop(session)
        assert stop.frame.line == program.marker("second")
        doubled = await stop.frame.get("doubled")
        assert str(doubled.value) in ("0", "2")
        await stop.frame.set("doubled", "100")
        await session.break_at(f"VirtualThreads.java:{program.marker('inside')}", once=True)
        await stop.resume()
        stop = await next_stop(session)
        assert stop.frame.method_name == "consume"
        await stop.step_out()
        stop = await next_stop(session)
        assert stop.frame.method_name == "work"
        await stop.resume()
        assert await session.next_stop(timeout_s=20) is None
        assert session.exit_code == 0


async def test_virtual_threads_that_have_not_stopped(launch: Launch, jdk: Jdk) -> None:
    program = compiled("virtual", "VirtualThreads", jdk)
    for asked, expected in ((True, {"virtual-0", "virtual-1"}), (False, set[str]())):
        async with launch(
            "virtual", "VirtualThreads", args=["2"], virtual_threads=asked
        ) as session:
            await session.break_at(f"VirtualThreads.java:{program.marker('go')}")
            await next_stop(session)
            listed = {thread.name for thread in await session.threads()}
            assert {name for name in listed if name.startswith("virtual-")} == expected


async def test_evaluations_at_once_take_turns(launch: Launch, jdk: Jdk) -> None:
    async with launch("basics", "Loop") as session:
        stop = await stop_at(session, compiled("basics", "Loop", jdk), "squared")
        asked = [stop.frame.evaluate(f"Loop.factorial({n})") for n in range(5)]
        values, variables = await asyncio.gather(asyncio.gather(*asked), stop.frame.variables())
        assert [await value.as_text() for value in values] == ["1", "1", "2", "6", "24"]
        assert [variable.name for variable in variables] == ["number", "result"]
