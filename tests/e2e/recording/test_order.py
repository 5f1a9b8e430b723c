# SPDX-License-Identifier: Apache-2.0
"""What two threads do by turns is shown in its order, however they wait for each other."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from jvmdebug import recording
from tests.support.debuggees import debuggee
from tests.support.prompt import JVMDEBUG
from tests.support.sessions import launched, next_stop

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tests.support.jdks import Jdk

ORDERED = debuggee("ordered", "ordered.Ordered")
TURNS = 200
WAYS = (
    *("block", "wait", "method", "thrown", "volatile", "inner", "atomic", "handle", "lock"),
    *("queue", "future", "latch", "started"),
)


async def _record(jdk: Jdk, path: Path, what: str, ways: Sequence[str] = WAYS) -> None:
    async with (
        launched(ORDERED, jdk, "jvmdebug", args=ways) as session,
        session.record(path, what=what),
    ):
        await session.start()
        assert await session.wait() == 0


async def test_writes_are_in_their_order(jdk: Jdk, tmp_path: Path) -> None:
    path = tmp_path / "ordered.jvmrec"
    await _record(jdk, path, "all")
    with recording.open(path) as found:
        assert found.end is not None
        values = [int(each.text) for each in found.end.values("Ordered.written")]
    rounds = [values[at : at + TURNS + 1] for at in range(0, len(values), TURNS + 1)]
    wrong = {way: each for way, each in zip(WAYS, rounds, strict=True) if each != sorted(each)}
    assert not wrong


async def test_lines_are_in_their_order(jdk: Jdk, tmp_path: Path) -> None:
    path = tmp_path / "ordered.jvmrec"
    await _record(jdk, path, "lines")
    text = (
        (ORDERED.source_dir / "ordered" / "Ordered.java").read_text(encoding="utf-8").splitlines()
    )
    writing = {at for at, line in enumerate(text, 1) if "written = " in line}
    with recording.open(path) as found:
        moments = [
            (each.time_ns, each.thread.name == "main")
            for each in found.lines()
            if each.frames[0].line in writing
        ]
    by_main = [is_main for _, is_main in sorted(moments, key=lambda each: each[0])]
    rounds = [by_main[at : at + TURNS + 1] for at in range(0, len(by_main), TURNS + 1)]
    turns = [turn % 2 == 0 for turn in range(TURNS + 1)]
    assert not {way: each for way, each in zip(WAYS, rounds, strict=True) if each != turns}


async def _last_of_race(jdk: Jdk, path: Path) -> set[str]:
    """The places of the last write of `raced`, and of those that may have been it."""
    await _record(jdk, path, "all", ["race"])
    with recording.open(path) as found:
        assert found.end is not None
        last, after = (found.end.who_wrote(f"Ordered.{each}") for each in ("raced", "spun"))
        assert last is not None
        assert after is not None
        assert after.unordered == ()
        return {last.where, *(each.where for each in last.unordered)}


async def test_what_is_not_ordered_is_said(jdk: Jdk, tmp_path: Path) -> None:
    places = {
        f"ordered.Ordered.{method}(Ordered.java:{ORDERED.marker(marker)})"
        for method, marker in (("race", "main"), ("lambda$race$0", "other"))
    }
    # Where the agent has looked between the two writes, their order is known.
    paths = [tmp_path / f"race{attempt}.jvmrec" for attempt in range(5)]
    path = paths.pop()
    while await _last_of_race(jdk, path) != places and paths:
        path = paths.pop()
    for question, text in (
        (["--batch", "-c", "who-wrote Ordered.raced"], "which was last is not known"),
        (["--who-wrote", "Ordered.raced"], "Which of these was last is not known."),
    ):
        asked = await asyncio.create_subprocess_exec(
            str(JVMDEBUG), "replay", str(path), *question, stdout=asyncio.subprocess.PIPE
        )
        said = (await asked.communicate())[0].decode()
        assert asked.returncode == 0
        assert all(each in said for each in places)
        assert text in said


async def test_fields_of_classes_that_are_loaded_already(jdk: Jdk, tmp_path: Path) -> None:
    """The class that reads a volatile field may get its code before the one that has the field."""
    path = tmp_path / "loaded.jvmrec"
    async with launched(ORDERED, jdk, "jvmdebug", args=["inner"]) as session:
        line = await session.break_at(f"Ordered.java:{ORDERED.marker('started')}")
        await session.start()
        stop = await next_stop(session)
        async with session.record(path):
            await line.remove()
            await stop.resume()
            assert await session.wait() == 0
    with recording.open(path) as found:
        assert found.end is not None
        values = [int(each.text) for each in found.end.values("Ordered.written")]
        assert values == list(range(TURNS))
