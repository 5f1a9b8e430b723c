# SPDX-License-Identifier: Apache-2.0
"""`jvmdebug threads`: a thread dump with locks and deadlocks."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from jvmdebug_cli.argument_types import count_from, duration
from jvmdebug_cli.exit_codes import DONE, WrongUsageError
from jvmdebug_cli.subcommands.asking import Commands, add_command, add_target, ask, printers

if TYPE_CHECKING:
    import argparse

    import jvmdebug

_DESCRIPTION = """\
What all threads do at one moment: stacks, the locks that they hold and wait for, and deadlocks.
The program is suspended only while it is read; the last line says for how long.

  jvmdebug threads localhost:5005
  jvmdebug threads 4711 --frames 5
  jvmdebug threads 4711 --json | jq .deadlocks
  jvmdebug threads 4711 --virtual 100000 --consistency stacks
  jvmdebug threads 4711 --origins 5
"""


def add(commands: Commands) -> None:
    """The arguments."""
    parser = add_command(commands, "threads", "show what all threads do, with locks", _DESCRIPTION)
    add_target(parser)
    parser.add_argument(
        "--frames", type=count_from(0), default=30, metavar="N", help="frames of each thread (30)"
    )
    parser.add_argument(
        "--variables",
        type=count_from(0),
        default=0,
        metavar="N",
        help="show the variables of the topmost N frames of each thread (0)",
    )
    parser.add_argument(
        "--virtual",
        type=count_from(0),
        default=1000,
        metavar="N",
        help="at most N virtual threads; 0 for none (1000)",
    )
    parser.add_argument(
        "--consistency",
        choices=("all", "stacks", "none"),
        default="all",
        help="what belongs to one moment: all (the program is suspended for it), the stacks alone,"
        " or nothing: then no thread waits for another (all)",
    )
    parser.add_argument(
        "--origins",
        type=duration,
        metavar="S",
        help="note for S seconds what submits tasks, and show it below the stacks that run them",
    )
    parser.set_defaults(run=_run)


def _run(parsed: argparse.Namespace) -> int:
    async def question(session: jvmdebug.Session) -> int:
        import asyncio  # noqa: PLC0415 - slow to import

        from jvmdebug_cli.thread_dump import thread_dump  # noqa: PLC0415 - slow to import

        out, _ = printers(parsed)
        async with contextlib.AsyncExitStack() as noting:
            if parsed.origins is not None:
                await noting.enter_async_context(session.origins())
                await asyncio.sleep(parsed.origins)
            snapshot = await taken(session)
        if parsed.json:
            out.write_json(snapshot.as_dict())
        else:
            out.write(thread_dump(snapshot))
        return DONE

    async def taken(session: jvmdebug.Session) -> jvmdebug.Snapshot:
        has_origins = parsed.origins is not None
        if parsed.variables > 0:
            return await session.snapshot(
                frames=parsed.frames, variables=parsed.variables, origins=has_origins
            )
        return await session.thread_dump(
            frames=parsed.frames,
            virtual_threads=parsed.virtual,
            consistency=parsed.consistency,
            origins=has_origins,
        )

    if parsed.origins is not None and parsed.consistency != "all":
        raise WrongUsageError("--origins needs --consistency all")
    return ask(parsed, question)
