# SPDX-License-Identifier: Apache-2.0
"""Loads our agent into a JVM with the JDK's own `jcmd`, where its attach protocol is another one.

On Windows the JDK runs a thread in the other process for that, and on macOS its socket lies in a
folder that only the JVM knows: `jcmd PID JVMTI.agent_load` does it there. The agent listens on the
loopback interface. Blocks: call it in a thread. Called by `agent_loading`.
"""

from __future__ import annotations

import socket
import subprocess
from typing import TYPE_CHECKING, Final

from jvmdebug.errors import LaunchError
from jvmdebug.jdk import all_jdks
from jvmdebug.os_errors import reason
from jvmdebug.platform.binaries import this_platform
from jvmdebug.platform.programs import program
from jvmdebug.printable import one_line

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_LOOPBACK: Final = "127.0.0.1"
_LOADED: Final = "return code: 0"


def load_by_jcmd(
    pid: int,
    library: Callable[[str], Path],
    address: str | None,
    *,
    alive_ms: int,
    timeout_s: float,
) -> str:
    """Load the agent and return where it listens, `HOST:PORT`. LaunchError says why it does not.

    Without an `address` it takes a free port of the loopback interface.
    """
    tools = [each.home / "bin" / program("jcmd") for each in all_jdks()]
    found = [each for each in tools if each.is_file()]
    if not found:
        raise LaunchError(
            f"cannot load the agent into process {pid}: it takes `jcmd` of a JDK here, and no JDK"
            " that was found has it"
        )
    where = address or f"{_LOOPBACK}:{_free_port()}"
    options = f"transport=dt_socket,address={where},server=y,suspend=n,quiet=y,timeout={alive_ms}"
    # jcmd takes `name=value` for an argument of its own, unless it is in quotes.
    words = [str(pid), "JVMTI.agent_load", f'"{library(this_platform())}"', f'"{options}"']
    refusals = []
    for tool in found:
        # What is no JVM may end at the signal by which it is asked.
        refusal = _not_listed(str(tool), pid, timeout_s)
        refusal = refusal or _refusal([str(tool), *words], timeout_s)
        if refusal is None:
            return where
        refusals.append(f"{tool}: {refusal}")
    raise LaunchError(f"cannot load the agent into process {pid}: {'; '.join(refusals)}")


def _not_listed(tool: str, pid: int, timeout_s: float) -> str | None:
    """Why this jcmd does not take the process for a JVM; None if it does."""
    ran = _ran([tool, "-l"], timeout_s)
    if isinstance(ran, str):
        return ran
    if any(line.split(" ", 1)[0] == str(pid) for line in ran.stdout.splitlines()):
        return None
    return "it lists no Java program with this process id"


def _refusal(command: list[str], timeout_s: float) -> str | None:
    """Why this jcmd has not loaded it; None if it has."""
    ran = _ran(command, timeout_s)
    if isinstance(ran, str):
        return ran
    if _LOADED in ran.stdout.splitlines():
        return None
    said = (ran.stdout + ran.stderr).strip().splitlines()
    return one_line(said[-1]) if said else f"exit code {ran.returncode}"


def _ran(command: list[str], timeout_s: float) -> subprocess.CompletedProcess[str] | str:
    """What the command has printed, or why it has not run."""
    try:
        return subprocess.run(  # noqa: S603 - a JDK's own tool
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=timeout_s,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"no answer within {timeout_s:g} s"
    except OSError as error:
        return reason(error)


def _free_port() -> int:
    """A port that nothing listens on now; the VM does not say which one an agent has taken."""
    with socket.socket() as probe:
        probe.bind((_LOOPBACK, 0))
        return int(probe.getsockname()[1])
