# SPDX-License-Identifier: Apache-2.0
"""`jvmdebug heap`: what the objects of a program are, what keeps them alive, what they cost.

Owns the arguments and which question is asked; `heap_views` draws the answers.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import jvmdebug
from jvmdebug_cli.addresses import TARGET_HELP, add_token_file
from jvmdebug_cli.argument_types import count_from, duration_or_zero
from jvmdebug_cli.exit_codes import DONE, OutOfReachError, WrongUsageError
from jvmdebug_cli.limits import add_duration
from jvmdebug_cli.output_files import check_folder
from jvmdebug_cli.subcommands.asking import (
    Commands,
    add_command,
    add_program,
    is_started,
    printers,
    program_name,
    watch,
)

if TYPE_CHECKING:
    import argparse

    from jvmdebug_cli.heap_views import HeapView
    from jvmdebug_cli.program_run import ProgramRun

_DESCRIPTION = """\
Ask a JVM that runs with jvmdebug's agent (TARGET), or a heap dump (HPROF) of any JVM, what its
objects are, why they are alive, and what they cost. A JVM is held while its objects are looked at.

  jvmdebug heap localhost:5005 histogram                objects and bytes of each class
  jvmdebug heap 4711 dump app.hprof                     write a heap dump on this machine
  jvmdebug heap 4711 diff --for 60                      what grows in a minute
  jvmdebug heap 4711 paths shop.Main.cache              why the object of this field is alive
  jvmdebug heap 4711 retained shop.Main.cache           what would be freed with it
  jvmdebug heap 4711 instances shop.Cart --where 'total > 100'

  jvmdebug heap -cp classes histogram -- shop.Main      of a program that is about to end
  jvmdebug heap -cp classes diff --after 5 --for 60 -- shop.Main

  jvmdebug heap app.hprof dominators                    what keeps most memory alive
  jvmdebug heap app.hprof instances shop.Cart           objects of a class and its subclasses
  jvmdebug heap app.hprof paths shop.Cart               why they are not garbage
  jvmdebug heap app.hprof paths 0x7043ff1a8             why this one is not
  jvmdebug heap app.hprof retained shop.Cart            what would be freed with them
  jvmdebug heap app.hprof duplicates                    equal strings, and what they waste
  jvmdebug heap app.hprof diff later.hprof              what has grown
  jvmdebug heap app.hprof sql "select * from instances order by retained_size desc limit 5"
  jvmdebug heap app.hprof export FOLDER                 tables as Parquet
  jvmdebug heap app.hprof report app.html               all of it to look at in a browser

