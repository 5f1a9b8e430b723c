# SPDX-License-Identifier: Apache-2.0
"""Docker and Podman: the process of a container by its name, from the Engine API over the UNIX
socket of the engine, or from `podman inspect`, as Podman usually runs no service.

Owns which sockets are asked (DOCKER_HOST and CONTAINER_HOST, else the usual places, those of
rootless engines too) and the two requests. Blocks. Called by `containers`.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import shutil
import socket
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, cast
from urllib.parse import quote

from jvmdebug.errors import LaunchError
from jvmdebug.os_errors import reason
from jvmdebug.platform import system
from jvmdebug.printable import one_line

_UNIX: Final = "unix://"
_VARIABLES: Final = ("DOCKER_HOST", "CONTAINER_HOST")
_TIMEOUT_S: Final = 10.0
_LONGEST_ANSWER: Final = 1 << 22
_MOST_NAMES: Final = 10
_NOT_FOUND: Final = 404
_MISSING: Final = (FileNotFoundError, NotADirectoryError, ConnectionRefusedError)


@dataclass(slots=True)
class Findings:
    """What was found on the way to a container, for the message that there is none."""

    running: list[str] = field(default_factory=list)
    """Names of containers that run."""
    obstacles: list[str] = field(default_factory=list)
    """Why an engine could not be asked."""


def process_of_container(name: str, findings: Findings) -> int | None:
    """The id of the first process of a running container, as this machine counts; None if no engine
    here has it. Raises LaunchError for a container that does not run, and for an engine that is on
    another machine.
    """
    for path in _sockets():
        try:
            found = _asked(path, f"/containers/{quote(name, safe='')}/json")
            if found is None:
                findings.running += _names(_asked(path, "/containers/json"))
                continue
        except _MISSING:
            continue
        except (OSError, ValueError, http.client.HTTPException) as error:
            why = reason(error) if isinstance(error, OSError) else one_line(str(error))
            findings.obstacles.append(f"{path}: {why}")
            continue
        return _running_process(name, found)
    return _podman_process(name, findings)


def _sockets() -> list[Path]:
    """The sockets to ask, first those that the environment names."""
    named = [(each, os.environ[each]) for each in _VARIABLES if os.environ.get(each)]
    for variable, address in named:
        if not address.startswith(_UNIX):
            raise LaunchError(
                f"{variable} is {one_line(address)}: the containers of that engine run on another"
                " machine, where this one sees no process of theirs; run jvmdebug there, or"
                " `jvmdebug relay` (docs/how-to/remote.md)"
            )
    if named:
        return [Path(address.removeprefix(_UNIX)) for _, address in named]
    own = Path(os.environ.get("XDG_RUNTIME_DIR") or f"/run/user/{system.user_id()}")
    return [
        Path("/var/run/docker.sock"),
        own / "docker.sock",
        Path("/run/podman/podman.sock"),
        own / "podman/podman.sock",
    ]


class _UnixConnection(http.client.HTTPConnection):
    """HTTP over a UNIX-domain socket."""

    def __init__(self, path: Path) -> None:
        super().__init__("localhost", timeout=_TIMEOUT_S)
        self._path = path

    def connect(self) -> None:
        """Connect to the file."""
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(str(self._path))


def _asked(path: Path, what: str) -> Any:  # noqa: ANN401 - JSON
    """The answer; None for status 404. Raises OSError, ValueError and HTTPException."""
    with contextlib.closing(_UnixConnection(path)) as connection:
        connection.request("GET", what)
        response = connection.getresponse()
        content = response.read(_LONGEST_ANSWER)
    if response.status == _NOT_FOUND:
        return None
    answer = json.loads(content)
    if response.status != http.HTTPStatus.OK:
        told = answer.get("message") if isinstance(answer, dict) else None
        raise ValueError(f"the engine answers {response.status}: {told or what}")
    return answer


def _running_process(name: str, told: object) -> int:
    """`State.Pid` of what an engine says about a container. Raises LaunchError."""
    state = told.get("State") if isinstance(told, dict) else None
    if not isinstance(state, dict):
        raise LaunchError(f"the engine says nothing about the state of the container {name!r}")
    pid = state.get("Pid")
    if not state.get("Running") or not isinstance(pid, int) or pid <= 0:
        status = one_line(str(state.get("Status") or "not running"))
        raise LaunchError(f"the container {name!r} does not run ({status}); start it")
    if state.get("Paused"):
        raise LaunchError(f"the container {name!r} is paused: let it run (`docker unpause`)")
    return pid


def _names(told: object) -> list[str]:
    """The names of the containers that run."""
    found: list[str] = []
    for each in told[:_MOST_NAMES] if isinstance(told, list) else ():
        names = each.get("Names") if isinstance(each, dict) else None
        if isinstance(names, list) and names:
            found.append(one_line(str(names[0]).lstrip("/")))
    return found


def _podman_process(name: str, findings: Findings) -> int | None:
    """The same by the command, which needs no service."""
    podman = shutil.which("podman")
    if podman is None:
        return None
    command = [podman, "container", "inspect", "--", name]
    try:
        done = subprocess.run(  # noqa: S603 - no shell
            command, capture_output=True, check=False, timeout=_TIMEOUT_S, stdin=subprocess.DEVNULL
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        findings.obstacles.append(f"podman: {one_line(str(error))}")
        return None
    if done.returncode:
        return None
    try:
        told = cast("object", json.loads(done.stdout))
    except ValueError:
        return None
    return _running_process(name, told[0]) if isinstance(told, list) and told else None
