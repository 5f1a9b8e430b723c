# SPDX-License-Identifier: Apache-2.0
"""A `jdb` process that is given commands one by one.

Owns the process and the waiting for its answers. A prompt says little: a command that lets the
program run is answered by two, and one may be late. So each command is followed by a word that jdb
does not know, and its complaint ends the answer. If the program runs, its next stop is waited for
first, as is a value, which another thread of jdb computes.
"""

from __future__ import annotations

import os
import re
import select
import subprocess
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import TracebackType
    from typing import Self

    from tests.support.jdks import Jdk

_TIMEOUT_S = 60.0
STOPPED = (
    r"(?:VM Started|Breakpoint hit|Step completed|Exception occurred|Field \()[\s\S]*main\[1\] "
)
"""The thread main has stopped somewhere, and jdb has a prompt for it."""
BREAKPOINT = r"Breakpoint hit[\s\S]*main\[1\] "
"""It has stopped at a breakpoint; the VM may have been started by the same command."""
PROMPT = r"[\s\S]*main\[1\] "
"""The prompt behind an answer. A command that needs a value is answered by another thread of jdb,
which goes back to the thread and frame of before, and then has a prompt of its own: a program that
is resumed earlier gets the complaint that its thread is not suspended.
"""
COMPUTED = rf"(?:= [^{{\n]+\n|\n\}}\n){PROMPT}"
"""A value, on a line or in braces, and the prompt behind it."""
ENDED = r"The application (exited|has been disconnected)\s*$"

_PROMPTS = re.compile(r"(?:^|(?<=VM Started: ))(?:> |main\[\d+\] )+", re.MULTILINE)
_IDS = (
    (re.compile(r"\)\d+ +"), ")N "),
    (re.compile(r"id=\d+"), "id=N"),
    (re.compile(r"(Program@)[0-9a-f]+"), r"\1HASH"),
)


class Jdb:
    """`jdb` of a JDK with its arguments; use as a context manager, which ends it."""

    def __init__(self, jdk: Jdk, arguments: Sequence[str]) -> None:
        self._process = subprocess.Popen(
            [jdk.home / "bin" / "jdb", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        assert self._process.stdout is not None
        os.set_blocking(self._process.stdout.fileno(), False)
        self._commands = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.terminate()  # it ends a VM that it has launched
        self._process.communicate(timeout=_TIMEOUT_S)

    def until(self, end: str) -> str:
        """What it prints up to that end."""
        stdout = self._process.stdout
        assert stdout is not None
        deadline = time.monotonic() + _TIMEOUT_S
        output = ""
        while not re.search(end, output):
            ready, _, _ = select.select([stdout], [], [], max(0.0, deadline - time.monotonic()))
            chunk = stdout.read() if ready else b""
            if not chunk:
                raise AssertionError(f"jdb did not come to {end!r}: {output}")
            output += chunk.decode("utf-8", "replace")
        return output

    def do(self, command: str, end: str | None = None) -> str:
        """Type a command; what it prints up to that end, if there is one, and to its own end."""
        self._type(command)
        output = self.until(end) if end else ""
        self._commands += 1
        word = f"end-of-{self._commands}"
        self._type(word)
        complaint = rf"Unrecognized command: '{word}'.*\n"
        return re.sub(complaint, "", output + self.until(complaint))

    def ends(self, command: str) -> str:
        """Type a command after which the program ends; what it prints."""
        self._type(command)
        return self.until(ENDED)

    def _type(self, line: str) -> None:
        stdin = self._process.stdin
        assert stdin is not None
        stdin.write(f"{line}\n".encode())
        stdin.flush()


def lines_of(output: str) -> list[str]:
    """The lines without prompts and ids, sorted: what two threads of jdb print mixes anyhow."""
    for pattern, replacement in _IDS:
        output = pattern.sub(replacement, output)
    return sorted(line.strip() for line in _PROMPTS.sub("", output).splitlines() if line.strip())
