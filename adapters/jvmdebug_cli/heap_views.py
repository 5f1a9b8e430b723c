# SPDX-License-Identifier: Apache-2.0
"""What `jvmdebug heap` prints: tables for people, JSON for scripts; progress meanwhile.

Knows nothing of where the answers come from. Used by `subcommands/heap`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.text import Text

from jvmdebug import one_line
from jvmdebug.printable import size_text
from jvmdebug_cli.rows import Rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path
    from types import TracebackType

    import jvmdebug.heap
    from jvmdebug_cli.printer import Printer


class WorkShown:
    """A bar for what takes long, on a terminal; gone when the answer comes. With `as_lines` a line
    for each per cent, for a program that reads them.
    """

    def __init__(self, printer: Printer, *, as_lines: bool) -> None:
        self._printer = printer
        self._as_lines = as_lines
        self._line = ""
        self._bar: Progress | None = None
        self._task: Any = None
        if printer.is_terminal and not as_lines:
            columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
            self._bar = Progress(*columns, console=printer.console, transient=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _type: type[BaseException] | None,
        _error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        self.end()

    def progress(self, stage: str, done: float) -> None:
        """Show how far the work is."""
        if self._as_lines:
            self._say(f"{stage}: {done:.0%}")
        if self._bar is None:
            return
        if self._task is None:
            self._bar.start()
            self._task = self._bar.add_task(stage, total=1.0)
        self._bar.update(self._task, description=stage, completed=done)

    def received(self, objects: int, size: int) -> None:
        """Show how much of a heap has come."""
        text = f"{objects:,} objects, {size_text(size)}"
        if self._as_lines:
            self._say(text)
        if self._bar is not None:
            if self._task is None:
                self._bar.start()
                self._task = self._bar.add_task("", total=None)
            self._bar.update(self._task, description=text)

    def warn(self, sentences: Iterable[str]) -> None:
        """Say what is wrong with a dump that was read all the same."""
        for each in sentences:
            self.end()
            self._printer.write(f"jvmdebug: {one_line(each)}")

    def _say(self, line: str) -> None:
        if line != self._line:
            self._line = line
            self._printer.write(line)

    def end(self) -> None:
        """Take the bar away."""
        if self._bar is not None and self._task is not None:
            self._bar.stop()
            self._task = None
            self._bar = None


class HeapView:
    """Prints answers."""

    def __init__(self, out: Printer, *, as_json: bool, work: WorkShown) -> None:
        self._out = out
        self._as_json = as_json
        self.work = work

    def histogram(self, usages: Sequence[jvmdebug.heap.ClassUsage], top: int) -> None:
        """The first classes, and how many there are."""
        instances = sum(each.instances for each in usages)
        size = sum(each.shallow_size for each in usages)
        if self._json(
            {
                "instances": instances,
                "shallow_size": size,
                "classes": [each.as_dict() for each in usages[:top]],
            }
        ):
            return
        rows: list[Sequence[str | Text]] = [
            (_right(f"{each.instances:,}"), _right(size_text(each.shallow_size)), each.type_name)
            for each in usages[:top]
        ]
        self._table(("instances", "bytes", "class"), rows)
        total = f"{instances:,} objects of {len(usages):,} classes, {size_text(size)}"
        self._write(total, _more(len(usages) - top, "classes"))

    def dominators(self, found: Sequence[tuple[jvmdebug.heap.HeapObject, int]]) -> None:
        """Objects with what they keep alive."""
        self.instances(found)

    def instances(self, found: Sequence[tuple[jvmdebug.heap.HeapObject, int]]) -> None:
        """Objects with their sizes."""
        if self._json([each.as_dict() | {"retained_size": size} for each, size in found]):
            return
        if not found:
            self._write("none")
            return
        rows: list[Sequence[str | Text]] = [
            (_right(size_text(size)), _right(size_text(each.shallow_size)), one_line(str(each)))
            for each, size in found
        ]
        self._table(("retained", "shallow", "object"), rows)

    def objects(self, page: jvmdebug.heap.ObjectPage) -> None:
        """Objects of a program that runs."""
        if self._json(page.as_dict()):
            return
        for each in page:
            self._write(each.text)
        if page.failed:
            self._write(f"{page.failed:,} left out, such as: {page.failure}")
        more = ", more: --top and --offset show them" if page.has_more else ""
        self._write(f"{len(page):,} of {page.total:,} objects of {page.type_name}{more}")

    def paths(self, paths: Sequence[jvmdebug.heap.RootPath]) -> None:
        """Why objects are alive."""
        if self._json([each.as_dict() for each in paths]):
            return
        if not paths:
            self._write("nothing but weak references, if anything, leads there: it is garbage")
        for number, path in enumerate(paths):
            if number:
                self._write("")
            for line in str(path).splitlines():
                self._write(line)

    def retained(self, about: str, size: int) -> None:
        """What would be freed."""
        if not self._json({"about": about, "retained_size": size}):
            self._write(f"{size_text(size)} would be freed with {about} ({size:,} bytes)")

    def duplicates(self, found: Sequence[jvmdebug.heap.DuplicateString]) -> None:
        """Equal strings."""
        if self._json([each.as_dict() for each in found]):
            return
        if not found:
            self._write("no text is there twice")
            return
        rows: list[Sequence[str | Text]] = [
            (
                _right(size_text(each.wasted)),
                _right(f"{each.count:,}"),
                f'"{one_line(each.text)}"' + _cut(each),
            )
            for each in found
        ]
        self._table(("wasted", "strings", "text"), rows)

    def changes(self, changes: Sequence[jvmdebug.heap.ClassChange], top: int) -> None:
        """What has grown."""
        if self._json([each.as_dict() for each in changes[:top]]):
            return
        if not changes:
            self._write("no class has more or fewer objects")
            return
        rows: list[Sequence[str | Text]] = [
            (_right(f"{each.instances:+,}"), _right(f"{each.shallow_size:+,}"), each.type_name)
            for each in changes[:top]
        ]
        self._table(("instances", "bytes", "class"), rows)
        self._write(_more(len(changes) - top, "classes"))

    def dumped(self, dump: jvmdebug.heap.WrittenDump) -> None:
        """What was written."""
        if not self._json(dump.as_dict()):
            self._write(
                f"{dump.path}: {dump.objects:,} objects, {size_text(dump.size)}; the program was "
                f"held for {dump.standstill_s:.3g} s"
            )

    def rows(self, result: jvmdebug.heap.QueryResult) -> None:
        """What a query has found."""
        found = [dict(zip(result.columns, row, strict=True)) for row in result.rows]
        if self._json([{key: _plain(value) for key, value in row.items()} for row in found]):
            return
        cells: list[Sequence[str | Text]] = [
            tuple(
                _right(str(value)) if isinstance(value, int | float) else one_line(str(value))
                for value in row
            )
            for row in result.rows
        ]
        self._table(result.columns, cells)

    def files(self, paths: Iterable[Path]) -> None:
        """What was written."""
        names = [str(each) for each in paths]
        if not self._json(names):
            for name in names:
                self._write(name)

    def _json(self, document: object) -> bool:
        self.work.end()
        if self._as_json:
            self._out.write_json(document)
        return self._as_json

    def _table(self, headings: Sequence[str], rows: Sequence[Sequence[str | Text]]) -> None:
        self._out.write(Rows(headings, rows))

    def _write(self, *lines: str) -> None:
        for line in lines:
            if line or len(lines) == 1:
                self._out.write(line)


def _right(text: str) -> Text:
    return Text(text, justify="right")


def _more(count: int, of: str) -> str:
    return f"{count:,} more {of}: --top shows them" if count > 0 else ""


def _cut(each: jvmdebug.heap.DuplicateString) -> str:
    return "" if each.length <= len(each.text) else f" … ({each.length:,} characters)"


def _plain(value: object) -> object:
    return value if isinstance(value, int | float | str | None) else str(value)
