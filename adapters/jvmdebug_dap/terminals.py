# SPDX-License-Identifier: Apache-2.0
"""The terminal of the client that a program was started in.

A client uses a terminal again for a program that is restarted, but only if its shell runs nothing.
The shell waits for the old program a little longer than the debugger does. Used by `starting`.
"""

from __future__ import annotations

import asyncio
import subprocess
from pathlib import Path
from typing import Final

_PAUSE_S: Final = 0.02
_PATIENCE_S: Final = 2.0
_COMMAND_TIMEOUT_S: Final = 5.0


class Terminal:
    """The terminal of one session; no shell is known until `started`."""

    def __init__(self) -> None:
        self._shell: int | None = None

    def started(self, shell: object) -> None:
        """Note the process id of the shell that the client has started a program in; anything but
        a positive number: the client does not tell.
        """
        is_known = isinstance(shell, int) and not isinstance(shell, bool) and shell > 0
        self._shell = shell if is_known and isinstance(shell, int) else None

    async def until_idle(self) -> None:
        """Wait until the shell runs no program, for some seconds at most."""
        if self._shell is None:
            return
        for _ in range(int(_PATIENCE_S / _PAUSE_S)):
            if not await asyncio.to_thread(_runs_something, self._shell):
                return
            await asyncio.sleep(_PAUSE_S)


def _runs_something(shell: int) -> bool:
    """Whether a process has children; False for one that is not on this machine."""
    if Path("/proc/self/task").exists():
        try:
            return bool(Path(f"/proc/{shell}/task/{shell}/children").read_text("ascii").strip())
        except OSError:
            return False
    try:
        found = subprocess.run(  # noqa: S603 - a number is all that is put in
            ["pgrep", "-P", str(shell)],  # noqa: S607 - of the system
            check=False,
            capture_output=True,
            timeout=_COMMAND_TIMEOUT_S,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return bool(found.stdout.strip())
