# SPDX-License-Identifier: Apache-2.0
"""The commands help and quit."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from jvmdebug_cli.command import COMMANDS, command, find

if TYPE_CHECKING:
    from jvmdebug_cli.shell import Shell

_TOPIC = "General"


@command("help", "h", "?", usage="help [COMMAND]", topic=_TOPIC)
async def help_(shell: Shell, argument: str) -> None:
    """List the commands, or explain one."""
    if argument:
        chosen = find(argument)
        also = f"\nShort: {', '.join(chosen.aliases)}" if chosen.aliases else ""
        shell.console.write(f"{chosen.usage}\n\n{chosen.text}{also}")
        return
    for topic, entries in groupby(
        sorted(COMMANDS.values(), key=lambda each: each.topic), key=lambda each: each.topic
    ):
        shell.console.write(shell.console.bold(topic))
        for entry in entries:
            short = f" ({entry.aliases[0]})" if entry.aliases else ""
            shell.console.write(f"  {entry.usage + short:<42} {entry.text.splitlines()[0]}")
    shell.console.write(
        "A command can be shortened to a unique prefix. An empty line repeats a step."
    )


@command("quit", "q", "exit", topic=_TOPIC)
async def quit_(shell: Shell, _: str) -> None:
    """Leave. A program that was launched from here is ended; one that was attached to continues."""
    shell.leaving = True
