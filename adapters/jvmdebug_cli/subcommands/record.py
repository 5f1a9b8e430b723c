# SPDX-License-Identifier: Apache-2.0
"""`jvmdebug record`: what a program does, as a file that `jvmdebug replay` walks through.

Owns the arguments, and that the program's exit code and output stay its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import jvmdebug
from jvmdebug_cli.addresses import TARGET_HELP, add_token_file
from jvmdebug_cli.argument_types import count_from, duration
from jvmdebug_cli.exit_codes import (
    DONE,
    OUT_OF_REACH,
    OutOfReachError,
    WrongUsageError,
    of_program,
)
from jvmdebug_cli.limits import add_duration
from jvmdebug_cli.output_files import check_folder
from jvmdebug_cli.subcommands.asking import (
    Commands,
    add_command,
    add_program,
    opened,
    printers,
    run,
)

if TYPE_CHECKING:
    import argparse

    from jvmdebug.recording import Recorded, Recorder
    from jvmdebug_cli.printer import Printer
    from jvmdebug_cli.program_run import ProgramRun

_DESCRIPTION = """\
Record what a program does, without stopping it: calls, lines, and what is stored in variables,
fields and arrays. jvmdebug replay walks through it, backward too.

  jvmdebug record -o fail.jvmrec -cp classes -- shop.Main    a program from its start to its end
  jvmdebug record --project . --what lines -- shop.Main
  jvmdebug record 'shop.OrderController#post' --at 4711 --once    one call in a running JVM
  jvmdebug record --at 4711 --for 10                         all that it does in 10 s

