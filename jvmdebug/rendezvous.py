# SPDX-License-Identifier: Apache-2.0
"""The places where sessions of this user can be joined: UNIX sockets in a folder of the user.

Owns the folder (mode 0700), the names of the sockets (`PID.NAME`, mode 0600), and that the sockets
of processes that are gone are removed. What is said over a socket is `jvmdebug.joining`'s.
"""

from __future__ import annotations

import contextlib
import os
import re
import socket
import stat
import tempfile
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from jvmdebug.cache import cache_folder
from jvmdebug.errors import LaunchError
from jvmdebug.os_errors import reason
from jvmdebug.platform.system import has_unix_sockets, user_id

if TYPE_CHECKING:
    from collections.abc import Iterator

_LONGEST_PATH: Final = 100
"""Bytes of a path that a UNIX socket may have, on all systems."""
_LONGEST_NAME: Final = 40
_CONNECT_S: Final = 2.0
_UNFIT: Final = re.compile(r"[^A-Za-z0-9_.$-]+")


@dataclass(frozen=True, slots=True)
class Place:
    """The socket of one session."""

    name: str
    pid: int
    """Of the owner's process."""
    path: Path


def folder() -> Path:
    """The folder of the sockets, made with mode 0700. LaunchError if it cannot be, or is another
    user's.
    """
    if not has_unix_sockets():
        raise LaunchError("sessions cannot be shared: this system has no UNIX-domain sockets")
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    base = Path(runtime) / "jvmdebug" if runtime else cache_folder()
    found = base / "sessions"
    if len(os.fsencode(found)) + _LONGEST_NAME + 10 > _LONGEST_PATH:
        number = zlib.crc32(os.fsencode(found))
        found = Path(tempfile.gettempdir()) / f"jvmdebug-{user_id()}-{number:x}"
    try:
        found.mkdir(mode=0o700, parents=True, exist_ok=True)
        state = found.lstat()
        if not stat.S_ISDIR(state.st_mode) or state.st_uid != user_id():
            raise LaunchError(f"sessions cannot be shared: {found} is not a folder of this user")
        if stat.S_IMODE(state.st_mode) != 0o700:
            found.chmod(0o700)
    except OSError as error:
        raise LaunchError(f"sessions cannot be shared: {found}: {reason(error)}") from error
    return found


def fitting_name(program: str) -> str:
    """A name for a session of that program, short and fit for a file: `shop.Main`, `app.jar`."""
    last = program.rstrip("/").rpartition("/")[2]
    return _UNFIT.sub("-", last).strip("-.")[-_LONGEST_NAME:].strip("-.") or "session"


@contextlib.contextmanager
def listening(wanted: str) -> Iterator[tuple[socket.socket, Place]]:
    """A socket that listens for those who join, under the name `wanted` or, if another session has
    that, `wanted-2` and so on. LaunchError if it cannot listen.
    """
    pid = os.getpid()
    at = folder()
    taken = {each.name for each in places()}
    name, number = wanted, 1
    while name in taken:
        number += 1
        name = f"{wanted}-{number}"
    place = Place(name, pid, at / f"{pid}.{name}")
    listener = socket.socket(socket.AF_UNIX)
    new = at / f".{pid}.{os.urandom(4).hex()}"
    try:
        # It gets its name once it listens: before that, others would take it for one that is left.
        listener.bind(str(new))
        new.chmod(0o600)
        listener.listen()
        new.rename(place.path)
    except OSError as error:
        listener.close()
        raise LaunchError(f"the session cannot be shared: {reason(error)}") from error
    try:
        yield listener, place
    finally:
        listener.close()
        with contextlib.suppress(OSError):
            place.path.unlink()


def places() -> list[Place]:
    """The sessions of this user that can be joined, by name; sockets of the dead are removed."""
    found = []
    for path in folder().iterdir():
        number, _, name = path.name.partition(".")
        if not number.isdecimal() or not name:
            continue
        place = Place(name, int(number), path)
        if place.pid == os.getpid() or _listens(path):
            found.append(place)
        else:
            with contextlib.suppress(OSError):
                path.unlink()
    return sorted(found, key=lambda each: (each.name, each.pid))


def name_of_process(pid: int) -> str | None:
    """The name of a session that the process shares; None without one, and for this process."""
    if pid == os.getpid() or not has_unix_sockets():
        return None
    with contextlib.suppress(LaunchError, OSError):
        return next((each.name for each in places() if each.pid == pid), None)
    return None


def connected(place: Place) -> socket.socket:
    """A connection to a session. OSError."""
    made = socket.socket(socket.AF_UNIX)
    try:
        made.settimeout(_CONNECT_S)
        made.connect(str(place.path))
        made.settimeout(None)
    except OSError:
        made.close()
        raise
    return made


def _listens(path: Path) -> bool:
    probe = socket.socket(socket.AF_UNIX)
    try:
        probe.settimeout(_CONNECT_S)
        probe.connect(str(path))
    except (ConnectionRefusedError, FileNotFoundError):
        return False
    except OSError:
        return True  # it is there, and busy
    else:
        return True
    finally:
        probe.close()
