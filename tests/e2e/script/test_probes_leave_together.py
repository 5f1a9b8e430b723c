# SPDX-License-Identifier: Apache-2.0
"""Probes of many places that leave at once: few changes of classes, however many there are."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Final

import pytest

import jvmdebug
from tests.support.bare_program import bare_program
from tests.support.debuggees import Debuggee
from tests.support.process import launch_options
from tests.support.sessions import next_stop
from tests.support.warm_javac import javac

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from jvmdebug import Session, Stop
    from tests.support.jdks import Jdk

pytestmark = pytest.mark.agent

_FEW: Final = 20
_MANY: Final = 80
_PASS: Final = 4


def _compile(folder: Path, count: int) -> Debuggee:
    """A program that stores into an array in so many classes."""
    puts = " ".join(f"C{at}.put(SHARED, i);" for at in range(count))
    lines = [
        "final class Spread {",
        "  static final int[] SHARED = new int[2];",
        "  static void pass(int i) throws InterruptedException {",
        "    Thread.sleep(1);",
        "    if (i == 1) System.out.println();",
        f"    {puts}",
        "  }",
        "  public static void main(String[] arguments) throws InterruptedException {",
        "    for (int i = 0; ; i++) pass(i);",
        "  }",
        "}",
        *(
            f"final class C{at} {{ static void put(int[] a, int i) {{ a[1] = i; }} }}"
            for at in range(count)
        ),
    ]
    (folder / "Spread.java").write_text("\n".join(lines))
    javac([folder / "Spread.java"], folder, "-g", "--release", "11")
    return Debuggee("spread", "Spread", (folder,), folder, 11)


def _code_changes(log: Path) -> int:
    """How often the VM has changed the code of classes, of any number at once."""
    marks = (
        '"RedefineClasses"',
        "Entering safepoint region: RedefineClasses",
    )  # JDK 11: the second
    return sum(any(mark in line for mark in marks) for line in log.read_text().splitlines())


async def _conditions(session: Session, stop: Stop, count: int) -> int:
    del stop
    points = await asyncio.gather(
        *(session.break_at(f"C{at}#put", condition="i == -1") for at in range(count))
    )
    assert [each.how for point in points for each in point.locations] == ["probe"] * count
    return len(points)


async def _element_watch(session: Session, stop: Stop, count: int) -> int:
    watch = await session.watch(await stop.frame.data_target("SHARED[0]"))
    assert [each.how for each in watch.locations] == ["probe"] * count
    return 1


async def _log_points(session: Session, stop: Stop, count: int) -> int:
    del stop
    points = await asyncio.gather(
        *(
            session.break_at(f"C{at}#put", condition="i < 0", log_message="{i}")
            for at in range(count)
        )
    )
    assert [each.how for point in points for each in point.locations] == ["probe"] * count
    return len(points)


async def _changes(
    jdk: Jdk,
    folder: Path,
    count: int,
    use: Callable[[Session, Stop, int], Awaitable[int]],
    *,
    is_late: bool,
) -> tuple[int, int]:
    """How often the code of classes is changed while the probes of `use` come, and leave."""
    folder.mkdir()  # noqa: ASYNC240 - a moment
    program = _compile(folder, count)
    log = folder / "safepoints"
    option = f"-Xlog:safepoint:file={log}"
    async with AsyncExitStack() as stack:
        if is_late:
            running = await stack.enter_async_context(bare_program(jdk, option, program=program))
            starting = jvmdebug.attach(pid=running.pid)
        else:
            options = launch_options("jvmdebug")
            options["vm_args"] = [*options.get("vm_args", ()), option]
            starting = jvmdebug.launch("Spread", class_path=[folder], java=jdk.home, **options)
        session = await stack.enter_async_context(starting)
        await session.break_at(f"Spread.java:{_PASS}", condition="i > 2", once=True)
        stop = await next_stop(session)
        at_first = _code_changes(log)
        used = await use(session, stop, count)
        assert len(session.breakpoints) == used
        before = _code_changes(log)
        await session.breakpoints.remove()
        changes = _code_changes(log) - before
        for at in (0, count // 2, count - 1):
            times = await stop.frame.evaluate(f"C{at}.class.classRedefinedCount")
            assert await times.as_text() == "2", "it is as it was"
        await session.kill()
    return before - at_first, changes


@pytest.mark.parametrize("is_late", [False, True], ids=["launched", "late"])
@pytest.mark.parametrize("use", [_conditions, _element_watch, _log_points])
async def test_changes_do_not_grow_with_the_classes(
    jdk: Jdk,
    tmp_path: Path,
    use: Callable[[Session, Stop, int], Awaitable[int]],
    *,
    is_late: bool,
) -> None:
    come, few = await _changes(jdk, tmp_path / "few", _FEW, use, is_late=is_late)
    all_come, many = await _changes(jdk, tmp_path / "many", _MANY, use, is_late=is_late)
    assert 0 < few == many
    if use is _element_watch:  # the others are of one class each
        assert 0 < come == all_come