The classes in the folders of the class path are recorded, or those that --only names; of others
the calls from these. The exit code of a program that is started is its own; 3: it could not be
recorded. The file holds what the program works with: only you can read it. Values of variables
with names like password or token are not in it; --redact names others.
"""
_FILE: Final = "recording.jvmrec"
_MEGABYTE: Final = 1_000_000
_PERIOD_S: Final = 0.1


def add(commands: Commands) -> None:
    """The arguments."""
    parser = add_command(commands, "record", "record what a program does", _DESCRIPTION)
    parser.add_argument(
        "method", nargs="?", metavar="METHOD", help="record this method only: shop.Cart#add"
    )
    parser.add_argument("--at", dest="target", metavar="TARGET", help=TARGET_HELP)
    parser.add_argument("--once", action="store_true", help="only one call of METHOD")
    add_token_file(parser)
    add_duration(parser, "how long (a program: to its end; else until Ctrl-C)")
    parser.add_argument(
        "--output", "-o", metavar="FILE", default=_FILE, help=f"the file to write ({_FILE})"
    )
    add_scope(parser)
    add_program(parser)
    parser.set_defaults(run=_run)


def add_scope(parser: argparse.ArgumentParser) -> None:
    """What is recorded, and how much of it: `--what`, `--only`, `--limit`, `--last`, `--share`,
    `--redact`, `--redact-value`, `--no-default-redaction`.
    """
    parser.add_argument(
        "--what", choices=("calls", "lines", "all"), default="all", help="how much is recorded"
    )
    parser.add_argument(
        "--only",
        action="append",
        default=[],
        metavar="PATTERN",
        help="classes that are recorded, like shop.*; may be repeated",
    )
    parser.add_argument(
        "--limit",
        type=count_from(1),
        metavar="MB",
        help="record no more when the file is so large (2000); with --last: the memory (100)",
    )
    parser.add_argument(
        "--last",
        type=duration,
        metavar="S",
        help="keep only the last seconds: the file is written at the end",
    )
    parser.add_argument(
        "--share",
        type=count_from(1, 100),
        metavar="PERCENT",
        help="record less of what takes more of the program's processor time than this",
    )
    parser.add_argument(
        "--redact",
        action="append",
        default=[],
        metavar="NAME",
        help="variables, fields and parameters whose values are not recorded, like *iban*, beside"
        " those of passwords, tokens and the like; may be repeated",
    )
    parser.add_argument(
        "--redact-value",
        action="append",
        default=[],
        metavar="REGEX",
        help="what is left out of all texts; may be repeated",
    )
    parser.add_argument(
        "--no-default-redaction",
        action="store_true",
        help="record passwords, tokens and the like too",
    )


def limit(parsed: argparse.Namespace) -> int | None:
    """The bytes of `--limit`; None if it is not given."""
    return None if parsed.limit is None else parsed.limit * _MEGABYTE


def redaction(parsed: argparse.Namespace) -> jvmdebug.recording.Redaction:
    """What is redacted. Raises WrongUsageError for what is no name or no expression."""
    names = () if parsed.no_default_redaction else jvmdebug.recording.DEFAULT_REDACTED
    option = "--redact"
    try:
        jvmdebug.recording.Redaction(names=tuple(parsed.redact))
        option = "--redact-value"
        return jvmdebug.recording.Redaction((*names, *parsed.redact), tuple(parsed.redact_value))
    except jvmdebug.recording.RecordingError as error:
        raise WrongUsageError(f"{option}: {error}") from None


def _run(parsed: argparse.Namespace) -> int:
    check_folder(parsed.output)
    redaction(parsed)
    wanted = parsed.project is not None or bool(parsed.args)
    if wanted == (parsed.target is not None):
        raise WrongUsageError(
            "say which program: --at PID or --at HOST:PORT for one that runs, or -- MAIN ARGS to"
            f" start one{', not both' if wanted else ''}"
        )
    if parsed.once and parsed.method is None:
        raise WrongUsageError(
            "--once needs the method: jvmdebug record shop.Cart#add --at PID --once"
        )
    try:
        return run(_record(parsed))
    except (jvmdebug.recording.RecordingError, jvmdebug.UnsupportedError) as error:
        raise OutOfReachError(str(error)) from None  # 1 is the program's


async def _record(parsed: argparse.Namespace) -> int:
    from jvmdebug_cli.program_run import ProgramRun  # noqa: PLC0415 - slow to import

    out, beside = printers(parsed)
    async with opened(parsed) as session:
        program = ProgramRun(session, parsed, out, beside)
        recorder = session.record(
            parsed.output,
            what=parsed.what,
            only=parsed.only,
            method=parsed.method,
            times=1 if parsed.once else 0,
            redact=redaction(parsed),
            limit=limit(parsed),
            last=parsed.last,
            share=parsed.share,
        )
        async with recorder:
            await program.begin()
            await _until(parsed, program, recorder)
            if session.is_disconnected:
                await session.wait()
            recorded = await recorder.stop()
        code = await program.leave()
        if program.is_ours and not program.was_interrupted and session.is_disconnected:
            code = of_program(await session.wait()) or DONE
    report(parsed, recorded, beside)
    if not recorded.records and not program.is_ours:
        return OUT_OF_REACH
    return code


async def _until(parsed: argparse.Namespace, program: ProgramRun, recorder: Recorder) -> None:
    """Waits for the end; with --once for that of the method; or until the file is full."""
    import asyncio  # noqa: PLC0415 - slow to import

    waiting = asyncio.create_task(program.until(parsed.duration), name="recording")
    while not waiting.done():
        await asyncio.wait((waiting,), timeout=_PERIOD_S)
        is_over = recorder.is_over and (parsed.once or not program.is_ours)
        if is_over and not waiting.done():
            waiting.cancel()
            await asyncio.gather(waiting, return_exceptions=True)
            return
    await waiting


def report(parsed: argparse.Namespace, recorded: Recorded, beside: Printer) -> None:
    """Says what was recorded, and what is missing."""
    size = f"{recorded.size / 1e6:.1f} MB" if recorded.size >= 1e5 else f"{recorded.size} bytes"
    beside.write(f"written: {recorded.path} ({recorded.records} records, {size})")
    if not recorded.records:
        what = "no recorded class ran" if parsed.method is None else f"{parsed.method} did not run"
        beside.write(f"record: nothing was recorded: {what}; say other classes with --only")
    for text in recorded.notes[:5]:
        beside.write(f"record: {jvmdebug.one_line(text)}")
    if len(recorded.notes) > 5:
        beside.write(f"record: and {len(recorded.notes) - 5} more such notes")
    if recorded.records:
        beside.write(f"jvmdebug replay {recorded.path}")
