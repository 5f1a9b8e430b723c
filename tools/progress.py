# SPDX-License-Identifier: Apache-2.0
"""One step of a longer job, with progress: `python -m tools.progress TITLE SECONDS -- COMMAND`.

A step prints its title and about how long it takes, then how long it took. In between a terminal
shows the elapsed time and what ninja has built, `[41/97]`; a log gets a line each half minute. The
output of the command is shown when it fails. `make setup` and `tools.release` use it; as there is
no virtual environment yet when `make setup` begins, it needs the standard library only.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

_BUILT: Final = re.compile(r"^\s*\[([1-9]\d*/\d+)\] ")
_SHOWN_LINES: Final = 60
_TERMINAL_INTERVAL_S: Final = 0.5
_LOG_INTERVAL_S: Final = 30.0


class StepError(Exception):
    """A step did not succeed; its output has been shown."""

    def __init__(self, title: str, code: int) -> None:
        super().__init__(f"{title}: failed with exit code {code}")
        self.code = code


@dataclass
class _Output:
    """What a command has printed so far, read in a thread of its own."""

    stream: IO[str]
    lines: list[str] = field(default_factory=list)
    built: str = ""

    def read(self) -> None:
        for line in self.stream:
            self.lines.append(line)
            if found := _BUILT.match(line):
                self.built = found[1]

    def last(self) -> str:
        return "".join(self.lines[-_SHOWN_LINES:])


def step(
    title: str,
    command: Sequence[str],
    *,
    about_s: int = 0,
    cwd: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> str:
    """Run a command, telling about it on standard output; what it printed. Raises StepError."""
    terminal = sys.stdout.isatty()
    started = time.monotonic()
    print(f"{title}{_estimate(about_s)}", end="" if terminal else "\n", flush=True)
    process = subprocess.Popen(
        command,
        cwd=cwd,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    if process.stdout is None:
        raise RuntimeError("a process with piped output has no pipe")
    output = _Output(process.stdout)
    reader = threading.Thread(target=output.read, daemon=True)
    reader.start()
    code = _wait(process, output, title, started)
    reader.join(timeout=1)
    if not reader.is_alive():  # a child that outlives the command keeps the pipe open
        process.stdout.close()
    took = f"{title}: {'done' if code == 0 else 'FAILED'}, {time.monotonic() - started:.0f} s"
    print(f"\r\033[K{took}" if terminal else took, flush=True)
    if code != 0:
        print(output.last(), end="", flush=True)
        raise StepError(title, code)
    return "".join(output.lines)


def _wait(process: subprocess.Popen[str], output: _Output, title: str, started: float) -> int:
    """Wait for the end and show signs of life; the exit code."""
    terminal = sys.stdout.isatty()
    interval_s = _TERMINAL_INTERVAL_S if terminal else _LOG_INTERVAL_S
    try:
        while True:
            try:
                return process.wait(timeout=interval_s)
            except subprocess.TimeoutExpired:
                built = f", {output.built} files built" if output.built else ""
                text = f"{title} … {time.monotonic() - started:.0f} s{built}"
                if terminal:
                    print(f"\r\033[K{text}", end="", flush=True)
                else:
                    print(text, flush=True)
    except BaseException:
        process.terminate()
        process.wait()
        raise


def _estimate(about_s: int) -> str:
    if about_s < 2:
        return " …"
    return f" (about {about_s} s) …" if about_s < 90 else f" (about {about_s / 60:.0f} minutes) …"


def main() -> None:
    """Parse the command line and run the step; exits with the code of the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("title")
    parser.add_argument("seconds", type=int, help="about how long it takes; 0: not worth a word")
    parser.add_argument("command", nargs="+")
    given = parser.parse_args()
    try:
        step(given.title, given.command, about_s=given.seconds)
    except StepError as failed:
        sys.exit(failed.code)
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
