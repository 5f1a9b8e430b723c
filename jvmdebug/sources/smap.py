# SPDX-License-Identifier: Apache-2.0
"""JSR-45 source maps (the SourceDebugExtension attribute): lines of the class file to lines of the
sources that it was translated from, per stratum (`JSP`, `Kotlin`, …).

Pure text. A malformed map raises ValueError; the caller then goes on with the class file's own
lines. Source: JSR-45 1.0, "SMAP syntax".
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_LINE_INFO: Final = re.compile(r"(\d+)(?:#(\d+))?(?:,(\d+))?:(\d+)(?:,(\d+))?$")
JAVA: Final = "Java"


@dataclass(frozen=True, slots=True)
class SourceEntry:
    """A translated source: its bare name and, when known, its path (relative to a source path)."""

    name: str
    path: str | None = None


@dataclass(frozen=True, slots=True)
class _LineRange:
    """`count` source lines from `first`, each spread over `step` output lines from `output`."""

    file_id: int
    first: int
    count: int
    output: int
    step: int


@dataclass(frozen=True, slots=True)
class Stratum:
    """One translation: output lines (of the class file) to lines of its source files."""

    name: str
    files: dict[int, SourceEntry]
    ranges: tuple[_LineRange, ...]

    def source_line(self, output_line: int) -> tuple[SourceEntry, int] | None:
        """The line that an output line came from; None for one that the translator added."""
        for each in self.ranges:
            offset = output_line - each.output
            # A step of 0 means that all source lines have the same output line.
            if each.step == 0:
                if offset == 0 and each.file_id in self.files:
                    return self.files[each.file_id], each.first
            elif 0 <= offset < each.count * each.step and each.file_id in self.files:
                return self.files[each.file_id], each.first + offset // each.step
        return None


@dataclass(frozen=True, slots=True)
class SourceMap:
    """`strata` by name; `default` is the one to show."""

    output_file: str
    default: str
    strata: dict[str, Stratum]

    @classmethod
    def parse(cls, text: str) -> SourceMap:
        """Read a SourceDebugExtension; ValueError when it is no (or a broken) source map."""
        return _Parser(text).parse()

    def stratum(self, name: str | None = None) -> Stratum | None:
        """The stratum of that name, or the default one. None stands for the class file's own lines
        (stratum `Java`, or one that the map does not have).
        """
        return self.strata.get(self.default if name is None else name)


class _Parser:
    def __init__(self, text: str) -> None:
        self._lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        self._at = 0

    def _next(self) -> str:
        if self._at >= len(self._lines):
            raise ValueError("the source map ends before its *E")
        line = self._lines[self._at]
        self._at += 1
        return line

    def _peek_is_section(self) -> bool:
        return self._at >= len(self._lines) or self._lines[self._at].startswith("*")

    def parse(self) -> SourceMap:
        if self._next().strip() != "SMAP":
            raise ValueError("not a source map: it does not start with SMAP")
        output_file, default = self._next().strip(), self._next().strip()
        strata: dict[str, Stratum] = {}
        section = self._next().strip()
        while section[:2] != "*E":
            if section[:2] == "*S":
                stratum, section = self._stratum(section[2:].strip())
                strata[stratum.name] = stratum
            else:
                self._skip(section)
                section = self._next().strip()
        return SourceMap(output_file, default, strata)

    def _stratum(self, name: str) -> tuple[Stratum, str]:
        """The sections of one stratum, and the line that begins what follows it."""
        files: dict[int, SourceEntry] = {}
        ranges: tuple[_LineRange, ...] = ()
        section = self._next().strip()
        while section[:2] not in ("*S", "*E"):
            if section[:2] == "*F":
                files = self._file_section()
            elif section[:2] == "*L":
                ranges = self._line_section()
            else:
                self._skip(section)
            section = self._next().strip()
        return Stratum(name, files, ranges), section

    def _skip(self, section: str) -> None:
        """What is not of this stratum, of a vendor (*V), or of a later version: to be ignored."""
        if section.startswith("*O"):
            self._skip_embedded(section[2:].strip())
        elif section.startswith("*"):
            while not self._peek_is_section():
                self._next()
        elif section:
            raise ValueError(f"the source map has {section!r} outside of a section")

    def _file_section(self) -> dict[int, SourceEntry]:
        files: dict[int, SourceEntry] = {}
        while not self._peek_is_section():
            line = self._next().strip()
            if not line:
                continue
            has_path = line.startswith("+")
            number, _, name = line.removeprefix("+").strip().partition(" ")
            if not number.isdigit() or not name:
                raise ValueError(f"the source map has the file entry {line!r}")
            path = self._next().strip() if has_path else None
            files[int(number)] = SourceEntry(name.strip(), path)
        return files

    def _line_section(self) -> tuple[_LineRange, ...]:
        ranges: list[_LineRange] = []
        file_id = 0
        while not self._peek_is_section():
            line = self._next().strip()
            if not line:
                continue
            found = _LINE_INFO.match(line)
            if found is None:
                raise ValueError(f"the source map has the line entry {line!r}")
            first, own_file, count, output, step = found.groups()
            file_id = int(own_file) if own_file is not None else file_id
            ranges.append(
                _LineRange(file_id, int(first), int(count or 1), int(output), int(step or 1))
            )
        return tuple(ranges)

    def _skip_embedded(self, stratum: str) -> None:
        """A map of a map, unresolved: javac's class files never need it; skip to its *C."""
        while self._next().strip() != f"*C {stratum}":
            pass
