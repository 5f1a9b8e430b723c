# SPDX-License-Identifier: Apache-2.0
"""The line of the program that submitted a task which a library runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest

from tests.support.debuggees import debuggee
from tests.support.libraries import async_libraries, kotlin_coroutines, maven
from tests.support.other_languages import kotlin_debuggee
from tests.support.sessions import launched, next_stop

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmdebug import Origin
    from tests.support.debuggees import Debuggee
    from tests.support.jdks import Jdk

pytestmark = [
    pytest.mark.network,
    pytest.mark.slow,
    pytest.mark.skipif(maven() is None, reason="the libraries are fetched by Maven; no mvn here"),
]

LIBRARIES: Final = ("reactor", "published", "rxjava", "netty", "spring")


async def _lines_at_each_stop(
    program: Debuggee, jdk: Jdk, file: str, expected: Sequence[str]
) -> None:
    async with launched(program, jdk, "jvmdebug") as session:
        await session.break_at(f"{file}:{program.marker('reached')}")
        async with session.origins():
            await session.resume()
            for each in expected:
                stop = await next_stop(session)
                found = await stop.origins()
                lines = [
                    frame.line
                    for origin in found
                    for frame in origin.frames
                    if frame.source_name == file
                ]
                assert program.marker(each) in lines, (each, "\n".join(map(_told, found)))
                await stop.resume()


def _told(origin: Origin) -> str:
    return "\n  ".join([str(origin), *map(str, origin.frames)])


async def test_tasks_of_libraries(jdk: Jdk) -> None:
    program = debuggee("library_async", "Async", libraries=async_libraries())
    await _lines_at_each_stop(program, jdk, "Async.java", LIBRARIES)


async def test_coroutines(jdk: Jdk) -> None:
    jars = (kotlin_coroutines(),)
    program = kotlin_debuggee("origins_kotlin", "launched.LaunchedKt", libraries=jars)
    await _lines_at_each_stop(program, jdk, "Launched.kt", ("launch",))


async def test_functions_that_wait_in_a_coroutine(jdk: Jdk) -> None:
    jars = (kotlin_coroutines(),)
    program = kotlin_debuggee("origins_kotlin", "launched.LaunchedKt", libraries=jars)
    async with launched(program, jdk, "jvmdebug") as session:
        await session.break_at(f"Launched.kt:{program.marker('reached')}")
        await session.resume()
        stop = await next_stop(session)
        assert not any(each.thread is None for each in await stop.origins())
        await stop.resume()
        stop = await next_stop(session)
        (waiting, *_) = await stop.origins()
        assert waiting.label == "awaited by suspended functions"
        found = [(each.class_name, each.method, each.line) for each in waiting.frames]
        expected = (
            ("LaunchedKt", "middle", "middle"),
            ("LaunchedKt$outer$found$1", "invokeSuspend", "scope"),
            ("LaunchedKt", "outer", "outer"),
            ("LaunchedKt$main$1$1", "invokeSuspend", "outermost"),
        )
        assert found == [
            (f"launched.{name}", method, program.marker(marker))
            for name, method, marker in expected
        ]
        assert {each.source_name for each in waiting.frames} == {"Launched.kt"}
