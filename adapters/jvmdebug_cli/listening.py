# SPDX-License-Identifier: Apache-2.0
"""The command `jvmdebug listen`: programs that connect to us, each a session with a prompt.

Owns in which order the prompts open. All programs that have connected are sessions at once, and
what a program does before its prompt opens waits for it. Called by `command_line`.
"""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING

import jvmdebug
from jvmdebug.printable import host_and_port
from jvmdebug_cli.console import Console
from jvmdebug_cli.exit_codes import DONE
from jvmdebug_cli.parser import say
from jvmdebug_cli.program_options import source_path
from jvmdebug_cli.prompt import configuring
from jvmdebug_cli.shell import Shell

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence


def run(host: str, port: int, commands: Sequence[str], parsed: argparse.Namespace) -> int:
    """Serve programs until Ctrl-C, or `--count`; the first exit code of a batch that is not 0."""
    return asyncio.run(_serve(host, port, commands, parsed))


async def _serve(host: str, port: int, commands: Sequence[str], parsed: argparse.Namespace) -> int:
    waiting: asyncio.Queue[jvmdebug.Session | None] = asyncio.Queue()
    async with jvmdebug.listen(
        host,
        port,
        source_path=source_path(parsed),
        suspend=parsed.suspend,
        token_file=parsed.token_file,
    ) as listener:
        print(f"listening on {host_and_port(listener.host, listener.port)}", flush=True)
        accepting = asyncio.create_task(_accept(listener, waiting, parsed.count), name="accepting")
        try:
            return await _prompts(waiting, commands, parsed)
        finally:
            accepting.cancel()
            await asyncio.gather(accepting, return_exceptions=True)


async def _accept(
    listener: jvmdebug.Listener, waiting: asyncio.Queue[jvmdebug.Session | None], count: int | None
) -> None:
    accepted = 0
    try:
        async for session in listener.sessions(_tell_refusal):
            accepted += 1
            print(f"{session.name} has connected", flush=True)
            waiting.put_nowait(session)
            if accepted == count:
                return
    finally:
        waiting.put_nowait(None)


def _tell_refusal(why: str) -> None:
    say(f"jvmdebug: refused: {jvmdebug.several_lines(why)}", sys.stderr)


async def _prompts(
    waiting: asyncio.Queue[jvmdebug.Session | None],
    commands: Sequence[str],
    parsed: argparse.Namespace,
) -> int:
    """Serve all at the same time in a batch, else one after the other."""
    configure, code = configuring(parsed), DONE
    running: list[asyncio.Task[int]] = []
    while (session := await waiting.get()) is not None:
        configure(session.settings)
        task = asyncio.create_task(_prompt(session, commands, batch=parsed.batch))
        running.append(task)
        if not parsed.batch:
            await task
    for ended in await asyncio.gather(*running):
        code = code or ended
    return code


async def _prompt(session: jvmdebug.Session, commands: Sequence[str], *, batch: bool) -> int:
    console = Console.open(commands=list(commands), batch=batch)
    async with session:
        return int(await Shell(session, console).run())
