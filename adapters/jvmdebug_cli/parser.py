# SPDX-License-Identifier: Apache-2.0
"""The argument parser: help and errors that fold at words where the terminal is narrow.

Used by `main`; the parsers of subcommands are of the same class. Imports rich only to print on a
terminal.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, NoReturn, TextIO

from jvmdebug_cli.exit_codes import WRONG_USAGE

if TYPE_CHECKING:
    from _typeshed import SupportsWrite


class Parser(argparse.ArgumentParser):
    """Prints what it has to say through `say`."""

    def error(self, message: str) -> NoReturn:
        """One sentence, and where the rest is explained; exit code 2."""
        say(f"{self.prog}: error: {message}; see `{self.prog} --help`", sys.stderr)
        sys.exit(WRONG_USAGE)

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        if message:
            say(
                message.rstrip("\n"),
                sys.stdout if file is None or file is sys.stdout else sys.stderr,
            )


def say(message: str, stream: TextIO) -> None:
    """Print lines; on a terminal they are folded at words."""
    if not stream.isatty():
        print(message, file=stream)
        return
    from jvmdebug_cli.printer import Printer  # noqa: PLC0415 - slow to import

    Printer(stream, is_terminal=True).write(message)
