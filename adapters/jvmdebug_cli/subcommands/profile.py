# SPDX-License-Identifier: Apache-2.0
"""`jvmdebug profile`: where a program spends its time, written as a flame graph or for other tools.

Owns the arguments, the progress, and that Ctrl-C ends it early and writes what there is.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Final

import jvmdebug
from jvmdebug_cli.addresses import TARGET_HELP, add_token_file
from jvmdebug_cli.argument_types import count_from, number_between
from jvmdebug_cli.exit_codes import WrongUsageError
from jvmdebug_cli.limits import add_duration
from jvmdebug_cli.output_files import check_folder
from jvmdebug_cli.subcommands.asking import (
    Commands,
    add_command,
    add_program,
    is_started,
    opened,
    printers,
    program_name,
    run,
)

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from jvmdebug_cli.printer import Printer
    from jvmdebug_cli.program_run import ProgramRun

_DESCRIPTION = """\
Sample where the threads of a program spend their time, without stopping it, and write a flame graph
(one HTML file that needs nothing else) or what other tools read. Ctrl-C ends it early.

  jvmdebug profile 4711 --for 10 -o cpu.html            CPU time of a running JVM
  jvmdebug profile localhost:5005 --wall -o wall.html   what threads wait for, too
  jvmdebug profile 4711 --alloc -o alloc.html           what is allocated, and where
  jvmdebug profile 4711 --alloc --live                  ... and is still alive at the end: a leak
  jvmdebug profile 4711 --locks -o locks.html           which monitors they wait for, and where
  jvmdebug profile -o app.pb.gz -cp classes -- shop.Main    a program from its start to its end

