# SPDX-License-Identifier: Apache-2.0
"""The paths by which the client names files that it reaches through symbolic links.

An editor that has a file open by one path opens it a second time when a frame names another. Build
tools and class files have real paths, so those are translated back.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path


class NamedPaths:
    """Maps real paths to those that the client has named, also of other files in its folders."""

    def __init__(self) -> None:
        self._files: dict[str, str] = {}
        """What the client has named, by real path."""
        self._folders: dict[Path, Path] = {}
        """Links to folders, by what they lead to."""

    def remember(self, path: Path) -> None:
        """Remember that the client names a file or folder so; a relative path tells nothing."""
        if not path.is_absolute():
            return
        with contextlib.suppress(OSError, ValueError):  # it has a NUL; links in a circle
            real = Path(os.path.realpath(path, strict=True))
            self._files[str(real)] = str(path)
            if real == path:  # the client uses no link here
                self._folders = {
                    folder: link
                    for folder, link in self._folders.items()
                    if not real.is_relative_to(folder)
                }
                return
            found = _link_above(path, real)
            if found is not None:
                self._folders[found[1]] = found[0]

    def of(self, path: Path) -> Path:
        """The path that the client uses for the one that a source was found by."""
        named = self._files.get(str(path))
        if named is not None:
            return Path(named)
        for folder in (path, *path.parents):
            if (link := self._folders.get(folder)) is not None:
                return link / path.relative_to(folder)
        return path


def _link_above(path: Path, real: Path) -> tuple[Path, Path] | None:
    """The topmost folder above `path`, or itself, that leads to one above `real`, and that one."""
    pairs = zip((path, *path.parents), (real, *real.parents), strict=False)
    for named, led_to in reversed(list(pairs)):
        if named == led_to or path.relative_to(named) != real.relative_to(led_to):
            continue
        if os.path.realpath(named) == str(led_to):
            return named, led_to
    return None
