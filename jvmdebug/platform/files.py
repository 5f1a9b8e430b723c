# SPDX-License-Identifier: Apache-2.0
"""Opening files: flags that not every system has, and whether permissions say who may read one."""

from __future__ import annotations

import os

from jvmdebug.platform import system


def flags(*names: str) -> int:
    """The flags of `os.open` with these names; one that a system lacks is left out there. On
    Windows the bytes are read and written as they are, and other programs do not inherit the file.
    """
    value = 0
    for name in (*names, "O_BINARY", "O_NOINHERIT"):
        value |= int(getattr(os, name, 0))
    return value


def has_permissions() -> bool:
    """Whether the mode of a file says who may read it. On Windows access control lists do, and the
    files of a user's own folders are that user's.
    """
    return not system.is_windows()
