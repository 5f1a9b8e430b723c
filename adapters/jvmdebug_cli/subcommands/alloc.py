# SPDX-License-Identifier: Apache-2.0
"""`jvmdebug alloc`: what a running program allocates, where, and how much of it stays alive."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

import jvmdebug
from jvmdebug.printable import size_text
from jvmdebug_cli.argument_types import count_from
from jvmdebug_cli.exit_codes import DONE
from jvmdebug_cli.limits import add_duration
from jvmdebug_cli.subcommands.asking import (
    Commands,
    add_command,
    add_target_or_program,
    is_started,
    printers,
    watch,
)

if TYPE_CHECKING:
    import argparse

    from jvmdebug_cli.program_run import ProgramRun

_DESCRIPTION = """\
Sample what a JVM that runs with jvmdebug's agent allocates: how much at which place, and how much
of it is still alive at the end. Bytes are estimates from samples.

  jvmdebug alloc localhost:5005 --for 30
  jvmdebug alloc 4711 --live                    what stays alive first, after a collection
  jvmdebug alloc -cp classes -- shop.Main       a program from its start to its end

`jvmdebug profile --alloc` writes the same as a flame graph.
"""
_SECONDS: Final = 10.0
_TOP: Final = 20
_EVERY: Final = 512
_BEGINNING: Final = (
    "threads that ran before are sampled after the first 512 KB or so that each allocates"
)


def add(commands: Commands) -> None:
    """The arguments."""
    parser = add_command(
        commands, "alloc", "show what a program allocates, and where", _DESCRIPTION
    )
    add_target_or_program(parser)
    add_duration(parser, f"how long ({_SECONDS:g}; a program: to its end)")
    parser.add_argument(
        "--every",
        type=count_from(0),
        default=_EVERY,
        metavar="KB",
        help=f"a sample each time that a thread has allocated so much ({_EVERY}); 0: every object",
    )
    parser.add_argument(
        "--stack", type=count_from(0), default=8, metavar="N", help="frames of each stack (8)"
    )
    parser.add_argument(
        "--top",
        "-n",
        type=count_from(1),
        default=_TOP,
        metavar="N",
        help=f"how many sites at most ({_TOP})",
    )
    parser.add_argument(
        "--live",
        action="store_true",
        help="collect garbage at the end, and show what stays alive first",
    )
    parser.set_defaults(run=_run)


def _run(parsed: argparse.Namespace) -> int:
    if parsed.duration is None and not is_started(parsed):
        parsed.duration = _SECONDS
    return watch(parsed, lambda run: _sample(run, parsed))


async def _sample(run: ProgramRun, parsed: argparse.Namespace) -> int:
    sampling = run.session.allocations(every=parsed.every * 1024, stack=parsed.stack)
    async with sampling as allocations:
        started = time.monotonic()
        await run.begin(hold_at_end=True)
        if not await run.until(parsed.duration):
            raise jvmdebug.heap.HeapError("the program was gone before it could be asked")
        parsed.duration = time.monotonic() - started
        if parsed.live:
            await allocations.close()  # what comes meanwhile is not collected yet
        profile = await allocations.profile(collect=parsed.live)
    _show(parsed, profile)
    return DONE


def _show(parsed: argparse.Namespace, profile: jvmdebug.heap.AllocationProfile) -> None:
    out, _ = printers(parsed)
    sites = list(profile.sites)
    if parsed.live:
        sites.sort(key=lambda each: -each.live_bytes)
    if parsed.json:
        shown = [each.as_dict() for each in sites[: parsed.top]]
        about = {"samples": profile.samples, "bytes": profile.bytes, "left_out": profile.left_out}
        out.write_json(about | {"seconds": parsed.duration, "sites": shown})
        return
    if not sites:
        out.write(
            "no sample was taken: the program allocates little; try --every 16, or a longer --for"
        )
        return
    rate = size_text(int(profile.bytes / parsed.duration))
    out.write(f"{size_text(profile.bytes)} allocated, {rate}/s, from {profile.samples:,} samples")
    if not parsed.every:
        out.write(_BEGINNING)
    for site in sites[: parsed.top]:
        sizes = f"{size_text(site.bytes)}, {size_text(site.live_bytes)} alive"
        out.write(f"\n{sizes}: {jvmdebug.one_line(site.type_name)}")
        for place in site.stack:
            out.write(f"    at {place}")
    if len(sites) > parsed.top:
        out.write(f"\n{len(sites) - parsed.top:,} more sites: --top shows them")
