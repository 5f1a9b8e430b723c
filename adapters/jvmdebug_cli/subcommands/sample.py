# SPDX-License-Identifier: Apache-2.0
"""`jvmdebug sample`: the value of an expression over time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug_cli.argument_types import duration
from jvmdebug_cli.exit_codes import WrongUsageError
from jvmdebug_cli.subcommands.asking import Commands, add_command
from jvmdebug_cli.subcommands.observed import add_observed, run_observed

if TYPE_CHECKING:
    import argparse

_DESCRIPTION = """\
Show the value of an expression again and again, until Ctrl-C, --limit values, or the end of the
program: at intervals (then no code is run: what only reads is computed), or with --in each time
that a line or method is reached. On a terminal numbers have a chart.

  jvmdebug sample 'shop.Main.pool.workers.size()' --every 1s --at localhost:5005
  jvmdebug sample 'total' --in shop.Cart:42 --limit 20 -cp build/classes -- shop.Main
"""


def add(commands: Commands) -> None:
    """The arguments."""
    parser = add_command(commands, "sample", "show an expression over time", _DESCRIPTION)
    parser.add_argument("expression", metavar="EXPRESSION", help="Java, with full names of classes")
    parser.add_argument(
        "--every",
        type=duration,
        metavar="TIME",
        help="how often: 1s, 200ms, 2m (1s; with --in: each time)",
    )
    parser.add_argument(
        "--in", dest="place", metavar="SPEC", help="where: shop/Cart.java:42, shop.Cart#add"
    )
    parser.add_argument(
        "--if", dest="condition", metavar="EXPRESSION", help="with --in: only if this is true there"
    )
    add_observed(parser)
    parser.set_defaults(run=_run)


def _run(parsed: argparse.Namespace) -> int:
    from jvmdebug_cli.observed_views import JsonLines, Values  # noqa: PLC0415 - slow to import

    if parsed.condition is not None and parsed.place is None:
        raise WrongUsageError("--if is for --in: at intervals there is no place to ask it at")
    return run_observed(
        parsed,
        lambda session: session.sample(
            parsed.expression,
            every=parsed.every,
            at=parsed.place,
            condition=parsed.condition,
            limit=parsed.limit,
            duration_s=parsed.duration,
        ),
        JsonLines if parsed.json else Values,
    )
