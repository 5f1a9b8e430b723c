# SPDX-License-Identifier: Apache-2.0
"""A file that takes its name only once it is worth having.

    made = NewFile(path)
    made.file.write(b"...")
    made.keep()      # now it is at `path`, in place of what was there; more may be written
    made.close()

It is written under another name beside the wanted one, so what was there stays until `keep`, and
`discard` leaves nothing. Where that cannot be done (a device, a pipe, a folder that may not be
written to, an open file on Windows) the file itself is opened, and emptied by `keep`, until when
nothing is written. Its mode is 0600. Raises OSError.
"""

from __future__ import annotations

import contextlib
import io
import os
import secrets
import stat
from pathlib import Path
from typing import BinaryIO, Final

from jvmdebug.platform import system
from jvmdebug.platform.files import flags

_MODE: Final = 0o600


class NewFile:
    """A file to be written, open."""

    def __init__(self, path: Path) -> None:
        self._path = Path(os.path.realpath(path))
        self._other: Path | None = None
        self._was_made = False
        self._is_kept = False
        beside = self._beside()
        self._target = self._itself() if beside is None else beside
        self.file: BinaryIO = io.BytesIO() if beside is None else beside
        """Where to write; after `keep` it may be another object."""
        if not self._is_regular():
            self.keep()

    def keep(self) -> None:
        """Give it its name. May be repeated."""
        if self._is_kept:
            return
        if self._other is not None:
            self._other.replace(self._path)
        else:
            waiting = self.file
            assert isinstance(waiting, io.BytesIO)
            if self._is_regular():
                self._target.truncate(0)
            self.file = self._target
            self.file.write(waiting.getvalue())
        self._is_kept = True

    def close(self) -> None:
        """Keep it, and close it. May be repeated."""
        try:
            if not self._target.closed:
                self.keep()
        finally:
            self._target.close()

    def discard(self) -> None:
        """Close it, and remove what was made; what was kept stays. May be repeated."""
        with contextlib.suppress(OSError):  # what it has not written yet does not matter
            self._target.close()
        if self._is_kept:
            return
        self._is_kept = True
        made = self._other or (self._path if self._was_made else None)
        if made is not None:
            made.unlink(missing_ok=True)

    def _is_regular(self) -> bool:
        return stat.S_ISREG(os.fstat(self._target.fileno()).st_mode)

    def _beside(self) -> BinaryIO | None:
        """Another file in the same folder; None if there can be none."""
        if system.is_windows():
            return None
        with contextlib.suppress(FileNotFoundError):
            if not stat.S_ISREG(self._path.stat().st_mode):
                return None
            if not os.access(self._path, os.W_OK):
                return None  # opening it says why
        other = self._path.with_name(f".jvmdebug-{secrets.token_hex(8)}")
        try:
            handle = os.open(other, flags("O_WRONLY", "O_CREAT", "O_EXCL"), _MODE)
        except PermissionError:
            return None
        self._other = other
        return os.fdopen(handle, "wb")

    def _itself(self) -> BinaryIO:
        try:
            handle = os.open(self._path, flags("O_WRONLY", "O_CREAT", "O_EXCL"), _MODE)
            self._was_made = True
        except FileExistsError:
            handle = os.open(self._path, flags("O_WRONLY"))
            if stat.S_ISREG(os.fstat(handle).st_mode) and hasattr(os, "fchmod"):
                os.fchmod(handle, _MODE)
        return os.fdopen(handle, "wb")
