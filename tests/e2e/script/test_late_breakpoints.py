# SPDX-License-Identifier: Apache-2.0
"""Breakpoints in a program that was started without any flag: threads stay inside probes."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, TypeAlias

import pytest

import jvmdebug
from jvmdebug import BreakpointLogged
from jvmdebug.jdwp.generated import thread_reference
from tests.support.bare_program import bare_program
from tests.support.debuggees import debuggee
from tests.support.prompt import JVMDEBUG
from tests.support.sessions import next_stop, texts
from tests.support.waiting import until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Sequence

    from jvmdebug.jdwp.ids import Location
    from tests.support.bare_program import BareProgram
    from tests.support.jdks import Jdk

pytestmark = pytest.mark.agent

TILL = debuggee("late", "Till")
REASON = "loaded into a program that ran already"
_FIRST_WITH_VIRTUAL_THREADS = 21

Start: TypeAlias = "Callable[..., Awaitable[BareProgram]]"


def at(marker: str) -> str:
    return f"Till.java:{TILL.marker(marker)}"


@pytest.fixture
async def start(jdk: Jdk) -> AsyncIterator[Start]:
    """Starts `Till` with some arguments, and waits until it runs."""
    async with AsyncExitStack() as stack:

        async def begin(*args: str, options: Sequence[str] = ()) -> BareProgram:
            program = bare_program(jdk, *options, program=TILL, args=args)
            return await stack.enter_async_context(program)

        yield begin


def how(breakpoint_: jvmdebug.Breakpoint) -> str:
    return str(breakpoint_.locations[0].how)


def message(breakpoint_: jvmdebug.Breakpoint) -> str:
    return breakpoint_.message or ""


async def number(session: jvmdebug.Session, expression: str) -> int:
    return int((await session.evaluate(expression)).text)


async def grows(session: jvmdebug.Session, expression: str) -> bool:
    """Whether a counter of the program goes on, seen within a while."""
    first = await number(session, expression)
    for _ in range(400):
        if await number(session, expression) > first:
            return True
        await asyncio.sleep(0.005)
    return False


async def test_a_stop_has_the_stack_the_variables_and_runs_methods(start: Start) -> None:
    program = await start()
    async with jvmdebug.attach(pid=program.pid) as session:
        line = await session.break_at(at("sell"))
        assert (line.verified, how(line), message(line)) == (True, "probe", "")
        stop = await next_stop(session)
        assert (stop.reason, stop.thread.name, stop.all_threads) == ("breakpoint", "seller", True)
        frames = await stop.frames()
        assert [each.method_name for each in frames[:2]] == ["sell", "sell"]
        assert frames[0].line == TILL.marker("sell")
        seen = await texts(stop.frame)
        assert {name: seen[name] for name in ("item", "price", "serial", "weight", "fresh")} == {
            "item": '"apple"',
            "price": "1.5",
            "serial": str(1 << 40),
            "weight": "0.25",
            "fresh": "true",
        }
        assert (seen["shelf"], seen["rank"], seen["code"]) == ("'x'", "-2", "300")
        count = int(seen["count"])
        assert seen["sum"] == str(count)
        evaluate = stop.frame.evaluate
        assert await (await evaluate("count + code + serial")).as_text() == str(
            count + 300 + (1 << 40)
        )
        assert await (await evaluate("name.length() + twice(count)")).as_text() == str(
            5 + 2 * count
        )
        assert (
            await (await evaluate("items.get(0) + counts.get(item)")).as_text() == f'"apple{count}"'
        )
        # Other frames have no variables, and nothing can be stepped.
        with pytest.raises(jvmdebug.UnsupportedError, match=f"variables of a frame.*{REASON}"):
            await frames[1].locals()
        with pytest.raises(jvmdebug.UnsupportedError, match=f"a step.*{REASON}"):
            await stop.step_over("instruction")
        with pytest.raises(jvmdebug.UnsupportedError, match=REASON):
            await stop.pop_frame()
        await stop.resume()
        again = await next_stop(session)
        assert int((await texts(again.frame))["count"]) == count + 1
        await line.remove()
        await again.resume()
        assert await grows(session, "Till.sold")


async def test_conditions_hit_conditions_and_log_messages(start: Start) -> None:
    program = await start()
    logged: list[str] = []

    def note(event: jvmdebug.SessionEvent) -> None:
        if isinstance(event, BreakpointLogged):
            logged.append(event.text)

    async with jvmdebug.attach(pid=program.pid) as session:
        session.subscribe(note)
        line = await session.break_at(at("sell"), condition="count % 40 == 7 && name.length() == 5")
        stop = await next_stop(session)
        assert how(line) == "probe"
        count = int((await texts(stop.frame))["count"])
        assert count % 40 == 7
        # Another condition is in effect at once.
        await line.set_condition(f"count == {count + 3}")
        await stop.resume()
        stop = await next_stop(session)
        assert (await texts(stop.frame))["count"] == str(count + 3)
        # One that cannot be compiled is looked at by the debugger, where the thread stands.
        await line.set_condition("((Object) item).length() == 5")
        assert how(line) == "event"
        await stop.resume()
        stop = await next_stop(session)
        # So is a lambda once, and javac has it for the program from then on.
        await line.set_condition("items.stream().allMatch(each -> each.length() == 5)")
        assert how(line) == "event"
        await stop.resume()
        stop = await next_stop(session)
        assert how(line) == "probe"
        await stop.resume()
        stop = await next_stop(session)
        await line.remove()
        counted = await session.break_at(at("sell"), hit_condition="% 5")
        await stop.resume()
        first = int((await texts((await next_stop(session)).frame))["count"])
        (current,) = session.current_stops
        await current.resume()
        stop = await next_stop(session)
        assert int((await texts(stop.frame))["count"]) == first + 5
        await counted.remove()
        await session.break_at(at("sell"), log_message="{item} {count}")
        entry = await session.break_at("Till#twice(int)")
        assert entry.verified
        await stop.resume()
        for _ in range(1000):
            if len(logged) > 3:
                break
            await asyncio.sleep(0.01)
        numbers = [int(each.rpartition(" ")[2]) for each in logged]
        assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))


async def test_one_thread_stops_and_the_others_run(start: Start) -> None:
    program = await start()
    async with jvmdebug.attach(pid=program.pid) as session:
        session.settings.suspend = "thread"
        constructor = await session.break_at(at("constructor"), condition='name.endsWith("1")')
        stop = await next_stop(session)
        assert not stop.all_threads
        assert (await texts(stop.frame))["name"] == '"till1"'
        assert await grows(session, "Till.otherRounds")
        assert how(constructor) == "probe"
        # Where a constructor begins there is no `this` yet.
        first = await session.break_at("Till#<init>")
        await constructor.remove()
        await stop.resume()
        stop = await next_stop(session)
        assert stop.breakpoints == (first,)
        assert (await texts(stop.frame))["name"].startswith('"till')


async def test_frames_stay_while_breakpoints_come_and_go(start: Start) -> None:
    """Frames of a method that one change of its class left alone, and the next did not."""
    program = await start()
    async with jvmdebug.attach(pid=program.pid) as session:
        session.settings.suspend = "thread"
        await session.break_at(at("after"))
        stop = await next_stop(session)
        thread = stop.thread.thread

        async def locations() -> list[Location]:
            reply = await thread.vm.request(thread_reference.Frames(thread.id, 0, 2))
            return [each.location for each in reply.frames]

        expected = await locations()
        elsewhere = await session.break_at(
            "Till#twice(int)"
        )  # in a method that is not on the stack
        before = await session.break_at(at("sell"))  # in the topmost
        of_caller = await session.break_at("Till#sell()")  # in the next
        assert all(each.verified for each in (elsewhere, before, of_caller))
        for removed in (None, elsewhere, before, of_caller):
            if removed is not None:
                await removed.remove()
            # Each call gives the frames new ids, so they are asked for again.
            assert await (await stop.frame.evaluate("name.length() + code")).as_text() == "305"
            assert await locations() == expected


async def test_a_thread_in_the_old_code_is_named(start: Start) -> None:
    program = await start()
    async with jvmdebug.attach(pid=program.pid) as session:
        session.settings.suspend = "thread"
        await session.break_at("Till#twice(int)")  # changes the class, and not that method
        line = await session.break_at(at("looping"))
        assert line.verified
        assert "thread looping" in message(line)
        sell = await session.break_at(at("sell"))
        stop = await next_stop(session)
        assert stop.thread.name == "seller"
        await sell.remove()
        await stop.frame.evaluate("leave = true")
        await stop.resume()
        stop = await next_stop(session)
        assert stop.thread.name == "looping"
        for _ in range(200):
            if not message(line):
                break
            await asyncio.sleep(0.05)
        assert not message(line)


async def test_calls_are_traced(start: Start) -> None:
    program = await start()
    async with jvmdebug.attach(pid=program.pid) as session:
        seen: list[jvmdebug.Call] = []
        async with session.trace("Till#total", limit=20) as trace:
            async for call in trace:
                seen.append(call)
                if call.result is not None:
                    break
        assert [each.name for each in seen[-1].arguments] == ["items", "counts"]


async def code_of_till(session: jvmdebug.Session) -> dict[str, bytes]:
    """The bytecode that new calls run. A session without probes hides none that others left."""
    (type_,) = await session.vm.classes_by_signature("LTill;")
    return {each.name + each.signature: await each.bytecodes() for each in await type_.methods()}


async def test_everything_is_as_before_when_the_debugger_has_gone(start: Start) -> None:
    program = await start()
    async with jvmdebug.attach(pid=program.pid) as session:
        before = await code_of_till(session)
    for _ in range(3):
        async with jvmdebug.attach(pid=program.pid) as session:
            await session.break_at(at("sell"))
            await session.break_at(at("constructor"), condition="name.length() > 9")
            await next_stop(session)
        async with jvmdebug.attach(pid=program.pid) as session:
            # The threads run, and what they run is the program's own code.
            assert await code_of_till(session) == before
            assert await grows(session, "Till.sold")
            assert await grows(session, "Till.otherRounds")
    assert program.running.returncode is None


async def test_log_points_of_one_debugger_after_another(start: Start) -> None:
    """The program writes the lines of each: the ring of the one before is taken over."""
    program = await start()
    for _ in range(2):
        logged: list[str] = []

        def note(event: jvmdebug.SessionEvent) -> None:
            if isinstance(event, BreakpointLogged):
                logged.append(event.text)  # noqa: B023

        async with jvmdebug.attach(pid=program.pid) as session:
            session.subscribe(note)
            line = await session.break_at(at("sell"), log_message="{count}")
            assert how(line) == "probe"
            (use,) = await session.probes()
            assert use.why_not_written is None
            # A thread that ran the method passes the breakpoint until it has left it.
            await until(lambda: len(logged) > 5 and not message(line))  # noqa: B023


async def test_a_debugger_that_is_killed_leaves_nothing(start: Start) -> None:
    program = await start()
    for _ in range(2):
        shell = await asyncio.create_subprocess_exec(
            *(str(JVMDEBUG), "attach", str(program.pid)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )
        assert shell.stdin is not None
        assert shell.stdout is not None
        shell.stdin.write(f"break {at('sell')}\ncontinue\n".encode())
        async with asyncio.timeout(30):
            while b"Breakpoint 1, Till.sell" not in await shell.stdout.readline():
                pass
        shell.kill()
        await shell.wait()
    async with jvmdebug.attach(pid=program.pid) as session:
        assert await grows(session, "Till.sold")
        assert await grows(session, "Till.otherRounds")
    assert program.running.returncode is None


async def test_a_stop_that_nobody_resumes_is_resumed(start: Start) -> None:
    program = await start()
    notices: list[str] = []

    def note(event: jvmdebug.SessionEvent) -> None:
        if isinstance(event, jvmdebug.Continued) and event.notice is not None:
            notices.append(event.notice)

    async with jvmdebug.attach(pid=program.pid) as session:
        session.subscribe(note)
        session.settings.stop_watchdog_s = 0.2
        line = await session.break_at(at("sell"))
        stop = await next_stop(session)
        await line.remove()
        for _ in range(400):
            if not stop.is_current:
                break
            await asyncio.sleep(0.01)
        assert notices == ["resumed by the watchdog after 0.2 s"]
        assert await grows(session, "Till.sold")


async def test_virtual_threads_park(start: Start, jdk: Jdk) -> None:
    if jdk.version < _FIRST_WITH_VIRTUAL_THREADS:
        pytest.skip("virtual threads came with Java 21")
    program = await start("virtual")
    async with jvmdebug.attach(pid=program.pid) as session:
        session.settings.suspend = "thread"
        line = await session.break_at(at("sell"), condition="count % 10 == 3")
        for _ in range(3):
            stop = await next_stop(session)
            assert stop.thread.name == "seller"
            frames = await stop.frames()
            assert frames[0].line == TILL.marker("sell")
            seen = await texts(stop.frame)
            assert int(seen["count"]) % 10 == 3
            assert await (await stop.frame.evaluate("name.length() + twice(1)")).as_text() == "7"
            assert await grows(session, "Till.otherRounds")
            await stop.resume()
        assert how(line) == "probe"


async def test_stopped_virtual_threads_hold_no_carrier(start: Start, jdk: Jdk) -> None:
    """There is one carrier, for all of them: each gives it back soon after it has stopped."""
    if jdk.version < _FIRST_WITH_VIRTUAL_THREADS:
        pytest.skip("virtual threads came with Java 21")
    scheduler = "-Djdk.virtualThreadScheduler"
    options = (f"{scheduler}.parallelism=1", f"{scheduler}.maxPoolSize=1")
    program = await start("virtual", "40", options=options)
    async with jvmdebug.attach(pid=program.pid) as session:
        session.settings.suspend = "thread"
        await session.break_at(at("sell"))
        stops: list[jvmdebug.Stop] = []
        async with asyncio.timeout(8):  # less than half a second for each of them
            while len(stops) < 40:
                stops.append(await next_stop(session))
            assert len({stop.thread.id for stop in stops}) == 40
            for stop in (stops[0], stops[20]):
                assert await (await stop.frame.evaluate("twice(count)")).as_text() is not None
        await session.resume()


async def test_a_virtual_thread_runs_methods_while_all_are_suspended(
    start: Start, jdk: Jdk
) -> None:
    """The carrier is suspended too: it has not given that back."""
    if jdk.version < _FIRST_WITH_VIRTUAL_THREADS:
        pytest.skip("virtual threads came with Java 21")
    program = await start("virtual")
    async with jvmdebug.attach(pid=program.pid) as session:
        for _ in range(2):
            await session.break_at(at("sell"), condition="count % 10 == 3", once=True)
            stop = await next_stop(session)
            assert (stop.all_threads, stop.thread.name) == (True, "seller")
            count = int((await texts(stop.frame))["count"])
            assert await (await stop.frame.evaluate("twice(count)")).as_text() == str(2 * count)
            await stop.step_over()
            stop = await next_stop(session)
            assert await (await stop.frame.evaluate("name.length()")).as_text() == "5"
            await stop.resume()
        assert await grows(session, "Till.otherRounds")
