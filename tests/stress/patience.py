# SPDX-License-Identifier: Apache-2.0
"""Waiting that a loaded machine does not end: by processor time and not by the clock.

What is waited for has as much of it as it is given. It is given up before that only if nobody has
worked on it for a while: then it hangs.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Awaitable

T = TypeVar("T")

_IDLE_S: Final = 60.0
_LEAST_S: Final = 0.5
"""Less processor time than that in `_IDLE_S` is idle: threads of a JVM wake up now and then."""
_PAUSE_S: Final = 0.2
_TICKS: Final = os.sysconf("SC_CLK_TCK")


class Patience:
    """How long is still to be waited for a process, and for what this one does with it."""

    def __init__(self, pid: int, seconds: float) -> None:
        self._pid = pid
        self._seconds = seconds
        self._begun = self._last = self._spent()
        self._last_at = time.monotonic()
        self.is_idle = False
        """Whether nobody has worked for a while."""

    def is_over(self) -> bool:
        """Whether both had their processor time, or did not want any for a while."""
        spent = self._spent()
        if spent - self._last >= _LEAST_S:
            self._last = spent
            self._last_at = time.monotonic()
        self.is_idle = time.monotonic() - self._last_at >= _IDLE_S
        return self.is_idle or spent - self._begun >= self._seconds

    def _spent(self) -> float:
        try:
            text = Path("/proc", str(self._pid), "stat").read_text()
        except OSError:
            return time.process_time()  # it has ended
        fields = text.rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS + time.process_time()


async def patiently(work: Awaitable[T], pid: int, seconds: float) -> T:
    """What it returns; TimeoutError if it had that much processor time, or hangs."""
    patience = Patience(pid, seconds)
    task = asyncio.ensure_future(work)
    try:
        while not task.done():
            await asyncio.wait((task,), timeout=_PAUSE_S)
            if not task.done() and patience.is_over():
                why = "idle" if patience.is_idle else f"{seconds:g} s of processor time"
                raise TimeoutError(why)
        return task.result()
    finally:
        if not task.done():
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError, Exception):
                await task


def ended(jvm: subprocess.Popen[bytes], seconds: float) -> int | None:
    """The exit code; None if it does not end."""
    patience = Patience(jvm.pid, seconds)
    while jvm.poll() is None:
        if patience.is_over():
            return None
        time.sleep(_PAUSE_S / 4)
    return jvm.returncode
