# SPDX-License-Identifier: Apache-2.0
"""Function breakpoints of every form, instructions, and exceptions by patterns of types."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from jvmdebug import StopReason
from tests.e2e.script.conftest import at_method
from tests.support.sessions import compiled, next_stop, stop_at

if TYPE_CHECKING:
    from jvmdebug import Breakpoint, Session
    from tests.e2e.script.conftest import Launch
    from tests.support.jdks import Jdk


async def hits(session: Session) -> list[tuple[tuple[Breakpoint, ...], str, int | None]]:
    """Tells which breakpoints stopped where, until the end."""
    return [
        (stop.breakpoints, stop.frame.function, stop.frame.line) async for stop in session.stops()
    ]


async def test_functions_by_name_overload_wildcard_and_constructor(
    launch: Launch, jdk: Jdk
) -> None:
    line = compiled("kinds", "kinds.Kinds", jdk).marker
    async with launch("kinds", "kinds.Kinds") as session:
        asked = [
            at_method("Slow.serve(String)"),
            at_method("kinds.Slow.serve(int)"),
            at_method("kinds.*inder.find*"),
            at_method("Account.<init>", condition='name.equals("second")'),
            at_method("kinds.Account#add", hit_condition="% 4"),
            at_method("Kinds.nothing"),
            at_method("java.lang.System.identityHashCode"),
            at_method("non sense"),
        ]
        placed = await session.breakpoints.replace("functions", asked)
        serve, other, find, made, add, nothing, native, nonsense = placed
        assert "names no type" in str(nonsense.message)
        assert await hits(session) == [
            ((made,), "new Account(String)", line("name") - 1),
            ((add,), "Account.add(int)", line("add")),
            ((serve,), "Slow.serve(String)", line("slow")),
            ((find,), "Finder.findOne()", line("find-one")),
            ((find,), "Finder.findMany(int)", line("find-many")),
            ((native,), "System.identityHashCode(Object)", None),
        ]
        assert "is native: the program runs slowly" in str(native.message)
        assert (other.verified, other.hits) == (True, 0)
        assert (made.hits, add.hits) == (1, 6)
        assert len(find.locations) == 2
        assert nothing.message == "kinds.Kinds has no method nothing"
        assert not nothing.is_pending


@pytest.mark.parametrize("is_late", [False, True])
async def test_an_interface_method_stops_in_its_implementations_only(
    launch: Launch,
    jdk: Jdk,
    is_late: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    line = compiled("kinds", "kinds.Kinds", jdk).marker
    async with launch("kinds", "kinds.Kinds") as session:
        if is_late:  # the implementations are loaded
            await session.break_at(f"kinds/Kinds.java:{line('serve')}", once=True)
            assert await session.next_stop(timeout_s=20) is not None
        serve = await session.break_at("kinds.Service#serve")
        describe = await session.break_at("kinds.Service.describe()")
        order = await session.break_at("Ordered#order")
        exact = await session.break_at("kinds.Rank#order")
        if is_late:
            assert len(serve.locations) == 4, "two classes, a lambda, a method reference"
        else:
            assert (serve.verified, serve.is_pending) == (False, True)
        found = await hits(session)
        reference = found.pop(6)
        assert found == [
            ((serve,), "Slow.serve(String)", line("slow")),
            ((describe,), "Service.describe()", line("describe")),
            ((serve,), "Quick.serve(String)", line("quick")),
            ((describe,), "Quick.describe()", line("quick-describe")),
            ((serve,), "Kinds.lambda$services$0(String)", line("lambda")),
            ((describe,), "Service.describe()", line("describe")),
            ((describe,), "Service.describe()", line("describe")),
            ((serve,), "Plain.serve(String)", line("plain")),
            ((order, exact), "Rank.order(Rank)", line("order")),
        ]
        assert reference[0] == (serve,)
        assert reference[1].endswith(".serve(String)"), "of the object that stands for parseInt"


async def test_exceptions_by_patterns_and_conditions(launch: Launch) -> None:
    async with launch("kinds", "kinds.Kinds", mode="full") as session:
        shop = await session.break_on_exception("kinds.*, !kinds.SpecialException")
        parse = await session.break_on_exception(
            "NumberFormatException", condition='$exception.getMessage().endsWith("x\\"")'
        )
        never = await session.break_on_exception("kinds.Kinds")
        none = await session.break_on_exception("*IllegalStateException", caught=False)
        logged = await session.break_on_exception("*.RuntimeException", hit_condition="3")
        seen = []
        async for stop in session.stops():
            assert stop.reason is StopReason.EXCEPTION
            seen.append((stop.breakpoints, str(await stop.thrown())))
        assert seen == [
            ((shop,), "kinds.ShopException: no price 66"),
            ((logged,), "java.lang.IllegalStateException: state"),
            ((parse,), 'java.lang.NumberFormatException: For input string: "12x"'),
        ]
        assert (none.hits, logged.hits) == (0, 4)
        assert never.message == "kinds.Kinds cannot be thrown"


@pytest.mark.parametrize("marker", [None, "second"])
async def test_an_interface_that_only_a_proxy_implements(
    launch: Launch, jdk: Jdk, marker: str | None
) -> None:
    """Set before the proxy's class is made, and after."""
    program = compiled("proxies", "Proxies", jdk)
    async with launch("proxies", "Proxies") as session:
        if marker is not None:
            await stop_at(session, program, marker)
        made = await session.break_at("Proxies$Repository#find")
        if marker is not None:
            assert (made.verified, made.message) == (True, None)
        await session.resume()
        stop = await next_stop(session)
        first, second = (await stop.frames())[:2]
        assert (first.method_name, second.method_name) == ("find", "main")
        assert "$Proxy" in first.type_name
        assert second.line == program.marker(marker or "first")


