# SPDX-License-Identifier: Apache-2.0
"""Options that end a command which watches a program: after a time or a number of results.

Both have the same names in all commands. Names that some commands had before are accepted, and are
not in their help.
"""

from __future__ import annotations

import argparse

from jvmdebug_cli.argument_types import count_from, duration


def add_duration(parser: argparse.ArgumentParser, text: str = "end after so many seconds") -> None:
    """`--for`: seconds, in `duration`; None if it is not given."""
    parser.add_argument("--for", type=duration, dest="duration", metavar="S", help=text)
    parser.add_argument(
        "--seconds",
        type=duration,
        dest="duration",
        default=argparse.SUPPRESS,
        help=argparse.SUPPRESS,
    )


def add_limit(parser: argparse.ArgumentParser) -> None:
    """`-n`: a number of results, in `limit`; None if it is not given."""
    parser.add_argument(
        "--limit", "-n", type=count_from(1), metavar="N", help="end after so many (else at Ctrl-C)"
    )
