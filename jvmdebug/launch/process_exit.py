# SPDX-License-Identifier: Apache-2.0
"""Waiting for the end of a child process on the event loop. Used for all processes that we start
with `subprocess`.
"""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import subprocess


async def exit_of(process: subprocess.Popen[bytes]) -> int:
    """Wait for the end of a child, without a thread where the system allows it; its exit code."""
    try:
        descriptor = os.pidfd_open(process.pid)
    except (AttributeError, OSError):
        return await asyncio.to_thread(process.wait)
    loop = asyncio.get_running_loop()
    ended = asyncio.Event()
    loop.add_reader(descriptor, ended.set)
    try:
        await ended.wait()
    finally:
        loop.remove_reader(descriptor)
        os.close(descriptor)
    return process.wait()
