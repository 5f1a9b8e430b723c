# SPDX-License-Identifier: Apache-2.0
"""`jvmdebug heap`: what the objects of a program are, what keeps them alive, what they cost.

Owns the arguments and which question is asked; `heap_views` draws the answers.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import jvmdebug
from jvmdebug_cli.exit_codes import DONE, WrongUsageError
from jvmdebug_cli.subcommands.asking import Commands, add_command, printers

if TYPE_CHECKING:
    import argparse

    from jvmdebug_cli.heap_views import HeapView

_DESCRIPTION = """\
Ask a heap dump (HPROF) of any JVM; `jcmd PID GC.heap_dump FILE` and
-XX:+HeapDumpOnOutOfMemoryError write them.

  jvmdebug heap app.hprof histogram                     objects and bytes of each class
  jvmdebug heap app.hprof dominators                    what keeps most memory alive
  jvmdebug heap app.hprof instances shop.Cart           objects of a class and its subclasses
  jvmdebug heap app.hprof paths shop.Cart               why they are not garbage
  jvmdebug heap app.hprof paths 0x7043ff1a8             why this one is not
  jvmdebug heap app.hprof retained shop.Cart            what would be freed with them
  jvmdebug heap app.hprof duplicates                    equal strings, and what they waste
  jvmdebug heap app.hprof diff later.hprof              what has grown
  jvmdebug heap app.hprof sql "select * from instances order by retained_size desc limit 5"
  jvmdebug heap app.hprof export FOLDER                 tables as Parquet

The tables are instances(id, class, shallow_size, retained_size), classes, "references",
strings(id, value, length) and roots; sql and export need `pip install 'jvmdebug[heap]'`.
"""
_TOP: Final = 20


def add(commands: Commands) -> None:
    """The arguments."""
    parser = add_command(commands, "heap", "ask a heap dump what is in it", _DESCRIPTION)
    parser.add_argument("what", metavar="FILE", help="a heap dump")
    parser.add_argument(
        "question",
        metavar="QUESTION",
        choices=sorted(_QUESTIONS),
        help=", ".join(_QUESTIONS),
    )
    parser.add_argument(
        "about", nargs="?", metavar="ABOUT", help="a class, the id of an object, SQL, a path"
    )
    parser.add_argument(
        "--top", type=int, default=_TOP, metavar="N", help=f"how many at most ({_TOP})"
    )
    parser.add_argument(
        "--exact", action="store_true", help="instances: of the class alone, without subclasses"
    )
    parser.set_defaults(run=_run)


def _run(parsed: argparse.Namespace) -> int:
    from jvmdebug_cli.heap_views import HeapView, WorkShown  # noqa: PLC0415 - slow to import

    if parsed.top < 1:
        raise WrongUsageError("--top is a number from 1 on")
    needs = _NEEDS.get(parsed.question)
    if needs is not None and parsed.about is None:
        raise WrongUsageError(f"{parsed.question} needs {needs}: see `jvmdebug heap --help`")
    if needs is None and parsed.about is not None:
        raise WrongUsageError(f"{parsed.question} takes no {parsed.about!r}")
    out, errors = printers(parsed)
    with WorkShown(errors) as work:
        heap = jvmdebug.heap.open(parsed.what, work.progress)
        _QUESTIONS[parsed.question](heap, parsed, HeapView(out, as_json=parsed.json, work=work))
    return DONE


def _histogram(heap: jvmdebug.heap.HeapFile, parsed: argparse.Namespace, view: HeapView) -> None:
    view.histogram(heap.histogram(), parsed.top)


def _dominators(heap: jvmdebug.heap.HeapFile, parsed: argparse.Namespace, view: HeapView) -> None:
    view.dominators(heap.dominators(most=parsed.top))


def _instances(heap: jvmdebug.heap.HeapFile, parsed: argparse.Namespace, view: HeapView) -> None:
    found = heap.instances(parsed.about, subclasses=not parsed.exact, most=parsed.top)
    view.instances([(each, heap.retained_size(each)) for each in found])


def _paths(heap: jvmdebug.heap.HeapFile, parsed: argparse.Namespace, view: HeapView) -> None:
    id_ = _object_id(parsed.about)
    if id_ is not None:
        view.paths(heap.paths_to_roots(id_, parsed.top))
        return
    found = heap.instances(parsed.about, most=parsed.top)
    view.paths([path for each in found for path in heap.paths_to_roots(each, 1)])


def _retained(heap: jvmdebug.heap.HeapFile, parsed: argparse.Namespace, view: HeapView) -> None:
    id_ = _object_id(parsed.about)
    view.retained(parsed.about, heap.retained_size(parsed.about if id_ is None else id_))


def _duplicates(heap: jvmdebug.heap.HeapFile, parsed: argparse.Namespace, view: HeapView) -> None:
    view.duplicates(heap.duplicate_strings(parsed.top))


def _diff(heap: jvmdebug.heap.HeapFile, parsed: argparse.Namespace, view: HeapView) -> None:
    later = jvmdebug.heap.open(parsed.about, view.work.progress)
    view.changes(jvmdebug.heap.difference(heap.histogram(), later.histogram()), parsed.top)


def _sql(heap: jvmdebug.heap.HeapFile, parsed: argparse.Namespace, view: HeapView) -> None:
    view.rows(heap.sql(parsed.about))


def _export(heap: jvmdebug.heap.HeapFile, parsed: argparse.Namespace, view: HeapView) -> None:
    view.files(heap.export(Path(parsed.about)))


_QUESTIONS: Final = {
    "histogram": _histogram,
    "dominators": _dominators,
    "instances": _instances,
    "paths": _paths,
    "retained": _retained,
    "duplicates": _duplicates,
    "diff": _diff,
    "sql": _sql,
    "export": _export,
}
_NEEDS: Final = {
    "instances": "a class",
    "paths": "a class or the id of an object",
    "retained": "a class or the id of an object",
    "diff": "a later heap dump",
    "sql": "a query",
    "export": "a folder",
}


def _object_id(text: str) -> int | None:
    """`0x7043ff1a8`, `7043ff1a8` behind an @; None for the name of a class."""
    digits = text.rpartition("@")[2] if "@" in text else text.removeprefix("0x")
    if digits == text:
        return None
    try:
        return int(digits, 16)
    except ValueError:
        raise WrongUsageError(f"{text!r} is no id of an object: write 0x7043ff1a8") from None
