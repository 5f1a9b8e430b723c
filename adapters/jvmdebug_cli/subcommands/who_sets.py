# SPDX-License-Identifier: Apache-2.0
"""`jvmdebug who-sets`: the code that writes to a field, with the values before and after."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug_cli.argument_types import count_from
from jvmdebug_cli.subcommands.asking import Commands, add_command
from jvmdebug_cli.subcommands.observed import add_observed, run_observed

if TYPE_CHECKING:
    import argparse

_DESCRIPTION = """\
Show who writes to a field: the values before and after, the object, the thread and its stack, until
Ctrl-C, --limit writes, or the end of the program, which is not stopped.

  jvmdebug who-sets shop.Customer.name --to null --at localhost:5005
  jvmdebug who-sets shop.Cart.total --if '$new < $old' -cp build/classes -- shop.Main
"""


def add(commands: Commands) -> None:
    """The arguments."""
    parser = add_command(commands, "who-sets", "show who writes to a field", _DESCRIPTION)
    parser.add_argument("field", metavar="FIELD", help="shop.Customer.name")
    parser.add_argument("--to", metavar="VALUE", help="only this new value: null, 0, '\"Ann\"'")
    parser.add_argument(
        "--if",
        dest="condition",
        metavar="EXPRESSION",
        help="only writes for which this is true; it may name $old and $new",
    )
    parser.add_argument(
        "--stack", type=count_from(1), default=10, metavar="N", help="frames of each stack (10)"
    )
    add_observed(parser)
    parser.set_defaults(run=_run)


def _run(parsed: argparse.Namespace) -> int:
    from jvmdebug_cli.observed_views import JsonLines, Writes  # noqa: PLC0415 - slow to import

    return run_observed(
        parsed,
        lambda session: session.who_sets(
            parsed.field,
            to=parsed.to,
            condition=parsed.condition,
            stack=parsed.stack,
            limit=parsed.limit,
            duration_s=parsed.duration,
        ),
        JsonLines if parsed.json else Writes,
    )
