# SPDX-License-Identifier: Apache-2.0
"""`jvmdebug gc`: collect garbage now and say what it freed, or watch collections."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug_cli.exit_codes import DONE, WrongUsageError
from jvmdebug_cli.subcommands.asking import Commands, add_command, add_target, ask, printers

if TYPE_CHECKING:
    import argparse

    import jvmdebug

_DESCRIPTION = """\
Collect garbage in a JVM that runs with jvmdebug's agent, all of it, and show what was freed.

  jvmdebug gc localhost:5005
  jvmdebug gc localhost:5005 --seconds 60       no collection of ours: show those that happen
"""


def add(commands: Commands) -> None:
    """The arguments."""
    parser = add_command(commands, "gc", "collect garbage in a running JVM", _DESCRIPTION)
    add_target(parser)
    parser.add_argument(
        "--seconds", type=float, metavar="S", help="show the collections of so many seconds instead"
    )
    parser.set_defaults(run=_run)


def _run(parsed: argparse.Namespace) -> int:
    if parsed.seconds is not None:
        if parsed.seconds <= 0:
            raise WrongUsageError("--seconds is above 0")
        return ask(parsed, lambda session: _watch(session, parsed))

    async def question(session: jvmdebug.Session) -> int:
        from jvmdebug_cli.heap_views import size_text  # noqa: PLC0415 - slow to import

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


async def _watch(session: jvmdebug.Session, parsed: argparse.Namespace) -> int:
    out, _ = printers(parsed)
    told = []
    async with session.gc_events(duration_s=parsed.seconds) as events:
        async for event in events:
            told.append(event.as_dict())
            if not parsed.json:
                out.write(str(event))
    totals = {"pauses": events.pauses, "total_s": events.total_s, "longest_s": events.longest_s}
    if parsed.json:
        out.write_json(totals | {"events": told})
    else:
        share = events.total_s / parsed.seconds
        out.write(
            f"{events.pauses:,} collections in {parsed.seconds:g} s: the program stood still for "
            f"{events.total_s:.3f} s ({share:.1%}), {events.longest_s * 1e3:.1f} ms at most"
        )
    return DONE
