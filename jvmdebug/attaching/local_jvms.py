# SPDX-License-Identifier: Apache-2.0
"""The JVMs of this machine, from `/proc` and the files that VMs keep about themselves.

Owns what of a process is read, and what is known of one whose user is another: less, never an
error. Also finds JVMs in containers, whose files are seen through `/proc/PID/root`. Blocks for some
milliseconds for each process. Called by front ends.
"""

from __future__ import annotations

import contextlib
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from jvmdebug.attaching.debug_agent import (
    DebugAgent,
    ListeningSocket,
    listening_agent,
    stated_agent,
)
from jvmdebug.attaching.files_of_process import LATE_SOCKET, own_number, seen_from_here
from jvmdebug.attaching.java_command import program_of
from jvmdebug.attaching.performance_data import strings_of
from jvmdebug.jdwp.peer import tcp_sockets
from jvmdebug.jdwp.transport import UNIX_PREFIX
from jvmdebug.platform.system import user_name
from jvmdebug.printable import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

_PROC: Final = Path("/proc")
_LIBRARY: Final = "/libjvm.so"
_STOCK: Final = "/libjdwp.so"
_OURS: Final = re.compile(r"/libjvmdebug\.so|/\.jvmdebug-[0-9a-f]+\.so")
_CONTAINER: Final = re.compile(r"(?:^|[/:.-])([0-9a-f]{64})(?:\.scope)?(?:/|$)", re.MULTILINE)
_VERSION: Final = re.compile(r'^JAVA_VERSION="?([^"\n]+)', re.MULTILINE)
_OPTIONS_OF_ENVIRONMENT: Final = ("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS")
_START_FIELD: Final = 19
"""Of /proc/PID/stat, behind the name: starttime."""
_IS_LISTENING_UNIX: Final = 0x10000


@dataclass(frozen=True, slots=True)
class LocalJvm:
    """A JVM that runs on this machine; None for what cannot be found out. Texts are safe."""

    pid: int
    program: str | None
    """The main class or the jar: `shop.Main`, `app.jar`."""
    jdk: str | None
    """The version of the JDK: `25.0.1`."""
    user: str | None
    container: str | None
    """The short id of the container that it is in, seen from here; None in none."""
    agent: DebugAgent | None
    """The debug agent that it was started with."""
    started_at: float | None = None
    """When it was started, in seconds since 1970."""


def local_jvms() -> list[LocalJvm]:
    """All JVMs of this machine, the newest last. Of those of other users less is known."""
    pids = (int(each.name) for each in _PROC.iterdir() if each.name.isdecimal())
    found = (local_jvm(pid) for pid in sorted(pids) if pid != os.getpid())
    return [each for each in found if each is not None]


def local_jvm(pid: int) -> LocalJvm | None:
    """One of them; None if there is no such process, or it is no JVM."""
    home = _PROC / str(pid)
    words = [word for word in _read(home / "cmdline").split("\0") if word]
    if not words:
        return None  # no process, a thread of the kernel, or one that has ended
    maps = _read(home / "maps")
    if _LIBRARY not in maps and Path(words[0]).name != "java":
        return None
    kept = _kept_data(home)
    command = kept.get("sun.rt.javaCommand", "").split(" ")[0]
    program = command or program_of(words[1:])
    return LocalJvm(
        pid,
        None if program is None else one_line(program),
        _jdk(home, kept),
        _user(home),
        _container(home),
        _agent(home, [*_options(home, kept), *words[1:]], maps),
        _started_at(home),
    )


def _read(path: Path) -> str:
    try:
        return path.read_text(errors="replace")
    except OSError:
        return ""


def _kept_data(home: Path) -> dict[str, str]:
    """What the VM keeps about itself, under its own number where it is in a container."""
    pid = own_number(home)
    with contextlib.suppress(OSError):
        for directory in (home / "root/tmp").glob("hsperfdata_*"):
            if found := strings_of(directory / pid):
                return found
    return {}


