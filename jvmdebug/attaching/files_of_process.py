# SPDX-License-Identifier: Apache-2.0
"""Paths of another process, which may be in a container, as paths from here.

Also the names of the files that an agent in it uses. Pure but for /proc. Called by the others here.
"""

from __future__ import annotations

import contextlib
import os
import re
from pathlib import Path
from typing import Final

LATE_SOCKET: Final = re.compile(r"/tmp/\.jvmdebug-(\d+)-[0-9a-f]+\.sock")  # noqa: S108
"""Where an agent that was loaded late listens, with the number that its process has for itself."""


def remove_left_sockets(directory: Path) -> None:
    """Removes sockets of this user's processes that were killed: their agents could not."""
    for path in directory.glob(".jvmdebug-*.sock"):
        found = LATE_SOCKET.fullmatch(f"/tmp/{path.name}")  # noqa: S108
        if found is None or (Path("/proc") / found[1]).exists():
            continue
        with contextlib.suppress(OSError):  # of another user; another debugger was faster
            if path.is_socket() and path.lstat().st_uid == os.geteuid():
                path.unlink()


def root_of(home: Path) -> Path:
    """The root directory of the process `home` (in /proc), as a path from here."""
    try:
        theirs, ours = (os.readlink(each / "ns/mnt") for each in (home, Path("/proc/self")))  # noqa: PTH115
        is_ours = theirs == ours and (home / "root").samefile("/")
    except OSError:
        return Path("/")  # of another user: then opening the file fails, and says so
    return Path("/") if is_ours else home / "root"


def own_number(home: Path) -> str:
    """The number that the process has for itself: another one in a container."""
    try:
        status = (home / "status").read_text()
    except OSError:
        return home.name
    numbers = re.search(r"^NSpid:\s*(.*)$", status, re.MULTILINE)
    return home.name if numbers is None else numbers[1].split()[-1]


def seen_from_here(home: Path, path: str) -> Path:
    """A path of that process as one of ours."""
    return root_of(home) / path.lstrip("/")


def seen_path(pid: int, path: str) -> Path:
    """The same by the number of the process."""
    return seen_from_here(Path("/proc") / str(pid), path)
