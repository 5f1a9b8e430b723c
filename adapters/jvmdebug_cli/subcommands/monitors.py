# SPDX-License-Identifier: Apache-2.0
"""`jvmdebug monitors`: which monitors threads wait for, where, and for how long."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from jvmdebug_cli.argument_types import count_from, duration
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
    from collections.abc import Sequence

    import jvmdebug
    from jvmdebug_cli.printer import Printer
    from jvmdebug_cli.program_run import ProgramRun

_DESCRIPTION = """\
Watch which monitors threads of a running program wait to enter, until Ctrl-C or for some seconds;
then show the totals by monitor and by stack, and who waits still. Locks of java.util.concurrent are
no monitors: `jvmdebug threads` shows those.

  jvmdebug monitors localhost:5005 --for 10
  jvmdebug monitors 4711 --longer-than 10ms --waits
  jvmdebug monitors 4711 --break-after 2s
  jvmdebug monitors -cp classes -- shop.Main             a program from its start to its end
  jvmdebug monitors 4711 --for 5 --json | jq '.by_monitor[0]'
"""


def add(commands: Commands) -> None:
    """The arguments."""
    parser = add_command(commands, "monitors", "show contention of monitors", _DESCRIPTION)
    add_target_or_program(parser)
    add_duration(parser)
    parser.add_argument(
        "--longer-than",
        type=duration,
        default=0.0,
        metavar="TIME",
        help="leave out shorter waits: 10ms, 1s (all)",
    )
    parser.add_argument(
        "--break-after",
        type=duration,
        metavar="TIME",
        help="when a thread has waited for so long, stop the program, show who that is and all"
        " threads of that moment, and let it go on",
    )
    parser.add_argument(
        "--stack", type=count_from(0), default=8, metavar="N", help="frames of each stack (8)"
    )
    parser.add_argument("--waits", action="store_true", help="those in Object.wait too")
    parser.add_argument(
        "--top",
        "-n",
        type=count_from(1),
        default=10,
        metavar="N",
        help="monitors and stacks to show (10)",
    )
    parser.set_defaults(run=_run)


def _run(parsed: argparse.Namespace) -> int:
    patience: float | None = parsed.break_after
    is_started(parsed)

    async def question(run: ProgramRun) -> int:
        session = run.session
        out, beside = printers(parsed)
        if patience is not None:
            return await _at_a_long_wait(run, out, patience, parsed)
        contention = session.contention(
            longer_than_s=parsed.longer_than, stack=parsed.stack, waits=parsed.waits, capacity=1
        )
        async with contention:
            await run.begin()
            if parsed.duration is None and beside.is_terminal:
                beside.write("Watching; Ctrl-C ends it.")
            await run.until(parsed.duration)
            still = contention.blocked
        if parsed.json:
            out.write_json(
                {
                    "by_monitor": [each.as_dict() for each in contention.by_monitor],
                    "by_stack": [each.as_dict() for each in contention.by_stack],
                    "blocked": [each.as_dict() for each in still],
                }
            )
        else:
            _show(out, contention, still, parsed.top)
        return DONE

    return watch(parsed, question)


async def _at_a_long_wait(
    run: ProgramRun, out: Printer, patience_s: float, parsed: argparse.Namespace
) -> int:
    """Tells who has waited for so long, and what all threads do then. The program is stopped until
    the session ends.
    """
    import asyncio  # noqa: PLC0415 - slow to import

    from jvmdebug_cli.thread_dump import thread_dump  # noqa: PLC0415 - slow to import

    session = run.session
    contention = session.contention(stack=parsed.stack, break_after_s=patience_s)
    async with contention:
        await run.begin()
        blocked = None
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(parsed.duration):
                async for each in contention:
                    if not each.is_over:
                        blocked = each
                        break
        if blocked is None:
            out.write(f"No thread waited for {patience_s:g} s.")
            return DONE
        dump = await session.thread_dump()
    if parsed.json:
        out.write_json({"blocked": blocked.as_dict(), "threads": dump.as_dict()})
    else:
        out.write(str(blocked))
        out.write("")
        out.write(thread_dump(dump))
    return DONE


def _show(
    out: Printer, contention: jvmdebug.Contention, still: Sequence[jvmdebug.Blocked], top: int
) -> None:
    from jvmdebug_cli.rows import Rows  # noqa: PLC0415 - slow to import

    monitors, stacks = contention.by_monitor, contention.by_stack
    if not monitors and not still:
        out.write("No thread waited for a monitor.")
        return
    if monitors:
        rows = [[*_times(each), each.text, _owners(each)] for each in monitors[:top]]
        out.write(Rows(["total", "waits", "longest", "monitor", "held by"], rows))
        out.write("")
        for each in stacks[:top]:
            total, count, longest = _times(each)
            out.write(f"{total} in {count} waits, longest {longest}:")
            for entry in each.stack:
                out.write(f"    at {entry}")
        out.write("")
    for one in still:
        out.write(f"still: {one}")


def _times(each: jvmdebug.ContendedTotal) -> tuple[str, str, str]:
    return _time(each.total_s), str(each.count), _time(each.longest_s)


def _time(duration_s: float) -> str:
    return f"{duration_s:.2f} s" if duration_s >= 1 else f"{duration_s * 1e3:.1f} ms"


def _owners(each: jvmdebug.ContendedTotal) -> str:
    worst = sorted(each.owners, key=lambda name: -each.owners[name])
    return ", ".join(worst[:3]) + (", …" if len(worst) > 3 else "")
