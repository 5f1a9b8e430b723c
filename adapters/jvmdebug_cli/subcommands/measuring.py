# SPDX-License-Identifier: Apache-2.0
"""`jvmdebug count` and `jvmdebug time`: how often a program comes to a place, and how long it takes
from one to another. The program counts and measures itself, without stops.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeVar

import jvmdebug
from jvmdebug_cli.addresses import TARGET_HELP, add_token_file
from jvmdebug_cli.exit_codes import DONE, WrongUsageError
from jvmdebug_cli.limits import add_duration
from jvmdebug_cli.program_options import add_source_path
from jvmdebug_cli.subcommands.asking import (
    Commands,
    add_command,
    add_program,
    is_started,
    printers,
    watch,
)

if TYPE_CHECKING:
    import argparse
    from collections.abc import Awaitable, Callable

    from jvmdebug_cli.program_run import ProgramRun

_COUNT: Final = """\
Count how often a program comes to a line or a method, until Ctrl-C, --for so many seconds, or the
end of the program. It is not stopped, and counts itself.

  jvmdebug count shop.Cart#add --at localhost:5005 --for 10
  jvmdebug count shop/Cart.java:42 --if 'total > 100' -cp build/classes -- shop.Main
"""
_TIME: Final = """\
Measure how long the threads of a program take from one line or method to another, each time, until
Ctrl-C, --for so many seconds, or the end of the program. It is not stopped, and measures itself;
it needs jvmdebug's agent.

  jvmdebug time shop/Cart.java:42 shop/Cart.java:50 --at localhost:5005 --for 10
  jvmdebug time shop.Cart#add shop.Cart#close -cp build/classes -- shop.Main
"""
_PLACE: Final = "shop/Cart.java:42, shop.Cart:42, shop.Cart#add"
_Measured = TypeVar("_Measured", "jvmdebug.LineCount", "jvmdebug.LineTiming")
_PERCENTILES: Final = (50, 90, 99)


@dataclass(frozen=True)
class _Figures:
    """What was measured, and why it is not all."""

    text: str
    document: dict[str, object]
    why: str | None


def add(commands: Commands) -> None:
    """The arguments of both."""
    counting = add_command(commands, "count", "count how often a place is reached", _COUNT)
    counting.add_argument("place", metavar="PLACE", help=_PLACE)
    counting.add_argument(
        "--if", dest="condition", metavar="CONDITION", help="only where this is true"
    )
    _add_shared(counting)
    counting.set_defaults(run=_count)
    timing = add_command(commands, "time", "measure from one place to another", _TIME)
    timing.add_argument("start", metavar="FROM", help=_PLACE)
    timing.add_argument("end", metavar="TO", help="where it ends, as FROM; in the same thread")
    _add_shared(timing)
    timing.set_defaults(run=_time)


def _add_shared(parser: argparse.ArgumentParser) -> None:
    running = parser.add_argument_group("a program that runs")
    running.add_argument("--at", dest="target", metavar="TARGET", help=TARGET_HELP)
    add_token_file(running)
    add_program(parser)
    add_duration(parser)
    add_source_path(parser)


def _count(parsed: argparse.Namespace) -> int:
    def make(session: jvmdebug.Session) -> jvmdebug.LineCount:
        return session.count(parsed.place, condition=parsed.condition)

    async def read(made: jvmdebug.LineCount) -> _Figures:
        count = await made.read()
        asked = {"place": parsed.place, "condition": parsed.condition}
        return _Figures(f"{count:,}", {**asked, "count": count}, made.message)

    return _run(parsed, make, read)


def _time(parsed: argparse.Namespace) -> int:
    def make(session: jvmdebug.Session) -> jvmdebug.LineTiming:
        return session.time_between(parsed.start, parsed.end)

    async def read(made: jvmdebug.LineTiming) -> _Figures:
        times = await made.read()
        asked = {"from": parsed.start, "to": parsed.end, "missed": made.missed}
        by_thread = {name: _as_dict(each) for name, each in times.by_thread.items()}
        document = {**asked, **_as_dict(times.total), "by_thread": by_thread}
        why = made.message
        if made.missed:
            why = (
                f"{made.missed:,} passages were not timed: by a thread that was in the method"
                " before, and goes on with its old code"
            )
        return _Figures(str(times), document, why)

    return _run(parsed, make, read)


def _as_dict(times: jvmdebug.Times) -> dict[str, object]:
    percentiles = {f"p{each}_ns": times.percentile(each) for each in _PERCENTILES}
    ends = {"least_ns": times.least_ns, "longest_ns": times.longest_ns}
    return {"count": times.count, "mean_ns": times.mean_ns, **ends, **percentiles}


def _run(
    parsed: argparse.Namespace,
    make: Callable[[jvmdebug.Session], _Measured],
    read: Callable[[_Measured], Awaitable[_Figures]],
) -> int:
    is_started(parsed)

    async def measuring(run: ProgramRun) -> int:
        out, beside = printers(parsed)
        try:
            made = make(run.session)
        except jvmdebug.BreakpointError as error:
            raise WrongUsageError(str(error)) from None
        began = time.monotonic()
        await made.arm()
        if made.message is not None and not run.is_ours:
            beside.write(f"Waiting: {made.message}.")
        await run.begin()
        await run.until(parsed.duration)
        figures = await read(made)
        if parsed.json:
            seconds = time.monotonic() - began
            out.write_json({**figures.document, "seconds": seconds, "message": figures.why})
        else:
            out.write(figures.text)
        if figures.why is not None:
            beside.write(f"{figures.why}.")
        await made.close()
        return DONE

    return watch(parsed, measuring)
