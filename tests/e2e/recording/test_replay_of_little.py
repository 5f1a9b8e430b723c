# SPDX-License-Identifier: Apache-2.0
"""Recordings without lines, without records, and damaged ones: replay says so and never waits."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

import jvmdebug
from jvmdebug.recording.reader import RecordingReader
from tests.support.recordings import HandMade

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.debuggees import Debuggee


def _content(till: Debuggee) -> bytes:
    return (till.class_path[0] / "shop" / "Till.class").read_bytes()


@pytest.fixture
def calls_only(till: Debuggee, tmp_path: Path) -> Path:
    """A recording of calls, as `--what calls` makes it."""
    with HandMade(tmp_path / "calls.jvmrec") as made:
        shop = made.class_("shop.Till", _content(till))
        shop.enter("main")
        shop.local("main", 0, 0, 0, "L")
        for left in (1, 2):
            shop.enter("depth")
            shop.local("depth", 0, left)
            shop.exit("depth", left, "I")
        shop.exit("main")
    return made.path


async def test_a_recording_of_calls_is_replayed(calls_only: Path) -> None:
    async with asyncio.timeout(10), jvmdebug.replay(calls_only) as session:
        stop = await session.next_stop(5)
        assert stop is not None
        assert stop.reason is jvmdebug.StopReason.RECORDING_END
        assert stop.frame.method.name == "main"  # the last record after which a frame is open
        assert session.past is not None
        await session.past.reverse_continue()
        stop = await session.next_stop(5)
        assert stop is not None
        assert stop.reason is jvmdebug.StopReason.RECORDING_BEGINNING
        assert [each.text for each in await session.past.search("left", "2")] == ["2"]


def test_a_script_finds_the_end_of_a_recording_of_calls(calls_only: Path) -> None:
    with jvmdebug.recording.open(calls_only) as past:
        assert past.end is not None
        assert past.end.frames[0].method == "main"
        first = past.moves.first(1)
        assert first is not None
        assert first.index == 0


async def test_an_empty_recording_is_refused(till: Debuggee, tmp_path: Path) -> None:
    path = tmp_path / "empty.jvmrec"
    with HandMade(path) as made:
        made.class_("shop.Till", _content(till))
    with jvmdebug.recording.open(path) as past:
        assert past.end is None
    with pytest.raises(jvmdebug.recording.RecordingError, match="nothing was recorded") as refused:
        async with asyncio.timeout(10), jvmdebug.replay(path):
            pass
    assert str(refused.value) == f"cannot replay {path}: nothing was recorded"


def _damage(path: Path, which: int) -> None:
    """Overwrite a chunk of thread 1."""
    with RecordingReader(path) as reader:
        entry = reader.chunks_of(1)[which]
    content = bytearray(path.read_bytes())
    content[entry.offset + 10 : entry.offset + 60] = b"\xff" * 50
    path.write_bytes(content)


@pytest.fixture
def long(till: Debuggee, tmp_path: Path) -> Path:
    """A recording of several chunks."""
    with HandMade(tmp_path / "long.jvmrec") as made:
        shop = made.class_("shop.Till", _content(till))
        marker = till.marker("thrown")
        shop.enter("check")
        shop.line("check", marker)
        shop.local("check", 0, 5)
        shop.exit("check")
        for _ in range(3):
            made.flush()
            for _ in range(20):
                shop.enter("check")
                shop.local("check", 0, 1)
                shop.line("check", marker)
                shop.exit("check")
    return made.path


async def test_a_damaged_chunk_at_the_end_is_told(long: Path) -> None:
    _damage(long, -1)
    with pytest.raises(jvmdebug.JvmDebugError, match=r"block|chunk"):
        async with asyncio.timeout(10), jvmdebug.replay(long):
            pass


async def test_a_damaged_chunk_ends_the_session_when_it_is_met(long: Path, till: Debuggee) -> None:
    _damage(long, 1)
    async with asyncio.timeout(20), jvmdebug.replay(long) as session:
        assert await session.next_stop(5) is not None
        await session.break_at(f"shop.Till:{till.marker('thrown')}", condition="sum == 5")
        assert session.past is not None
        await session.past.reverse_continue()
        await session.wait()  # it has ended
