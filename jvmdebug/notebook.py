# SPDX-License-Identifier: Apache-2.0
"""Tables and code in HTML, as notebooks show the value of a cell (`_repr_html_`).

Knows no notebook: any that calls the method shows them. All text is escaped, since the debuggee may
have chosen it. Used by what a session hands out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug.printable import one_line, several_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_MAX_ROWS = 200
_CELL = ' style="text-align: left; vertical-align: top"'
_HERE = ' style="background: rgba(255, 200, 0, 0.3)"'


def cell(value: object) -> str:
    """The text of a value, on one line."""
    return _escape(one_line("" if value is None else str(value)))


def table(
    title: str, rows: Iterable[Sequence[object]], *, columns: Sequence[str] = (), below: str = ""
) -> str:
    """A table; its first 200 rows. `below` is HTML."""
    every = list(rows)
    head = "".join(f"<th{_CELL}>{cell(each)}</th>" for each in columns)
    lines = [f"<tr>{head}</tr>"] if columns else []
    for row in every[:_MAX_ROWS]:
        cells = "".join(f"<td{_CELL}>{cell(each)}</td>" for each in row)
        lines.append(f"<tr>{cells}</tr>")
    more = len(every) - _MAX_ROWS
    note = f"<p>… {more} more</p>" if more > 0 else ""
    return f"<b>{cell(title)}</b><table>{''.join(lines)}</table>{note}{below}"


def preformatted(text: str) -> str:
    """Text of several lines, as it is."""
    return f"<pre>{_escape(several_lines(text))}</pre>"


def code(text: str, line: int, around: int = 4) -> str:
    """The lines of a source around one (from 1), which is marked."""
    lines = several_lines(text, None).split("\n")
    shown = []
    for number in range(max(line - around, 1), min(line + around, len(lines)) + 1):
        mark = _HERE if number == line else ""
        shown.append(f"<span{mark}>{number:5} {_escape(lines[number - 1])}</span>")
    return "<pre>" + "\n".join(shown) + "</pre>"


def _escape(text: str) -> str:
    from html import escape  # noqa: PLC0415 - slow to import, and only notebooks need it

    return escape(text)
