# SPDX-License-Identifier: Apache-2.0
"""What the agent has handed over gets into the file, whoever gives up meanwhile."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING, Any

import pytest

from jvmdebug.jdwp.generated import recording as recording_set
from jvmdebug.recording.format import Ending, Header
from jvmdebug.recording.recorder import Recorder
from jvmdebug.recording.whole_file import WholeFile

if TYPE_CHECKING:
    from pathlib import Path


class HandingOver:
    """A router and a VM whose agent hands a new thread over with each answer."""

    def __init__(self) -> None:
        self.vm = self
        self.handed_over = 0
        self.asked = asyncio.Event()
        self.may_answer = asyncio.Event()

    async def request(self, command: Any) -> recording_set.ReadReply:
        assert isinstance(command, recording_set.Read)
        self.handed_over += 1
        number = self.handed_over
        self.asked.set()
        await self.may_answer.wait()
        thread = recording_set.ReadReply.Thread(number=number, is_virtual=False, name=f"t{number}")
        return recording_set.ReadReply(
            is_running=True,
            is_over=False,
            has_more=False,
            waiting=0,
            classes=(),
            threads=(thread,),
            objects=(),
            chunks=(),
            left_out=(),
        )


@pytest.mark.parametrize("moment", ["asked", "writing"])
async def test_giving_up_an_opening_loses_nothing(tmp_path: Path, moment: str) -> None:
    agent = HandingOver()
    recorder: Any = Recorder(agent, tmp_path / "a.jvmrec", None)  # type: ignore[arg-type]
    recorder._target = target = WholeFile(recorder.path, Header(), 1 << 30)
    recorder._reading = asyncio.create_task(asyncio.Event().wait())
    writes, may_write, at_once = recorder._write, threading.Event(), []
    loop, is_writing = asyncio.get_running_loop(), asyncio.Event()

    def write(reply: recording_set.ReadReply, begins_part: bool) -> None:  # noqa: FBT001
        at_once.append(1)
        loop.call_soon_threadsafe(is_writing.set)
        assert may_write.wait(10)
        assert len(at_once) == 1
        writes(reply, begins_part)
        at_once.pop()

    recorder._write = write
    opening = asyncio.create_task(recorder.reader())
    async with asyncio.timeout(10):
        await agent.asked.wait()
        if moment == "writing":
            agent.may_answer.set()
            await is_writing.wait()
        opening.cancel()
        await asyncio.wait({opening})
        assert opening.cancelled()
        agent.may_answer.set()
        may_write.set()
        (await recorder.reader()).close()
    assert [each.number for each in target.into.index_so_far().threads] == [1, 2]
    recorder._reading.cancel()
    target.finish(Ending("stopped"))
