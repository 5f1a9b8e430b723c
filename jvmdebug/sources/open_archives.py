# SPDX-License-Identifier: Apache-2.0
"""Keeps the archives open that were read last.

zipfile reads the whole directory of an archive when it opens one: a millisecond for 400 entries,
and a stop shows some twenty files of the same few sources jars. Called by `finder`.
"""

from __future__ import annotations

import contextlib
import threading
import weakref
from typing import TYPE_CHECKING, Final, TypeAlias

from jvmdebug.regular_file import MOST_SOURCE_BYTES, open_archive, read_entry

if TYPE_CHECKING:
    from pathlib import Path
    from zipfile import ZipFile

_Key: TypeAlias = "tuple[Path, int, int]"
_Opened: TypeAlias = "dict[_Key, tuple[ZipFile, contextlib.ExitStack]]"

_MOST: Final = 4


class OpenArchives:
    """Reads entries of archives; those that were read last stay open, as long as this lives."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._opened: _Opened = {}
        """The one that was read last is at the end."""
        weakref.finalize(self, _close_all_but, self._opened, 0)

    def read(self, path: Path, entry: str) -> bytes:
        """The content of an entry. Raises as `open_archive` and `read_entry`."""
        status = path.stat()
        key = path, status.st_mtime_ns, status.st_size  # it may have been replaced
        with self._lock:
            if (found := self._opened.pop(key, None)) is None:
                with contextlib.ExitStack() as stack:
                    found = stack.enter_context(open_archive(path)), stack.pop_all()
            self._opened[key] = found
            _close_all_but(self._opened, _MOST)
            return read_entry(found[0], entry, MOST_SOURCE_BYTES)


def _close_all_but(opened: _Opened, most: int) -> None:
    while len(opened) > most:
        _, stack = opened.pop(next(iter(opened)))
        stack.close()
