# SPDX-License-Identifier: Apache-2.0
"""A heap as a report: one HTML file that needs nothing else.

Owns what is in it: who keeps most alive, where most of that is, why, and what it is; the classes;
equal strings. What it looks like and does is in `report.html`. All names are the debuggee's, and
escaped. Called by `HeapFile.report`.
"""

from __future__ import annotations

from html import escape
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Final

from jvmdebug.heap.errors import HeapError
from jvmdebug.os_errors import reason
from jvmdebug.printable import one_line, size_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from os import PathLike

    from jvmdebug.heap.heap_file import HeapFile
    from jvmdebug.heap.heap_objects import HeapObject

_KEEPERS: Final = 40
_KEPT: Final = 8
_MOST_KEPT: Final = 100_000
_DEEPEST: Final = 50
_STEPS: Final = 20
_LONGEST: Final = 200
_CLASSES: Final = 500
_STRINGS: Final = 40


def write(heap: HeapFile, path: str | PathLike[str], title: str) -> Path:
    """See `HeapFile.report`."""
    usages = heap.histogram()
    total = sum(each.shallow_size for each in usages)
    instances = sum(each.instances for each in usages)
    body = [
        "<h2>Objects that keep most alive</h2>",
        *(_keeper(heap, each, size, total) for each, size in heap.dominators(most=_KEEPERS)),
        "<h2>Classes</h2>",
        _table(
            ("instances", "bytes", "class"),
            (
                (f"{each.instances:,}", size_text(each.shallow_size), each.type_name)
                for each in usages[:_CLASSES]
            ),
        ),
    ]
    if found := heap.duplicate_strings(_STRINGS):  # none in a snapshot without contents
        body.append("<h2>Equal strings</h2>")
        rows = ((size_text(each.wasted), f"{each.count:,}", each.text) for each in found)
        body.append(_table(("wasted", "strings", "text"), rows))
    page = files(__package__).joinpath("report.html").read_text("utf-8")
    summary = f"{instances:,} objects of {len(usages):,} classes, {size_text(total)}"
    summary = ". ".join((summary, *heap.warnings))
    before, _, rest = page.partition("@BODY@")
    for name, text in (("@TITLE@", title), ("@SUMMARY@", summary)):
        before = before.replace(name, _text(text))
    target = Path(path)
    try:
        if target.exists() and Path(heap.path).exists() and target.samefile(heap.path):
            raise HeapError(f"cannot write {target}: it is the heap dump itself")
        target.write_bytes("".join((before, "\n".join(body), rest)).encode("utf-8", "replace"))
    except OSError as error:
        raise HeapError(f"cannot write {target}: {reason(error)}") from None
    return target


def _keeper(heap: HeapFile, obj: HeapObject, size: int, total: int) -> str:
    """One that opens: where most of it is, the shortest path to there, and what is kept there."""
    share = 100 * size / (total or 1)
    place, within = _where_most_is(heap, obj, size)
    paths = heap.paths_to_roots(place, 1)
    steps = [line for path in paths for line in (path.described_root, *map(str, path.steps))]
    path = "".join(f"<li>{_text(each)}</li>" for each in _shortened(steps))
    most = "" if place is obj else f"<p>{size_text(within)} of it in {_text(str(place))}</p>"
    return (
        f'<details><summary style="--share:{share:.1f}%">'
        f"<b>{size_text(size)}</b> <i>{share:.1f} %</i> {_text(str(obj))}</summary>"
        f"{most}<ol>{path or '<li>only weak references</li>'}</ol>{_kept(heap, place)}</details>"
    )


def _where_most_is(heap: HeapFile, obj: HeapObject, size: int) -> tuple[HeapObject, int]:
    """Goes down the dominator tree as long as one object keeps more than half. A list whose nodes
    keep each other has no such place but its first.
    """
    place, within = obj, size
    for _ in range(_DEEPEST):
        (below, kept), *_ = heap.dominators(place, 1) or [(place, 0)]
        if 2 * kept <= within:
            return place, within
        place, within = below, kept
    return obj, size


def _kept(heap: HeapFile, place: HeapObject) -> str:
    """What an object keeps alive, by class."""
    classes: dict[str, tuple[int, int]] = {}
    for each, size in heap.dominators(place, _MOST_KEPT):
        kept, count = classes.get(each.type_name, (0, 0))
        classes[each.type_name] = (kept + size, count + 1)
    if not classes:
        return ""
    largest = sorted(((*counted, name) for name, counted in classes.items()), reverse=True)
    rows = ((size_text(kept), f"{count:,}", name) for kept, count, name in largest[:_KEPT])
    return _table(("retained", "objects", "keeps"), rows)


def _shortened(steps: list[str]) -> list[str]:
    left_out = len(steps) - 2 * _STEPS
    if left_out <= 1:
        return steps
    return [*steps[:_STEPS], f"… {left_out:,} more", *steps[-_STEPS:]]


def _table(titles: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """The last column has names, the others numbers."""
    kinds = [' class="n"'] * (len(titles) - 1) + [""]
    head = "".join(f"<th{kind}>{each}</th>" for kind, each in zip(kinds, titles, strict=True))
    body = "".join(
        "<tr>"
        + "".join(f"<td{kind}>{_text(each)}</td>" for kind, each in zip(kinds, row, strict=True))
        + "</tr>"
        for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _text(text: str) -> str:
    shown = one_line(text)
    return escape(shown if len(shown) <= _LONGEST else f"{shown[: _LONGEST - 1]}…", quote=True)
