# SPDX-License-Identifier: Apache-2.0
"""Watched arrays: each store into the one array, or into one element of it, and into no other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from jvmdebug import (
    BreakpointError,
    BreakpointKind,
    BreakpointLogged,
    StopReason,
    UnsupportedError,
)
from tests.support.sessions import compiled, next_stop

if TYPE_CHECKING:
    import jvmdebug
    from tests.e2e.script.conftest import Launch
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

TOPIC, MAIN = "stores", "Stores"
THREADS = 6


async def run_to(
    session: jvmdebug.Session, jdk: Jdk, marker: str, stop: jvmdebug.Stop | None = None
) -> jvmdebug.Stop:
    """The next stop, at the marker; `stop` is resumed."""
    line = compiled(TOPIC, MAIN, jdk).marker(marker)
    await session.break_at(f"Stores.java:{line}", once=True)
    if stop is not None:
        await stop.resume()
    return await next_stop(session)


async def test_one_of_many_arrays_of_many_threads(launch_ours: Launch, jdk: Jdk) -> None:
    logged: list[str] = []

    def note(event: jvmdebug.SessionEvent) -> None:
        if isinstance(event, BreakpointLogged):
            logged.append(event.text)

    async with launch_ours(TOPIC, MAIN) as session:
        session.subscribe(note)
        session.settings.log_messages_per_second = 100_000
        stop = await run_to(session, jdk, "ready")
        target = await stop.frame.data_target("prices[*]")
        every = await session.watch(
            target, log_message="{$index}: {$old} -> {$new} by {Thread.currentThread().getName()}"
        )
        assert every.kind is BreakpointKind.ELEMENT
        # Before JDK 17 no class changes while a thread is in any of its methods.
        put_by = "probe" if jdk.version >= 17 else "event"
        assert {(each.method_name, each.how) for each in every.locations} >= {("put", put_by)}
        one = await session.watch(
            await stop.frame.data_target("prices[3]"), condition="$new > 10_000"
        )
        end = await session.break_at(f"Stores.java:{compiled(TOPIC, MAIN, jdk).marker('joined')}")
        stops = []
        await stop.resume()
        while end not in (stop := await next_stop(session)).breakpoints:
            assert stop.breakpoints == (one,)
            assert stop.change is not None
            top = stop.frame
            stops.append((stop.reason, top.line, stop.thread.name, await stop.change.as_text()))
            assert await (await top.evaluate("array[$index] == $old")).as_text() == "true"
            await stop.resume()
        await every.remove()
        await one.remove()
        assert [each.how for each in every.locations] == []
    put = compiled(TOPIC, MAIN, jdk).marker("put")
    assert stops == [
        (StopReason.WATCHPOINT, put, "own-3", "prices[3]: 5100 -> 10100"),
        (StopReason.WATCHPOINT, put, "own-3", "prices[3]: 10100 -> 15100"),
    ]
    expected = {
        f"{thread}: {0 if i == 100 else i - 5_000} -> {i} by own-{thread}"
        for thread in range(THREADS)
        for i in range(100, 20_000, 5_000)
    }
    assert len(logged) == len(expected)
    assert set(logged) == expected


async def next_change(session: jvmdebug.Session, stop: jvmdebug.Stop) -> tuple[int, str]:
    """The line of the next stop, and what changes there; `stop` is resumed."""
    await stop.resume()
    stop = await next_stop(session)
    assert stop.change is not None, stop
    return stop.frame.line or 0, await stop.change.as_text()


async def test_a_frame_that_runs_the_method_already(launch_ours: Launch, jdk: Jdk) -> None:
    stored = compiled(TOPIC, MAIN, jdk).marker("stored")
    async with launch_ours(TOPIC, MAIN) as session:
        stop = await run_to(session, jdk, "loop")
        watch = await session.watch(await stop.frame.data_target("array[*]"))
        assert "probe" not in {each.how for each in watch.locations if each.method_name == "loop"}
        others = [2, 0]  # what the array has
        for i in range(6):
            changed = await next_change(session, session.current_stops[0])
            assert changed == (stored, f"array[{i % 2}]: {others[i % 2]} -> {i}")
            others[i % 2] = i
        # Another array, of which the method knows as little.
        await run_to(session, jdk, "later", session.current_stops[0])


@pytest.mark.parametrize("probes", ["auto", "off"])
async def test_each_type_of_element(launch_ours: Launch, jdk: Jdk, probes: str) -> None:
    async with launch_ours(TOPIC, MAIN, probes=probes) as session:
        stop = await run_to(session, jdk, "kinds")
        arrays = ("bytes", "flags", "chars", "shorts", "longs", "floats", "doubles", "texts")
        for name in (*arrays, "tables"):
            watch = await session.watch(await stop.frame.data_target(f"{name}[1]"))
            why = "probes are off" if probes == "off" else None
            in_kinds = [each for each in watch.locations if each.method_name == "kinds"]
            assert {each.why_event for each in in_kinds} == {why}, name
        found = [(await next_change(session, session.current_stops[0]))[1] for _ in range(9)]
        assert found[:8] == [
            "bytes[1]: 0 -> 44",
            "flags[1]: false -> true",
            "chars[1]: '\\u0000' -> 'x'",
            "shorts[1]: 0 -> -7",
            "longs[1]: 0 -> 1099511627776",
            "floats[1]: 0.0 -> 2.5",
            "doubles[1]: 0.0 -> -0.125",
            'texts[1]: "old" -> "new"',
        ]
        assert found[8].startswith("tables[1]: null -> Object[1]")
        # What throws stores nothing.
        assert (await next_change(session, session.current_stops[0]))[
            1
        ] == 'texts[1]: "new" -> "after"'
        await run_to(session, jdk, "dropped", session.current_stops[0])


async def test_nothing_is_left_of_it(launch_ours: Launch, jdk: Jdk) -> None:
    output: list[str] = []
    async with launch_ours(TOPIC, MAIN) as session:
        session.subscribe(lambda event: output.append(getattr(event, "text", "")))
        stop = await run_to(session, jdk, "later")
        later = await session.watch(await stop.frame.data_target("prices[1]"))
        assert "Later" not in str(later.locations)
        _, text = await next_change(session, session.current_stops[0])
        assert text == "prices[1]: 5 -> 4", "in a class that was loaded after it was set"
        await later.remove()
        stop = await run_to(session, jdk, "dropped", session.current_stops[0])
        watch = await session.watch(await stop.frame.data_target("dropped[*]"))
        assert (await next_change(session, session.current_stops[0]))[1] == "dropped[0]: 0 -> 1"
        assert (await next_change(session, session.current_stops[0]))[1] == "dropped[1]: 0 -> 1"
        await watch.remove()
        await run_to(session, jdk, "gone", session.current_stops[0])
        assert not [each for each in await session.probes() if each.location.how == "probe"]
        await session.current_stops[0].resume()
        await session.wait()
    assert "collected true 9" in "".join(output)


async def test_what_cannot_be_watched_says_why(
    launch: Launch, jdk: Jdk, agent_kind: AgentKind
) -> None:
    async with launch(TOPIC, MAIN) as session:
        stop = await run_to(session, jdk, "ready")
        if agent_kind != "jvmdebug":
            with pytest.raises(UnsupportedError, match="stores into an array"):
                await stop.frame.data_target("prices[0]")
            return
        for text, why in (
            ("prices[6]", r"prices has 6 elements: there is no prices\[6\]"),
            ("THREADS[*]", "THREADS is no array"),
            ('prices["a"]', '"a" is no index'),
        ):
            with pytest.raises(BreakpointError, match=why):
                await stop.frame.data_target(text)
        target = await stop.frame.data_target("prices[0]")
        with pytest.raises(BreakpointError, match="only its writing"):
            await session.watch(target, read=True)
        wrong = await session.watch(target, condition="$index")
        assert "expected a boolean" in str(wrong.message)
