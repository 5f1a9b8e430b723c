# SPDX-License-Identifier: Apache-2.0
"""A session at the prompt, from its start to its end. Called by `main` for `launch` and `attach`,
which imports this when it is needed: it brings the line editor and the core.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import jvmdebug
from jvmdebug_cli import guests
from jvmdebug_cli.console import Console
from jvmdebug_cli.shell import Shell

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable

    from jvmdebug_cli.options import Opening


def run(
    opening: Opening,
    commands: Iterable[str],
    *,
    batch: bool,
    options: argparse.Namespace | None = None,
) -> int:
    """Open the session and read commands until the user leaves; the exit code, that of the program
    after a batch without an error. `options`: those that `launch` and `attach` have in common.
    """
    console = Console.open(commands=commands, batch=batch)
    return asyncio.run(_run(opening, console, configuring(options), batch=batch))


def configuring(
    options: argparse.Namespace | None,
) -> Callable[[jvmdebug.SessionSettings], None]:
    """A function that sets what the options of the command line say."""

    def configure(settings: jvmdebug.SessionSettings) -> None:
        if options is None:
            return
        settings.rethrows = options.rethrows
        settings.control_exceptions = tuple(options.control_exception)
        settings.probes = options.probes
        settings.log_messages_per_second = options.log_messages_per_second
        settings.budget_ms, settings.total_budget_ms = options.budget, options.total_budget
        settings.stop_watchdog_s = options.watchdog
        if options.just_my_code:
            settings.step_filters = jvmdebug.JUST_MY_CODE

    return configure


async def _run(
    opening: Opening,
    console: Console,
    configure: Callable[[jvmdebug.SessionSettings], None],
    *,
    batch: bool,
) -> int:
    async with opening as session:
        if session.owner is None:
            configure(session.settings)
            if session.past is None:
                await guests.share(session)
        shell = Shell(session, console)
        failed = await shell.run()
        return failed or (shell.exit_code or 0 if batch else 0)
