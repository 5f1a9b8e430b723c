# SPDX-License-Identifier: Apache-2.0
"""`jvmdebug sample`: the value of an expression over time."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from jvmdebug_cli.exit_codes import WrongUsageError
from jvmdebug_cli.subcommands.asking import Commands, add_command
from jvmdebug_cli.subcommands.observed import add_observed, run_observed

if TYPE_CHECKING:
    import argparse

_DESCRIPTION = """\
Show the value of an expression again and again, until Ctrl-C, --limit values, or the end of the
program: at intervals (then only fields are read, and sizes of collections), or with --in each time
that a line or method is reached. On a terminal numbers have a chart.

  jvmdebug sample 'shop.Main.pool.workers.size()' --every 1s --at localhost:5005
  jvmdebug sample 'total' --in shop.Cart:42 --limit 20 -cp build/classes -- shop.Main
"""
_UNITS = {"": 1.0, "s": 1.0, "ms": 1e-3, "m": 60.0, "min": 60.0}


def add(commands: Commands) -> None:
    """The arguments."""
    parser = add_command(commands, "sample", "show an expression over time", _DESCRIPTION)
    parser.add_argument("expression", metavar="EXPRESSION", help="Java, with full names of classes")
    parser.add_argument(
        "--every", metavar="TIME", help="how often: 1s, 200ms, 2m (1s; with --in: each time)"
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
    every = None if parsed.every is None else seconds(parsed.every)
    return run_observed(
        parsed,
        lambda session: session.sample(
            parsed.expression,
            every=every,
            at=parsed.place,
            condition=parsed.condition,
            limit=parsed.limit,
            duration_s=parsed.duration,
        ),
        JsonLines if parsed.json else Values,
    )


def seconds(text: str, option: str = "--every") -> float:
    """`1s`, `200ms`, `0.5`, `2m` as seconds. WrongUsageError for anything else, and for none."""
    found = re.fullmatch(r"(\d+(?:\.\d*)?|\.\d+)\s*(s|ms|m|min)?", text)
    if found is None or float(found[1]) == 0:
        raise WrongUsageError(f"{option} {text}: write a time such as 1s, 200ms or 2m")
    return float(found[1]) * _UNITS[found[2] or ""]
