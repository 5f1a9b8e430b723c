# SPDX-License-Identifier: Apache-2.0
"""Writes the records of log points as lines, and finds the numbers of recorded calls."""

from __future__ import annotations

import importlib
import struct
from typing import TYPE_CHECKING, Any, Final

from jvmdebug.pure.wire import Reader, ShortError, WireError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_NULL, _LONG, _TEXT, _END, _OTHER, _BOX, _ENUM, _ARRAY = range(8)
_OTHER_VALUES: Final = "a record of a log point has other values than its message"
_CUT: Final = "…"


def _skip(reader: Reader) -> None:
    """Skips the values of a record, or the rest of them."""
    while True:
        tag = reader.signed(1)
        if tag == _END:
            return
        if tag in (_OTHER, _ARRAY):
            reader.int()
        if tag == _BOX:
            reader.signed(1)
        if tag in (_LONG, _BOX):
            reader.long()
        if tag in (_TEXT, _OTHER, _ENUM, _ARRAY):
            reader.skip_text()
        if tag == _ENUM:
            reader.skip_text()
        if tag == _ARRAY:
            reader.int()


def recorded_calls(records: bytes, formats: set[int]) -> dict[int, tuple[int, int]]:
    found: dict[int, tuple[int, int]] = {}
    reader = Reader(bytes(records))
    try:
        while reader.remaining:
            format_, thread = reader.int(), reader.int()
            if format_ in formats:
                at = reader.position()
                number = _number(reader)
                if number is not None:
                    found[thread] = (found.get(thread, (number,))[0], number)
                reader.go_to(at)
            _skip(reader)
    except ShortError:
        raise WireError("the records of calls are cut") from None
    return found


def _number(reader: Reader) -> int | None:
    """The second value of a record: the first is the time."""
    if reader.signed(1) != _LONG:
        return None
    reader.long()
    return reader.long() if reader.signed(1) == _LONG else None


class LogRenderer:
    """Writes the records of log points, which `Probes.ReadLog` gives, as lines."""

    def __init__(self, escape: Callable[[str], str]) -> None:
        self._escape = escape
        self._formats: dict[int, list[bytes | str]] = {}

    def add(self, format: int, parts: Sequence[bytes | str]) -> None:  # noqa: A002 - as the compiled one
        self._formats[format] = list(parts)

    def forget(self, format: int) -> None:  # noqa: A002 - as the compiled one
        self._formats.pop(format, None)

    def render(
        self, records: bytes, longest: int, *, by_line: bool
    ) -> list[tuple[int, int, int, str]]:
        runs: list[tuple[int, int, list[str]]] = []
        reader = Reader(bytes(records))
        try:
            while reader.remaining:
                format_, thread = reader.int(), reader.int()
                parts = self._formats.get(format_)
                if parts is None:
                    _skip(reader)
                    continue
                if by_line or not runs or runs[-1][0] != format_:
                    runs.append((format_, thread, []))
                runs[-1][2].append(self._line(reader, parts, longest))
        except ShortError:
            raise WireError("the records of log points are cut") from None
        return [(format_, thread, len(lines), "\n".join(lines)) for format_, thread, lines in runs]

    def _line(self, reader: Reader, parts: list[bytes | str], longest: int) -> str:
        """A line; if it cannot be written, a message takes its place."""
        at = reader.position()
        try:
            texts = [
                part.decode("utf-8", "surrogatepass")
                if isinstance(part, bytes)
                else self._value(reader, part, longest)
                for part in parts
            ]
            _expect_end(reader)
            return "".join(texts)
        except ShortError:
            raise
        except Exception as error:  # noqa: BLE001 - whatever the escaping raises
            said = (
                str(error) if isinstance(error, WireError) else f"{type(error).__name__}: {error}"
            )
        reader.go_to(at)
        _skip(reader)
        return f"<this line cannot be written: {said.partition(chr(10))[0]}>"

    def _value(self, reader: Reader, letter: str, longest: int) -> str:
        tag = reader.signed(1)
        if tag == _TEXT and letter == "s":
            text = reader.counted().decode("utf-8", "surrogatepass")
            return text if _is_plain(text) else self._escape(text)
        if tag == _NULL:
            return _cut("null", longest)
        if tag != _LONG or letter == "s":
            raise WireError(_OTHER_VALUES)
        bits = reader.long()
        if letter == "C":
            text = chr(bits & 0xFFFF)
            return text if _is_plain(text) else self._escape(text)
        return _cut(_number_text(letter, bits), longest)


def _expect_end(reader: Reader) -> None:
    if reader.signed(1) != _END:
        raise WireError(_OTHER_VALUES)


def _is_plain(text: str) -> bool:
    return text.isascii() and text.isprintable()


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[: max(0, longest - 1)] + _CUT


def _number_text(letter: str, bits: int) -> str:
    if letter == "Z":
        return "true" if bits else "false"
    if letter not in ("F", "D"):
        return str(bits)
    # The core's own, which is above this package: it is Java's way to write a number.
    java_text: Any = importlib.import_module("jvmdebug.model.java_text")
    if letter == "F":
        (number,) = struct.unpack(">f", struct.pack(">i", bits))
    else:
        (number,) = struct.unpack(">d", struct.pack(">q", bits))
    return str(java_text.floating_text(number, is_float=letter == "F"))
