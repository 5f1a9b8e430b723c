# SPDX-License-Identifier: Apache-2.0
"""What `trace`, `who-sets` and `sample` share: which program, and until when.

Owns the options, and the start of a program or the attaching to one. What happens then is in
`observation_run`, which takes long to import.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from jvmdebug_cli.addresses import TARGET_HELP, add_token_file
from jvmdebug_cli.exit_codes import WrongUsageError
from jvmdebug_cli.limits import add_duration, add_limit
from jvmdebug_cli.program_options import add_program_options, add_source_path, launch_opening
from jvmdebug_cli.subcommands.asking import add_timeout, attached, run

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    import jvmdebug
    from jvmdebug_cli.observation_run import Observation, View
    from jvmdebug_cli.options import Opening
    from jvmdebug_cli.printer import Printer


def add_observed(parser: argparse.ArgumentParser) -> None:
    """Adds which program, and until when."""
    running = parser.add_argument_group("a program that runs")
    running.add_argument("--at", metavar="TARGET", help=TARGET_HELP)
    add_token_file(running)
    started = parser.add_argument_group("a program to start: -- MAIN ARGS, or")
    add_program_options(started)
    add_limit(parser)
    add_duration(parser)
    add_source_path(parser)
    add_timeout(parser)
    parser.set_defaults(program=None, args=[], usage_error=parser.error)


def run_observed(
    parsed: argparse.Namespace,
    make: Callable[[jvmdebug.Session], Observation],
    view: Callable[[Printer], View],
) -> int:
    """Open the program, observe, show."""
    opening = _opening(parsed)
    observing = importlib.import_module(
        "jvmdebug_cli.observation_run"
    )  # with asyncio, which is slow
    return run(observing.observe(parsed, opening, make, view))


def _opening(parsed: argparse.Namespace) -> Opening:
    program = parsed.args.pop(0) if parsed.args else None
    is_started = program is not None or parsed.project is not None
    if is_started == (parsed.at is not None):
        raise WrongUsageError(
            "say which program: --at HOST:PORT or --at PID for one that runs, or -- MAIN ARGS to "
            f"start one{', not both' if is_started else ''}"
        )
    if not is_started:
        return attached(parsed, parsed.at)
    parsed.program = program
    parsed.timeout = max(parsed.timeout, 30.0)
    return launch_opening(parsed, stdin="inherit")
