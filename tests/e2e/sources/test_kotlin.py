# SPDX-License-Identifier: Apache-2.0
"""Breakpoints in Kotlin files: found by the line tables and source maps of its compiler.

The files are those of Kotlin's own library, which lie in directories that have nothing to do with
their packages, and whose inline functions are copied into others, of the same file and of another.
"""

from __future__ import annotations

import zipfile
from typing import TYPE_CHECKING

import pytest

import jvmdebug
from tests.support import process
from tests.support.debuggees import debuggee
from tests.support.libraries import library, maven, sources_of
from tests.support.other_languages import kotlin_debuggee

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager
    from pathlib import Path

    from tests.support.debuggees import Debuggee
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

pytestmark = [
    pytest.mark.network,
    pytest.mark.skipif(maven() is None, reason="the libraries are fetched by Maven; no mvn here"),
]


def extracted(folder: Path, name: str) -> Path:
    """The file of that name from the sources of Kotlin's library, in a directory of its own."""
    with zipfile.ZipFile(sources_of("kotlin-stdlib")) as archive:
        (entry,) = (each for each in archive.namelist() if each.endswith(f"/{name}"))
        made = folder / name
        made.write_bytes(archive.read(entry))
    return made


def line_of(path: Path, text: str, after: str) -> int:
    """The first line with `text` behind the one with `after`."""
    lines = path.read_text(encoding="utf-8").splitlines()
    start = next(number for number, line in enumerate(lines) if after in line)
    return next(n for n, line in enumerate(lines[start:], start + 1) if text in line)


async def test_files_outside_their_package_folder_and_inlined_lines(
    jdk: Jdk, agent_kind: AgentKind, tmp_path: Path
) -> None:
    folder = tmp_path / "code" / "of" / "ours"
    folder.mkdir(parents=True)
    collections, maps = extracted(folder, "_Collections.kt"), extracted(folder, "Maps.kt")
    called = line_of(collections, "this.filterNot {", "Iterable<T>.minus(elements: Iterable<T>)")
    copied = line_of(collections, "if (!predicate(element))", "Iterable<T>.filterNotTo(")
    foreign = line_of(maps, "get(key)", "MutableMap<K, V>.getOrPut(")
    program = debuggee("inlined", "Inlined", libraries=(library("kotlin-stdlib"),))
    async with jvmdebug.launch(
        program.main_class,
        class_path=program.class_path,
        source_path=[tmp_path],
        java=jdk.java,
        **process.launch_options(agent_kind),
    ) as session:
        places = ((collections, called), (collections, copied), (maps, foreign))
        placed = [await session.break_at(f"{path}:{line}", once=True) for path, line in places]
        seen = []
        async for stop in session.stops():
            source = await stop.frame.source()
            assert source is not None
            seen.append((stop.breakpoints, stop.frame.function, stop.frame.line, source.path))
            names = [each.name for each in await stop.frame.variables()]
            assert "this" not in names, "functions of a file are static"
        minus = "minus(Iterable, Iterable)"
        functions = (minus, minus, "groupBy(Iterable, Function1)")
        assert seen == [
            ((each,), function, line, path)
            for each, function, (path, line) in zip(placed, functions, places, strict=True)
        ]


def opened(
    program: Debuggee, jdk: Jdk, agent_kind: AgentKind
) -> AbstractAsyncContextManager[jvmdebug.Session]:
    """The session of a Kotlin program of ours."""
    return jvmdebug.launch(
        program.main_class,
        class_path=program.class_path,
        source_path=[program.source_dir],
        java=jdk.java,
        **process.launch_options(agent_kind),
    )


async def test_a_line_waits_for_the_class_that_it_belongs_to(
    jdk: Jdk, agent_kind: AgentKind
) -> None:
    program = kotlin_debuggee("kotlin", "shop.ShopKt")
    source = program.source("Shop.kt")
    async with opened(program, jdk, agent_kind) as session:
        await session.break_at(f"{source}:{program.marker('main')}", once=True)
        stop = await session.next_stop(timeout_s=20)
        assert stop is not None
        placed = {
            name: await session.break_at(f"{source}:{program.marker(name)}")
            for name in ("before-part", "before-cart", "before-total", "before-late", "answer")
        }
        for waiting in placed.values():
            assert (waiting.locations, waiting.is_pending) == ((), True), str(waiting)
        stops = [(stop.breakpoints, stop.frame.line) async for stop in session.stops()]
    assert stops == [
        ((placed["before-part"],), program.marker("before-part") + 1),
        ((placed["before-part"],), program.marker("before-part") + 1),
        ((placed["before-cart"],), program.marker("before-cart") + 1),
        ((placed["before-total"],), program.marker("total")),
        ((placed["before-late"],), program.marker("before-late") + 1),
        ((placed["answer"],), program.marker("answer")),
    ]


