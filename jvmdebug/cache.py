# SPDX-License-Identifier: Apache-2.0
"""The folders of this user, among them that for what can be made again: answers of build tools,
compiled classes.

Called by those who own what is in them: `projects` and `javac`, certificates, shared sessions.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def cache_folder() -> Path:
    """The place where jvmdebug keeps what it can make again: `$XDG_CACHE_HOME/jvmdebug`."""
    return user_folder("XDG_CACHE_HOME", ".cache")


def user_folder(variable: str, usual: str) -> Path:
    """The folder `jvmdebug` in the one that an absolute path in the environment names, else in the
    `usual` one below the user's home. It need not be there.
    """
    base = os.environ.get(variable)
    named = base is not None and Path(base).is_absolute()
    return (Path(base) if base and named else Path.home() / usual) / "jvmdebug"


def write_whole(file: Path, content: bytes) -> None:
    """Replace a file at once, so that another process never reads half of it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(prefix=f".{file.name}-", dir=file.parent)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(content)
        Path(name).replace(file)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
