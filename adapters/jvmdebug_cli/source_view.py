# SPDX-License-Identifier: Apache-2.0
"""Lines of source code for a terminal: numbered, coloured, the current one marked.

Knows files and lines, not stops. Called by `view`. Colours are the terminal's own sixteen, so that
they fit a dark and a bright one.
"""

from __future__ import annotations

from pathlib import PurePath
from typing import Final

from rich.table import Table
from rich.text import Text

from jvmdebug import several_lines

_THEME: Final = "ansi_dark"
_LEXERS: Final = {".kt": "kotlin", ".kts": "kotlin", ".scala": "scala", ".groovy": "groovy"}
_BEFORE: Final = 200
"""Lines before the first one that is shown, which the colours may depend on (a long comment)."""


def numbered(
    lines: list[str], first: int, last: int, *, current: int | None, name: str, coloured: bool
) -> Table:
    """The lines `first` to `last` (from 1), `->` at the current one."""
    code = _coloured(lines, first, last, name) if coloured else []
    grid = Table.grid(padding=(0, 1, 0, 0))
    grid.add_column()
    grid.add_column(justify="right", min_width=4)
    grid.add_column(overflow="fold")
    for number in range(first, last + 1):
        is_current = number == current
        text = code[number - first] if code else Text(several_lines(lines[number - 1]).rstrip())
        text.overflow = "fold"
        if is_current:
            text.stylize("bold")
        style = "bold" if is_current else "dim"
        mark = Text("->", "bold green") if is_current else Text("  ")
        grid.add_row(mark, Text(str(number), style), Text(" ") + text)
    return grid


def _coloured(lines: list[str], first: int, last: int, name: str) -> list[Text]:
    from rich.syntax import Syntax  # noqa: PLC0415 - slow to import

    begin = max(1, first - _BEFORE)
    # A line stays a line: form feeds and what else ends one for Python is escaped.
    shown = [several_lines(line.replace("\n", " ")).rstrip() for line in lines[begin - 1 : last]]
    lexer = _LEXERS.get(PurePath(name).suffix, "java")
    highlighted = Syntax("", lexer, theme=_THEME).highlight("\n".join(shown))
    found = highlighted.split("\n", allow_blank=True)
    return list(found)[first - begin : last - begin + 1]
