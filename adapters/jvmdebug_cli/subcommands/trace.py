# SPDX-License-Identifier: Apache-2.0
"""`jvmdebug trace`: the calls of methods, with arguments, results and times, as a tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug_cli.argument_types import count_from
from jvmdebug_cli.subcommands.asking import Commands, add_command
from jvmdebug_cli.subcommands.observed import add_observed, run_observed

if TYPE_CHECKING:
    import argparse

_DESCRIPTION = """\
Show the calls of methods as a tree, with arguments, results or exceptions, and times, until Ctrl-C,
--limit calls, or the end of the program. It is not stopped: each call is slower by what is read.

  jvmdebug trace 'shop.Cart#*' --at localhost:5005
  jvmdebug trace 'shop.Cart#add' --if 'count > 9' -cp build/classes -- shop.Main
  jvmdebug trace 'shop.*#save' --at 4711 --limit 100 --json > calls.jsonl

A program that is started here runs in the full mode, so that all results are known; its exceptions
are slow then: --mode fast undoes both. In a JVM whose agent is in the fast mode, a result that a
method computes as it returns is shown as `?`.
"""


def add(commands: Commands) -> None:
    """The arguments."""
    parser = add_command(commands, "trace", "show calls with arguments and results", _DESCRIPTION)
    parser.add_argument(
        "pattern", metavar="PATTERN", help="methods: 'shop.Cart#add', 'shop.Cart#*', 'shop.*#add'"
    )
    parser.add_argument(
        "--if", dest="condition", metavar="EXPRESSION", help="only calls for which this is true"
    )
    parser.add_argument(
        "--stack",
        type=count_from(0),
        default=0,
        metavar="N",
        help="callers of each call, in JSON (0)",
    )
    parser.add_argument(
        "--fields",
        action="store_true",
        help="objects with their fields: each call stops for a moment; else the program records"
        " calls itself, objects by class and hash code alone",
    )
    add_observed(parser)
    parser.set_defaults(run=_run, mode="full")


def _run(parsed: argparse.Namespace) -> int:
    from jvmdebug_cli.observed_views import CallTree, JsonLines  # noqa: PLC0415 - slow to import

    return run_observed(
        parsed,
        lambda session: session.trace(
            parsed.pattern,
            condition=parsed.condition,
            stack=parsed.stack,
            recorded=not parsed.fields,
            limit=parsed.limit,
            duration_s=parsed.duration,
        ),
        JsonLines if parsed.json else CallTree,
    )