async def test_what_a_class_inherits_stops_for_its_objects(launch: Launch, jdk: Jdk) -> None:
    program = compiled("inherited", "Inherited", jdk)
    async with launch("inherited", "Inherited") as session:
        asked = ("Open#greet", "Plain#greet", "Plain#twice", "Small#name", "Text#keep(Object)")
        open_, plain, twice, name, keep = [
            await session.break_at(f"Inherited${each}") for each in asked
        ]
        sized = await session.break_at("Inherited$Sized#size")
        native = await session.break_at("Inherited$Plain#hashCode")
        found = []
        async for stop in session.stops():
            (main,) = [each for each in await stop.frames() if each.method_name == "main"]
            found.append((stop.breakpoints, stop.frame.line, main.line))
        of_open, of_plain = program.marker("of-open"), program.marker("of-plain")
        line = program.marker("greet")
        assert found[:2] == [((open_,), line, of_open), ((open_, plain), line, of_plain)]
        assert [each[:2] for each in found[2:]] == [
            ((twice,), program.marker("twice")),
            ((name,), program.marker("name")),
            ((keep,), program.marker("keep")),
        ]
        said = "inherits Inherited$Base.greet(): stops for objects of Inherited$Plain"
        assert plain.message == f"Inherited$Plain {said}"
        said = "inherits Inherited$Base.twice(int): stops at each call of it"
        assert twice.message == f"Inherited$Plain {said}"
        assert sized.message == "Inherited$Sized inherits Inherited$Named.size(): set it there"
        said = "inherits java.lang.Object.hashCode(): set it there"
        assert native.message == f"Inherited$Plain {said}"
        assert (sized.verified, native.verified) == (False, False)


async def test_a_bare_name_means_every_class_of_the_program(launch: Launch, jdk: Jdk) -> None:
    program = compiled("inherited", "Inherited", jdk)
    async with launch("inherited", "Inherited") as session:
        main, greet, keep = await session.breakpoints.replace(
            "functions", [at_method("main"), at_method("greet"), at_method("keep(String)")]
        )
        size = await session.break_at("size")
        nothing = await session.break_at("nowhere")
        found = await hits(session)
        line = program.marker("greet")
        assert [each[::2] for each in found] == [
            ((main,), program.marker("of-open") - 1),
            *[((greet,), line)] * 3,
            ((size,), program.marker("size")),
            ((keep,), program.marker("keep")),
        ]
        assert (nothing.verified, nothing.message) == (
            False,
            "no class that is loaded has a method nowhere",
        )
        assert str(greet.spec) == "greet"
