# SPDX-License-Identifier: Apache-2.0
"""What the subcommands that open a session share: its options, its opening, where output goes.

Owns that with `--json` nothing but JSON is on standard output, and that Ctrl-C ends a command
without leaving anything behind. Called by the other modules here.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Final, TypeAlias

import jvmdebug
from jvmdebug_cli.addresses import TARGET_HELP, target
from jvmdebug_cli.options import say_that_it_waits
from jvmdebug_cli.program_options import source_path

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from jvmdebug_cli.options import Opening
    from jvmdebug_cli.printer import Printer

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"  # noqa: SLF001
_TIMEOUT_S: Final = 5.0
_BEGINS: Final = (
    "jvmdebug: the program was held at its start (suspend=y) and begins now: it is held for its"
    " first debugger only; `jvmdebug attach` sets breakpoints before that"
)


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
        type=float,
        default=_TIMEOUT_S,
        metavar="S",
        help=f"seconds to wait for an agent that does not listen yet ({_TIMEOUT_S:g})",
    )


def add_target(parser: argparse.ArgumentParser) -> None:
    """TARGET, and how long to try."""
    parser.add_argument("target", metavar="TARGET", help=TARGET_HELP)
    add_timeout(parser)


def attached(parsed: argparse.Namespace, text: str) -> Opening:
    """The session on a TARGET."""
    return jvmdebug.attach(
        **target(text),
        source_path=source_path(parsed) if hasattr(parsed, "source_path") else (),
        on_wait=say_that_it_waits,
        timeout_s=parsed.timeout,
    )


def printers(parsed: argparse.Namespace) -> tuple[Printer, Printer]:
    """For what was asked for, and for what is said beside it."""
    from jvmdebug_cli.printer import Printer  # noqa: PLC0415 - slow to import

    return (
        Printer(sys.stdout, is_terminal=sys.stdout.isatty() and not parsed.json),
        Printer(sys.stderr, is_terminal=sys.stderr.isatty()),
    )


def ask(
    parsed: argparse.Namespace,
    question: Callable[[jvmdebug.Session], Coroutine[None, None, int]],
) -> int:
    """Attach to the TARGET, ask, and leave the program as it was.

    One that waits for its debugger (suspend=y) begins: its agent lets it go when one leaves.
    """

    async def asking() -> int:
        async with attached(parsed, parsed.target) as session:
            if session.state is jvmdebug.SessionState.HELD:
                print(_BEGINS, file=sys.stderr, flush=True)
                await session.start()
            return await question(session)

    return run(asking())


def run(work: Coroutine[None, None, int]) -> int:
    """The exit code of a coroutine, in a loop of its own."""
    import asyncio  # noqa: PLC0415 - slow to import

    return asyncio.run(work)
