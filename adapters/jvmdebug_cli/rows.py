# SPDX-License-Identifier: Apache-2.0
"""A table that fits: on a terminal that is too narrow, the last column has lines of its own.

Knows nothing of what it shows. Used wherever the prompt and the commands of the command line list
something.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from jvmdebug_cli.printer import indented

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rich.console import Console, ConsoleOptions, RenderResult

Cell: TypeAlias = "str | Text"
_UNLIMITED = 1_000_000_000


class Rows:
    """Rows of cells under headings, or without any headings."""

    def __init__(self, headings: Sequence[str], rows: Iterable[Sequence[Cell]]) -> None:
        self._headings = headings
        self._rows = [[_text(cell) for cell in row] for row in rows]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        whole = self._table(self._headings, self._rows)
        unlimited = options.update(max_width=_UNLIMITED)
        needed = Measurement.get(console, unlimited, whole).maximum
        if needed <= options.max_width or not self._rows:
            yield whole
            return
        heads = [Text(each, "dim") for each in self._headings]
        shown = [heads, *self._rows] if any(self._headings[:-1]) else self._rows
        widths = [max(cell.cell_len for cell in column) for column in zip(*shown, strict=True)]
        for row in shown:
            *short, last = row
            grid = Table.grid(padding=(0, 2, 0, 0))
            for width in widths[:-1]:
                grid.add_column(overflow="fold", min_width=min(width, options.max_width // 2))
            grid.add_row(*short)
            yield grid
            if last and row is not heads:
                yield indented(last)

    @staticmethod
    def _table(headings: Sequence[str], rows: Iterable[Sequence[Text]]) -> Table:
        table = Table(
            box=None,
            pad_edge=False,
            padding=(0, 2, 0, 0),
            show_header=any(headings),
            header_style="dim",
        )
        for heading in headings:
            table.add_column(heading, overflow="fold")
        for row in rows:
            table.add_row(*row)
        return table


def _text(cell: Cell) -> Text:
    return Text(cell, overflow="fold") if isinstance(cell, str) else cell
