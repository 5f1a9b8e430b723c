# SPDX-License-Identifier: Apache-2.0
"""Text of the debuggee for people: what a terminal would obey, or the eye not see, is escaped.

A program chooses the names of its threads, classes, methods, variables and source files, and the
messages of its exceptions. Raw they could write to the clipboard (OSC 52), clear the screen, forge
lines, turn text around (U+202E) or fill memory. Used where text is made for people: display,
handles, front ends. Not for what a program prints itself, nor for a text that is copied. Here too:
how numbers of bytes and addresses are written.
"""

from __future__ import annotations

from typing import Final

MAX_LABEL: Final = 1000
"""The longest name in a list or a line, in characters."""
MAX_TEXT: Final = 100_000
"""The longest text of several lines, such as the message of an exception."""
_CUT: Final = "…"
_UNITS: Final = ("B", "KB", "MB", "GB", "TB")
_KNOWN: Final = {"\n": "\\n", "\t": "\\t", "\r": "\\r"}


def one_line(text: str, most: int | None = MAX_LABEL) -> str:
    r"""The text on one line: line ends as `\n`, what else cannot be seen as `\u001b`; cut after
    `most`.
    """
    text = _cut(text, most)
    return text if text.isprintable() else "".join(map(_visible, text))


def several_lines(text: str, most: int | None = MAX_TEXT) -> str:
    """The same, but with its line ends and tabs."""
    text = _cut(text, most)
    if text.replace("\n", "").replace("\t", "").isprintable():
        return text
    return "".join(each if each in "\n\t" else _visible(each) for each in text)


def host_and_port(host: str, port: int) -> str:
    """Write the address of a host and a port: `host:5005`, `[::1]:5005`."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _cut(text: str, most: int | None) -> str:
    return text if most is None or len(text) <= most else text[: most - 1] + _CUT


def _visible(character: str) -> str:
    if character.isprintable():
        return character
    known = _KNOWN.get(character)
    if known is not None:
        return known
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))


def size_text(size: int) -> str:
    """The text for so many bytes: `1.5 MB`."""
    number = float(size)
    unit = 0
    while abs(number) >= 1024 and unit + 1 < len(_UNITS):
        number /= 1024
        unit += 1
    return f"{size} B" if unit == 0 else f"{number:.1f} {_UNITS[unit]}"