def _jdk(home: Path, kept: dict[str, str]) -> str | None:
    """The JDK by its `release` file, else by what the VM says."""
    with contextlib.suppress(OSError):
        java = os.readlink(home / "exe")  # noqa: PTH115 - a path in its own root
        release = _read(home / "root" / Path(java).parents[1].as_posix().lstrip("/") / "release")
        if (version := _VERSION.search(release)) is not None:
            return one_line(version[1])
    told = kept.get("java.property.java.version") or kept.get("java.property.java.vm.version")
    return None if told is None else one_line(re.split(r"[+-]", told)[0])


def _user(home: Path) -> str | None:
    with contextlib.suppress(OSError):
        number = home.stat().st_uid
        return user_name(number) or str(number)
    return None


def _started_at(home: Path) -> float | None:
    """The system counts clock ticks since it was booted."""
    booted = re.search(r"^btime (\d+)", _read(_PROC / "stat"), re.MULTILINE)
    # The name of the program is in parentheses, and may have any in it.
    fields = _read(home / "stat").rpartition(")")[2].split()
    if booted is None or len(fields) <= _START_FIELD:
        return None
    return int(booted[1]) + int(fields[_START_FIELD]) / os.sysconf("SC_CLK_TCK")


def _container(home: Path) -> str | None:
    """The id of its container, if the process has another view of processes than we have."""
    with contextlib.suppress(OSError):
        theirs, ours = (os.readlink(each / "ns/pid") for each in (home, _PROC / "self"))  # noqa: PTH115
        if theirs != ours:
            found = _CONTAINER.search(_read(home / "cgroup"))
            return found[1][:12] if found is not None else theirs.strip("pid:[]")
    return None


def _options(home: Path, kept: dict[str, str]) -> list[str]:
    """Options of the VM that are not on its command line: in files (`@FILE`), the environment."""
    environment = dict(
        each.partition("=")[::2] for each in _read(home / "environ").split("\0") if each
    )
    words = kept.get("java.rt.vmArgs", "").split()
    for name in _OPTIONS_OF_ENVIRONMENT:
        words += environment.get(name, "").split()
    return words


def _agent(home: Path, words: Sequence[str], maps: str) -> DebugAgent | None:
    agent = stated_agent(words)
    if agent is None:
        if _OURS.search(maps) is not None:
            return _late_agent(home)
        return DebugAgent("stock") if _STOCK in maps else None
    return listening_agent(agent, _listening(home), _unix_paths(home))


def _late_agent(home: Path) -> DebugAgent:
    """Ours, which no option of the VM names: it was loaded into it."""
    own = own_number(home)
    for path in _unix_paths(home):  # of all processes of its network
        found = LATE_SOCKET.fullmatch(path)
        if found is not None and found[1] == own:
            seen = seen_from_here(home, path)
            return DebugAgent("jvmdebug", f"{UNIX_PREFIX}{seen}", is_listening=True, is_late=True)
    return DebugAgent("jvmdebug", is_late=True)


def _listening(home: Path) -> list[ListeningSocket]:
    """The TCP sockets of the process that listen; all of its network if its files are not ours."""
    every = [each for each in tcp_sockets(home.name) if each.is_listening]
    own = _descriptors(home)
    if own is None:
        return [ListeningSocket(*each.local_address) for each in every]
    return [
        ListeningSocket(*each.local_address, own[each.inode]) for each in every if each.inode in own
    ]


def _descriptors(home: Path) -> dict[int, int] | None:
    """The open sockets of a process, by inode; None if its files are not ours to see."""
    found: dict[int, int] = {}
    try:
        for each in (home / "fd").iterdir():
            with contextlib.suppress(OSError):
                link = re.fullmatch(r"socket:\[(\d+)\]", os.readlink(each))  # noqa: PTH115
                if link is not None:
                    found[int(link[1])] = int(each.name)
    except OSError:
        return None
    return found


def _unix_paths(home: Path) -> frozenset[str]:
    """The UNIX-domain sockets that something listens on, by path."""
    found = set()
    for line in _read(home / "net/unix").splitlines()[1:]:
        words = line.split(maxsplit=7)
        if len(words) == 8 and int(words[3], 16) & _IS_LISTENING_UNIX:
            found.add(words[7])
    return frozenset(found)
