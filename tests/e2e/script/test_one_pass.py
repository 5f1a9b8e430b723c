# SPDX-License-Identifier: Apache-2.0
"""One pass through a line is one hit, whatever a compiler makes of the line: each statement of the
debuggees counts its own passes, and the breakpoints count their hits.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from tests.support.compilers import Compiler, compiled_by
from tests.support.debuggees import SOURCES
from tests.support.other_languages import kotlin_debuggee
from tests.support.sessions import launched, next_stop

if TYPE_CHECKING:
    from pathlib import Path

    from jvmdebug.launch.agent_library import ProbeChoice
    from tests.support.debuggees import Debuggee
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

TOPICS = {11: "onepass", 17: "onepassnew", 21: "onepasspatterns"}
"""From which Java on."""
MARKER = re.compile(r"// @([\w-]+)")
COUNTED = {"Statements": "counted", "KotlinStatementsKt": "counted.toString()"}


def java(compiler: Compiler) -> Debuggee:
    topics = tuple(topic for release, topic in TOPICS.items() if release <= compiler.release)
    return compiled_by(compiler, topics, "Statements")


def markers(topics: list[str]) -> dict[str, tuple[Path, int]]:
    """Every marker of the topics → where it is."""
    return {
        found[1]: (source, number)
        for topic in topics
        for source in sorted((SOURCES / topic).iterdir())
        for number, line in enumerate(source.read_text(encoding="utf-8").splitlines(), 1)
        if (found := MARKER.search(line))
    }


def topics_of(program: Debuggee) -> list[str]:
    if program.topic != "onepass":
        return [program.topic]
    return [topic for release, topic in TOPICS.items() if release <= program.release]


def counts(text: str) -> dict[str, int]:
    """`{and=9, or=9}` as the program shows it."""
    return {name: int(count) for name, count in re.findall(r"([\w-]+)=(\d+)", text)}


async def hits_and_passes(
    program: Debuggee, jdk: Jdk, agent_kind: AgentKind, probes: ProbeChoice
) -> tuple[dict[str, int], dict[str, int]]:
    """Tells by marker how often log points of the lines wrote, and what the program counted."""
    places = markers(topics_of(program))
    end = places.pop("end")
    del places["begun"]
    async with launched(program, jdk, agent_kind) as session:
        session.settings.probes = probes
        session.settings.log_messages_per_second = 100_000
        points = {
            name: await session.break_at(f"{source}:{line}:all", log_message="passed")
            for name, (source, line) in places.items()
        }
        await session.break_at(f"{end[0]}:{end[1]}")
        stop = await next_stop(session)
        counted = await stop.frame.evaluate(COUNTED[program.main_class])
        hits = {name: point.hits for name, point in points.items()}
        return hits, counts(await counted.as_text(max_length=100_000))


def differences(hits: dict[str, int], passes: dict[str, int]) -> dict[str, tuple[int, int]]:
    """Marker → (hits, passes) where they are not the same."""
    assert len(hits) > 20
    return {
        name: (hits[name], passes.get(name, 0))
        for name in hits
        if hits[name] != passes.get(name, 0)
    }


def ways(agent_kind: AgentKind) -> tuple[ProbeChoice, ...]:
    return ("auto", "off") if agent_kind == "jvmdebug" else ("off",)


@pytest.mark.timeout(120)
async def test_a_pass_is_a_hit_in_code_of_javac(jdk: Jdk, agent_kind: AgentKind) -> None:
    program = java(Compiler("javac", min(jdk.version, 25)))
    for probes in ways(agent_kind):
        hits, passes = await hits_and_passes(program, jdk, agent_kind, probes)
        assert differences(hits, passes) == {}, probes


OTHERS = (
    Compiler("javac", 11),
    Compiler("javac", 11, 17),
    Compiler("javac", 17, 17),
    Compiler("javac", 17),
    Compiler("javac", 21),
)


@pytest.mark.slow
@pytest.mark.timeout(120)
@pytest.mark.parametrize("compiler", OTHERS, ids=str)
async def test_a_pass_is_a_hit_in_code_of_every_javac(
    compiler: Compiler, jdk: Jdk, agent_kind: AgentKind
) -> None:
    await check(compiler, jdk, agent_kind)


@pytest.mark.slow
@pytest.mark.network
@pytest.mark.timeout(120)
@pytest.mark.parametrize(
    "compiler", [Compiler("ecj", 11), Compiler("ecj", 17), Compiler("ecj", 21)], ids=str
)
async def test_a_pass_is_a_hit_in_code_of_eclipse(
    compiler: Compiler, jdk: Jdk, agent_kind: AgentKind
) -> None:
    await check(compiler, jdk, agent_kind)


@pytest.mark.network
@pytest.mark.timeout(180)  # Kotlin's compiler is slow
async def test_a_pass_is_a_hit_in_code_of_kotlin(jdk: Jdk, agent_kind: AgentKind) -> None:
    program = kotlin_debuggee("onepasskotlin", "KotlinStatementsKt")
    for probes in ways(agent_kind):
        hits, passes = await hits_and_passes(program, jdk, agent_kind, probes)
        assert differences(hits, passes) == {}, probes


async def check(compiler: Compiler, jdk: Jdk, agent_kind: AgentKind) -> None:
    if jdk.version < compiler.release or not compiler.is_there:
        pytest.skip(f"{compiler} is not for this JDK, or not on this machine")
    for probes in ways(agent_kind):
        hits, passes = await hits_and_passes(java(compiler), jdk, agent_kind, probes)
        assert differences(hits, passes) == {}, probes


@pytest.mark.parametrize("name", ["and", "choice", "argument", "returned-before", "resource"])
async def test_the_third_hit_is_the_third_pass(name: str, jdk: Jdk, agent_kind: AgentKind) -> None:
    program = compiled_by(Compiler("javac", 11), ("onepass",), "Statements")
    source, line = program.marked(name)
    for probes in ways(agent_kind):
        async with launched(program, jdk, agent_kind) as session:
            session.settings.probes = probes
            await session.break_at(f"{source}:{line}", hit_condition="3")
            stop = await next_stop(session)
            assert (stop.frame.line, await (await stop.frame.evaluate("n")).as_text()) == (
                line,
                "3",
            )
            assert await session.breakpoints.breakable_lines(str(source), line, line) == (line,)


async def test_running_to_a_line_stops_at_its_next_pass(jdk: Jdk, agent_kind: AgentKind) -> None:
    program = compiled_by(Compiler("javac", 11), ("onepass",), "Statements")
    source, line = program.marked("and")
    async with launched(program, jdk, agent_kind) as session:
        await (await session.break_at(f"{source}:{line}")).remove()
        await session.break_at(f"{source}:{program.marker('begun')}")
        stop = await next_stop(session)
        for n in ("1", "2", "3", "4"):
            await stop.run_to(f"{source}:{line}")
            stop = await next_stop(session)
            assert (stop.frame.line, await (await stop.frame.evaluate("n")).as_text()) == (
                line,
                n,
            )
