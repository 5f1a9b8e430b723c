# SPDX-License-Identifier: Apache-2.0
"""A VM that is started while the session makes ready for it."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, cast

import pytest

from jvmdebug.errors import LaunchError
from jvmdebug.session.program import Begun, StartedVm

if TYPE_CHECKING:
    from jvmdebug.launch.command_line import JavaCommand

COMMAND = cast("JavaCommand", "a command")
VM = cast("StartedVm", "a VM")


class Start:
    """A way to start a VM that takes long, or fails."""

    def __init__(self, error: Exception | None = None) -> None:
        self.begun = 0
        self.closed = 0
        self.comes_up = asyncio.Event()
        self._error = error

    async def __call__(self, command: JavaCommand, stack: AsyncExitStack) -> StartedVm:
        assert command is COMMAND
        self.begun += 1
        stack.callback(self._close)
        await self.comes_up.wait()
        if self._error is not None:
            raise self._error
        return VM

    def _close(self) -> None:
        self.closed += 1


async def test_it_begins_at_once_and_again_for_a_restart() -> None:
    start = Start()
    begun = Begun(start, COMMAND)
    await asyncio.sleep(0)
    assert start.begun == 1
    start.comes_up.set()
    for number in (1, 2):
        async with AsyncExitStack() as stack:
            assert await begun(COMMAND, stack) is VM
            assert (start.begun, start.closed) == (number, number - 1)
        assert start.closed == number
    await begun.close()
    assert start.closed == 2


async def test_a_vm_that_nobody_asked_for_is_ended() -> None:
    start = Start()
    begun = Begun(start, COMMAND)
    await asyncio.sleep(0)
    await begun.close()
    assert start.closed == 1


@pytest.mark.parametrize("is_cancelled", [True, False])
async def test_a_failure_and_a_cancel_leave_nothing(*, is_cancelled: bool) -> None:
    start = Start(LaunchError("no"))
    begun = Begun(start, COMMAND)

    async def asked() -> None:
        async with AsyncExitStack() as stack:
            await begun(COMMAND, stack)

    task = asyncio.create_task(asked())
    await asyncio.sleep(0)
    if is_cancelled:
        task.cancel()
    else:
        start.comes_up.set()
    with pytest.raises(asyncio.CancelledError if is_cancelled else LaunchError):
        await task
    assert start.closed == 1
    await begun.close()
