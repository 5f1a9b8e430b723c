# SPDX-License-Identifier: Apache-2.0
"""The class files of a single source file, kept from start to start: an unchanged program is not
compiled again.

Owns a folder in the user's cache for each file and way to compile it, and when it is out of date:
when the file, another source that went into it, or the class path has changed. A program runs from
a copy, which the next compilation cannot change under it. Called by `single_file`.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import shutil
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

from jvmdebug.cache import cache_folder, write_whole

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from jvmdebug.javac import Answer, FilesToCompile
    from jvmdebug.jdk import Jdk

_LIST: Final = "kept.json"


class KeptClasses:
    """The class files that are kept for one request."""

    def __init__(self, jdk: Jdk, request: FilesToCompile) -> None:
        asked = [jdk.home, *request.files, *request.source_path, *request.options]
        # The output is a new folder each time.
        asked += [each for each in request.class_path if each != request.output]
        digest = hashlib.sha256("\0".join(map(str, asked)).encode("utf-8", "surrogateescape"))
        (file,) = request.files
        self._folder = cache_folder() / "files" / f"{file.stem}-{digest.hexdigest()[:16]}"
        self._output = request.output
        self._class_path = [each for each in request.class_path if each != request.output]
        self._begun = time.time_ns()

    def copied(self) -> bool:
        """Copy them to the output; False if there are none, or they are out of date."""
        if self._has_directories():
            return False
        try:
            kept = json.loads((self._folder / _LIST).read_bytes())
            if kept["inputs"] != _stamps(map(Path, kept["inputs"])) or any(
                str(each) not in kept["inputs"] for each in self._class_path
            ):
                return False
            _copy(self._folder, self._output, kept["classes"])
        except (OSError, ValueError, KeyError, TypeError):
            return False
        return True

    def keep(self, answer: Answer) -> None:
        """Keep what was compiled. A full disk or a read-only home is no reason not to debug."""
        sources = {each for each in answer.class_files.values() if each is not None}
        classes = [str(each.relative_to(self._output)) for each in answer.class_files]
        inputs = _stamps([*sources, *self._class_path])
        if self._has_directories() or any(changed >= self._begun for changed, _ in inputs.values()):
            return  # edited while it was compiled
        with contextlib.suppress(OSError):
            (self._folder / _LIST).unlink(missing_ok=True)
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder.mkdir(parents=True)
            _copy(self._output, self._folder, classes)
            # Last: it says that the folder is complete.
            content = json.dumps({"inputs": inputs, "classes": classes}).encode()
            write_whole(self._folder / _LIST, content)

    def _has_directories(self) -> bool:
        """Whether the class path has directories: no cheap check tells whether a class in one has
        changed.
        """
        return any(each.is_dir() for each in self._class_path)


def _stamps(files: Iterable[Path]) -> dict[str, list[int]]:
    found = {}
    for file in files:
        try:
            status = file.stat()
        except OSError:
            found[str(file)] = [0, 0]
            continue
        found[str(file)] = [status.st_mtime_ns, status.st_size]
    return found


def _copy(source: Path, target: Path, classes: Sequence[str]) -> None:
    for each in classes:
        (target / each).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source / each, target / each)
