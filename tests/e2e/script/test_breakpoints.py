# SPDX-License-Identifier: Apache-2.0
"""Breakpoints of every kind in real VMs: where they resolve, when they stop, what they disturb."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

import jvmdebug
from jvmdebug import BreakpointChanged, BreakpointOptions, StopReason
from tests.e2e.script.conftest import at_line
from tests.support.sessions import compiled, next_stop

if TYPE_CHECKING:
    from jvmdebug import Breakpoint, Session
    from tests.e2e.script.conftest import Launch
    from tests.support.jdks import Jdk


async def places(session: Session) -> list[str]:
    """The locations of all stops until the end."""
    return [stop.frame.location async for stop in session.stops()]


async def test_a_pending_line_is_verified_before_its_class_runs(launch: Launch, jdk: Jdk) -> None:
    program = compiled("shop", "shop.Main", jdk)
    line = program.marker("main-first")
    async with launch("shop", "shop.Main") as session:
        changes: list[Breakpoint] = []
        session.subscribe(
            lambda event: (
                changes.append(event.breakpoint) if isinstance(event, BreakpointChanged) else None
            )
        )
        breakpoint_ = await session.break_at(f"shop/Main.java:{line}")
        before = (breakpoint_.verified, breakpoint_.message)
        assert before == (False, "no class of shop/Main.java is loaded")
        stop = await session.next_stop(timeout_s=20)
        assert stop is not None
        assert changes == [breakpoint_]
        assert breakpoint_.verified
        assert breakpoint_.message is None
        assert breakpoint_.line == line
        assert [location.type_name for location in breakpoint_.locations] == ["shop.Main"]
        assert stop.breakpoints == (breakpoint_,)
        assert stop.reason is StopReason.BREAKPOINT
        assert stop.frame.location == f"shop.Main.main(Main.java:{line})"
        assert stop.all_threads


@pytest.mark.parametrize("form", ["absolute", "relative", "name", "type", "simple"])
async def test_each_notation_of_a_line(launch: Launch, jdk: Jdk, form: str) -> None:
    program = compiled("shop", "shop.Main", jdk)
    line = program.marker("sum")
    source = program.source("shop/Cart.java")
    spec = {
        "absolute": str(source),
        "relative": "shop/Cart.java",
        "name": "Cart.java",
        "type": "shop.Cart",
        "simple": "Cart",
    }
    async with launch("shop", "shop.Main") as session:
        await session.break_at(f"{spec[form]}:{line}")
        at = f"shop.Cart.add(Cart.java:{line})"
        assert await places(session) == [at, at]
        assert session.exit_code == 7


async def test_a_path_with_other_directories_is_another_file(launch: Launch, jdk: Jdk) -> None:
    line = compiled("shop", "shop.Main", jdk).marker("sum")
    async with launch("shop", "shop.Main") as session:
        breakpoint_ = await session.break_at(f"market/Cart.java:{line}")
        assert await places(session) == []
        assert not breakpoint_.verified


async def test_a_line_without_code_slides_to_the_next_one(launch: Launch, jdk: Jdk) -> None:
    program = compiled("shop", "shop.Main", jdk)
    asked, actual = program.marker("add-line") - 2, program.marker("add-line")
    async with launch("shop", "shop.Main") as session:
        breakpoint_ = await session.break_at(f"shop/Cart.java:{asked}")
        stop = await session.next_stop(timeout_s=20)
        assert stop is not None
        assert stop.frame.line == actual
        assert breakpoint_.line == actual


@pytest.mark.parametrize("named", ["file", "shop.Cart", "Cart"])
async def test_a_line_of_an_anonymous_class_waits_for_that_class(
    launch: Launch, jdk: Jdk, named: str
) -> None:
    """The enclosing class is loaded first; sliding to its next line would be wrong."""
    program = compiled("shop", "shop.Main", jdk)
    source = program.source("shop/Cart.java") if named == "file" else named
    blank, line = program.marker("in-anonymous-blank"), program.marker("in-anonymous")
    async with launch("shop", "shop.Main") as session:
        await session.break_at(f"{source}:{blank}")
        assert await places(session) == [f"shop.Cart$1.run(Cart.java:{line})"]


async def test_a_class_that_is_loaded_already(launch: Launch, jdk: Jdk) -> None:
    program = compiled("shop", "shop.Main", jdk)
    async with launch("shop", "shop.Main") as session:
        await session.break_at(f"shop.Main:{program.marker('second')}", once=True)
        assert await session.next_stop(timeout_s=20) is not None
        late = await session.break_at(f"shop/Cart.java:{program.marker('sum')}")
        assert late.verified
        assert [b.id for b in session.breakpoints] == [late.id], "the first was for once"
        assert len(await places(session)) == 1
        assert late.hits == 1


async def test_every_bytecode_copy_of_a_line_is_armed(launch: Launch, jdk: Jdk) -> None:
    line = compiled("flow", "Flow", jdk).marker("finally")
    async with launch("flow", "Flow") as session:
        breakpoint_ = await session.break_at(f"Flow.java:{line}")
        at = f"Flow.guarded(Flow.java:{line})"
        assert await places(session) == [at, at], "the normal path and the exception's path"
        assert len(breakpoint_.locations) >= 2


async def test_methods_by_name_and_by_parameter_types(launch: Launch) -> None:
    async with launch("shop", "shop.Main") as session:
        every = await session.break_at("shop.Cart#add")
        one = await session.break_at("shop.Cart#add(Item,int)", suspend="thread")
        made = await session.break_at("shop.Cart.Line#<init>", once=True)
        reasons = [
            (stop.reason, stop.frame.function, stop.breakpoints) async for stop in session.stops()
        ]
        call = (StopReason.FUNCTION_BREAKPOINT, "Cart.add(Item, int)", (every, one))
        new = (StopReason.FUNCTION_BREAKPOINT, "new Cart$Line(Item, int)", (made,))
        assert reasons == [call, new, call, call]
        assert len(every.locations) == 2
        assert len(one.locations) == 1


async def test_unverified_breakpoints_give_a_reason(launch: Launch) -> None:
    async with launch("shop", "shop.Main") as session:
        stop_at = await session.break_at("shop.Main#main")
        method = await session.break_at("shop.Main#nothing")
        abstract = await session.break_at("java.lang.Process#destroy")
        line = await session.break_at("shop.Main:999")
        field = await session.watch("shop.Main.nothing")
        assert await session.next_stop(timeout_s=20) is not None
        assert stop_at.verified
        assert "has no method" in str(method.message)
        assert abstract.message in (
            "class java.lang.Process is not loaded",
            "nothing that is loaded implements java.lang.Process.destroy()",
        )
        assert line.message == "shop.Main has no line 999"
        assert "has no field nothing" in str(field.message)
        for text in ("non sense", "shop.Cart:0", "shop.Cart#add(", "shop.Cart:1x"):
            with pytest.raises(jvmdebug.BreakpointError):
                await session.break_at(text)
        with pytest.raises(jvmdebug.BreakpointError, match="hit condition"):
            await session.break_at("shop.Cart#add", hit_condition="often")
        with pytest.raises(jvmdebug.BreakpointError, match="condition"):
            await session.break_at("shop.Cart#add", condition="1 +")
        assert len(session.breakpoints) == 5


async def test_one_stops_only_after_another(launch: Launch, jdk: Jdk) -> None:
    program = compiled("basics", "Loop", jdk)
    async with launch("basics", "Loop") as session:
        add = await session.break_at(
            f"Loop:{program.marker('total')}", hit_condition="3", once=True
        )
        call = await session.break_at(f"Loop:{program.marker('square')}", after=add)
        stops = [stop.frame.line async for stop in session.stops()]
        assert stops == [
            program.marker("total"),
            program.marker("square"),
            program.marker("square"),
        ]
        assert (call.hits, call.waits) == (2, False), "of five, two came after it"


async def test_one_that_waits_for_another_costs_nothing(launch: Launch, jdk: Jdk) -> None:
    """Millions of passes, which would take minutes if each was an event."""
    program = compiled("basics", "Loop", jdk)
    async with launch("basics", "Loop", args=["3000000"]) as session:
        start = await session.break_at(f"Loop:{program.marker('constructor')}")
        stop = await next_stop(session)
        square = f"Loop:{program.marker('square')}"
        plain = await session.break_at(square, after=start)
        assert plain.verified
        assert not plain.waits, "it was reached before"
        other = await session.break_at(f"Loop:{program.marker('done')}")
        waiting = [
            await session.break_at(square, after=other),
            await session.watch("Loop.calls", condition="$new > 7", after=other),
            await session.break_at(square, after=other, condition="number > 7"),
        ]
        for each in waiting:
            (at,) = each.locations
            assert (at.request, at.how, at.why_event) == (
                *(None, "event"),
                "it waits for another breakpoint",
            )
        await stop.resume()
        stop = await next_stop(session)
        assert stop.breakpoints == (plain,)
        await plain.remove()
        await stop.resume()
        stop = await next_stop(session)
        assert (stop.breakpoints, [each.waits for each in waiting]) == ((other,), [False] * 3)
        for each in waiting:
            assert all(at.request is not None for at in each.locations)
        await waiting[1].set_options(BreakpointOptions(after=waiting[0]))
        assert waiting[1].waits
        await waiting[0].remove()
        (at,) = waiting[1].locations
        assert (waiting[1].waits, at.request is not None) == (False, True)


async def test_disable_enable_remove(launch: Launch, jdk: Jdk) -> None:
    line = compiled("basics", "Loop", jdk).marker("add")
    async with launch("basics", "Loop", args=["10"]) as session:
        breakpoint_ = await session.break_at(f"Loop.java:{line}")
        other = await session.break_at(f"Loop.java:{line}", condition="i == 5 || i == 8")
        seen: list[int] = []
        async for stop in session.stops():
            seen.append(int(str((await stop.frame.get("i")).value)))
            if seen[-1] == 1:
                await breakpoint_.disable()
                assert not breakpoint_.verified
            elif seen[-1] == 5:
                await breakpoint_.enable()
                assert breakpoint_.verified
            elif seen[-1] == 6:
                await breakpoint_.remove()
                await breakpoint_.remove()
                with pytest.raises(jvmdebug.BreakpointError, match="removed"):
                    await breakpoint_.set_condition("true")
        assert seen == [0, 1, 5, 6, 8]
        assert session.breakpoints == (other,)


async def test_replacing_the_breakpoints_of_a_source_keeps_unchanged_ones(
    launch: Launch, jdk: Jdk
) -> None:
    program = compiled("shop", "shop.Main", jdk)
    source = program.source("shop/Cart.java")
    total, sum_line, back = (program.marker(name) for name in ("total", "sum", "return"))
    async with launch("shop", "shop.Main") as session:
        outside = await session.break_at(f"shop/Cart.java:{back}", condition="count == 99")
        first = await session.breakpoints.replace(
            source, [at_line(source, total), at_line(source, sum_line, hit_condition="never")]
        )
        assert [b.line for b in first] == [total, sum_line]
        assert "hit condition" in str(first[1].message)
        second = await session.breakpoints.replace(
            source, [at_line(source, sum_line), at_line(source, total, condition="count == 3")]
        )
        assert second[1] is first[0], "a changed condition keeps the breakpoint"
        assert second[1].condition == "count == 3"
        third = await session.breakpoints.replace(source, [at_line(source, total)])
        assert third == (first[0],)
        assert third[0].condition is None
        assert session.breakpoints == (outside, first[0])
        assert len(await places(session)) == 2


async def test_breakable_lines_of_a_source(launch: Launch, jdk: Jdk) -> None:
    program = compiled("shop", "shop.Main", jdk)
    source = program.source("shop/Cart.java")
    async with launch("shop", "shop.Main") as session:
        assert await session.breakpoints.breakable_lines(source) == ()
        await session.break_at(f"shop/Cart.java:{program.marker('sum')}")
        assert await session.next_stop(timeout_s=20) is not None
        first, last = program.marker("add-line"), program.marker("return")
        markers = [program.marker(name) for name in ("add-line", "total", "sum", "return")]
        assert await session.breakpoints.breakable_lines(source, first, last) == tuple(markers)
        assert program.marker("line-made") in await session.breakpoints.breakable_lines(source), (
            "nested"
        )


async def test_exceptions_caught_and_uncaught(launch: Launch, jdk: Jdk) -> None:
    program = compiled("shop", "shop.Main", jdk)
    async with launch("shop", "shop.Main", mode="full") as session:
        await session.break_at("shop.Main#main", once=True)
        assert await session.next_stop(timeout_s=20) is not None
        caught = await session.break_on_exception("java.lang.IllegalArgumentException")
        await session.break_on_exception("java.lang.RuntimeException", caught=False, uncaught=True)
        pending = await session.break_on_exception("shop.NoSuchException")
        assert caught.verified
        assert not pending.verified
        stops = []
        async for stop in session.stops():
            stops.append(stop.reason)
            assert stop.exception_caught is True
            assert stop.breakpoints == (caught,)
            assert stop.frame.line == program.marker("refused")
            assert stop.exception is not None
            assert await stop.exception.type_name() == "java.lang.IllegalArgumentException"
            thrown = await stop.thrown()
            assert str(thrown) == "java.lang.IllegalArgumentException: count 0"
            assert thrown is not None
            assert thrown.cause is None
        assert stops == [StopReason.EXCEPTION]


async def test_an_exception_is_reported_with_its_cause(launch: Launch) -> None:
    async with launch("exceptions", "Exceptions") as session:
        await session.break_on_exception("Exceptions$ShopException")
        stop = await session.next_stop(timeout_s=20)
        assert stop is not None
        assert stop.breakpoints[0].verified
        thrown = await stop.thrown()
        assert thrown is not None
        assert str(thrown) == "Exceptions$ShopException: no price: 12x"
        assert str(thrown.cause) == ('java.lang.NumberFormatException: For input string: "12x"')
        message = await stop.frame.evaluate("$exception.getMessage().length()")
        assert await message.as_text() == "13"
        assert stop.exception is not None
        assert stop.exception.evaluate_name == "$exception"
        last = await session.break_on_exception(
            "java.lang.ArithmeticException", caught=False, condition="$exception != null"
        )
        await stop.resume()
        stop = await session.next_stop(timeout_s=20)
        assert stop is not None
        assert stop.breakpoints == (last,)
        assert stop.exception_caught is False
        assert str(await stop.thrown()) == "java.lang.ArithmeticException: / by zero"


async def test_a_field_is_watched(launch: Launch, jdk: Jdk) -> None:
    program = compiled("shop", "shop.Main", jdk)
    async with launch("shop", "shop.Main") as session:
        written = await session.watch("shop.Cart.sum")
        read = await session.watch("shop.Cart.sum", read=True, write=False, hit_condition="3")
        seen = [
            (stop.reason, stop.frame.method_name, stop.frame.line, stop.breakpoints)
            async for stop in session.stops()
        ]
        add = (StopReason.WATCHPOINT, "add", program.marker("sum"), (written,))
        printer = (StopReason.WATCHPOINT, "printer", program.marker("printer"), (read,))
        assert seen == [add, add, printer]


async def test_two_classes_of_one_source_and_no_line_numbers(launch: Launch, jdk: Jdk) -> None:
    compiled("shop", "shop.Main", jdk, "none")
    async with launch("shop", "shop.Main", debug_tables="none") as session:
        line = await session.break_at("shop.Cart:42")
        await session.break_at("shop.Cart#add")
        stop = await session.next_stop(timeout_s=20)
        assert stop is not None
        assert "line numbers" in str(line.message)
        assert stop.frame.line is None
        assert stop.frame.location == "shop.Cart.add(Unknown Source)"
        names = [v.name for v in await stop.frame.variables()]
        assert names == ["arg0", "arg1"]


async def test_many_breakpoints_are_set_at_once(launch: Launch, jdk: Jdk) -> None:
    program = compiled("shop", "shop.Main", jdk)
    async with launch("shop", "shop.Main") as session:
        names = ("add-line", "total", "sum", "return")
        lines = [program.marker(name) for name in names]
        await asyncio.gather(*(session.break_at(f"shop/Cart.java:{line}") for line in lines))
        assert len(await places(session)) == 2 * len(lines)


async def test_breakpoints_of_one_source_ask_for_the_loaded_classes_once(
    launch: Launch, jdk: Jdk
) -> None:
    program = compiled("shop", "shop.Main", jdk)
    source = program.source("shop/Cart.java")
    lines = [program.marker(name) for name in ("add-line", "total", "sum", "return")]
    async with launch("shop", "shop.Main") as session:
        await session.break_at("shop.Cart#add", once=True)
        assert await session.next_stop(timeout_s=20) is not None
        connection = session.vm.connection
        before = connection.bytes_received
        await session.breakpoints.replace(source, [at_line(source, lines[0])])
        one = connection.bytes_received - before
        await session.breakpoints.replace(source, [at_line(source, line) for line in lines])
        assert connection.bytes_received - before < 1.2 * one
        assert len(await places(session)) == 2 * len(lines)
