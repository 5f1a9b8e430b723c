# SPDX-License-Identifier: Apache-2.0
"""A probe at every line of real libraries, and of classes of the JDK: the program does the same."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from typing import TYPE_CHECKING, Final

import pytest

from jvmdebug import BreakpointOptions, BreakpointRequest, LineSpec
from tests.support.debuggees import debuggee
from tests.support.libraries import library, maven, values_libraries
from tests.support.sessions import launched

if TYPE_CHECKING:
    from pathlib import Path

    from jvmdebug import Breakpoint, Session
    from tests.support.debuggees import Debuggee
    from tests.support.jdks import Jdk

pytestmark = [
    pytest.mark.agent,
    pytest.mark.network,
    pytest.mark.slow,
    pytest.mark.timeout(1_800),
    pytest.mark.skipif(maven() is None, reason="the libraries are fetched by Maven; no mvn here"),
]
_MOST_S: Final = 600
"""Waits until the program is through, and until the probes are out of all classes."""
_MOST_OF_JDK: Final = 15_000
"""Lines. The agent numbers no more than 65,535 probes at once, and each takes milliseconds."""
_STANDS_THERE: Final = "a thread runs the method now, and may come there again"
_TOO_LONG: Final = ("the method would be longer than 64 kB", "a branch would be longer than 32 kB")


def _guava() -> tuple[Path, ...]:
    return tuple(
        each for each in values_libraries() if each.name.startswith(("guava-", "failureaccess-"))
    )


def _program(name: str) -> tuple[Debuggee, str, str]:
    """The program, the marker where its classes are loaded, and what they begin with."""
    if name == "gson":
        program = debuggee("library_gson", "Parse", libraries=(library("gson"),))
        return program, "parse", "com.google.gson."
    if name == "h2":
        program = debuggee("library_h2", "Query", libraries=(library("h2"),))
        return program, "query", "org.h2."
    program = debuggee("library_guava", "Collect", libraries=_guava())
    return program, "loaded", "java." if name == "jdk" else "com.google.common."


@pytest.mark.parametrize(("name", "least"), [("gson", 500), ("guava", 2_500), ("h2", 5_000)])
async def test_a_probe_at_every_line_of_a_library(
    jdk: Jdk, name: str, least: int, tmp_path: Path
) -> None:
    await _compare(jdk, name, least, tmp_path)


async def test_a_probe_at_every_line_of_the_jdk(jdk: Jdk, tmp_path: Path) -> None:
    await _compare(jdk, "jdk", 10_000, tmp_path)


async def _compare(jdk: Jdk, name: str, least: int, folder: Path) -> None:
    plain, _ = await _run(jdk, name)
    verdict = folder / "verdict"
    _, placed = await _run(jdk, name, verdict, plain)
    how = Counter(
        location.why_event or location.how for each in placed for location in each.locations
    )
    assert how["probe"] >= least, how
    assert set(how) <= {"probe", _STANDS_THERE, *_TOO_LONG}, how
    text = verdict.read_text(encoding="utf-8")
    assert text.endswith(" classes, changed: "), text
    print(f"{name}, JDK {jdk.version}: {dict(how)}, {text}")


async def _run(
    jdk: Jdk, name: str, verdict: Path | None = None, plain: str = ""
) -> tuple[str, tuple[Breakpoint, ...]]:
    """The output. With a file for the verdict it runs with probes, and is to write the same; they
    go before the program writes into the file which classes have not the code that they had.
    """
    program, marker, prefix = _program(name)
    written: list[str] = []
    placed: tuple[Breakpoint, ...] = ()
    native = ("--enable-native-access=ALL-UNNAMED",) if jdk.version >= 22 else ()
    options = (f"-Djava.library.path={program.class_path[0]}", *native)
    async with launched(
        program,
        jdk,
        "jvmdebug",
        on_output=lambda piece: written.append(piece.text),
        vm_args=options,
        args=() if verdict is None else (str(verdict), prefix),
    ) as session:
        source, line = program.marked(marker)
        await session.break_at(f"{source.name}:{line}", once=True)
        stop = await session.next_stop(timeout_s=_MOST_S)  # it loads all classes first
        assert stop is not None, "the program ended instead of stopping"
        if verdict is None:
            await stop.resume()
            assert await session.wait() == 0
        else:
            await session.break_at("eyes.Eyes#atEnd")
            placed = await _everywhere(session, prefix)
            await stop.resume()
            end = await session.next_stop(timeout_s=_MOST_S)
            assert end is not None, "the program ended instead of stopping"
            changed = await end.frame.evaluate("opened.changed()")
            assert await changed.as_text() != '""', "nothing sees the probes"
            await session.detach()
            await asyncio.to_thread(_wait_for, verdict, written, plain)
    return "".join(written), placed


def _wait_for(file: Path, output: list[str], whole: str) -> None:
    """Waits until the program has written both."""
    end = time.monotonic() + _MOST_S
    while not file.exists() or not file.read_text(encoding="utf-8") or "".join(output) != whole:
        assert time.monotonic() < end, "".join(output)
        time.sleep(0.1)


async def _everywhere(session: Session, prefix: str) -> tuple[Breakpoint, ...]:
    """A condition that never holds at every line of the classes that are loaded, or of many."""
    classes = {
        each.name.partition("$")[0]
        for each in await session.vm.all_classes()
        if each.name.startswith(prefix) and "/" not in each.name and "[" not in each.name
    }
    options = BreakpointOptions(condition="1 > 2")
    placed: list[Breakpoint] = []
    ordered = sorted(classes)
    is_jdk = prefix == "java."
    if is_jdk:
        random.Random(len(ordered)).shuffle(ordered)  # some of each package
    for each in ordered:
        path = f"{each.replace('.', '/')}.java"
        lines = await session.breakpoints.breakable_lines(path)
        if is_jdk and len(placed) + len(lines) > _MOST_OF_JDK:
            continue
        requests = [BreakpointRequest(LineSpec(line, path=path), options) for line in lines]
        placed += await session.breakpoints.replace(path, requests)
    return tuple(placed)
