# SPDX-License-Identifier: Apache-2.0
"""Lines, columns and paths as the client counts and writes them, and as the VM does.

The client says at `initialize` whether it counts from 0 or 1 and whether it sends paths or URIs.
VM lines count from 1. Only this module adds or subtracts one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import NewType
from urllib.parse import quote, unquote, urlsplit

from jvmdebug_dap.errors import ErrorId, RequestError
from jvmdebug_dap.named_paths import NamedPaths

ClientLine = NewType("ClientLine", int)
ClientColumn = NewType("ClientColumn", int)
VmLine = NewType("VmLine", int)


@dataclass(frozen=True, slots=True)
class Positions:
    """How the client counts lines and columns and names files."""

    lines_start_at: int = 1
    columns_start_at: int = 1
    uses_uris: bool = False
    named: NamedPaths = field(default_factory=NamedPaths, compare=False)
    """The paths that the client has named."""

    def to_vm_line(self, line: int) -> VmLine:
        return VmLine(line + 1 - self.lines_start_at)

    def to_client_line(self, line: int | None) -> ClientLine:
        """An unknown line is 0 in the protocol, also for clients that count from 1."""
        return ClientLine(0) if line is None else ClientLine(line - 1 + self.lines_start_at)

    def to_vm_column(self, column: int) -> int:
        return max(column + 1 - self.columns_start_at, 1)

    def from_vm_column(self, column: int) -> ClientColumn:
        return ClientColumn(column - 1 + self.columns_start_at)

    def to_offset(self, text: str, line: int | None, column: int) -> int:
        """The character offset of a position in `text`, which may have several lines.

        The client counts UTF-16 code units. A position outside of the text is its end.
        """
        lines = text.split("\n")
        number = 0 if line is None else line - self.lines_start_at
        if not 0 <= number < len(lines):
            return len(text)
        units = lines[number].encode("utf-16-le", "surrogatepass")
        begin = units[: 2 * max(column - self.columns_start_at, 0)]
        before = sum(len(each) + 1 for each in lines[:number])
        return before + len(begin.decode("utf-16-le", "replace"))

    def to_client_column(self, text: str, offset: int) -> ClientColumn:
        """The column of a character offset in its line of `text`."""
        line = text[:offset].rpartition("\n")[2]
        units = len(line.encode("utf-16-le", "surrogatepass")) // 2
        return ClientColumn(units + self.columns_start_at)

    @property
    def first_column(self) -> ClientColumn:
        return ClientColumn(self.columns_start_at)

    def to_path(self, name: str) -> Path:
        """The file that the client named. Raises RequestError if it is not a local file."""
        if not name:  # Path would take it for the current directory
            raise RequestError(ErrorId.ILL_FORMED, "an empty path names no file")
        path = self._file(name)
        self.named.remember(path)
        return path

    def to_client_path(self, path: Path) -> str:
        named = self.named.of(path)
        return "file://" + quote(str(named)) if self.uses_uris else str(named)

    @staticmethod
    def _file(name: str) -> Path:
        if not name.startswith("file:") and "://" not in name:
            return Path(name)
        parts = urlsplit(name)
        if parts.scheme != "file" or parts.netloc not in ("", "localhost"):
            raise RequestError(ErrorId.NOT_POSSIBLE, f"`{name}` is not a file on this machine")
        return Path(unquote(parts.path))