The name of the file says the format: .html, .collapsed, .json (speedscope), .pb.gz (pprof). Without
-o the hottest methods are shown. Stacks are read at safepoints, unless --signals is given; what
that means is in docs/how-to/profile.md.
"""
_FORMATS: Final = ("html", "collapsed", "speedscope", "pprof")


def add(commands: Commands) -> None:
    """The arguments."""
    parser = add_command(commands, "profile", "show where time is spent", _DESCRIPTION)
    parser.add_argument("target", nargs="?", metavar="TARGET", help=TARGET_HELP)
    add_token_file(parser)
    what = parser.add_mutually_exclusive_group()
    for kind, text in (
        ("cpu", "time on a CPU (so if nothing is said)"),
        ("wall", "all time, whatever threads do: running, waiting, blocked"),
        ("alloc", "bytes that are allocated, alive or collected"),
        ("locks", "waits for monitors"),
    ):
        what.add_argument(f"--{kind}", dest="kind", action="store_const", const=kind, help=text)
    add_duration(parser, "how long (10; a program: to its end)")
    parser.add_argument(
        "--hz",
        type=number_between(0.1, 5000),
        default=100.0,
        metavar="N",
        help="samples a second of a thread (100)",
    )
    parser.add_argument(
        "--every",
        type=count_from(0),
        metavar="KB",
        help="--alloc: a sample each so many KB (512); 0: each",
    )
    parser.add_argument(
        "--live", action="store_true", help="--alloc: only what is alive after a collection"
    )
    parser.add_argument(
        "--signals",
        action="store_true",
        help="read stacks wherever a thread is, not at safepoints (AsyncGetCallTrace; CPU time)",
    )
    parser.add_argument(
        "--format", choices=_FORMATS, help="of the file, where its name does not say it"
    )
    parser.add_argument("--output", "-o", metavar="FILE", help="the file to write")
    parser.add_argument(
        "--top",
        "-n",
        type=count_from(1),
        default=15,
        metavar="N",
        help="how many methods to show (15)",
    )
    add_program(parser)
    parser.set_defaults(run=_run, kind="cpu")


def _run(parsed: argparse.Namespace) -> int:
    if not is_started(parsed) and parsed.duration is None:
        parsed.duration = 10.0
    if parsed.format is not None and parsed.output is None:
        raise WrongUsageError("--format is for a file: say which with -o FILE")
    check_folder(parsed.output)
    if parsed.signals and parsed.kind != "cpu":
        raise WrongUsageError("--signals is for CPU time: a thread that waits is not interrupted")
    if parsed.kind != "alloc" and (parsed.live or parsed.every is not None):
        raise WrongUsageError("--live and --every are for --alloc")
    return run(_profile(parsed))


async def _profile(parsed: argparse.Namespace) -> int:
    import asyncio  # noqa: PLC0415 - slow to import

    from jvmdebug_cli.program_run import ProgramRun  # noqa: PLC0415 - slow to import

    out, beside = printers(parsed)
    with _ctrl_c() as pressed:
        async with opened(parsed) as session:
            program = ProgramRun(session, parsed, out, beside)
            recording = asyncio.create_task(_record(program, parsed, beside, pressed))
            await asyncio.sleep(0)  # it is asked for before the program begins
            # What was allocated the agent has; the rest comes as it is measured.
            await program.begin(hold_at_end=parsed.kind == "alloc")
            profile = await recording
            profile.is_complete |= program.is_at_end
            program.was_interrupted = bool(pressed)
            code = await program.leave()
    profile.program = program_name(parsed) or profile.program
    written = None if parsed.output is None else profile.write(parsed.output, parsed.format)
    if parsed.json:
        file = None if written is None else str(written)
        out.write_json(profile.as_dict(parsed.top) | {"file": file})
        return code
    _show(out, profile, parsed.top)
    if written is not None:
        out.write(f"written: {written}")
    return code


async def _record(
    program: ProgramRun,
    parsed: argparse.Namespace,
    beside: Printer,
    pressed: list[bool],
) -> jvmdebug.profiling.Profile:
    with _progress(beside, parsed.duration) as show:

        def told(seconds: float, samples: int) -> bool:
            show(seconds, samples)
            return not pressed and not program.is_at_end

        session = program.session

        if parsed.kind == "locks":
            return await session.profile_locks(parsed.duration, progress=told)
        if parsed.kind == "alloc":
            every = 512 if parsed.every is None else parsed.every
            return await session.profile_allocations(
                parsed.duration, every=every * 1024, live=parsed.live, progress=told
            )
        return await session.profile(
            parsed.duration,
            parsed.kind,
            parsed.hz,
            at="signals" if parsed.signals else "safepoints",
            progress=told,
        )


def _show(out: Printer, profile: jvmdebug.profiling.Profile, top: int) -> None:
    from jvmdebug_cli.rows import Rows  # noqa: PLC0415 - slow to import

    hottest = profile.methods(top)
    if not hottest:
        if profile.is_complete:
            out.write("No sample was taken: the program does little; try a longer --for.")
        else:
            out.write("No sample was taken: the program ended too soon; try a higher --hz.")
        return
    total = profile.total or 1
    rows = [
        [
            f"{each.self_value / total:.1%}",
            profile.format(each.self_value),
            f"{each.total_value / total:.1%}",
            jvmdebug.one_line(each.name),
        ]
        for each in hottest
    ]
    out.write(
        Rows(["self", "bytes" if profile.unit == "bytes" else "time", "total", "method"], rows)
    )
    out.write("")
    ended = "" if profile.is_complete else "; it ended early"
    out.write(
        f"{profile.format(profile.total)} in {profile.samples:,} samples over"
        f" {profile.duration_s:.1f} s{ended}"
    )
    out.write(profile.how)


@contextlib.contextmanager
def _progress(
    beside: Printer, seconds: float | None
) -> Iterator[jvmdebug.profiling.ProfileProgress]:
    """A bar on a terminal."""
    if not beside.is_terminal:
        yield lambda _seconds, _samples: None
        return
    from rich.progress import (  # noqa: PLC0415 - slow to import
        BarColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
    )

    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=beside.console, transient=True) as bar:
        task = bar.add_task("sampling; Ctrl-C ends it", total=seconds)
        yield lambda done, samples: bar.update(
            task, completed=done, description=f"{samples:,} samples; Ctrl-C ends it"
        )


@contextlib.contextmanager
def _ctrl_c() -> Iterator[list[bool]]:
    """Filled by Ctrl-C: the profile ends soon; a second one ends the command."""
    from jvmdebug.platform.signals import INTERRUPT, handled  # noqa: PLC0415 - slow to import

    pressed: list[bool] = []

    def press() -> None:
        if pressed:
            undo()
        pressed.append(True)

    with handled(INTERRUPT, press) as undo:
        yield pressed
