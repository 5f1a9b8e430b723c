# SPDX-License-Identifier: Apache-2.0
"""The JVM in a container of this machine, by the name of the container.

Owns the ways to the processes of a container: Docker and Podman are asked; a container of
containerd, CRI-O, LXC or systemd is found by the name of its control group in /proc. Blocks. Called
by `reaching`.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from jvmdebug.attaching.choosing import RunningJvm, chosen
from jvmdebug.attaching.container_engine import Findings, process_of_container
from jvmdebug.attaching.files_of_process import own_number
from jvmdebug.attaching.local_jvms import local_jvms
from jvmdebug.errors import LaunchError

if TYPE_CHECKING:
    from collections.abc import Iterable

_PROC: Final = Path("/proc")
_SHORTEST_ID: Final = 4
_ID: Final = re.compile(r"[0-9a-f]{64}")
_PART: Final = re.compile(
    r"(?:(?:docker|libpod|crio|cri-containerd|nerdctl|lxc\.payload|machine)[-.])?(?P<name>.+?)"
    r"(?:\.(?:scope|service))?"
)
"""One part of the path of a control group: what a container engine makes of a name."""


def process_in_container(name: str, program: str = "") -> int:
    """The id of the JVM in a container, as this machine counts.

    `program` is its main class, or the number that it has in the container, where there is more
    than one. Raises LaunchError, which lists what there is.
    """
    findings = Findings()
    first = process_of_container(name, findings)
    pids = _processes_beside(first) if first is not None else _processes_of_group(name)
    if first is None and not pids:
        raise _no_container(name, findings)
    jvms = [
        RunningJvm(each.pid, int(own_number(_PROC / str(each.pid))), each.program)
        for each in local_jvms()
        if each.pid in pids
    ]
    if first is not None and not (_PROC / str(first)).exists():
        raise LaunchError(
            f"the processes of the container {name!r} are not on this machine: its engine runs in a"
            " virtual machine or elsewhere; run jvmdebug there, or `jvmdebug relay`"
        )
    return chosen(jvms, program, f"the container {name!r}").pid


def _no_container(name: str, findings: Findings) -> LaunchError:
    text = f"there is no container {name!r} on this machine"
    if findings.running:
        text += f" (running: {', '.join(findings.running)})"
    if findings.obstacles:
        text += f"; not asked: {'; '.join(findings.obstacles)}"
    return LaunchError(text)


def _pids() -> Iterable[int]:
    return (int(each.name) for each in _PROC.iterdir() if each.name.isdecimal())


def _processes_beside(first: int) -> set[int]:
    """The processes of the container whose first process this is."""
    space, own = _namespace(first), _namespace(os.getpid())
    if space is not None and space != own:
        return {each for each in _pids() if _namespace(each) == space}
    group = _group(first)  # a container with the process ids of the machine
    return {each for each in _pids() if each == first or (group and _group(each) == group)}


def _processes_of_group(name: str) -> set[int]:
    """The processes in a control group that bears the name, or an id that begins with it."""
    return {each for each in _pids() if is_group_of(name, _group(each))}


def is_group_of(name: str, group: str) -> bool:
    """Whether a control group, as in /proc/PID/cgroup, is that of a container of this name or id,
    of which the first characters are enough.
    """
    for part in re.split(r"[/:\n]", group):
        found = _PART.fullmatch(part)
        if found is None:
            continue
        if found["name"] == name:
            return True
        is_id = _ID.fullmatch(found["name"]) is not None
        if is_id and len(name) >= _SHORTEST_ID and found["name"].startswith(name):
            return True
    return False


def _namespace(pid: int) -> str | None:
    """The namespace of its process ids; None if it cannot be seen."""
    try:
        return os.readlink(_PROC / str(pid) / "ns/pid")  # noqa: PTH115 - no path
    except OSError:
        return None


def _group(pid: int) -> str:
    try:
        return (_PROC / str(pid) / "cgroup").read_text(errors="replace")
    except OSError:
        return ""
