# SPDX-License-Identifier: Apache-2.0
"""A table that fits: on a terminal that is too narrow, the last column has lines of its own.

Knows nothing of what it shows. Used wherever the prompt and the commands of the command line list
something.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from jvmdebug_cli.printer import indented

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rich.console import Console, ConsoleOptions, RenderableType, RenderResult

Cell: TypeAlias = "str | Text"
_UNLIMITED: Final = 1_000_000_000
_PAIR: Final = 2
_NARROW: Final = 5
"""A column that takes less than this part of the width stays beside the last one: numbers."""
_AFTER: Final = "./,;$-"
_BEFORE: Final = "(["
"""Where a long line may be broken: names of classes have no spaces."""


class Rows:
    """Rows of cells under headings, or without any headings.

    With `longest` a cell that is longer moves the rest of its own row, and widens no column.
    """

    def __init__(
        self,
        headings: Sequence[str],
        rows: Iterable[Sequence[Cell]],
        *,
        longest: int | None = None,
    ) -> None:
        self._headings = headings
        self._longest = longest
        self._rows = [[_text(cell) for cell in row] for row in rows]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if self._longest is not None and self._has_longer(self._longest):
            yield from self._moved(self._longest, options.max_width)
            return
        whole = self._table(self._headings, self._rows)
        unlimited = options.update(max_width=_UNLIMITED)
        needed = Measurement.get(console, unlimited, whole).maximum
        if needed <= options.max_width or not self._rows:
            yield whole
            return
        heads = [Text(each, "dim") for each in self._headings]
        shown = [heads, *self._rows] if any(self._headings[:-1]) else self._rows
        widths = [max(cell.cell_len for cell in column) for column in zip(*shown, strict=True)]
        before_last = sum(width + 2 for width in widths[:-1])
        if len(widths) == _PAIR and before_last <= options.max_width // _NARROW:
            room = options.max_width - before_last
            rows = [[*row[:-1], broken(row[-1], room)] for row in self._rows]
            yield self._table(self._headings, rows)
            return
        for row in shown:
            *short, last = row
            grid = Table.grid(padding=(0, 2, 0, 0))
            for width in widths[:-1]:
                grid.add_column(overflow="fold", min_width=min(width, options.max_width // 2))
            grid.add_row(*short)
            yield grid
            if last and row is not heads:
                yield indented(broken(last, options.max_width - 4))

    def _has_longer(self, longest: int) -> bool:
        return any(cell.cell_len > longest for row in self._rows for cell in row[:-1])

    def _moved(self, longest: int, width: int) -> Iterator[RenderableType]:
        """Rows whose columns are as wide as the widest cell that is not longer than that."""
        heads = [Text(each, "dim") for each in self._headings]
        shown = [heads, *self._rows] if any(self._headings) else self._rows
        widths = [
            max((cell.cell_len for cell in column if cell.cell_len <= longest), default=0)
            for column in list(zip(*shown, strict=True))[:-1]
        ]
        for *short, last in shown:
            line = Text(overflow="fold")
            for cell, room in zip(short, widths, strict=True):
                line.append_text(cell).append(" " * (max(0, room - cell.cell_len) + 2))
            if line.cell_len + last.cell_len <= width:
                line.append_text(last)
                line.rstrip()
                yield line
            else:
                line.rstrip()
                yield line
                yield indented(broken(last, width - 4))

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


def broken(text: Text, width: int) -> Text:
    """The same in lines that fit: broken at a space, else within a name at its dots or brackets."""
    lines: list[Text] = []
    for line in text.split("\n", allow_blank=True):
        rest = line
        while rest.cell_len > width > 0:
            at = _break(rest.plain, width)
            head = rest[:at]
            head.rstrip()
            lines.append(head)
            rest = rest[at:]
        lines.append(rest)
    return Text("\n", overflow="fold").join(lines)


def _break(text: str, width: int) -> int:
    """The place at which to break a text that is longer than the width."""
    fits = text[: width + 1]
    at = fits.rfind(" ", width // 3) + 1
    if at:
        return at
    before = max(fits.rfind(each, width // 3) for each in _BEFORE)
    after = max(fits.rfind(each, width // 3, width) + 1 for each in _AFTER)
    return before if before > 0 else after or width
