# SPDX-License-Identifier: Apache-2.0
"""The folder of this user for what can be made again: answers of build tools, compiled classes.

Called by `projects` and `javac`, which own what is in it.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def cache_folder() -> Path:
    """The place where jvmdebug keeps what it can make again: `$XDG_CACHE_HOME/jvmdebug`."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (
        Path(base) if base and Path(base).is_absolute() else Path.home() / ".cache"
    ) / "jvmdebug"


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
