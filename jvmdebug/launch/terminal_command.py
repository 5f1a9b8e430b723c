# SPDX-License-Identifier: Apache-2.0
"""A command that somebody else runs in a terminal for us, and whose end we hear of.

The terminal's process is not our child. So it runs a script that runs the command in the
foreground, with the terminal's input and signals, and writes down its exit code. Used by the ways
to start a VM until the VM has connected; the files are gone then.
"""

from __future__ import annotations

import asyncio
import contextlib
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from jvmdebug.errors import LaunchError
from jvmdebug.os_errors import reason

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_SCRIPT: Final = """\
trap : INT HUP
"$@"
code=$?
echo $code 2>/dev/null >"$0.end"
exit $code
"""
"""The shell must outlive a Ctrl-C, which ends the command; a trap is not inherited by it."""
_PAUSE_S: Final = 0.1


@dataclass(frozen=True, slots=True)
class TerminalCommand:
    """What the terminal is to run."""

    words: list[str]
    _end: Path

    async def ended(self) -> int:
        """Waits until the command has ended; its exit code, 128 and the signal's number if one
        ended it.
        """
        while True:
            with contextlib.suppress(OSError):
                if (written := self._end.read_text(encoding="ascii").strip()).isdecimal():
                    return int(written)
            await asyncio.sleep(_PAUSE_S)


@contextlib.contextmanager
def terminal_command(words: Sequence[str]) -> Iterator[TerminalCommand]:
    """The command that reports its end, for as long as the context is open."""
    try:
        made = tempfile.TemporaryDirectory(prefix="jvmdebug-", ignore_cleanup_errors=True)
    except OSError as error:
        raise LaunchError(f"cannot prepare the program for a terminal: {reason(error)}") from error
    with made as directory:
        script = Path(directory) / "run"
        script.write_text(_SCRIPT, encoding="ascii")
        yield TerminalCommand(
            ["/bin/sh", str(script), *words], script.with_name(f"{script.name}.end")
        )
