# SPDX-License-Identifier: Apache-2.0
"""Finds an address that a debugger can attach to by the number of a process.

Owns the choice: the agent that the JVM was started with, the one of a debugger before, or ours,
loaded now. Blocks: call it in a thread. Called by the session.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from jvmdebug.attaching.agent_loading import load_agent
from jvmdebug.attaching.attach_protocol import check_runs
from jvmdebug.attaching.files_of_process import LATE_SOCKET, seen_from_here
from jvmdebug.attaching.local_jvms import local_jvm
from jvmdebug.errors import LaunchError
from jvmdebug.jdwp import networks
from jvmdebug.jdwp.transport import UNIX_PREFIX
from jvmdebug.platform import system

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmdebug.attaching.pods import WayToPod
    from jvmdebug.contained_places import ContainerPlace, PodPlace


def is_late(address: str) -> bool:
    """Whether an agent listens there that was loaded into a program that ran."""
    return LATE_SOCKET.search(address) is not None


def address_of_process(pid: int, library: Callable[[str], Path], *, timeout_s: float) -> str:
    """`HOST:PORT` or `unix:PATH`. LaunchError that says why there is none, and what would help.

    `library` gives our agent's for the platform of the process, and is asked only if it has to be
    loaded.
    """
    if not system.is_linux():  # elsewhere it is not known what runs, and how it was started
        return load_agent(pid, library, timeout_s=timeout_s)
    jvm = local_jvm(pid)
    if jvm is None:
        if (Path("/proc") / str(pid)).exists():
            check_runs(pid)
        raise LaunchError(
            f"there is no Java program with the process id {pid} here: `jvmdebug ps` lists them "
            f"(a port is written localhost:{pid})"
        )
    name = f"process {pid} ({jvm.program or 'unknown program'})"
    agent = jvm.agent
    if agent is None or (agent.is_late and not agent.is_listening):
        return load_agent(pid, library, timeout_s=timeout_s)
    if agent.connects:
        raise LaunchError(
            f"the debug agent of {name} connects to a debugger (server=n) and never listens: start "
            "it with `java $(jvmdebug agent --option 5005) ...`"
        )
    if not agent.is_listening or agent.address is None:
        at = "" if agent.address is None else f" at {agent.address}"
        raise LaunchError(
            f"the debug agent of {name} does not listen{at} now: another debugger is attached, and "
            "has to detach first"
        )
    return _from_here(pid, agent.address)


def process_of_place(place: ContainerPlace) -> int:
    """The id of a JVM in a container of this machine. Raises LaunchError."""
    from jvmdebug.attaching.containers import process_in_container  # noqa: PLC0415 - seldom needed

    return process_in_container(place.name, place.program)


def way_to_pod(
    place: PodPlace, library: Callable[[str], Path], image: str | None, *, timeout_s: float
) -> WayToPod:
    """A forwarded port at which the JVM's agent listens, see `reach_pod`. Raises LaunchError."""
    from jvmdebug.attaching.pods import reach_pod  # noqa: PLC0415 - seldom needed

    return reach_pod(place, library, image, timeout_s=timeout_s)


def _from_here(pid: int, address: str) -> str:
    """The address of an agent as one that this process can connect to."""
    if address.startswith(UNIX_PREFIX):
        path = address.removeprefix(UNIX_PREFIX)
        home = Path("/proc") / str(pid)
        is_seen = path.startswith(f"{home}/")
        return address if is_seen else f"{UNIX_PREFIX}{seen_from_here(home, path)}"
    if not networks.has_own_network(pid):
        return address
    host, _, port = address.rpartition(":")
    return f"{networks.PREFIX}{pid}/{host.strip('[]')}:{port}"
