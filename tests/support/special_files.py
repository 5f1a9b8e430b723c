# SPDX-License-Identifier: Apache-2.0
"""What a name may lead to and no debugger should read: devices, pipes, huge files, links that lead
nowhere or in a circle.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

KINDS: Final = ("missing", "huge", "endless", "pipe", "directory", "dangling", "circle", "linked")
"""The names of `special_file`."""
_HUGE: Final = 1 << 40


def special_file(folder: Path, kind: str, name: str = "Special.java") -> Path:
    """One of `KINDS`, called `name` below `folder`."""
    path = folder / kind / name
    path.parent.mkdir(parents=True, exist_ok=True)
    match kind:
        case "huge":
            with path.open("wb") as file:
                file.truncate(_HUGE)  # a hole: it takes no room
        case "endless":
            return Path("/dev/zero")
        case "pipe":
            os.mkfifo(path)  # nobody writes to it
        case "directory":
            path.mkdir()
        case "dangling":
            path.symlink_to(folder / "nothing")
        case "circle":
            path.symlink_to(path)
        case "linked":
            path.symlink_to("/dev/zero")
    return path
