# SPDX-License-Identifier: Apache-2.0
"""A session at the prompt, from its start to its end. Called by `main` for `launch` and `attach`,
which imports this when it is needed: it brings the line editor and the core.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from jvmdebug_cli.console import Console
from jvmdebug_cli.shell import Shell

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jvmdebug_cli.options import Opening


def run(opening: Opening, commands: Iterable[str], *, batch: bool, rethrows: bool = False) -> int:
    """Open the session and read commands until the user leaves; the exit code, that of the program
    after a batch without an error.
    """
    console = Console.open(commands=commands, batch=batch)
    return asyncio.run(_run(opening, console, batch=batch, rethrows=rethrows))


async def _run(opening: Opening, console: Console, *, batch: bool, rethrows: bool) -> int:
    async with opening as session:
        session.settings.rethrows = rethrows
        shell = Shell(session, console)
        failed = await shell.run()
        return failed or (shell.exit_code or 0 if batch else 0)
