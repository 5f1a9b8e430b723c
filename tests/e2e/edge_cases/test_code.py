# SPDX-License-Identifier: Apache-2.0
"""Breakpoints, steps and locals in edge cases of the language."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import jvmdebug
from tests.support.sessions import texts

if TYPE_CHECKING:
    from tests.e2e.edge_cases.conftest import StartDebugging
    from tests.support.debuggees import DebugTables
    from tests.support.sessions import DebuggeeSession


@pytest.mark.full_mode_too
async def test_stepping_over_a_recursive_call_stays_in_the_frame(debugging: StartDebugging) -> None:
    async with debugging("recursion", "Recursion", "18") as run:
        await run.break_at("fib-call", once=True)
        stop = await run.expect_stop("fib-call")
        await stop.step_over()
        stop = await run.expect_stop("even-call")
        assert await texts(stop.frame) == {"args": 'String[1] {"18"}', "n": "18", "value": "2584"}
        await stop.step_over()
        stop = await run.expect_stop("done")
        assert (await texts(stop.frame))["even"] == "true"
        assert await run.end() == 0


@pytest.mark.full_mode_too
async def test_stepping_inside_a_recursion_stays_at_its_depth(debugging: StartDebugging) -> None:
    async with debugging("recursion", "Recursion", "6") as run:
        await run.break_at("left", condition="n == 4", once=True)
        stop = await run.expect_stop("left")
        depth = await stop.frame_count()
        await stop.step_over()
        stop = await run.expect_stop("right")
        assert await stop.frame_count() == depth
        assert (await texts(stop.frame))["left"] == "2"
        await stop.step_over()
        stop = await run.expect_stop("sum")
        assert await stop.frame_count() == depth
        await stop.step_out()
        stop = await run.next_stop()
        assert await stop.frame_count() == depth - 1
        assert (await texts(stop.frame))["n"] == "5"
        assert await run.end() == 0


async def test_a_lambda_on_one_line_with_its_caller_is_a_part_of_it(
    debugging: StartDebugging,
) -> None:
    async with debugging("lambdas", "Lambdas") as run:
        await run.break_at("one-line", part=":all")
        functions = []
        for _ in range(4):
            stop = await run.expect_stop("one-line")
            functions.append(stop.frame.method_name)
            if stop.frame.method_name != "main":
                assert set(await texts(stop.frame)) == {"w"}
            await stop.resume()
        assert functions[0] == "main"
        assert all("lambda$main$" in name for name in functions[1:])
        assert await run.end() == 0


async def test_lambdas_show_what_they_capture(debugging: StartDebugging) -> None:
    async with debugging("lambdas", "Lambdas") as run:
        for marker in ("block", "captures", "nested"):
            await run.break_at(marker)
        stop = await run.expect_stop("block")
        values = await texts(stop.frame)
        assert (values["a"], values["b"], values["offset"]) == ("1", "2", "10")
        await stop.step_over()
        stop = await run.next_stop()
        assert (await texts(stop.frame))["sum"] == "13"
        await stop.resume()
        stop = await run.expect_stop("captures")
        assert await (await stop.frame.evaluate("base + local")).as_text() == "105"
        await stop.resume()
        stop = await run.expect_stop("nested")
        assert await (await stop.frame.evaluate("x * y")).as_text() == "42"
        assert await run.end() == 0


async def test_nested_classes_see_their_outer_ones(debugging: StartDebugging) -> None:
    async with debugging("nested", "Nested") as run:
        for marker in ("deeper", "static-nested", "anonymous", "default-method", "local"):
            await run.break_at(marker)
        stop = await run.expect_stop("deeper")
        assert stop.frame.type_name == "Nested$Inner$Deeper"
        assert await texts(stop.frame) == {"extra": "39"}
        stop = await _on(run, stop, "static-nested")
        assert await (await stop.frame.evaluate("text.length() + name.length()")).as_text() == "19"
        stop = await _on(run, stop, "anonymous")
        assert stop.frame.type_name == "Nested$1"
        assert (await texts(stop.frame))["side"] == "8.0"
        stop = await _on(run, stop, "default-method")
        assert stop.frame.type_name == "Nested$Shape"
        assert (await texts(stop.frame))["area"] == "64.0"
        stop = await _on(run, stop, "local")
        assert stop.frame.type_name == "Nested$1Local"
        assert await run.end() == 0


async def _on(run: DebuggeeSession, stop: jvmdebug.Stop, marker: str) -> jvmdebug.Stop:
    await stop.resume()
    return await run.expect_stop(marker)


async def test_every_copy_of_a_finally_block_stops(debugging: StartDebugging) -> None:
    async with debugging("flow", "Flow") as run:
        await run.break_at("finally")
        for expected in ("0", "1"):
            stop = await run.expect_stop("finally")
            assert await (await stop.frame.evaluate("cleanups")).as_text() == expected
            await stop.resume()
        assert await run.end() == 0
        assert run.printed.startswith("1 -1 2")


async def test_switches_and_loops(debugging: StartDebugging) -> None:
    async with debugging("flow", "Flow") as run:
        for marker in ("case-one", "case-two", "case-default", "red", "found"):
            await run.break_at(marker)
        stop = await run.expect_stop("case-two")
        assert await texts(stop.frame) == {"key": '"two"'}
        await stop.resume()
        stop = await run.expect_stop("red")
        await stop.step_over()
        stop = await run.next_stop()
        assert (await texts(stop.frame))["code"] == "1"
        await stop.resume()
        stop = await run.expect_stop("found")
        assert (await texts(stop.frame))["steps"] == "4"
        assert await run.end() == 0


@pytest.mark.full_mode_too
async def test_stepping_over_a_line_that_throws_goes_to_the_handler(
    debugging: StartDebugging,
) -> None:
    async with debugging("flow", "Flow") as run:
        await run.break_at("throwing", once=True)
        stop = await run.expect_stop("throwing")
        await stop.step_over()
        stop = await run.next_stop()
        if stop.frame.line != run.program.marker("caught"):
            # The line with `catch` itself has code (it stores the exception): one step more.
            await stop.step_over()
            stop = await run.expect_stop("caught")
        assert stop.frame.method_name == "main"
        assert await run.end() == 0


async def test_exceptions_caught_and_uncaught(debugging: StartDebugging) -> None:
    async with debugging("exceptions", "Exceptions") as run:
        await run.session.break_on_exception("Exceptions$ShopException", caught=True, uncaught=True)
        await run.session.break_on_exception(
            "java.lang.ArithmeticException", caught=False, uncaught=True
        )
        stop = await run.next_stop()
        assert stop.reason is jvmdebug.StopReason.EXCEPTION
        assert stop.frame.line == run.program.marker("wrap")
        assert stop.exception is not None
        assert stop.exception_caught is True
        assert await stop.exception.type_name() == "Exceptions$ShopException"
        fields = {each.name: each for each in await stop.exception.children()}
        assert await fields["code"].as_text() == "42"
        await stop.resume()
        stop = await run.expect_stop("divide")
        assert stop.exception is not None
        assert stop.exception_caught is False
        await stop.resume()
        assert await run.session.wait() == 1


async def test_names_and_strings_beyond_ascii(debugging: StartDebugging) -> None:
    async with debugging("unicode", "Größe") as run:
        await run.break_at("unicode")
        stop = await run.expect_stop("unicode")
        assert stop.frame.method_name == "数える"
        values = await texts(stop.frame)
        assert values["öffnung"] == "4"
        assert values["Σ"] == "7"
        assert "✓" in values["emoji"]
        assert "😀" in values["emoji"]
        assert await (await stop.frame.evaluate("läng€ + Σ")).as_text() == "10"
        assert await (await stop.frame.evaluate("emoji.length()")).as_text() == "36"
        assert await run.end() == 0
        assert run.printed.strip() == "43grün"


async def test_a_method_by_its_name_beyond_ascii(debugging: StartDebugging) -> None:
    async with debugging("unicode", "Größe") as run:
        made = await run.session.break_at("Größe#数える")
        stop = await run.next_stop()
        assert stop.frame.method_name == "数える"
        assert made.verified
        assert await run.end() == 0


@pytest.mark.parametrize("debug_tables", ["none", "lines"])
async def test_classes_without_debug_information(
    debugging: StartDebugging, debug_tables: DebugTables
) -> None:
    async with debugging("basics", "Loop", debug_tables=debug_tables) as run:
        await run.session.break_at("Loop#square")
        stop = await run.next_stop()
        assert stop.frame.line == (None if debug_tables == "none" else run.program.marker("square"))
        assert await texts(stop.frame) == {"arg0": "0"}
        await stop.frame.set("arg0", "3")
        assert await (await stop.frame.evaluate("arg0 * 2")).as_text() == "6"
        await stop.step_out()
        stop = await run.next_stop()
        assert stop.frame.method_name == "main"
        assert await run.end() == 0
