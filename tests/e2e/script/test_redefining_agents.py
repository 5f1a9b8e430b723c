# SPDX-License-Identifier: Apache-2.0
"""Breakpoints in classes that another agent redefines or retransforms all the time.

HotSpot drops the breakpoints of a class at each change, whoever asks for it, and tells nobody.
"""

from __future__ import annotations

import asyncio
import re
import zipfile
from typing import TYPE_CHECKING

import pytest

from jvmdebug import BreakpointChanged
from tests.support.sessions import compiled, next_stop

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager
    from pathlib import Path

    import jvmdebug
    from tests.e2e.script.conftest import Launch
    from tests.support.jdks import Jdk

pytestmark = pytest.mark.agent

TOPIC, MAIN = "redefining", "Redefining"
_MANIFEST = """Manifest-Version: 1.0
Premain-Class: Redefining
Can-Redefine-Classes: true
Can-Retransform-Classes: true

"""
_PARTS = ("First", "Second", "Third", "Fourth")
_METHODS = ("one", "two", "three")


def _launched(
    launch: Launch, jdk: Jdk, folder: Path, written: list[str], *arguments: str
) -> AbstractAsyncContextManager[jvmdebug.Session]:
    """The program with its agent; what it writes goes to `written`."""
    jar = folder / "redefining.jar"
    with zipfile.ZipFile(jar, "w") as file:
        file.writestr("META-INF/MANIFEST.MF", _MANIFEST)
        classes = compiled(TOPIC, MAIN, jdk).class_path[0]
        file.write(classes / "Redefining.class", "Redefining.class")
    return launch(
        TOPIC,
        MAIN,
        args=arguments,
        vm_args=[f"-javaagent:{jar}"],
        on_output=lambda piece: written.append(piece.text),
    )


@pytest.mark.parametrize("pause", ["5", "100"])
@pytest.mark.parametrize("how", ["redefine", "retransform"])
async def test_the_program_counts_the_hits_itself(
    launch_ours: Launch, jdk: Jdk, tmp_path: Path, how: str, pause: str
) -> None:
    written: list[str] = []
    async with _launched(launch_ours, jdk, tmp_path, written, how, pause, "300") as session:
        program = compiled(TOPIC, MAIN, jdk)
        begin = await session.break_at(f"Redefining.java:{program.marker('begin')}", once=True)
        stop = await next_stop(session)
        assert stop.breakpoints == (begin,)
        counted = [
            await session.break_at(f"Redefining${part}#{method}", hit_condition="1000000000")
            for part in _PARTS
            for method in _METHODS
        ]
        end = await session.break_at(f"Redefining.java:{program.marker('end')}")
        await stop.resume()
        stop = await next_stop(session)
        assert stop.breakpoints == (end,)
        await session.probes()
        hits = [each.hits for each in counted]
        await stop.resume()
        assert await session.wait() == 0, written
    found = re.search(r"calls \[(.*)\]", "".join(written))
    assert found is not None
    assert hits == [int(each) for each in found[1].split(", ")]
    assert min(hits) > 500


async def _calls(stop: jvmdebug.Stop) -> list[int]:
    text = await (await stop.frame.evaluate("Redefining.CALLS.toString()")).full_text()
    return [int(each) for each in text.strip('"[]').split(", ")]


@pytest.mark.parametrize("how", ["redefine", "retransform"])
async def test_probes_report_each_hit_of_a_class_that_changes_often(
    launch_ours: Launch, jdk: Jdk, tmp_path: Path, how: str
) -> None:
    """The VM reports none between a change and when its breakpoint is set again."""
    written: list[str] = []
    arguments = (how, "5", "1000000", "1", "1")
    async with _launched(launch_ours, jdk, tmp_path, written, *arguments) as session:
        program = compiled(TOPIC, MAIN, jdk)
        await session.break_at(f"Redefining.java:{program.marker('begin')}", once=True)
        stop = await next_stop(session)
        methods = [f"Redefining${part}#{method}" for part in _PARTS for method in _METHODS]
        plain = [await session.break_at(each) for each in methods]
        async with asyncio.timeout(40):
            while any(each.locations[0].how != "probe" for each in plain):
                await stop.resume()
                stop = await next_stop(session)
        before, hits = await _calls(stop), [each.hits for each in plain]
        now = plain.index(stop.breakpoints[0])
        hits[now] -= 1  # its call is not counted yet
        for _ in range(400):
            await stop.resume()
            stop = await next_stop(session)
        after = await _calls(stop)
        after[plain.index(stop.breakpoints[0])] += 1
        found = [each.hits - earlier for each, earlier in zip(plain, hits, strict=True)]
        assert found == [now - earlier for now, earlier in zip(after, before, strict=True)]
        assert sum(found) == 401


@pytest.mark.parametrize("how", ["redefine", "retransform"])
async def test_a_breakpoint_is_there_again(
    launch_ours: Launch, jdk: Jdk, tmp_path: Path, how: str
) -> None:
    written: list[str] = []
    async with _launched(launch_ours, jdk, tmp_path, written, how, "0", "0") as session:
        program = compiled(TOPIC, MAIN, jdk)
        await session.break_at(f"Redefining.java:{program.marker('begin')}", once=True)
        stop = await next_stop(session)
        at = await session.break_at(f"Redefining.java:{program.marker('first')}")
        for number in range(1, 4):
            await stop.resume()
            stop = await next_stop(session)
            assert (stop.breakpoints, at.hits) == ((at,), number)
            assert stop.frame.line == program.marker("first")
            await stop.frame.evaluate("Redefining.hits++")
        await stop.resume()
        assert await session.wait() == 0
    assert "".join(written) == "hits 1\nhits 2\nhits 3\n"


async def test_a_probe_takes_the_place_of_what_is_not_set_again(
    launch_ours: Launch, jdk: Jdk, tmp_path: Path
) -> None:
    """The class may have an older version now, in which the VM would do harm at a getfield."""
    written: list[str] = []
    async with _launched(launch_ours, jdk, tmp_path, written, "redefine", "0", "0") as session:
        program = compiled(TOPIC, MAIN, jdk)
        await session.break_at(f"Redefining.java:{program.marker('begin')}", once=True)
        stop = await next_stop(session)
        at = await session.break_at("Redefining$First#kept#1")
        assert [each.how for each in at.locations] == ["event"]
        changed = asyncio.Event()

        def note(event: object) -> None:
            if isinstance(event, BreakpointChanged) and event.breakpoint is at:
                changed.set()

        session.subscribe(note)
        await stop.resume()
        async with asyncio.timeout(20):
            await changed.wait()
        if jdk.version < 17:
            assert at.message is not None
            assert at.message.startswith("nothing stops here now: another agent has changed")
            assert "(a probe is not possible: the class was changed before" in at.message
            assert at.hits == 0
            return
        assert at.message is None
        assert [each.how for each in at.locations] == ["probe"]
        stop = await next_stop(session)
        assert stop.breakpoints == (at,)
