# SPDX-License-Identifier: Apache-2.0
"""A port of this machine's loopback that leads into a pod, while a process of kubectl runs.

Made by `kubectl`.
"""

from __future__ import annotations

import contextlib
import subprocess
from typing import Final

_END_S: Final = 5.0


class PortForward:
    """A port of the loopback that leads into a pod, while its process runs."""

    def __init__(self, running: subprocess.Popen[bytes], port: int) -> None:
        self._running = running
        self.port = port

    @property
    def is_open(self) -> bool:
        """Whether it still forwards. A pod that has ended ends it."""
        return self._running.poll() is None

    def close(self) -> None:
        """End it. Blocks for a moment."""
        end(self._running)


def end(running: subprocess.Popen[bytes]) -> None:
    """End a process; who reads its output closes that. Blocks for a moment."""
    running.terminate()
    with contextlib.suppress(subprocess.TimeoutExpired):
        running.wait(_END_S)
    if running.returncode is None:
        running.kill()
        running.wait()
