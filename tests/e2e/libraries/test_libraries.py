# SPDX-License-Identifier: Apache-2.0
"""Third-party libraries: inside H2, Gson and JUnit, with their sources jars."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import jvmdebug
from tests.support.debuggees import debuggee
from tests.support.libraries import guice, library, maven, sources_of
from tests.support.sessions import launched, next_stop, texts

if TYPE_CHECKING:
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

pytestmark = [
    pytest.mark.network,
    pytest.mark.timeout(360),
    pytest.mark.skipif(maven() is None, reason="the libraries are fetched by Maven; no mvn here"),
]


async def source_line(frame: jvmdebug.FrameHandle) -> str:
    """The text of the frame's line in the source that the session finds."""
    source = await frame.source()
    assert source is not None, f"no source for {frame.location}"
    assert frame.line is not None
    return source.as_text().splitlines()[frame.line - 1]


async def test_inside_h2_while_it_runs_a_query(jdk: Jdk, agent_kind: AgentKind) -> None:
    program = debuggee("library_h2", "Query", libraries=(library("h2"),))
    async with launched(program, jdk, agent_kind) as session:
        await session.break_at(f"Query.java:{program.marker('query')}", once=True)
        stop = await next_stop(session)
        assert stop.frame.line == program.marker("query")

        # From the program into the library; its jar has line tables and no variable tables.
        await session.break_at("org.h2.command.query.Select#queryWithoutCache", once=True)
        await stop.resume()
        stop = await next_stop(session)
        assert stop.frame.location.startswith(
            "org.h2.command.query.Select.queryWithoutCache(Select.java:"
        )
        assert "disableLazyForJoinSubqueries" in await source_line(stop.frame)
        assert (await texts(stop.frame))["arg0"] == "0"
        assert "CENTS" in await (await stop.frame.evaluate("this.getPlanSQL(0)")).as_text(
            max_length=2000
        )

        await stop.step_over()
        stop = await next_stop(session)
        assert stop.frame.method_name == "queryWithoutCache"
        await stop.step_out()
        stop = await next_stop(session)
        assert stop.frame.type_name.startswith("org.h2.command.query.")
        assert (await stop.frame.source()) is not None

        await session.break_at(f"Query.java:{program.marker('row')}", once=True)
        await stop.resume()
        stop = await next_stop(session)
        assert await (await stop.frame.evaluate("rows.getString(1)")).as_text() == '"honey"'
        await stop.resume()
        assert await session.wait() == 0


async def test_inside_gson_while_it_parses(jdk: Jdk, agent_kind: AgentKind) -> None:
    program = debuggee("library_gson", "Parse", libraries=(library("gson"),))
    async with launched(program, jdk, agent_kind) as session:
        await session.break_at(f"Parse.java:{program.marker('parse')}", once=True)
        stop = await next_stop(session)
        await stop.step_into()
        stop = await next_stop(session)
        assert stop.frame.location.startswith("com.google.gson.Gson.fromJson(Gson.java:")
        assert (await texts(stop.frame))["json"].startswith('"{\\"owner\\"')
        await stop.step_out()
        stop = await next_stop(session)
        assert stop.frame.source_path == "Parse.java"

        await stop.resume()
        assert await session.wait() == 0


async def test_a_line_of_gson_by_its_source(jdk: Jdk, agent_kind: AgentKind) -> None:
    program = debuggee("library_gson", "Parse", libraries=(library("gson"),))
    async with jvmdebug.launch(
        program.main_class, class_path=program.class_path, java=jdk.home, agent=agent_kind
    ) as session:
        source = await session.find_source("com/google/gson/stream/JsonReader.java")
        assert source is not None
        lines = source.as_text().splitlines()
        declared = next(
            i for i, line in enumerate(lines, 1) if "public String nextString()" in line
        )
        await session.break_at(f"com/google/gson/stream/JsonReader.java:{declared + 1}", once=True)
        stop = await next_stop(session)
        assert stop.frame.method_name == "nextString"
        await stop.step_over()
        stop = await next_stop(session)
        assert (await texts(stop.frame))["p"].lstrip("-").isdigit()
        await stop.step_out()
        stop = await next_stop(session)
        assert stop.frame.type_name.startswith("com.google.gson.")
        await stop.resume()
        assert await session.wait() == 0


async def test_in_a_junit_test_run_by_the_console(jdk: Jdk, agent_kind: AgentKind) -> None:
    console = library("junit-platform-console-standalone")
    program = debuggee("library_junit", "CalculatorTest", libraries=(console,))
    async with jvmdebug.launch(
        program=console,
        args=[
            "execute",
            "--class-path",
            str(program.class_path[0]),
            "--select-class",
            "CalculatorTest",
        ],
        source_path=[program.source_dir, sources_of("junit-jupiter-api")],
        java=jdk.home,
        agent=agent_kind,
    ) as session:
        await session.break_at(f"CalculatorTest.java:{program.marker('assert')}", once=True)
        stop = await next_stop(session)
        assert (await texts(stop.frame)) == {"sum": "5"}
        assert await (await stop.frame.evaluate("this.calls")).as_text() == "1"
        everything = session.settings.step_filters
        session.settings.step_filters = jvmdebug.JUST_MY_CODE
        await stop.step_into()
        stop = await next_stop(session)
        assert stop.frame.function == "CalculatorTest.adds()"
        again = program.marker("again")
        assert stop.frame.line == again, "JUnit is the archive that was started, and a library"
        session.settings.step_filters = everything
        await stop.step_into()
        stop = await next_stop(session)
        assert stop.frame.location.startswith("org.junit.jupiter.api.Assertions.assertEquals(")
        assert "assertEquals" in await source_line(stop.frame)
        assert (await texts(stop.frame)) == {"expected": "5", "actual": "5"}
        await stop.step_out()
        stop = await next_stop(session)
        assert stop.frame.type_name == "CalculatorTest"
        await stop.resume()
        assert await session.wait() == 0


@pytest.mark.parametrize("how", ["out", "over", "into"])
async def test_steps_pass_the_classes_that_guice_generates(
    jdk: Jdk, agent_kind: AgentKind, how: str
) -> None:
    program = debuggee("library_guice", "shop.Guiced", libraries=guice())
    expected = {
        "out": ("price", "proceed", "call"),
        "over": ("price", "proceed", "around", "call", "end"),
        "into": ("call", "proceed", "price", "proceed", "around", "call", "end"),
    }[how]
    async with launched(program, jdk, agent_kind) as session:
        session.settings.step_filters = jvmdebug.JUST_MY_CODE
        source, line = program.marked(expected[0])
        await session.break_at(f"{source}:{line}", once=True)
        stop = await next_stop(session)
        if how != "into":
            generated = [
                await each.is_library()
                for each in await stop.thread.frames()
                if "ByGuice$$" in each.type_name
            ]
            assert generated
            assert all(generated)
        for marker in expected[1:]:
            step = {"out": stop.step_out, "over": stop.step_over, "into": stop.step_into}[how]
            await step()
            stop = await next_stop(session)
            assert stop.frame.line == program.marker(marker), (marker, stop.frame)
        await stop.resume()
        assert await session.wait() == 0