async def test_a_step_into_a_function_ends_behind_the_checks_of_its_parameters(
    jdk: Jdk, agent_kind: AgentKind
) -> None:
    program = kotlin_debuggee("kotlin", "shop.ShopKt")
    async with opened(program, jdk, agent_kind) as session:
        await session.break_at(f"{program.source('Shop.kt')}:{program.marker('main')}", once=True)
        function = await session.break_at("shop.Cart#<init>")
        stop = await session.next_stop(timeout_s=20)
        assert stop is not None
        await stop.step_into()
        stop = await session.next_stop(timeout_s=20)
        assert stop is not None
        made = (stop.frame.type_name, stop.frame.line)
        assert made == ("shop.Part", program.marker("before-part") + 1)
        assert stop.frame.index > 0
        await stop.resume()
        stop = await session.next_stop(timeout_s=20)
        assert stop is not None
        assert stop.breakpoints == (function,)
        assert stop.frame.line == program.marker("before-cart") + 1
        await stop.step_into()
        stop = await session.next_stop(timeout_s=20)
        assert stop is not None
        assert stop.frame.method_name == "main"


STEPS = {
    ("total", "over"): ["total", "forEach", "sum", "print-total"],
    ("each", "over"): ["each", "each-end", "each", "each-end", "sum"],
    ("each", "out"): ["each", "sum", "print-total"],
    ("cheap", "over"): ["cheap", "filter", "sorted", "found", "print-cheap"],
    ("seen", "over"): ["seen", "call-twice", "repeated", "print-repeated"],
    ("seen", "into"): ["seen", "call-twice", "first-time", "in-block"],
    ("in-block", "over"): ["in-block", "block-end", "in-block", "block-end", "repeated"],
    ("first-time", "out"): ["first-time", "repeated"],
}
"""The first stop and the kind of the steps from there: where they end."""


@pytest.mark.parametrize(("first", "how"), STEPS)
async def test_steps_stay_out_of_inlined_calls(jdk: Jdk, first: str, how: str) -> None:
    program = kotlin_debuggee("kotlin", "shop.ShopKt")
    async with opened(program, jdk, "jvmdebug") as session:
        source = program.source("Shop.kt")
        await session.break_at(f"{source}:{program.marker(first)}", once=True)
        stop = await session.next_stop(timeout_s=20)
        assert stop is not None
        seen = [stop.frame.line]
        for _ in STEPS[first, how][1:]:
            step = {"over": stop.step_over, "into": stop.step_into, "out": stop.step_out}[how]
            await step()
            stop = await session.next_stop(timeout_s=20)
            assert stop is not None
            seen.append(stop.frame.line)
    assert seen == [program.marker(name) for name in STEPS[first, how]]


async def test_a_caller_in_inlined_code_shows_the_line_of_the_call(
    jdk: Jdk, agent_kind: AgentKind
) -> None:
    program = kotlin_debuggee("kotlin", "shop.ShopKt")
    async with opened(program, jdk, agent_kind) as session:
        await session.break_at("kotlin.collections.CollectionsKt___CollectionsKt#sortedWith")
        stop = await session.next_stop(timeout_s=20)
        assert stop is not None
        _, caller, main = await stop.frames(0, 3)
        assert (caller.source_name, caller.line) == ("Shop.kt", program.marker("sorted"))
        assert (main.source_name, main.line) == ("Shop.kt", program.marker("print-cheap"))


async def test_an_inlined_function_has_a_frame_of_its_own(jdk: Jdk, agent_kind: AgentKind) -> None:
    program = kotlin_debuggee("kotlin", "shop.ShopKt")
    async with opened(program, jdk, agent_kind) as session:
        source = program.source("Names.kt")
        await session.break_at(f"{source}:{program.marker('in-inlined')}")
        stop = await session.next_stop(timeout_s=20)
        assert stop is not None
        block, count, names, main = await stop.frames_with_inlined(0, 4)
        assert [(each.function, each.line, each.depth) for each in (block, count, names)] == [
            ("lambda in names (inlined)", program.marker("in-inlined"), 0),
            ("countAll (inlined)", program.marker("asks"), 0),
            ("names()", program.marker("in-inlined") - 1, 0),
        ]
        assert (main.function, main.depth, main.is_inlined) == ("main()", 1, False)
        assert [each.name for each in await count.variables()] == [
            "this@countAll",
            "found",
            "element",
        ]
        inside = {each.name for each in await block.variables()}
        assert inside >= {"each", "sum", "users"}
        assert not inside & {"found", "element"}
        assert "each" not in {each.name for each in await names.variables()}
        assert await (await count.evaluate("found + 1")).as_text() == "1"
        with pytest.raises(jvmdebug.EvaluationError, match="no variable, property or class found"):
            await block.evaluate("found")
        assert not block.can_pop
        assert names.can_pop
        assert [each.depth for each in await stop.frames(0, 2)] == [0, 1]
        page = await stop.frames_with_inlined(2, 2)
        assert [each.function for each in page] == ["names()", "main()"]
        await session.kill()
