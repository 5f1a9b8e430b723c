# SPDX-License-Identifier: Apache-2.0
"""Whether there is a terminal. Imports nothing that takes time: the options need it."""

import sys


def is_interactive() -> bool:
    """Whether somebody types, and sees the answers."""
    return not sys.stdin.closed and sys.stdin.isatty() and sys.stdout.isatty()
