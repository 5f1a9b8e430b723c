# SPDX-License-Identifier: Apache-2.0
"""The commands help, source, echo and quit."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from rich.text import Text

from jvmdebug.os_errors import reason
from jvmdebug_cli import view
from jvmdebug_cli.command import COMMANDS, Completes, UsageError, command, find
from jvmdebug_cli.rows import Rows

if TYPE_CHECKING:
    from jvmdebug_cli.shell import Shell

_TOPIC = "General"
_TOPICS = ("Running", "Breakpoints", "At each stop", "Looking", "Changing", _TOPIC)


@command("help", "h", "?", usage="help [COMMAND]", topic=_TOPIC, completes=Completes.COMMAND)
async def help_(shell: Shell, argument: str) -> None:
    """List the commands, or explain one."""
    if argument:
        chosen = find(argument)
        also = f"\nAlso: {', '.join(chosen.aliases)}" if chosen.aliases else ""
        shell.console.write(f"{chosen.usage}\n\n{chosen.text}{also}")
        return
    for topic in _TOPICS:
        shell.console.write(Text(topic, view.WHERE))
        rows = []
        for entry in (each for each in COMMANDS.values() if each.topic == topic):
            short = f" ({entry.aliases[0]})" if entry.aliases else ""
            rows.append((f"  {entry.usage}{short}", entry.text.splitlines()[0]))
        shell.console.write(Rows(("", ""), rows))
    shell.console.write(
        "A command can be shortened to a unique prefix; most names of gdb and jdb are known. "
        "An empty line repeats a step, Tab completes."
    )


@command("source", "read", usage="source FILE", topic=_TOPIC, completes=Completes.FILE)
async def source(shell: Shell, argument: str) -> None:
    """Run the commands in a file."""
    if not argument:
        raise UsageError("which file? For example `source commands.txt`")
    try:
        path = Path(argument).expanduser()  # noqa: ASYNC240 - looks at nothing but the environment
        text = await asyncio.to_thread(path.read_text, encoding="utf-8")
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot read the commands in {argument}: {reason(error)}") from None
    shell.console.first(text.splitlines())


@command("echo", usage="echo TEXT", topic=_TOPIC)
async def echo(shell: Shell, argument: str) -> None:
    """Print a text, in the commands of a breakpoint say."""
    shell.console.write(argument)


@command("quit", "q", "exit", topic=_TOPIC)
async def quit_(shell: Shell, _: str) -> None:
    """Leave. A program that was launched from here is ended; one that was attached to continues."""
    shell.leaving = True
