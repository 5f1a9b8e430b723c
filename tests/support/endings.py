# SPDX-License-Identifier: Apache-2.0
"""Ways in which a program ends, at the moment when the debugger has asked it something.

`strike` ends the program as soon as the next command has been written, so that it is under way.
Used by the tables of tests/e2e/{dap,script} that end programs during each request and each await.
"""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from jvmdebug.jdwp.connection import Connection
from jvmdebug.jdwp.generated import virtual_machine

if TYPE_CHECKING:
    import pytest

    from jvmdebug.jdwp.command import Command

ENDINGS: Final = ("killed", "exits")
EXIT_CODE: Final = 3


def strike(monkeypatch: pytest.MonkeyPatch, ending: str, pid: int) -> None:
    """End the program when the next command goes out: SIGKILL, or an exit of its own."""
    begin = Connection._begin
    is_armed = True

    def begin_(self: Connection, command: Command[Any]) -> tuple[int, bytes]:
        nonlocal is_armed
        if is_armed and ending == "exits":
            is_armed = False
            leave = begin(self, virtual_machine.Exit(EXIT_CODE))
            self._write(leave[1])
        packet = begin(self, command)
        if is_armed:
            is_armed = False
            with suppress(ProcessLookupError):  # a restart has ended it
                os.kill(pid, signal.SIGKILL)
        return packet

    monkeypatch.setattr(Connection, "_begin", begin_)
