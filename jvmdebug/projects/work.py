# SPDX-License-Identifier: Apache-2.0
"""One piece of work on a project: says how far it is, runs programs, and can be cancelled.

Synchronous and thread-safe: a front end works in a thread (asyncio.to_thread) and cancels from
another one. Every program that it starts ends with it.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from jvmdebug.errors import JdkError
from jvmdebug.jdk import find_jdk
from jvmdebug.jdk_places import JAVA_HOME_SETTING
from jvmdebug.names_of_files import environment_for
from jvmdebug.os_errors import reason
from jvmdebug.platform.processes import end_group, own_group
from jvmdebug.platform.programs import program
from jvmdebug.projects.errors import ProjectError, WorkCancelled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

_MOST_LINES: Final = 20_000
_GRACE_S: Final = 3.0


@dataclass(frozen=True, slots=True)
class Ran:
    """A program that has ended."""

    exit_code: int
    lines: tuple[str, ...]
    """What it wrote, standard error too: the last 20,000 lines."""


class Work:
    """Progress and cancellation of one call; `Work()` has neither a listener nor a canceller."""

    def __init__(self, on_progress: Callable[[str], None] | None = None) -> None:
        """`on_progress` gets a line ("Maven: compiling core"), in the thread that works."""
        self._on_progress = on_progress
        self._lock = threading.Lock()
        self._is_cancelled = False
        self._cancels: list[Callable[[], None]] = []

    def say(self, line: str) -> None:
        """Report what is being done. Raises WorkCancelled if nobody wants it any more."""
        self.check()
        if self._on_progress is not None:
            self._on_progress(line)

    def check(self) -> None:
        """Raise WorkCancelled if `cancel` was called."""
        if self._is_cancelled:
            raise WorkCancelled("cancelled")

    def cancel(self) -> None:
        """End the work: its program is terminated, and the call raises WorkCancelled."""
        with self._lock:
            self._is_cancelled = True
            for cancel in self._cancels:
                cancel()

    @contextlib.contextmanager
    def cancelled_by(self, cancel: Callable[[], None]) -> Iterator[None]:
        """A context around something that takes long: `cancel` ends it from another thread."""
        with self._lock:
            self.check()
            self._cancels.append(cancel)
        try:
            yield
        finally:
            with self._lock:
                self._cancels.remove(cancel)

    def run(
        self,
        command: Sequence[str],
        *,
        folder: Path,
        env: Mapping[str, str] | None = None,
        on_line: Callable[[str], None] | None = None,
    ) -> Ran:
        """Run a program to its end; `on_line` gets each line that it writes.

        Raises ProjectError if it cannot be started, WorkCancelled after `cancel`.
        """
        self.check()
        process = _started(command, folder, env)
        lines: list[str] = []
        try:
            with self.cancelled_by(lambda: _terminate(process)):
                for line in process.stdout or ():
                    lines.append(line.rstrip("\r\n"))
                    if len(lines) > 2 * _MOST_LINES:
                        del lines[:-_MOST_LINES]
                    if on_line is not None:
                        on_line(lines[-1])
                exit_code = process.wait()
        finally:
            _end(process)
        self.check()
        return Ran(exit_code, tuple(lines[-_MOST_LINES:]))


def java_of_build_tools() -> str:
    """The Java that Maven and Gradle run with: the rest of PATH has no influence on their answers,
    and differs between a terminal and an editor.
    """
    try:
        env = environment_of_build_tools()
    except JdkError:
        return ""
    return env.get("JAVA_HOME") or shutil.which("java", path=env.get("PATH")) or ""


def environment_of_build_tools() -> dict[str, str]:
    """This process's, with a JAVA_HOME that build tools can start with: that of the settings; and
    any runtime of this machine where JAVA_HOME is wrong, or is not set and PATH has no java.

    Raises JdkError if there is no Java.
    """
    env = dict(os.environ)
    home = env.get("JAVA_HOME")
    is_usable = (
        Path(home, "bin", program("java")).is_file() if home else shutil.which("java") is not None
    )
    if env.get(JAVA_HOME_SETTING) or not is_usable:
        env["JAVA_HOME"] = str(find_jdk(env=env).home)
    return env


def _started(
    command: Sequence[str], folder: Path, env: Mapping[str, str] | None
) -> subprocess.Popen[str]:
    try:
        return subprocess.Popen(  # noqa: S603 - the project's own build tool
            command,
            cwd=folder,
            env=environment_for(env, [*command, folder]),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            errors="replace",
            **own_group(has_console=False),
        )
    except OSError as error:
        raise ProjectError(f"cannot run {command[0]} in {folder}: {reason(error)}") from error


def _terminate(process: subprocess.Popen[str]) -> None:
    """Ask it to end, and make it end if it does not: its whole group, as a wrapper starts a JVM."""
    end_group(process, at_once=False)
    killer = threading.Timer(_GRACE_S, end_group, (process,), {"at_once": True})
    killer.daemon = True
    killer.start()


def _end(process: subprocess.Popen[str]) -> None:
    """End what is left of it, after an error; close its output."""
    if process.poll() is None:
        end_group(process, at_once=False)
        try:
            process.wait(_GRACE_S)
        except subprocess.TimeoutExpired:
            end_group(process, at_once=True)
            process.wait()
    if process.stdout is not None:
        process.stdout.close()
