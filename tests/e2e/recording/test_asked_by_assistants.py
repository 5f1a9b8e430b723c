# SPDX-License-Identifier: Apache-2.0
"""What an assistant asks of recordings: when did this become null, and where do two differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug_mcp.investigation import Investigation
from jvmdebug_mcp.server import Tools
from tests.support.interpreted import interpreted

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.debuggees import Debuggee


async def test_when_did_this_become_null(recorded: Path, till: Debuggee) -> None:
    tools = Tools(Investigation())
    answer = await tools.recording(str(recorded), "till.name", "null")
    place = f"shop.Till.main(Till.java:{till.marker('cleared')})"
    assert answer.splitlines() == [
        f"null written in {place}",
        "stack of the last one:",
        f"  {place}",
    ]
    assert "that made it 7" in await tools.recording(str(recorded), "till.total", "7")
    assert (await tools.recording(str(recorded), "price")).count("written in shop.Till.add") == 3
    ending = await tools.recording(str(recorded))
    assert "exit code 0" in ending
    assert "  sum = 4" in ending


async def test_where_two_recordings_differ(recorded: Path, till: Debuggee, tmp_path: Path) -> None:
    tools = Tools(Investigation())
    assert await tools.compare_recordings(str(recorded), str(recorded)) == "nothing differs"
    content = (till.class_path[0] / "shop" / "Till.class").read_bytes()
    times_ten, times_eleven = b"\x10\x0a\x68", b"\x10\x0b\x68"  # bipush, imul
    assert content.count(times_ten) == 1
    other = tmp_path / "other.jvmrec"
    interpreted(other, [content.replace(times_ten, times_eleven)], "shop.Till")
    answer = (await tools.compare_recordings(str(recorded), str(other))).splitlines()
    assert answer[0] == "passing: writes a value in shop.Till.add(I)I: 10"
    assert "failing: writes a value in shop.Till.add(I)I: 11" in answer
