# SPDX-License-Identifier: Apache-2.0
"""A Java program that was started without a debug agent, perhaps in a container.

While it runs, whoever attaches by its process id loads the agent that is tested. Called by the
tests of late attaching.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import tempfile
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support import process
from tests.support.debuggees import debuggee

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Sequence

    from tests.support.debuggees import Debuggee
    from tests.support.jdks import Jdk

_WHEN_BUSY = ("C1 ", "C2 ", "GC Thread", "G1 ")
"""Compilers and collectors: as many as there is work for."""


class BareProgram:
    """A program that runs."""

    def __init__(self, running: asyncio.subprocess.Process, pid: int | None = None) -> None:
        self.pid = running.pid if pid is None else pid
        self.running = running

    def threads(self) -> list[str]:
        """The names of its threads, the VM's own too, but for those that the VM starts when it is
        busy.
        """
        names: list[str] = []
        for each in Path(f"/proc/{self.pid}/task").glob("*/comm"):
            with contextlib.suppress(OSError):  # it has ended
                names.append(each.read_text().strip())
        return sorted(name for name in names if not name.startswith(_WHEN_BUSY))


@contextmanager
def _agent_under_test() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JVMDEBUG_AGENT", str(process.agent_library()))
        yield


@asynccontextmanager
async def bare_program(
    jdk: Jdk,
    *options: str,
    program: Debuggee | None = None,
    args: Sequence[str] = (),
    is_awaited: bool = True,
) -> AsyncIterator[BareProgram]:
    """A program, `script.Spin` if none is given, which is killed at the end.

    Awaited: it has printed a line, so it is in its own code, when this returns.
    """
    program = program or debuggee("script", "Spin")
    running = await asyncio.create_subprocess_exec(
        str(jdk.java),
        *options,
        "-cp",
        str(program.class_path[0]),
        program.main_class,
        *args,
        stdout=asyncio.subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    try:
        assert running.stdout is not None
        if is_awaited:
            assert await asyncio.wait_for(running.stdout.readline(), max(30, process.START_S))
        with _agent_under_test():
            yield BareProgram(running)
    finally:
        if running.returncode is None:
            running.kill()
        await running.wait()


async def ran_alone(
    jdk: Jdk,
    program: Debuggee,
    args: Sequence[str] = (),
    folder: Path | None = None,
    timeout_s: float = 60.0,
) -> tuple[str, int | None]:
    """Run a program to its end without a debugger: what it prints on stdout, and its exit code."""
    class_path = os.pathsep.join(map(str, program.class_path))
    running = await asyncio.create_subprocess_exec(
        *map(str, (jdk.java, "-cp", class_path, program.main_class, *args)),
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    try:
        output, _ = await asyncio.wait_for(running.communicate(), timeout_s)
    finally:
        if running.returncode is None:
            running.kill()
        await running.wait()
    return output.decode(), running.returncode


NOBODY = 65534
"""The user of a program in a container."""


def why_no_container() -> str | None:
    """Why `contained_program` cannot be had on this machine; None if it can."""
    if os.geteuid() != 0:
        return "only root can make a container and be another user"
    able = subprocess.run(
        ["unshare", "--mount", "--pid", "--fork", "mount", "-t", "tmpfs", "none", "/mnt"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        timeout=20,
    )
    if able.returncode:
        return f"this machine lets nobody make a container: {able.stderr.decode().strip()}"
    return None


@asynccontextmanager
async def contained_program(jdk: Jdk, *, noexec: bool = False) -> AsyncIterator[BareProgram]:
    """`script.Spin` of user nobody, with process ids, a root directory and a `/tmp` of its own.

    With `noexec` no library can be loaded from that `/tmp`.
    """
    classes = debuggee("script", "Spin").class_path[0]
    with tempfile.TemporaryDirectory(prefix="container-") as root:
        own = f"{root}/tmp"
        script = f"""
            mount --rbind / {root}
            mount -t tmpfs -o mode=1777 none {own}
            mkdir {own}/jdk {own}/classes
            mount --rbind {jdk.home} {own}/jdk
            cp {classes}/Spin*.class {own}/classes
            chmod -R a+rX {own}/classes
            {f"mount -o remount,noexec {own}" if noexec else ""}
            exec chroot --userspec={NOBODY}:{NOBODY} {root} /tmp/jdk/bin/java -cp /tmp/classes Spin
        """
        running = await asyncio.create_subprocess_exec(
            *("unshare", "--mount", "--pid", "--fork", "sh", "-ec", script),
            stdout=asyncio.subprocess.PIPE,
        )
        try:
            assert running.stdout is not None
            await asyncio.wait_for(_has_begun(running.stdout), max(30, process.START_S))
            with _agent_under_test():
                yield BareProgram(running, _child_of(running.pid))
        finally:
            # The first process of its namespace: all others end with it, and `unshare` too.
            os.kill(_child_of(running.pid) or running.pid, signal.SIGKILL)
            await running.wait()


async def _has_begun(output: asyncio.StreamReader) -> None:
    """Whatever the VM writes before it."""
    while line := await output.readline():
        if line == b"spinning\n":
            return
    raise AssertionError("the program has ended and not begun")


def _child_of(pid: int) -> int:
    """0 for none."""
    return int(Path(f"/proc/{pid}/task/{pid}/children").read_text() or 0)
