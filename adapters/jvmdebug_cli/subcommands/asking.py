# SPDX-License-Identifier: Apache-2.0
"""What the subcommands that open a session share: its options, its opening, where output goes.

Owns that with `--json` nothing but JSON is on standard output, and that Ctrl-C ends a command
without leaving anything behind. Called by the other modules here.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import jvmdebug
from jvmdebug_cli.addresses import TARGET_HELP, add_token_file, target
from jvmdebug_cli.argument_types import duration_or_zero
from jvmdebug_cli.exit_codes import DONE, WrongUsageError
from jvmdebug_cli.options import say_that_it_waits
from jvmdebug_cli.program_options import add_program_options, launch_opening, source_path

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Sequence

    from jvmdebug_cli.options import Opening
    from jvmdebug_cli.printer import Printer
    from jvmdebug_cli.program_run import ProgramRun

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"  # noqa: SLF001
_TIMEOUT_S: Final = 5.0


def add_command(
    commands: Commands, name: str, short: str, description: str
) -> argparse.ArgumentParser:
    """A subcommand with `--json`."""
    parser = commands.add_parser(
        name,
        help=short,
        description=description,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--json", action="store_true", help="print JSON, and nothing else, on stdout"
    )
    return parser


def add_timeout(parser: argparse.ArgumentParser) -> None:
    """`--timeout`."""
    parser.add_argument(
        "--timeout",
        type=duration_or_zero,
        default=_TIMEOUT_S,
        metavar="S",
        help=f"seconds to wait for an agent that does not listen yet ({_TIMEOUT_S:g})",
    )


def add_target(parser: argparse.ArgumentParser) -> None:
    """TARGET, and how long to try."""
    parser.add_argument("target", metavar="TARGET", help=TARGET_HELP)
    add_token_file(parser)
    add_timeout(parser)


def add_target_or_program(parser: argparse.ArgumentParser) -> None:
    """TARGET, or a program to start."""
    parser.add_argument("target", nargs="?", metavar="TARGET", help=TARGET_HELP)
    add_token_file(parser)
    add_program(parser)


def add_program(parser: argparse.ArgumentParser) -> None:
    """The options of a program to start."""
    add_program_options(parser.add_argument_group("a program to start: -- MAIN ARGS, or"))
    add_timeout(parser)
    parser.set_defaults(program=None, args=[], source_path=None)


def is_started(parsed: argparse.Namespace) -> bool:
    """Whether a program is to be started. WrongUsageError for both, and for neither."""
    wanted = parsed.project is not None or bool(parsed.args)
    if wanted == (parsed.target is not None):
        raise WrongUsageError(
            "say which program: HOST:PORT, unix:PATH or PID for one that runs, or -- MAIN ARGS to"
            f" start one{', not both' if wanted else ''}"
        )
    return wanted


def opened(parsed: argparse.Namespace) -> Opening:
    """The session on a TARGET, or on a program that is started."""
    if parsed.target is not None:
        return attached(parsed, parsed.target)
    parsed.program = parsed.args.pop(0) if parsed.args else None
    parsed.timeout = max(parsed.timeout, 30.0)
    return launch_opening(parsed, stdin="inherit")


def attached(parsed: argparse.Namespace, text: str) -> Opening:
    """The session on a TARGET."""
    return jvmdebug.attach(
        **target(text),
        source_path=source_path(parsed) if hasattr(parsed, "source_path") else (),
        on_wait=say_that_it_waits,
        timeout_s=parsed.timeout,
        token_file=parsed.token_file,
        fingerprint=parsed.fingerprint,
    )


def program_name(parsed: argparse.Namespace) -> str | None:
    """What a report is of, as its reader knows it: the main class and not a number."""
    target: str | None = parsed.target
    if target is None or not target.isdecimal():
        return target or parsed.program
    jvm = jvmdebug.local_jvm(int(target))
    return None if jvm is None else f"{jvm.program or 'process'} ({target})"


def printers(parsed: argparse.Namespace) -> tuple[Printer, Printer]:
    """The printers for what was asked for, and for what is said beside it."""
    from jvmdebug_cli.printer import Printer  # noqa: PLC0415 - slow to import

    return (
        Printer(sys.stdout, is_terminal=sys.stdout.isatty() and not parsed.json),
        Printer(sys.stderr, is_terminal=sys.stderr.isatty()),
    )


def write_found(
    parsed: argparse.Namespace,
    found: Sequence[Any],
    if_none: str,
    headings: Sequence[str],
    row: Callable[[Any], list[str]],
) -> int:
    """Write what a command has found, frozen dataclasses: as JSON, or as a row each. DONE."""
    import dataclasses  # noqa: PLC0415 - slow to import

    from jvmdebug_cli.rows import Rows  # noqa: PLC0415 - slow to import

    out, _ = printers(parsed)
    if parsed.json:
        out.write_json([dataclasses.asdict(each) for each in found])
    elif found:
        out.write(Rows(headings, [row(each) for each in found]))
    else:
        out.write(if_none)
    return DONE


def ask(
    parsed: argparse.Namespace,
    question: Callable[[jvmdebug.Session], Coroutine[None, None, int]],
) -> int:
    """Attach to the TARGET, ask, and leave the program as it was.

    One that waits for its debugger (suspend=y) begins: its agent lets it go when one leaves.
    """

    async def asking(run: ProgramRun) -> int:
        await run.begin()
        return await question(run.session)

    return watch(parsed, asking)


def watch(
    parsed: argparse.Namespace, question: Callable[[ProgramRun], Coroutine[None, None, int]]
) -> int:
    """Open the session of the TARGET or the program, ask, and leave it. The question lets a program
    begin. A program that was started, has ended and has failed makes the exit code.
    """

    async def watching() -> int:
        from jvmdebug_cli.program_run import ProgramRun  # noqa: PLC0415 - slow to import

        async with opened(parsed) as session:
            program = ProgramRun(session, parsed, *printers(parsed))
            code = await question(program)
            return code or await program.leave()

    return run(watching())


def run(work: Coroutine[None, None, int]) -> int:
    """The exit code of a coroutine, in a loop of its own."""
    import asyncio  # noqa: PLC0415 - slow to import

    return asyncio.run(work)
