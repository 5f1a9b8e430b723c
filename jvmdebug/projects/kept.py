# SPDX-License-Identifier: Apache-2.0
"""What is kept of a project from start to start: the build tool's answer, choices, compiled state.

Owns the files of each project in the cache folder, and when an answer is out of date: when the
content of a build file changed, or an entry of a class path is gone.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from typing import TYPE_CHECKING, Any, Final

from jvmdebug.cache import cache_folder, write_whole
from jvmdebug.projects.errors import ProjectError
from jvmdebug.projects.layout import Layout
from jvmdebug.regular_file import read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

_FORMAT: Final = 2
"""Raised when what is kept changes its meaning."""
_ABSENT: Final = "absent"


class Kept:
    """The files of one project."""

    def __init__(self, root: Path, kind: str) -> None:
        digest = hashlib.sha256(os.fsencode(root)).hexdigest()[:16]
        self._folder = cache_folder() / "projects" / f"{root.stem}-{kind}-{digest}"

    def layout(self, environment: str) -> Layout | None:
        """The kept answer if it still holds. `environment` is what else it depends on."""
        kept = self.read("layout")
        if kept is None or kept.get("environment") != environment:
            return None
        try:
            layout = Layout.from_json(kept["layout"])
            before: dict[str, list[Any]] = kept["files"]
        except (KeyError, ProjectError):
            return None
        now = _fingerprints(layout.build_files, before)
        if {name: each[0] for name, each in now.items()} != {
            name: each[0] for name, each in before.items()
        }:
            return None
        if any(_is_missing(entry, layout) for each in layout.sets for entry in each.class_path):
            return None
        if now != before:  # touched, with the same content: spare the next start reading them
            self.write("layout", {**kept, "files": now})
        return layout

    def keep_layout(self, layout: Layout, environment: str) -> None:
        """Keep an answer of the build tool."""
        files = _fingerprints(layout.build_files, {})
        self.write(
            "layout", {"environment": environment, "layout": layout.to_json(), "files": files}
        )

    def read(self, name: str) -> dict[str, Any] | None:
        """Values kept under that name; None if there are none that can be read."""
        try:
            value = json.loads((self._folder / f"{name}.json").read_bytes())
        except (OSError, ValueError):
            return None
        if not isinstance(value, dict) or value.get("format") != _FORMAT:
            return None
        return value

    def write(self, name: str, values: dict[str, Any]) -> None:
        """Keep values. A full disk or a read-only home is no reason not to debug."""
        text = json.dumps({"format": _FORMAT, **values})
        with contextlib.suppress(OSError):
            write_whole(self._folder / f"{name}.json", text.encode())


def _is_missing(entry: Path, layout: Layout) -> bool:
    """A jar that is gone; folders of classes are made by compiling."""
    del layout
    return entry.suffix == ".jar" and not entry.exists()


def _fingerprints(files: Iterable[Path], before: dict[str, list[Any]]) -> dict[str, list[Any]]:
    """The digest of each file's content, and what spares reading it again: time and size."""
    found: dict[str, list[Any]] = {}
    for file in files:
        name = str(file)
        try:
            status = file.stat()
            stamp = [status.st_mtime_ns, status.st_size]
            old = before.get(name)
            if old is not None and old[1:] == stamp:
                found[name] = old
                continue
            found[name] = [hashlib.sha256(read_bytes(file)).hexdigest(), *stamp]
        except OSError:
            found[name] = [_ABSENT, 0, 0]
    return found
