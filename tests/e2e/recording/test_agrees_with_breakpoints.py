# SPDX-License-Identifier: Apache-2.0
"""The lines of a recording, and the local variables at each, are those that a breakpoint on every
line sees: also of lines that end in the middle.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from jvmdebug import recording
from tests.support.debuggees import debuggee
from tests.support.sessions import launched

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.jdks import Jdk

pytestmark = pytest.mark.agent

_Seen = list[tuple[str, dict[str, str]]]


def _plain(text: str) -> str:
    """What both have of a value: a session also shows what is in an object, and writes exceptions
    and lambdas in another way.
    """
    if "Lambda" in text:
        return "a lambda"
    thrown = re.match(r"(?:[\w$]+\.)*(\w+(?:Exception|Error))\b", text)
    return thrown[1] if thrown else re.sub(r"@[0-9a-f]+", "@", text.partition(" {")[0])


async def _by_breakpoints(jdk: Jdk) -> _Seen:
    program = debuggee("recorded_lines", "lines.Lines")
    source = (program.source_dir / "lines" / "Lines.java").read_text(encoding="utf-8")
    found: _Seen = []
    async with launched(program, jdk, "jvmdebug") as session:
        for line in range(1, len(source.splitlines()) + 1):
            await session.break_at(f"Lines.java:{line}")
        await session.start()
        while (stop := await session.next_stop(30)) is not None:
            frame = stop.frame
            values = {
                each.name: _plain(await each.as_text())
                for each in await frame.variables()
                if each.name != "this"
            }
            found.append((f"{frame.method.name}:{frame.line}", values))
            await session.resume()
    return found


async def _by_recording(jdk: Jdk, path: Path, what: str) -> _Seen:
    program = debuggee("recorded_lines", "lines.Lines")
    async with launched(program, jdk, "jvmdebug") as session, session.record(path, what=what):
        await session.start()
        assert await session.wait() == 0
    with recording.open(path) as opened:
        found: _Seen = []
        for moment in opened.lines():
            (top, *_) = moment.frames
            values = {
                each.name: _plain(each.text) for each in top.variables() if each.name != "this"
            }
            found.append((f"{top.method}:{top.line}", values))
        return found


async def test_lines_and_locals_are_those_of_breakpoints(jdk: Jdk, tmp_path: Path) -> None:
    expected = await _by_breakpoints(jdk)
    assert len(expected) > 100
    recorded = await _by_recording(jdk, tmp_path / "all.jvmrec", "all")
    for number, (found, wanted) in enumerate(zip(recorded, expected, strict=False)):
        assert found == wanted, (number, expected[:number])
    assert len(recorded) == len(expected)
    lines = await _by_recording(jdk, tmp_path / "lines.jvmrec", "lines")
    assert [place for place, _ in lines] == [place for place, _ in expected]