Each question can be asked of both. A program that is started (-- MAIN ARGS) is asked when it is
about to end, at Ctrl-C, or --after some seconds. The tables are instances(id, class, shallow_size,
retained_size), classes, "references", strings(id, value, length) and roots; sql and export need
`pip install 'jvmdebug[heap]'`.
"""
_TOP: Final = 20
_SECONDS: Final = 10.0


def add(commands: Commands) -> None:
    """The arguments."""
    parser = add_command(commands, "heap", "show what fills the heap, and why", _DESCRIPTION)
    parser.usage = (
        "jvmdebug heap [OPTIONS] TARGET|FILE QUESTION [ABOUT]\n"
        "       jvmdebug heap [OPTIONS] QUESTION [ABOUT] -- MAIN ARGS"
    )
    parser.add_argument("target", metavar="TARGET|FILE", help=f"a heap dump; or {TARGET_HELP}")
    add_token_file(parser)
    parser.add_argument(
        "question",
        nargs="?",
        metavar="QUESTION",
        help=", ".join([*_QUESTIONS, "dump"]),
    )
    parser.add_argument(
        "about", nargs="?", metavar="ABOUT", help="a class, the id of an object, SQL, a path"
    )
    parser.add_argument(
        "--top",
        "-n",
        type=count_from(1),
        default=_TOP,
        metavar="N",
        help=f"how many at most ({_TOP})",
    )
    parser.add_argument(
        "--where",
        metavar="EXPR",
        help="instances of a TARGET: a condition in Java on the object's fields",
    )
    parser.add_argument(
        "--offset",
        type=count_from(0),
        default=0,
        metavar="N",
        help="instances: how many to leave out (0)",
    )
    parser.add_argument(
        "--exact", action="store_true", help="instances: of the class alone, without subclasses"
    )
    add_duration(parser, "diff of what runs: how long (10; a program: to its end)")
    parser.add_argument(
        "--after",
        type=duration_or_zero,
        metavar="S",
        help="a program: ask after S seconds, not at its end",
    )
    parser.add_argument(
        "--redact", action="store_true", help="dump: with 0 in place of numbers and characters"
    )
    parser.add_argument(
        "--with-debugger",
        action="store_true",
        help="a TARGET or a program: also what the debugger keeps in it; not for instances",
    )
    parser.add_argument(
        "--progress",
        action="store_true",
        help="write how far the work is to standard error, a line for each per cent: for programs",
    )
    add_program(parser)
    parser.set_defaults(run=_run)


def _run(parsed: argparse.Namespace) -> int:
    _read_words(parsed)
    of_file = parsed.target is not None and _is_file(parsed.target)
    _check_options(parsed, of_file=of_file)
    needs = _NEEDS.get(parsed.question)
    if parsed.question == "diff" and not of_file:
        needs = None
    if parsed.question == "dump" and of_file:
        raise WrongUsageError("dump is for a TARGET: this is a dump already")
    if needs is not None and parsed.about is None:
        raise WrongUsageError(f"{parsed.question} needs {needs}: see `jvmdebug heap --help`")
    if needs is None and parsed.about is not None:
        raise WrongUsageError(f"{parsed.question} takes no {parsed.about!r}")
    _check_report(parsed)
    return _ask_file(parsed) if of_file else watch(parsed, lambda run: _ask_vm(run, parsed))


def _read_words(parsed: argparse.Namespace) -> None:
    """Reads the words. Without a TARGET, in whose place there may be a program, the first is the
    question.
    """
    if parsed.args or parsed.project is not None:
        if parsed.about is not None:
            raise WrongUsageError(f"{parsed.target!r}, or a program to start: not both")
        parsed.target, parsed.question, parsed.about = None, parsed.target, parsed.question
    if parsed.question is None:
        raise WrongUsageError("say what to ask: `jvmdebug heap --help` lists the questions")
    if parsed.question not in {*_QUESTIONS, "dump"}:
        raise WrongUsageError(
            f"{parsed.question!r} is no question: choose {', '.join([*_QUESTIONS, 'dump'])}"
        )
    if not is_started(parsed) and parsed.after is not None:
        raise WrongUsageError("--after is for a program to start")


def _check_options(parsed: argparse.Namespace, *, of_file: bool) -> None:
    if parsed.where is not None and (of_file or parsed.question != "instances"):
        raise WrongUsageError(
            "--where is for the instances of a TARGET that runs: ask a heap dump by `sql`"
        )
    if parsed.with_debugger and (of_file or parsed.question == "instances"):
        raise WrongUsageError(
            "--with-debugger is for a TARGET that runs, and not for instances: what the debugger"
            " keeps is in a heap dump if it was written with it"
        )


def _check_report(parsed: argparse.Namespace) -> None:
    """Checks the file before the heap is looked at, which may take long."""
    if parsed.question == "report":
        check_folder(parsed.about, "report")


def _is_file(text: str) -> bool:
    path = Path(text)
    return path.exists() or path.suffix in {".hprof", ".bin"} or text.endswith(".hprof.gz")


def _ask_file(parsed: argparse.Namespace) -> int:
    from jvmdebug_cli.heap_views import HeapView, WorkShown  # noqa: PLC0415 - slow to import

    out, errors = printers(parsed)
    with WorkShown(errors, as_lines=parsed.progress) as work:
        try:
            heap = jvmdebug.heap.open(parsed.target, work.progress)
        except jvmdebug.heap.HeapError as error:
            raise OutOfReachError(str(error)) from None
        work.warn(heap.warnings)
        _QUESTIONS[parsed.question](heap, parsed, HeapView(out, as_json=parsed.json, work=work))
    return DONE


async def _ask_vm(run: ProgramRun, parsed: argparse.Namespace) -> int:
    from jvmdebug_cli.heap_views import HeapView, WorkShown  # noqa: PLC0415 - slow to import

    heap = run.session.heap
    out, errors = printers(parsed)
    with WorkShown(errors, as_lines=parsed.progress) as work:
        view = HeapView(out, as_json=parsed.json, work=work)
        if parsed.question == "diff":
            await _diff_of_vm(run, parsed, view)
            return DONE
        await run.begin(hold_at_end=True)
        if run.is_ours:
            await _when_to_ask(run, parsed.after)
        match parsed.question:
            case "histogram":
                found = await heap.histogram(with_debugger=parsed.with_debugger)
                view.histogram(found, parsed.top)
            case "dump":
                options = {"redact": parsed.redact, "with_debugger": parsed.with_debugger}
                view.dumped(await heap.dump(parsed.about, progress=work.received, **options))
            case "instances":
                view.objects(
                    await heap.instances(
                        parsed.about,
                        where=parsed.where,
                        limit=parsed.top,
                        offset=parsed.offset,
                        subclasses=not parsed.exact,
                    )
                )
            case _:
                await _ask_snapshot(run.session, parsed, view)
    return DONE


async def _when_to_ask(run: ProgramRun, seconds: float | None) -> None:
    if not await run.until(seconds):
        raise jvmdebug.heap.HeapError("the program was gone before it could be asked")


async def _diff_of_vm(run: ProgramRun, parsed: argparse.Namespace, view: HeapView) -> None:
    """A program that is started: from its beginning, or from `--after` on, to its end."""
    heap = run.session.heap
    seconds = parsed.duration
    if run.is_ours:
        if parsed.after is not None:
            await run.begin(hold_at_end=True)
            await _when_to_ask(run, parsed.after)
    elif seconds is None:
        seconds = _SECONDS
    own = parsed.with_debugger
    before = await heap.snapshot(progress=view.work.received, with_debugger=own)
    await run.begin(hold_at_end=True)
    await _when_to_ask(run, seconds)
    after = await heap.snapshot(with_debugger=own)
    view.changes(await heap.diff(before, after), parsed.top)


async def _ask_snapshot(
    session: jvmdebug.Session, parsed: argparse.Namespace, view: HeapView
) -> None:
    """What takes a look at all objects first."""
    question = parsed.question
    contents = question not in {"dominators", "paths", "retained"}
    own = parsed.with_debugger
    heap = await session.heap.snapshot(
        contents=contents, with_debugger=own, progress=view.work.received
    )
    is_class = parsed.about is not None and heap.has_class(parsed.about)
    if own and not is_class and question in ("paths", "retained"):
        raise WrongUsageError(f"--with-debugger with {question} needs a class, not an expression")
    if question == "paths" and not is_class:
        view.paths(await session.heap.paths_to_roots(parsed.about, parsed.top))
    elif question == "retained" and not is_class:
        view.retained(parsed.about, await session.heap.retained_size(parsed.about))
    else:
        _QUESTIONS[question](heap, parsed, view)


def _histogram(heap: jvmdebug.heap.HeapFile, parsed: argparse.Namespace, view: HeapView) -> None:
    view.histogram(heap.histogram(), parsed.top)


def _dominators(heap: jvmdebug.heap.HeapFile, parsed: argparse.Namespace, view: HeapView) -> None:
    view.dominators(heap.dominators(most=parsed.top))


def _instances(heap: jvmdebug.heap.HeapFile, parsed: argparse.Namespace, view: HeapView) -> None:
    found = heap.instances(
        parsed.about, subclasses=not parsed.exact, first=parsed.offset, most=parsed.top
    )
    view.instances([(each, heap.retained_size(each)) for each in found])


def _paths(heap: jvmdebug.heap.HeapFile, parsed: argparse.Namespace, view: HeapView) -> None:
    id_ = _object_id(parsed.about)
    if id_ is not None:
        view.paths(heap.paths_to_roots(id_, parsed.top))
        return
    found = heap.instances(parsed.about, most=parsed.top)
    if not found:
        raise jvmdebug.heap.HeapError(f"there are no objects of {parsed.about}")
    view.paths([path for each in found for path in heap.paths_to_roots(each, 1)])


def _retained(heap: jvmdebug.heap.HeapFile, parsed: argparse.Namespace, view: HeapView) -> None:
    id_ = _object_id(parsed.about)
    view.retained(parsed.about, heap.retained_size(parsed.about if id_ is None else id_))


def _duplicates(heap: jvmdebug.heap.HeapFile, parsed: argparse.Namespace, view: HeapView) -> None:
    view.duplicates(heap.duplicate_strings(parsed.top))


def _diff(heap: jvmdebug.heap.HeapFile, parsed: argparse.Namespace, view: HeapView) -> None:
    later = jvmdebug.heap.open(parsed.about, view.work.progress)
    view.work.warn(later.warnings)
    view.changes(jvmdebug.heap.difference(heap.histogram(), later.histogram()), parsed.top)


def _sql(heap: jvmdebug.heap.HeapFile, parsed: argparse.Namespace, view: HeapView) -> None:
    view.rows(heap.sql(parsed.about))


def _report(heap: jvmdebug.heap.HeapFile, parsed: argparse.Namespace, view: HeapView) -> None:
    named = program_name(parsed) or "the program"
    name = Path(named).name if _is_file(named) else named
    view.files([heap.report(Path(parsed.about), f"Heap of {name}")])


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
    "report": _report,
}
_NEEDS: Final = {
    "instances": "a class",
    "paths": "a class or the id of an object",
    "retained": "a class or the id of an object",
    "diff": "a later heap dump",
    "sql": "a query",
    "export": "a folder",
    "report": "a file to write, app.html",
    "dump": "a file to write",
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
