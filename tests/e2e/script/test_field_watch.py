# SPDX-License-Identifier: Apache-2.0
"""Watched fields that the program checks itself: the same writes as by the VM's own watch."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

import jvmdebug
from jvmdebug import BreakpointLogged, BreakpointOptions, StopReason, UnsupportedError
from tests.support.bare_program import bare_program
from tests.support.debuggees import debuggee
from tests.support.sessions import compiled, next_stop

if TYPE_CHECKING:
    from pathlib import Path

    from tests.e2e.script.conftest import Launch
    from tests.support.jdks import Jdk

pytestmark = pytest.mark.agent

TOPIC, MAIN = "written", "Writes"
FIELDS = (
    *("count", "total", "share", "part", "flag", "small", "letter", "few", "name", "any"),
    *("numbers", "all", "sum", "hidden"),
)
PUSHES = rb"\x06", rb"\x07"
"""`iconst_3`, `iconst_4`, behind `aload_0` and before the write of a field."""
RACERS, ROUNDS, NUMBERS = 6, 200_000, 1_000
OWNERS, SELDOM = 4, 5


async def at_marker(
    session: jvmdebug.Session, jdk: Jdk, marker: str, *, main: str = MAIN
) -> jvmdebug.Stop:
    program = compiled(TOPIC, main, jdk)
    await session.break_at(f"{main}.java:{program.marker(marker)}", once=True)
    return await next_stop(session)


async def all_writes(launch: Launch, jdk: Jdk, **options: Any) -> list[tuple[str, ...]]:
    """The writes of each field, by time, with who has checked them."""
    async with launch(TOPIC, MAIN, **options) as session:
        stop = await at_marker(session, jdk, "ready")
        fields = [*(f"Writes$Base.{each}" for each in FIELDS), "Writes$Outer.id"]
        condition = "$old == $old | $new == $new"
        watches = [await session.who_sets(each, condition=condition).open() for each in fields]
        how = {each.how for watch in watches for each in watch.locations}
        await stop.resume()
        seen = []
        for watch in watches:
            seen += [
                (each.field, str(each.old), str(each.new), str(each.at), each.thread)
                async for each in watch
            ]
            how |= {each.how for each in watch.locations}
        await session.wait()
    assert how == {"event" if options else "probe"}
    return [tuple(re.sub("@[0-9a-f]+", "@1f", text) for text in each) for each in seen]


async def test_the_same_as_by_the_watch_of_the_vm(launch_ours: Launch, jdk: Jdk) -> None:
    by_checks = await all_writes(launch_ours, jdk)
    assert by_checks == await all_writes(launch_ours, jdk, probes="off")
    assert len(by_checks) == 35
    # Neither sees what goes past all instructions: reflection, handles.
    assert {new for field, _, new, *_ in by_checks if field.endswith("count")} == {
        *("7", "2", "20", "21", "9", "44", "1000")
    }


async def test_many_threads_and_a_field_of_no_interest(launch_ours: Launch, jdk: Jdk) -> None:
    texts: list[str] = []

    def note(event: jvmdebug.SessionEvent) -> None:
        if isinstance(event, BreakpointLogged):
            texts.extend(event.text.splitlines())

    async with launch_ours(TOPIC, MAIN) as session:
        session.subscribe(note)
        session.settings.log_messages_per_second = 100_000
        stop = await at_marker(session, jdk, "inner")
        racing = "Writes$Base.racing"
        await session.watch(racing, condition="$new == 999", log_message="{$new}")
        counted = await session.watch(racing, condition="$new < 500", hit_condition="300000")
        never = await session.watch(racing, condition="$new == $old + 1_000_000")
        assert {each.how for each in (*counted.locations, *never.locations)} == {"probe"}
        await stop.resume()
        stop = await next_stop(session)
        assert stop.breakpoints == (counted,)
        assert stop.frame.line == compiled(TOPIC, MAIN, jdk).marker("race")
        assert stop.change is not None
        assert int(await stop.change.new.as_text()) < 500
        await stop.resume()
        await session.wait()
        assert (counted.hits, never.hits) == (RACERS * ROUNDS // 2, 0)
    assert Counter(texts) == {"999": RACERS * ROUNDS // NUMBERS}


async def test_the_field_of_one_object(launch_ours: Launch, jdk: Jdk) -> None:
    program = compiled(TOPIC, "Owned", jdk)
    async with launch_ours(TOPIC, "Owned") as session:
        stop = await at_marker(session, jdk, "owned", main="Owned")
        one = await stop.frame.data_target("one.value")
        plain = await session.watch(one, suspend="thread")
        total = await stop.frame.data_target("one.total")
        counted = await session.watch(total, condition="$new > 0", hit_condition="20")
        assert {each.how for each in (*plain.locations, *counted.locations)} == {"probe"}
        seen: list[tuple[str, str]] = []
        while plain.hits < OWNERS * SELDOM or counted.hits < OWNERS * SELDOM:
            await stop.resume()
            stop = await next_stop(session)
            if stop.breakpoints == (plain,):
                assert stop.frame.line == program.marker("owned-set")
                assert stop.change is not None
                assert (await stop.frame.get("this")).value == one.instance
                seen.append((stop.thread.name, await stop.change.new.as_text()))
            else:
                assert (stop.breakpoints, stop.frame.line) == (
                    (counted,),
                    program.marker("owned-total"),
                )
        values = [str(each * 10_000) for each in range(1, SELDOM + 1)]
        assert Counter(seen) == Counter(
            (f"owner-{owner}", value) for owner in range(OWNERS) for value in values
        )
        # The program may free the object, and load classes that write the field then.
        await session.break_at(f"Owned.java:{program.marker('owned-collected')}", once=True)
        await stop.resume()
        stop = await next_stop(session)
        assert (stop.reason, plain.verified) == (StopReason.BREAKPOINT, True)
        await session.break_at(f"Owned.java:{program.marker('owned-end')}", once=True)
        await stop.resume()
        stop = await next_stop(session)
        assert stop.frame.line == program.marker("owned-end")
        assert (plain.hits, counted.hits) == (OWNERS * SELDOM, OWNERS * SELDOM)
        later = [each for each in plain.locations if each.type_name == "Afterwards"]
        assert [each.how for each in later] == ["probe", "probe"]


async def test_what_is_asked_decides_who_looks(launch_ours: Launch, jdk: Jdk) -> None:
    async with launch_ours(TOPIC, MAIN) as session:
        stop = await at_marker(session, jdk, "inner")
        before = len(await session.probes())
        watch = await session.watch("Writes$Base.count")
        (only,) = watch.locations
        assert (only.how, only.why_event, only.method_name) == ("event", None, None)
        await watch.set_options(BreakpointOptions(condition="$new == 20"))
        assert {each.how for each in watch.locations} == {"probe"}
        assert len(await session.probes()) == before + len(watch.locations)
        await stop.resume()
        stop = await next_stop(session)
        assert stop.frame.method_name == "<init>"
        assert stop.change is not None
        assert await stop.change.as_text() == "Writes$Base.count: 0 -> 20"
        by_lambda = "java.util.stream.Stream.of($new).anyMatch(n -> n == 1000)"
        await watch.set_options(BreakpointOptions(condition=by_lambda))
        assert {each.how for each in watch.locations} == {"event"}
        await stop.resume()
        stop = await next_stop(session)
        assert stop.frame.method_name == "write"
        # Where the debugger has evaluated it once, the program asks what javac has compiled.
        assert stop.frame.location in {str(each) for each in watch.locations if each.how == "probe"}
        await watch.set_options(BreakpointOptions())
        (only,) = watch.locations
        assert (only.how, only.method_name) == ("event", None)
        await watch.remove()
        await stop.resume()


async def test_where_threads_run_already(launch_ours: Launch, jdk: Jdk) -> None:
    async with launch_ours(TOPIC, MAIN) as session:
        stop = await at_marker(session, jdk, "running")
        async with session.who_sets("Writes$Base.hidden", to="13") as one:
            assert {each.how for each in one.locations} == {"probe", "event"}
            async with session.who_sets("Writes$Base.hidden", condition="$new > 9") as every:
                await stop.resume()
                found = [str(each.new) async for each in every]
            last = [str(each.new) async for each in one]
    assert (found, last) == ([str(10 + each) for each in range(5)], ["13"])


async def test_native_code(launch_ours: Launch, jdk: Jdk) -> None:
    program = compiled(TOPIC, "NativeWrites", jdk)
    flags = [f"-Djava.library.path={program.class_path[0]}"]
    async with launch_ours(TOPIC, "NativeWrites", vm_args=flags) as session:
        stop = await at_marker(session, jdk, "native-ready", main="NativeWrites")
        own = await session.who_sets("NativeWrites.value", condition="$new >= 0").open()
        plain = await session.who_sets("NativeWrites$Plain.value", condition="$new <= 8").open()
        (watched,) = own.locations
        assert (watched.how, watched.why_event) == (
            "event",
            "native code may write the field as well",
        )
        await stop.resume()
        assert [str(each.new) async for each in own] == ["0", "0", "1", "2"]
        found = [(str(each.new), each.at.method_name) async for each in plain]
        assert found == [*((n, "main") for n in ("0", "-1", "-2")), ("7", "set"), ("8", "main")]
        (watched,) = plain.locations
        assert watched.how == "event", "since a class has native code that gets such an object"


async def test_code_that_changes_and_nothing_left(
    launch_ours: Launch, jdk: Jdk, tmp_path: Path
) -> None:
    """A hot swap makes the write of another field one of this field."""
    content = (compiled(TOPIC, MAIN, jdk).class_path[0] / "Writes$Derived.class").read_bytes()
    other, own = (re.search(rb"\x2a" + push + rb"\xb5(..)", content, re.DOTALL) for push in PUSHES)
    assert other is not None
    assert own is not None
    changed = tmp_path / "Writes$Derived.class"
    changed.write_bytes(content.replace(other[0], other[0][:3] + own[1]))
    async with launch_ours(TOPIC, MAIN) as session:
        stop = await at_marker(session, jdk, "inner")
        watch = await session.watch("Writes$Base.hidden", condition="$new < 9")
        (swapped,) = await session.redefine(changed)
        assert swapped.reason is None
        # Before JDK 17 a class that was changed is left as it is.
        ways = {"probe"} if jdk.version >= 17 else {"probe", "event"}
        assert {each.how for each in watch.locations} == ways
        seen = []
        for _ in range(2):
            await stop.resume()
            stop = await next_stop(session)
            assert stop.change is not None
            seen.append(await stop.change.as_text())
        assert seen == ["Writes$Base.hidden: 0 -> 3", "Writes$Base.hidden: 3 -> 4"]
        await watch.remove()
        line = compiled(TOPIC, MAIN, jdk).marker("end")
        await session.break_at(f"Writes.java:{line}", once=True)
        await stop.resume()
        await next_stop(session)
        assert not [each for each in await session.probes() if each.location.how == "probe"]


async def test_a_program_without_flags(jdk: Jdk) -> None:
    program = debuggee(TOPIC, "Ticking")
    async with (
        bare_program(jdk, program=program) as running,
        jvmdebug.attach(pid=running.pid) as session,
    ):
        async with session.who_sets("Ticking.last", condition="$new != null") as writes:
            assert {each.how for each in writes.locations} == {"probe"}
            found = [await writes.next(timeout_s=20) for _ in range(4)]
        texts = [str(each) for each in found if each is not None]
        start = 0 if '"made"' in texts[0] else 1
        made, tick = texts[start : start + 2]
        assert f'null -> "made" at Ticking.<init>(Ticking.java:{program.marker("made")})' in made
        assert '"made" -> "tick ' in tick
        assert f"Ticking.tick(Ticking.java:{program.marker('tick')}), thread main" in tick
        watch = await session.watch("Ticking.share", condition="number == 2 && $old + 0.5 == $new")
        stop = await next_stop(session)
        assert stop.breakpoints == (watch,)
        assert stop.change is not None
        assert await stop.change.as_text() == "Ticking.share: 0.0 -> 0.5"
        assert await (await stop.frame.evaluate("number + $new")).as_text() == "2.5"
        await watch.remove()
        here = await session.break_at(f"Ticking.java:{program.marker('made')}")
        await stop.resume()
        stop = await next_stop(session)
        assert stop.breakpoints == (here,)
        target = await stop.frame.data_target("this.last")  # written here by code without check
        own = await session.watch(target)
        await here.remove()
        assert {each.how for each in own.locations} == {"probe"}
        await stop.resume()
        stop = await next_stop(session)
        assert (stop.breakpoints, stop.frame.line) == ((own,), program.marker("tick"))
        assert (await stop.frame.get("this")).value == target.instance
        plain = await session.watch("Ticking.passes")
        await stop.resume()
        values = []
        for _ in range(3):
            stop = await next_stop(session)
            assert (stop.breakpoints, stop.frame.line) == ((plain,), program.marker("passes"))
            assert stop.change is not None
            values.append(
                int(await stop.change.new.as_text()) - int(await stop.change.old.as_text())
            )
            await stop.resume()
        assert (values, own.hits) == ([1, 1, 1], 1)
        with pytest.raises(UnsupportedError, match="stopping when a field is read"):
            await session.watch("Ticking.passes", read=True, write=False)
