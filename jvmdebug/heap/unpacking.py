# SPDX-License-Identifier: Apache-2.0
"""Heap dumps that the JVM has compressed: `jcmd PID GC.heap_dump -gz=1`, -XX:HeapDumpGzipLevel.

The reader maps a dump into memory and jumps in it, so a compressed one is unpacked into a temporary
file first, whatever its name. Called by `heap_file`.
"""

from __future__ import annotations

import contextlib
import gzip
import os
import tempfile
import zlib
from typing import TYPE_CHECKING, Final, NamedTuple

from jvmdebug.heap.errors import HeapError
from jvmdebug.os_errors import reason
from jvmdebug.regular_file import open_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import IO, Any, BinaryIO

_MAGIC: Final = b"\x1f\x8b"
_CHUNK: Final = 1 << 20


class Unpacked(NamedTuple):
    """A dump that was unpacked."""

    name: str
    """Of the temporary file that holds it."""
    is_cut: bool
    """Whether the end of the compressed file is missing, be it only its checksum."""


def is_packed(name: str) -> bool:
    """Whether it is a file that is compressed as gzip does it."""
    try:
        with open_file(name) as file:
            return file.read(len(_MAGIC)) == _MAGIC
    except (OSError, ValueError):
        return False  # the reader says what is wrong with it


@contextlib.contextmanager
def unpacked(name: str, progress: Callable[[float], Any] | None) -> Iterator[Unpacked]:
    """The dump in a temporary file, which is removed afterwards.

    Of a dump whose end is missing it has what could be unpacked. `progress` is told the part that
    is unpacked, 0 to 1; what it raises ends the work. Raises HeapError if the content is damaged,
    or if there is no room for it.
    """
    with contextlib.ExitStack() as stack:
        try:
            made = tempfile.NamedTemporaryFile(prefix="jvmdebug-", suffix=".hprof")  # noqa: SIM115
            file = stack.enter_context(made)
            with open_file(name) as packed:
                is_cut = _unpack(packed, file, progress or (lambda _: None))
            file.flush()
        except (gzip.BadGzipFile, zlib.error) as error:
            raise HeapError(f"{name} is compressed, and damaged: {error}") from None
        except OSError as error:
            raise HeapError(
                f"{name} is compressed, and cannot be unpacked into {tempfile.tempdir}:"
                f" {reason(error)}; TMPDIR names another folder"
            ) from None
        yield Unpacked(file.name, is_cut)


def _unpack(packed: BinaryIO, file: IO[bytes], progress: Callable[[float], Any]) -> bool:
    """Whether the end of `packed` is missing."""
    size = os.fstat(packed.fileno()).st_size
    try:
        with gzip.GzipFile(fileobj=packed) as content:
            while chunk := content.read1(_CHUNK):  # read() gives nothing of a chunk that is cut
                file.write(chunk)
                progress(packed.tell() / size)
    except EOFError:
        return True
    return False
