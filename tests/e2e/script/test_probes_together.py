# SPDX-License-Identifier: Apache-2.0
"""Probes of many breakpoints that are set at once: one change of their class, and each as if it
were alone.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from typing import TYPE_CHECKING, Final

import pytest

import jvmdebug
from jvmdebug import BreakpointLogged, BreakpointOptions, BreakpointRequest, LineSpec
from tests.support.process import launch_options
from tests.support.sessions import compiled, next_stop
from tests.support.warm_javac import javac

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from jvmdebug import Breakpoint, Session, Stop
    from tests.e2e.script.conftest import Launch
    from tests.support.jdks import Jdk

_MOST_LINES: Final = 250
_TOO_LONG: Final = "the method would be longer than 64 kB"
_STANDS_THERE: Final = "a thread runs the method now, and may come there again"


def _how(breakpoints: Sequence[Breakpoint]) -> list[tuple[str, str | None]]:
    return [(at.how, at.why_event) for each in breakpoints for at in each.locations]


async def _changes(stop: Stop, name: str) -> int:
    return int(await (await stop.frame.evaluate(f"{name}.class.classRedefinedCount")).as_text())


async def _set(
    session: Session, path: str, conditions: dict[int, BreakpointOptions]
) -> tuple[Breakpoint, ...]:
    requests = [
        BreakpointRequest(LineSpec(line, path=path), each) for line, each in conditions.items()
    ]
    return await session.breakpoints.replace(path, requests)


async def test_conditions_of_one_file_change_its_class_once(launch_ours: Launch, jdk: Jdk) -> None:
    program = compiled("unhit", "Unhit", jdk)
    async with launch_ours("unhit", "Unhit") as session:
        call = program.marker("call")
        await session.break_at(f"Unhit.java:{call}", once=True)
        stop = await next_stop(session)
        before = await _changes(stop, "Unhit")
        lines = await session.breakpoints.breakable_lines("Unhit.java")
        passed = program.marker("passed")
        never = dict.fromkeys(lines, BreakpointOptions(condition="sum == -5"))
        counted = BreakpointOptions(condition="i > 0", hit_condition="2")
        placed = await _set(session, "Unhit.java", never | {passed: counted})
        how = {each.spec.line: _how([each]) for each in placed if isinstance(each.spec, LineSpec)}
        # The thread that stands in main() may come to its later lines.
        main = {line for line in lines if line > call}
        events = {line for line in lines if how[line][0] == ("event", _STANDS_THERE)}
        if jdk.version < 17:  # there no class changes while a thread is in any of its methods
            assert events == set(lines)
            await session.kill()
            return
        assert events >= main
        assert how[passed] == [("probe", None)]
        assert sum(each == [("probe", None)] for each in how.values()) >= len(lines) - len(main) - 3
        assert await _changes(stop, "Unhit") == before + 1
        others = dict.fromkeys(lines, BreakpointOptions(condition="sum == -6"))
        assert len(await _set(session, "Unhit.java", others | {passed: counted})) == len(lines)
        assert await _changes(stop, "Unhit") == before + 1, "another condition is another check"
        await stop.resume()
        stop = await next_stop(session)
        assert stop.frame.line == passed
        assert await (await stop.frame.get("i")).as_text() == "2"
        (hit,) = stop.breakpoints
        assert hit.hits == 2
        assert await session.breakpoints.replace("Unhit.java", []) == ()
        await session.kill()


def _compile(folder: Path, name: str, text: str, tables: str) -> None:
    (folder / f"{name}.java").write_text(text)
    javac([folder / f"{name}.java"], folder, tables, "--release", "11")


def _compile_long(folder: Path) -> int:
    """A class with a method of some 63 kB; its first line of such a method."""
    part = " ".join(["x += i * 1_000_003;"] * 36)
    lines = [
        "final class Long1 {",
        "  static int short1(int i) {",
        "    return i + 1;",
        "  }",
        "  static int long1(int i) {",
        "    int x = 0;",
        *[f"    {part}" for _ in range(_MOST_LINES)],
        "    return x;",
        "  }",
        "  public static void main(String[] arguments) {",
        "    System.out.println(long1(1) + short1(1));",
        "  }",
        "}",
    ]
    _compile(folder, "Long1", "\n".join(lines), "-g")
    return 7


@pytest.mark.agent
async def test_what_has_no_room_does_not_keep_others_out(jdk: Jdk, tmp_path: Path) -> None:
    first = _compile_long(tmp_path)
    async with jvmdebug.launch(
        "Long1", class_path=[tmp_path], java=jdk.home, **launch_options("jvmdebug")
    ) as session:
        await session.break_at(f"Long1.java:{first + _MOST_LINES + 3}", once=True)
        stop = await next_stop(session)
        never = BreakpointOptions(condition="i == -1")
        lines = [*range(first, first + _MOST_LINES), 3]
        placed = await _set(session, "Long1.java", dict.fromkeys(lines, never))
        how = _how(placed)
        assert set(how) == {("probe", None), ("event", _TOO_LONG)}
        assert how[-1] == ("probe", None), "the other method has room"
        assert 50 < how.count(("probe", None)) < _MOST_LINES, "as many as there is room for"
        assert await _changes(stop, "Long1") < 20
        await stop.resume()
        assert await session.wait() == 0


async def test_each_use_that_is_set_at_the_same_time_is_reported(
    launch_ours: Launch, jdk: Jdk
) -> None:
    logged: defaultdict[Breakpoint, list[str]] = defaultdict(list)

    def note(event: jvmdebug.SessionEvent) -> None:
        if isinstance(event, BreakpointLogged):
            logged[event.breakpoint].append(event.text)

    program = compiled("stores", "Stores", jdk)
    passes, stored = (f"Stores.java:{program.marker(each)}" for each in ("loop", "stored"))
    async with launch_ours("stores", "Stores") as session:
        session.subscribe(note)
        await session.break_at(f"Stores.java:{program.marker('joined')}", once=True)
        stop = await next_stop(session)
        element = await stop.frame.data_target("prices[0]")
        timing, count = session.time_between(passes, stored), session.count(stored)
        trace = session.trace("Stores#kinds")
        (held, fourth, log), (variable, array, entry), _ = await asyncio.gather(
            asyncio.gather(
                session.break_at(stored, condition="i == 3 && array.length == 6"),
                session.break_at(passes, hit_condition="4"),
                session.break_at(stored, log_message="at {i}"),
            ),
            asyncio.gather(
                session.watch("Stores#loop.passes", log_message="{$new}"),
                session.watch(element, condition="$new == 2"),
                session.break_at("Stores#refused"),
            ),
            asyncio.gather(timing.open(), count.open(), trace.open()),
        )
        assert {each.how for each in (*held.locations, *fourth.locations)} == {"probe"}
        hits = []
        while entry not in stop.breakpoints:
            await stop.resume()
            stop = await next_stop(session)
            hits.append((stop.breakpoints, stop.frame.line))
        assert [each for each, _ in hits] == [(fourth,), (held,), (array,), (held,), (entry,)]
        await session.probes()
        assert (logged[log], logged[variable]) == (
            [f"at {i}" for i in range(6)] * 2,
            [str(i) for i in range(7)] * 2,
        )
        assert ((await timing.read()).total.count, await count.read()) == (12, 12)
        assert str(await trace.next(timeout_s=20)).startswith("Stores.kinds(")
        await session.kill()


_BLOCKS: Final = """
final class Blocks {
  static int within(int i) {
    if (i > 3) {
      long inside = i * 2L;
      i = (int) inside;
    }
    return i;
  }
  public static void main(String[] arguments) {
    System.out.println(within(1));
    System.out.println(within(5));
  }
}
"""


@pytest.mark.agent
async def test_conditions_without_the_variables_of_methods(jdk: Jdk, tmp_path: Path) -> None:
    """A slot behind a block has nothing: the VM would refuse a check that takes it."""
    _compile(tmp_path, "Blocks", _BLOCKS, "-g:source,lines")
    async with jvmdebug.launch(
        "Blocks", class_path=[tmp_path], java=jdk.home, **launch_options("jvmdebug")
    ) as session:
        await session.break_at("Blocks.java:11", once=True)
        stop = await next_stop(session)
        held = {8: BreakpointOptions(condition="arg0 == 10")}
        never = dict.fromkeys(range(4, 8), BreakpointOptions(condition="1 > 2"))
        inside = {6: BreakpointOptions(condition="slot1 == 10")}
        placed = await _set(session, "Blocks.java", never | inside | held)
        assert set(_how(placed)) == {("probe", None)}
        for line in (6, 8):
            await stop.resume()
            stop = await next_stop(session)
            assert stop.frame.line == line
        await stop.resume()
        assert await session.wait() == 0
