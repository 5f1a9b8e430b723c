# SPDX-License-Identifier: Apache-2.0
"""Classes of which all methods get other code at once, and breakpoints in them.

HotSpot forgets then that older versions of the methods are obsolete, and writes breakpoints into
their other code: see native/agent/code/older_versions.h.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from tests.support.matrix import is_whole
from tests.support.sessions import STOP_TIMEOUT_S, compiled, next_stop, stop_at
from tests.support.warm_javac import javac

if TYPE_CHECKING:
    from pathlib import Path

    import jvmdebug
    from tests.e2e.script.conftest import Launch
    from tests.support.debuggees import Debuggee
    from tests.support.jdks import Jdk

pytestmark = pytest.mark.agent

_ROUNDS = 12 if is_whole() else 3


def _version(program: Debuggee, folder: Path, names: tuple[str, ...]) -> Path:
    """The classes of the program with the code of these comments."""
    text = program.source("Replaced.java").read_text(encoding="utf-8")
    for name in names:
        text = text.replace(f"// {name}: ", "")
    target = folder / "-".join(names)
    target.mkdir()
    (target / "Replaced.java").write_text(text)
    javac([target / "Replaced.java"], target, "-g", "--release", "11")
    return target


async def _redefine(session: jvmdebug.Session, path: Path) -> None:
    (swapped,) = await session.redefine(path)
    assert swapped.reason is None


@pytest.mark.parametrize("class_name", ["Changed", "Single"])
@pytest.mark.parametrize("probes", ["auto", "off"])
async def test_hot_swaps_leave_frames_their_code(
    launch_ours: Launch, jdk: Jdk, tmp_path: Path, class_name: str, probes: str
) -> None:
    """A thread is in a method that one swap leaves as it is, and the next does not."""
    if jdk.version < 17:
        pytest.skip("a VM before 17 sets breakpoints in older code after any hot swap: JDK-8266497")
    program = compiled("all_change", "Replaced", jdk)
    first = _version(program, tmp_path, ("first",)) / f"Replaced${class_name}.class"
    then = _version(program, tmp_path, ("first", "then")) / f"Replaced${class_name}.class"
    written: list[str] = []
    single = class_name == "Single"
    async with launch_ours(
        "all_change",
        "Replaced",
        args=[class_name],
        probes=probes,
        on_output=lambda piece: written.append(piece.text),
    ) as session:
        stop = await stop_at(session, program, "ready")
        await _redefine(session, first)
        await _redefine(session, then)
        marker = program.marker("single" if single else "held")
        for line in range(marker - 1, marker + 2):
            await session.break_at(f"Replaced.java:{line}")
        assert await _stops_until_end(session, stop) > 0  # in the new code
    right = 1243 if single else _held()
    assert f"computed {right}, " in "".join(written), written


async def _stops_until_end(session: jvmdebug.Session, first: jvmdebug.Stop) -> int:
    stop: jvmdebug.Stop | None = first
    count = -1
    while stop is not None:
        count += 1
        await stop.resume()
        stop = await session.next_stop(timeout_s=STOP_TIMEOUT_S)
    return count


async def test_a_watch_where_a_thread_runs_older_code(launch_ours: Launch, jdk: Jdk) -> None:
    """The class was changed since the thread came into the method that writes the field."""
    program = compiled("all_change", "Replaced", jdk)
    written: list[str] = []
    async with launch_ours(
        "all_change", "Replaced", args=["store"], on_output=lambda piece: written.append(piece.text)
    ) as session:
        stop = await stop_at(session, program, "ready")
        spec = f"Replaced.java:{program.marker('other')}"
        await session.break_at(spec, condition="false")
        watch = await session.watch("Replaced$Changed.last", condition="$new == 13")
        reasons = {each.why_event for each in watch.locations}
        if jdk.version >= 17:
            assert reasons == {"a thread may run older code that writes the field"}
        assert await _stops_until_end(session, stop) == 2
    right = _stored()
    assert f"computed {right}, {right} later\n" in "".join(written), written


def _stored() -> int:
    total = 0
    for last in range(11, 14):
        total = total * 3 + last
    return total


def _held() -> int:
    last, n = 2, 11
    last = total = n * 3 + last
    last = total = total * 5 + last
    return total * 7 + last


async def _hot(launch_ours: Launch, jdk: Jdk, written: list[str]) -> tuple[Debuggee, object]:
    topic, main = ("kept_records", "Coins") if jdk.version >= 17 else ("kept_values", "Kept")
    program = compiled(topic, main, jdk)
    return program, launch_ours(topic, main, on_output=lambda piece: written.append(piece.text))


def _line(program: Debuggee, marker: str) -> str:
    """The line of the program or of the sources that it shares."""
    folders = (program.source_dir, program.source_dir.parent / "kept_values")
    for source in (each for folder in folders for each in sorted(folder.glob("*.java"))):
        for number, text in enumerate(source.read_text(encoding="utf-8").splitlines(), 1):
            if text.endswith(f"// @{marker}"):
                return f"{source.name}:{number}"
    raise LookupError(marker)


async def _end(session: jvmdebug.Session, program: Debuggee) -> int | None:
    """Have the program end."""
    at = await session.break_at(_line(program, "passes"))
    stop = await next_stop(session)
    await at.remove()
    await stop.frame.evaluate("Kept.over = true")
    await session.resume()
    return await session.wait()


@pytest.mark.parametrize(
    "markers",
    [
        pytest.param(("point",), marks=pytest.mark.slow),
        ("coin",),
        pytest.param(("side",), marks=pytest.mark.slow),
        ("lone", "more"),
    ],
)
async def test_conditions_in_all_methods_of_a_class(
    launch_ours: Launch, jdk: Jdk, markers: tuple[str, ...]
) -> None:
    """Set and removed while threads run them."""
    if jdk.version < 17 and markers == ("coin",):
        pytest.skip("no records before JDK 16")
    written: list[str] = []
    program, launched = await _hot(launch_ours, jdk, written)
    async with launched as session:  # type: ignore[attr-defined]
        await session.start()
        for _ in range(_ROUNDS):
            added = [
                await session.break_at(_line(program, each), condition="false") for each in markers
            ]
            await asyncio.sleep(0.05)
            for each in added:
                await each.remove()
            await asyncio.sleep(0.05)
            assert session.exit_code is None, written
        assert await _end(session, program) == 0, written
    assert "all values are right" in "".join(written), written


@pytest.mark.parametrize(
    ("markers", "watched"),
    [
        (("last", "sum"), "Kept$Lambdas.last"),
        pytest.param(("wide", "check"), "Kept$Shuttle.last", marks=pytest.mark.slow),
        pytest.param(("check", "wide"), "Kept$Shuttle.wide", marks=pytest.mark.slow),
    ],
)
async def test_a_watch_in_a_class_that_has_conditions(
    launch_ours: Launch, jdk: Jdk, markers: tuple[str, ...], watched: str
) -> None:
    """A breakpoint of the VM at the write would have the VM write elsewhere in older versions."""
    written: list[str] = []
    program, launched = await _hot(launch_ours, jdk, written)
    async with launched as session:  # type: ignore[attr-defined]
        await session.start()
        for _ in range(_ROUNDS):
            added = [
                await session.break_at(_line(program, each), condition="false") for each in markers
            ]
            added.append(await session.watch(watched, condition="$new == -5"))
            await asyncio.sleep(0.05)
            for each in added:
                await each.remove()
            assert session.exit_code is None, written
        assert await _end(session, program) == 0, written
    assert "all values are right" in "".join(written), written
