# SPDX-License-Identifier: Apache-2.0
"""`jvmdebug profile`: where a program spends its time, written as a flame graph or for other tools.

Owns the arguments, the progress, and that Ctrl-C ends it early and writes what there is.
"""

from __future__ import annotations

import contextlib
import signal
from pathlib import Path
from typing import TYPE_CHECKING, Final

import jvmdebug
from jvmdebug_cli.addresses import TARGET_HELP
from jvmdebug_cli.exit_codes import DONE, WrongUsageError
from jvmdebug_cli.program_options import add_program_options, launch_opening
from jvmdebug_cli.subcommands.asking import (
    Commands,
    add_command,
    add_timeout,
    attached,
    printers,
    run,
)

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from jvmdebug_cli.options import Opening
    from jvmdebug_cli.printer import Printer

_DESCRIPTION = """\
Sample where the threads of a program spend their time, without stopping it, and write a flame graph
(one HTML file that needs nothing else) or what other tools read. Ctrl-C ends it early.

  jvmdebug profile 4711 --seconds 10 -o cpu.html        CPU time of a running JVM
  jvmdebug profile localhost:5005 --wall -o wall.html   what threads wait for, too
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
    what = parser.add_mutually_exclusive_group()
    for kind, text in (
        ("cpu", "time on a CPU (so if nothing is said)"),
        ("wall", "all time, whatever threads do: running, waiting, blocked"),
        ("locks", "waits for monitors"),
    ):
        what.add_argument(f"--{kind}", dest="kind", action="store_const", const=kind, help=text)
    parser.add_argument(
        "--seconds", type=float, metavar="N", help="how long (10; a program: to its end)"
    )
    parser.add_argument(
        "--hz", type=float, default=100.0, metavar="N", help="samples a second of a thread (100)"
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
        "--top", type=int, default=15, metavar="N", help="how many methods to show (15)"
    )
    add_program_options(parser.add_argument_group("a program to start: -- MAIN ARGS, or"))
    add_timeout(parser)
    parser.set_defaults(
        run=_run, kind="cpu", program=None, args=[], source_path=None, usage_error=parser.error
    )


def _run(parsed: argparse.Namespace) -> int:
    opening = _opening(parsed)
    if parsed.seconds is not None and parsed.seconds <= 0:
        raise WrongUsageError(f"--seconds {parsed.seconds:g}: it has to be greater than 0")
    if parsed.format is not None and parsed.output is None:
        raise WrongUsageError("--format is for a file: say which with -o FILE")
    if parsed.output is not None and not Path(parsed.output).resolve().parent.is_dir():
        raise WrongUsageError(f"-o {parsed.output}: there is no such folder")
    if parsed.signals and parsed.kind != "cpu":
        raise WrongUsageError("--signals is for CPU time: a thread that waits is not interrupted")
    return run(_profile(parsed, opening))


def _opening(parsed: argparse.Namespace) -> Opening:
    is_started = parsed.project is not None or parsed.args
    if bool(is_started) == (parsed.target is not None):
        raise WrongUsageError(
            "say which program: HOST:PORT, unix:PATH or PID for one that runs, or -- MAIN ARGS to"
            f" start one{', not both' if is_started else ''}"
        )
    if not is_started:
        if parsed.seconds is None:
            parsed.seconds = 10.0
        return attached(parsed, parsed.target)
    parsed.program = parsed.args.pop(0) if parsed.args else None
    parsed.timeout = max(parsed.timeout, 30.0)
    return launch_opening(parsed, stdin="inherit")


async def _profile(parsed: argparse.Namespace, opening: Opening) -> int:
    out, beside = printers(parsed)
    with _ctrl_c() as pressed:
        async with opening as session:
            unsubscribe = session.subscribe(lambda event: _pass_on(event, parsed, out, beside))
            if session.state is jvmdebug.SessionState.HELD:
                await session.start()
            profile = await _record(session, parsed, beside, pressed)
            unsubscribe()
    profile.program = _name(parsed) or profile.program
    written = None if parsed.output is None else profile.write(parsed.output, parsed.format)
    if parsed.json:
        file = None if written is None else str(written)
        out.write_json(profile.as_dict(parsed.top) | {"file": file})
        return DONE
    _show(out, profile, parsed.top)
    if written is not None:
        out.write(f"written: {written}")
    return DONE


def _name(parsed: argparse.Namespace) -> str | None:
    """What the profile is of, as its reader knows it: the main class and not a socket."""
    target: str | None = parsed.target
    if target is None or not target.isdecimal():
        return target
    jvm = jvmdebug.local_jvm(int(target))
    return None if jvm is None else f"{jvm.program or 'process'} ({target})"


async def _record(
    session: jvmdebug.Session,
    parsed: argparse.Namespace,
    beside: Printer,
    pressed: list[bool],
) -> jvmdebug.profiling.Profile:
    with _progress(beside, parsed.seconds) as show:

        def told(seconds: float, samples: int) -> bool:
            show(seconds, samples)
            return not pressed

        if parsed.kind == "locks":
            return await session.profile_locks(parsed.seconds, progress=told)
        return await session.profile(
            parsed.seconds,
            parsed.kind,
            parsed.hz,
            at="signals" if parsed.signals else "safepoints",
            progress=told,
        )


def _pass_on(
    event: jvmdebug.SessionEvent, parsed: argparse.Namespace, out: Printer, beside: Printer
) -> None:
    if isinstance(event, jvmdebug.Output):
        stream = beside if event.stream == "stderr" or parsed.json else out
        stream.write_output(event.text)


def _show(out: Printer, profile: jvmdebug.profiling.Profile, top: int) -> None:
    from jvmdebug_cli.rows import Rows  # noqa: PLC0415 - slow to import

    hottest = profile.methods(top)
    if not hottest:
        out.write("No thread was seen.")
        return
    total = profile.total or 1
    rows = [
        [
            f"{each.self_value / total:.1%}",
            profile.text(each.self_value),
            f"{each.total_value / total:.1%}",
            jvmdebug.one_line(each.name),
        ]
        for each in hottest
    ]
    out.write(Rows(["self", "time", "total", "method"], rows))
    out.write("")
    ended = "" if profile.is_complete else "; it ended early"
    out.write(
        f"{profile.text(profile.total)} in {profile.samples:,} samples over"
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
    import asyncio  # noqa: PLC0415 - slow to import

    pressed: list[bool] = []
    loop = asyncio.get_running_loop()

    def press() -> None:
        if pressed:
            loop.remove_signal_handler(signal.SIGINT)
        pressed.append(True)

    loop.add_signal_handler(signal.SIGINT, press)
    try:
        yield pressed
    finally:
        loop.remove_signal_handler(signal.SIGINT)
