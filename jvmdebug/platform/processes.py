# SPDX-License-Identifier: Apache-2.0
"""Processes and what they start: groups on POSIX systems, jobs on Windows.

A program that we start has a group of its own, so that Ctrl-C at our terminal is not for it, and is
ended with all that it has started. Windows has no signal that a Java program takes as a wish to
end: asking and ending are the same there.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from typing import Any, Final

from jvmdebug.platform import system

_NEW_GROUP: Final = 0x0000_0200
"""CREATE_NEW_PROCESS_GROUP"""
_NO_WINDOW: Final = 0x0800_0000
"""CREATE_NO_WINDOW"""
_TREE: Final = ("taskkill", "/F", "/T", "/PID")


def own_group(*, has_console: bool = True) -> dict[str, Any]:
    """Arguments of Popen that give a process a group of its own."""
    if system.is_windows():
        return {"creationflags": _NEW_GROUP | (0 if has_console else _NO_WINDOW)}
    return {"start_new_session": True}


def ask_to_end(process: subprocess.Popen[Any]) -> None:
    """Ask a process to end, even one that is stopped; on Windows end it."""
    with contextlib.suppress(ProcessLookupError):
        process.terminate()
        if not system.is_windows():
            process.send_signal(signal.SIGCONT)


def end_group(process: subprocess.Popen[Any], *, at_once: bool) -> None:
    """End a process that was started with `own_group`, and all that it has started."""
    if process.poll() is not None:
        return
    if system.is_windows():
        with contextlib.suppress(OSError):
            command = [*_TREE, str(process.pid)]
            subprocess.run(command, check=False, capture_output=True)  # noqa: S603 - a constant
        return
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL if at_once else signal.SIGTERM)
