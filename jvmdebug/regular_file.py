# SPDX-License-Identifier: Apache-2.0
"""Reading a file whose name a client, a setting or another file gives: whatever it is, it ends.

A name may lead to a device without an end (`/dev/zero`), to a pipe that nobody writes to, or to
more than fits into memory. Only regular files are read, and only up to the size that a file of its
kind can have; the rest is an `UnsuitableFileError`, an OSError that says why. A house test checks
that such files are read with these functions. Call them from a thread where a slow disk matters.
"""

from __future__ import annotations

import contextlib
import io
import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING, Final

from jvmdebug.platform.files import flags

if TYPE_CHECKING:
    from collections.abc import Iterator
    from os import PathLike
    from typing import BinaryIO
    from zipfile import ZipFile

MOST_BYTES: Final = 64 << 20
"""Of a class file, and of everything that has no limit of its own."""
MOST_SOURCE_BYTES: Final = 16 << 20
MOST_SETTINGS_BYTES: Final = 4 << 20
MOST_ARCHIVE_BYTES: Final = 8 << 30
"""An archive is not read as a whole."""
_KINDS: Final = (
    (stat.S_ISDIR, "a directory"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
)


class UnsuitableFileError(OSError):
    """The file is no regular one, or larger than what is read of its kind."""


def read_bytes(path: str | PathLike[str], limit: int = MOST_BYTES) -> bytes:
    """All of a regular file. Raises OSError; for a name that no file can have, ValueError."""
    with open_file(path, limit) as file:
        content = file.read(limit + 1)  # it may have grown
    if len(content) > limit:
        raise _too_large(limit)
    return content


def read_head(path: str | PathLike[str], size: int) -> bytes:
    """The first bytes of a regular file, however large it is. Raises as `read_bytes`."""
    with open_file(path, None) as file:
        return file.read(size)


def read_text(
    path: str | PathLike[str],
    encoding: str = "utf-8",
    errors: str = "strict",
    limit: int = MOST_SOURCE_BYTES,
) -> str:
    r"""The text of a regular file, line ends as `\n`. Raises as `read_bytes`, and UnicodeError."""
    text = read_bytes(path, limit).decode(encoding, errors)
    return text.replace("\r\n", "\n").replace("\r", "\n")


def open_file(path: str | PathLike[str], limit: int | None = None) -> BinaryIO:
    """A regular file of at most that size, to read. Nothing is read of one that says that it is
    empty. Raises as `read_bytes`.
    """
    _check(Path(path).stat(), limit)  # to open some devices does something already
    descriptor = os.open(path, flags("O_RDONLY", "O_NONBLOCK", "O_NOCTTY", "O_CLOEXEC"))
    try:
        found = os.fstat(descriptor)
        _check(found, limit)  # it may be another one by now
        if found.st_size > 0:
            return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise
    # The kernel's own files say so too, and a read of them may wait for ever (its log).
    os.close(descriptor)
    return io.BytesIO()


@contextlib.contextmanager
def open_archive(path: str | PathLike[str]) -> Iterator[ZipFile]:
    """A zip archive to read. Raises as `read_bytes`, and zipfile.BadZipFile."""
    import zipfile  # noqa: PLC0415 - slow to import

    with open_file(path, MOST_ARCHIVE_BYTES) as file, zipfile.ZipFile(file) as archive:
        yield archive


def read_entry(archive: ZipFile, name: str, limit: int = MOST_BYTES) -> bytes:
    """All of an entry, which may unpack to much more than it takes. Raises OSError, KeyError,
    zipfile.BadZipFile.
    """
    if archive.getinfo(name).file_size > limit:
        raise _too_large(limit)
    return archive.read(name)


def _check(found: os.stat_result, limit: int | None) -> None:
    if not stat.S_ISREG(found.st_mode):
        kind = next((text for is_kind, text in _KINDS if is_kind(found.st_mode)), "something else")
        raise UnsuitableFileError(f"it is {kind}, not a regular file")
    if limit is not None and found.st_size > limit:
        raise _too_large(limit)


def _too_large(limit: int) -> UnsuitableFileError:
    return UnsuitableFileError(f"it has more than {_size(limit)}, the most that is read of it")


def _size(count: int) -> str:
    if count < 1 << 20:
        return f"{count} bytes"
    return f"{count >> 30} GB" if count >= 1 << 30 else f"{count >> 20} MB"
