# SPDX-License-Identifier: Apache-2.0
"""`jvmdebug gc`: collect garbage now and say what it freed, or watch collections."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from jvmdebug.printable import size_text
from jvmdebug_cli.exit_codes import DONE
from jvmdebug_cli.limits import add_duration
from jvmdebug_cli.subcommands.asking import (
    Commands,
    add_command,
    add_target_or_program,
    ask,
    is_started,
    printers,
    watch,
)

if TYPE_CHECKING:
    import argparse

    import jvmdebug
    from jvmdebug_cli.printer import Printer
    from jvmdebug_cli.program_run import ProgramRun

_DESCRIPTION = """\
Collect garbage in a JVM that runs with jvmdebug's agent, all of it, and show what was freed.

  jvmdebug gc localhost:5005
  jvmdebug gc localhost:5005 --for 60           no collection of ours: show those that happen
  jvmdebug gc -cp classes -- shop.Main          those of a program, from its start to its end
"""


def add(commands: Commands) -> None:
    """The arguments."""
    parser = add_command(commands, "gc", "collect garbage in a running JVM", _DESCRIPTION)
    add_target_or_program(parser)
    add_duration(parser, "show the collections of so many seconds")
    parser.set_defaults(run=_run)


def _run(parsed: argparse.Namespace) -> int:
    if is_started(parsed) or parsed.duration is not None:
        return watch(parsed, lambda run: _watch(run, parsed))

    async def question(session: jvmdebug.Session) -> int:
        out, _ = printers(parsed)
        before = sum(each.shallow_size for each in await session.heap.histogram())
        await session.heap.collect()
        after = sum(each.shallow_size for each in await session.heap.histogram())
        if parsed.json:
            out.write_json({"before": before, "after": after, "freed": before - after})
        else:
            freed = size_text(max(0, before - after))
            out.write(f"{freed} freed: {size_text(before)} before, {size_text(after)} after")
        return DONE

    return ask(parsed, question)


async def _watch(run: ProgramRun, parsed: argparse.Namespace) -> int:
    import asyncio  # noqa: PLC0415 - slow to import

    out, _ = printers(parsed)
    told: list[dict[str, object]] = []
    started = time.monotonic()
    async with run.session.gc_events() as events:
        showing = asyncio.create_task(_show(events, told, None if parsed.json else out))
        await run.begin()
        await run.until(parsed.duration)
        watched_s = time.monotonic() - started
    await showing
    totals = {"pauses": events.pauses, "total_s": events.total_s, "longest_s": events.longest_s}
    if parsed.json:
        out.write_json(totals | {"seconds": watched_s, "events": told})
    else:
        out.write(
            f"{events.pauses:,} collections in {watched_s:.1f} s: the program stood still for "
            f"{events.total_s:.3f} s ({events.total_s / watched_s:.1%}), "
            f"{events.longest_s * 1e3:.1f} ms at most"
        )
    return DONE


async def _show(
    events: jvmdebug.GcEvents, told: list[dict[str, object]], out: Printer | None
) -> None:
    async for event in events:
        told.append(event.as_dict())
        if out is not None:
            out.write(str(event))
