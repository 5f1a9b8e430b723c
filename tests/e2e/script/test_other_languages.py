# SPDX-License-Identifier: Apache-2.0
"""Steps, names and values in programs of Scala and Groovy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest

import jvmdebug
from tests.support.libraries import maven
from tests.support.other_languages import groovy_debuggee, scala_debuggee
from tests.support.sessions import launched, next_stop, stop_at

if TYPE_CHECKING:
    from jvmdebug import Session, Stop
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

pytestmark = [
    pytest.mark.network,
    pytest.mark.skipif(maven() is None, reason="the compilers are fetched by Maven; no mvn here"),
]


async def stepped_into(session: Session, stop: Stop, line: int) -> Stop:
    """Step into what there is until that line is reached, in code of the program only."""
    while stop.frame.line != line:
        await stop.step_into()
        stop = await next_stop(session)
        assert stop.frame.source_path == "shelves/Shelves.scala", stop.frame
    return stop


@pytest.mark.parametrize("version", [2, 3])
async def test_a_step_into_goes_to_the_body_of_a_closure_in_scala(
    jdk: Jdk, agent_kind: AgentKind, version: int
) -> None:
    """The step passes the library that calls it, and what converts its arguments."""
    program = scala_debuggee("scala", "shelves.Shelves", version)
    async with launched(program, jdk, agent_kind) as session:
        session.settings.step_filters = jvmdebug.JUST_MY_CODE
        stop = await stop_at(session, program, "map")
        for marker in ("more", "foreach", "note", "print", "late"):
            stop = await stepped_into(session, stop, program.marker(marker))
        await stop.resume()
        assert await session.wait() == 0


@pytest.mark.parametrize("version", [2, 3])
async def test_breakpoints_by_path_in_nested_packages_of_scala(jdk: Jdk, version: int) -> None:
    program = scala_debuggee("scala", "shelves.Shelves", version)
    async with launched(program, jdk, "jvmdebug") as session:
        for marker in ("core", "deep"):
            source, line = program.marked(marker)
            await session.break_at(f"{source.resolve()}:{line}")
        seen = list[str]()
        async for stop in session.stops():
            seen.append(stop.frame.type_name)
            source_file = await stop.frame.source()
            assert source_file is not None
            assert source_file.path == program.source("Nested.scala")
        assert seen == ["shelves.inner.deepest.Core$", "shelves.inner.Deep"]


GROOVY: Final = {
    "each": (
        ("sum", "0"),
        ("sum + 1", "1"),
        ("sum + book", "3"),
        ("label", '"due"'),
        ("label.length()", "3"),
        ("book", "3"),
        ("book * days", "42"),
        ("days", "14"),
        ("sum == 0 && days > book", "true"),
        ("sum = 7", "7"),
        ("sum * 2", "14"),
        ("(sum = 0) + 0", "0"),
    ),
    "more": (
        ("sum", "98"),
        ("first", "3"),
        ("sum + first", "101"),
        ("label.toUpperCase()", '"DUE34"'),
        ("-sum", "-98"),
        ("sum > 3 && first < 4", "true"),
    ),
    "inner": (("extra", "5"), ("sum + extra", "103"), ("first", "3"), ("days + first", "17")),
}
"""Where to stop in the program of Groovy; expressions and what they are there."""


async def test_captured_variables_of_closures_in_groovy_are_their_values(
    jdk: Jdk, agent_kind: AgentKind
) -> None:
    program = groovy_debuggee("groovy", "lending.Library")
    wrong: list[str] = []
    async with launched(program, jdk, agent_kind) as session:
        for marker, texts in GROOVY.items():
            stop = await stop_at(session, program, marker)
            for text, expected in texts:
                try:
                    found = await (await stop.frame.evaluate(text)).as_text()
                except jvmdebug.JvmDebugError as error:
                    found = str(error)
                if found != expected:
                    wrong.append(f"[{marker}] {text}: {found}, should be {expected}")
            shown = {each.name: await each.as_text() for each in await stop.frame.locals()}
            wrong += [
                f"[{marker}] shown: {name} = {shown.get(name)}, should be {expected}"
                for name, expected in texts
                if name in ("sum", "label", "extra") and shown.get(name) != expected
            ]
            assert not any("Reference@" in each for each in shown.values()), shown
        await session.resume()
        assert await session.wait() == 0
    assert not wrong, "\n".join(wrong)


async def test_steps_pass_the_runtime_of_groovy(jdk: Jdk) -> None:
    """Each call of the program goes through it, so the standard filters leave it out."""
    program = groovy_debuggee("groovy", "lending.Library")
    async with launched(program, jdk, "jvmdebug") as session:
        stop = await stop_at(session, program, "more")
        seen = list[int]()
        while stop.frame.method_name != "main":
            await stop.step_into()
            stop = await next_stop(session)
            assert stop.frame.source_path == "lending/Library.groovy", stop.frame
            assert stop.frame.line is not None, f"the compiler has made {stop.frame}"
            seen.append(stop.frame.line)
        assert {program.marker(each) for each in ("inner", "call", "more")} <= set(seen)
        await stop.resume()
        assert await session.wait() == 0


IN_CLOSURES: Final = {
    "each": (
        ("this.days", "14"),
        ("this instanceof Harbour", "true"),
        ("this.hidden(1)", "15"),
        ("super.inherited()", "42"),
        ("days + boat", "17"),
        ("hidden(2)", "16"),
        ("secret", '"key"'),
        ("stock", "40"),
        ("inherited()", "42"),
        ("label", '"label14"'),
        ("label.length() + boat", "10"),
        ("this.label", '"label14"'),
        ("this.class.name", '"lending.Harbour"'),
        ("names[0]", '"a"'),
        ("names[-1]", '"b"'),
        ("names.first()", '"a"'),
        ("depths.north", "7"),
        ('depths["north"]', "7"),
        ("named(4)", '"s4"'),
        ("count", "3"),
        ("owner.days", "14"),
        ("nothing", "there is no variable or class nothing here"),
        ("nothing(1)", "there is no method nothing here"),
        ("this.nothing", "lending.Harbour has no field nothing"),
    ),
    "inner": (
        ("this.days", "14"),
        ("extra + it + days", "22"),
        ("hidden(1)", "15"),
        ("label", '"label14"'),
        ("owner instanceof groovy.lang.Closure", "true"),
    ),
    "with": (
        ("port", "8080"),
        ("host.length()", "5"),
        ("scaled(2)", "16160"),
        ("address", '"north:8080"'),
        ("port + days", "8094"),
        ("days", "14"),
        ("hidden(1)", "15"),
        ("this.port", "1"),
        ("owner.port", "1"),
        ("delegate.port", "8080"),
    ),
    "told": (("port", "1"), ("host", '"north"'), ("delegate.port", "8080"), ("scaled(2)", "16160")),
    "static": (("this.getSimpleName()", '"Harbour"'), ("count", "3"), ("named(2)", '"s2"')),
}
"""Where to stop in closures; expressions and what they are there."""
AROUND: Final = {
    "each": {"this": "Harbour"},
    "inner": {"this": "Harbour", "owner": "Harbour$_close_closure2"},
    "with": {"this": "Harbour", "delegate": "Config"},
    "told": {"this": "Harbour", "delegate": "Config"},
    "static": {"this": "Class"},
}
"""What the variables show of the objects around, by the names of their classes."""


async def test_names_in_closures_are_of_the_owner_or_the_delegate(
    jdk: Jdk, agent_kind: AgentKind
) -> None:
    program = groovy_debuggee("groovy_closures", "lending.Harbour")
    wrong: list[str] = []
    async with launched(program, jdk, agent_kind) as session:
        for marker, texts in IN_CLOSURES.items():
            stop = await stop_at(session, program, marker)
            for text, expected in texts:
                try:
                    found = await (await stop.frame.evaluate(text)).as_text()
                except jvmdebug.JvmDebugError as error:
                    found = str(error)
                if not found.startswith(expected):
                    wrong.append(f"[{marker}] {text}: {found}, should be {expected}")
            shown = {
                each.name: (await each.type_name()).rpartition(".")[2]
                for each in await stop.frame.locals()
                if each.name in ("this", "owner", "delegate")
            }
            if shown != AROUND[marker]:
                wrong.append(f"[{marker}] shown: {shown}, should be {AROUND[marker]}")
        await session.resume()
        assert await session.wait() == 0
    assert not wrong, "\n".join(wrong)


async def test_names_in_closures_where_only_reading_is_allowed(jdk: Jdk) -> None:
    program = groovy_debuggee("groovy_closures", "lending.Harbour")
    async with launched(program, jdk, "jvmdebug") as session:
        for marker, texts in (
            ("each", {"this.days + boat": "17", "names[1]": '"b"'}),
            ("inner", {"depths.north": "7"}),
            ("with", {"port + days": "8094", "host.length()": "5"}),
        ):
            stop = await stop_at(session, program, marker)
            for text, expected in texts.items():
                found = await stop.frame.evaluate(text, read_only=True)
                assert (text, await found.as_text()) == (text, expected)
