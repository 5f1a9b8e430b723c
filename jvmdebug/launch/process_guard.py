# SPDX-License-Identifier: Apache-2.0
"""Ends launched programs when we end without a word, by SIGKILL or a crash.

On Windows the programs are in a job, which the system ends with us; temporary directories are left
then. Elsewhere this owns a small shell process that waits at a pipe from us: it ends with the pipe.
As long as it has not been told to let go, that means that we are gone, and it ends the processes
that it watches and deletes temporary directories. A session of its own keeps the terminal's signals
from it. Used by the opening of a session; everything that ends in order does not need it.
"""

from __future__ import annotations

import contextlib
import subprocess
from typing import TYPE_CHECKING

from jvmdebug.errors import LaunchError
from jvmdebug.launch.process_exit import exit_of
from jvmdebug.os_errors import reason
from jvmdebug.platform import system
from jvmdebug.platform.jobs import Job
from jvmdebug.platform.processes import own_group

if TYPE_CHECKING:
    from pathlib import Path

# Its lines are process ids, and `let go` at the end. A process that has ended is not looked at
# again, as its id may be another's then.
_SCRIPT = """
pids=
while read -r line; do
  [ "$line" = 'let go' ] && exit 0
  pids="$pids $line"
done
for pid in $pids; do kill -TERM "$pid"; done
tries=0
while [ "$tries" -lt 30 ]; do
  left=
  for pid in $pids; do kill -0 "$pid" && left="$left $pid"; done
  pids=$left
  [ -z "$pids" ] && break
  sleep 0.1
  tries=$((tries + 1))
done
for pid in $pids; do kill -KILL "$pid"; done
[ "$#" -eq 0 ] || rm -rf -- "$@"
"""


class ProcessGuard:
    """Watches the processes of one launched program. Made by `start`; `close` ends it."""

    def __init__(self, process: subprocess.Popen[bytes] | None, job: Job | None = None) -> None:
        self._process = process
        self._job = job
        self._watched: set[int] = set()

    @classmethod
    def start(cls, temporary: Path | None = None) -> ProcessGuard:
        """Start the guard, which deletes the directory too, before the program is started."""
        if system.is_windows():
            try:
                return cls(None, Job())
            except OSError as error:
                raise LaunchError(f"cannot watch the program: {reason(error)}") from error
        command = ["/bin/sh", "-c", _SCRIPT, "jvmdebug-guard"]
        command += [] if temporary is None else [str(temporary)]
        try:
            process = subprocess.Popen(  # noqa: S603 - a constant script
                command,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd="/",
                **own_group(),
            )
        except OSError as error:
            raise LaunchError(f"cannot start /bin/sh: {reason(error)}") from error
        return cls(process)

    def watch(self, pid: int) -> None:
        """End that process too when we are gone."""
        if pid not in self._watched:
            self._watched.add(pid)
            self._say(f"{pid}\n")
            if self._job is not None:
                self._job.add(pid)

    def let_go(self) -> None:
        """The program has ended, or is to go on without us. May be called again."""
        self._say("let go\n")
        if self._job is not None:
            self._job.let_go()
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()

    async def close(self) -> None:
        """Let go, and wait for the end of the guard."""
        self.let_go()
        if self._process is not None and self._process.returncode is None:
            await exit_of(self._process)

    def _say(self, text: str) -> None:
        stream = None if self._process is None else self._process.stdin
        if stream is not None and not stream.closed:
            # A guard that somebody has killed is no reason to end the session.
            with contextlib.suppress(BrokenPipeError):
                stream.write(text.encode())
