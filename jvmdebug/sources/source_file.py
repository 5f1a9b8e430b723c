# SPDX-License-Identifier: Apache-2.0
"""One source file: on disk or inside of an archive."""

from __future__ import annotations

import codecs
import zipfile
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmdebug.errors import SourceError
from jvmdebug.os_errors import reason
from jvmdebug.regular_file import MOST_SOURCE_BYTES, open_archive, read_bytes, read_entry

if TYPE_CHECKING:
    from pathlib import Path

    from jvmdebug.sources.open_archives import OpenArchives

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


@dataclass(frozen=True, slots=True)
class SourceFile:
    """`path` is the file on disk, or the archive when `entry` names what is inside of it."""

    path: Path
    entry: str | None = None
    encoding: str = "utf-8"

    @property
    def name(self) -> str:
        """The bare file name, `Cart.java`."""
        return self.path.name if self.entry is None else self.entry.rpartition("/")[2]

    @property
    def is_on_disk(self) -> bool:
        """Whether an editor can open `path` itself."""
        return self.entry is None

    def __str__(self) -> str:
        """`/home/me/src/shop/Cart.java` or `/opt/lib/shop-sources.jar!/shop/Cart.java`."""
        return str(self.path) if self.entry is None else f"{self.path}!/{self.entry}"

    def as_text(self, archives: OpenArchives | None = None) -> str:
        r"""The whole text, line ends as `\n`. What does not fit the encoding shows as U+FFFD.

        Reads the disk; SourceError when it cannot be read (any more), or when no file can have that
        name (ValueError: it has a NUL). `archives`: those that are open already.
        """
        try:
            content = self._content(archives)
        except (OSError, KeyError, ValueError, zipfile.BadZipFile) as error:
            raise SourceError(f"cannot read the source {self}: {reason(error)}") from error
        encoding = next((each for mark, each in _MARKS if content.startswith(mark)), self.encoding)
        try:
            text = content.decode(encoding, "replace")
        except LookupError as error:
            raise SourceError(
                f"cannot read the source {self}: there is no encoding {encoding!r}"
            ) from error
        return text.replace("\r\n", "\n").replace("\r", "\n")

    def _content(self, archives: OpenArchives | None) -> bytes:
        if self.entry is None:
            return read_bytes(self.path, MOST_SOURCE_BYTES)
        if archives is not None:
            return archives.read(self.path, self.entry)
        with open_archive(self.path) as archive:
            return read_entry(archive, self.entry, MOST_SOURCE_BYTES)
