# SPDX-License-Identifier: Apache-2.0
"""The argument parser: help and errors that fold at words where the terminal is narrow, and say
in our words what argparse says in its own.

Used by `main`; the parsers of subcommands are of the same class. Imports rich only to print on a
terminal.
"""

from __future__ import annotations

import argparse
import difflib
import re
import sys
from typing import TYPE_CHECKING, Any, Final, NoReturn, TextIO

from jvmdebug_cli.exit_codes import WRONG_USAGE

if TYPE_CHECKING:
    from collections.abc import Callable

    from _typeshed import SupportsWrite

_OTHER_NAMES: Final = re.compile(r"(--[\w-]+)(?:/--?[\w-]+)+")
"""`--limit/-n`"""
_QUOTED: Final = re.compile(r"'([^']*)'|([^\s,']+)")


def _choice(found: re.Match[str]) -> str:
    known = [quoted or bare for quoted, bare in _QUOTED.findall(found["all"])]
    given = found["given"].strip("'")
    if found["name"] == "COMMAND":
        near = difflib.get_close_matches(given, known, 1)
        return f"there is no command {given!r}" + (f": did you mean `{near[0]}`?" if near else "")
    return f"{found['name']} {given}: choose {_listed(known, 'or')}"


_PLAIN: Final[tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...]] = tuple(
    (re.compile(pattern, re.DOTALL), plain)
    for pattern, plain in (
        (
            r"argument (?P<name>.+?): invalid choice: (?P<given>'.*?'|\S+).*?from (?P<all>.*)\)",
            _choice,
        ),
        (
            r"argument (?P<one>.+?): not allowed with argument (?P<other>.+)",
            lambda found: f"{found['other']} and {found['one']}: choose one of them",
        ),
        (
            r"argument (?P<name>.+?): expected (?:one|at least one) argument",
            lambda found: f"{found['name']} needs a value after it",
        ),
        (
            r"argument (?P<name>.+?): ignored explicit argument '?(?P<given>.*?)'?",
            lambda found: f"{found['name']} takes no value, not {found['given']!r}",
        ),
        (
            r"one of the arguments (?P<all>.+) is required",
            lambda found: f"say {_listed(found['all'].split(), 'or')}",
        ),
        (
            r"argument (?P<name>\S+?): (?P<rest>.+)",
            lambda found: f"{found['name']} {found['rest']}",
        ),
    )
)
_MISSING: Final = "the following arguments are required: "


class Parser(argparse.ArgumentParser):
    """Prints what it has to say through `say`. Options are written out: an abbreviation would mean
    another one when an option is added.
    """

    def __init__(self, **settings: Any) -> None:  # noqa: ANN401 - as argparse has it
        super().__init__(allow_abbrev=False, **settings)

    def error(self, message: str) -> NoReturn:
        """One sentence, and where the rest is explained; exit code 2."""
        text = self._plain(message)
        end = " " if text.endswith("?") else "; "
        say(f"{self.prog}: error: {text}{end}see `{self.prog} --help`", sys.stderr)
        sys.exit(WRONG_USAGE)

    def _plain(self, message: str) -> str:
        if message.startswith(_MISSING):
            return self._missing(message.removeprefix(_MISSING).split(", "))
        message = _OTHER_NAMES.sub(r"\1", message)
        for pattern, plain in _PLAIN:
            if (found := pattern.fullmatch(message)) is not None:
                return plain(found)
        return message

    def _missing(self, names: list[str]) -> str:
        """Says which arguments are missing; of the first of them what it is."""
        positionals_last = sorted(self._actions, key=lambda each: not each.option_strings)
        helps = {str(each.metavar or each.dest): each.help for each in positionals_last}
        what = helps.get(names[0])
        if len(names) == 1:
            return f"{names[0]} is missing" + (f": {what}" if what else "")
        are = f"{_listed(names, 'and')} are missing"
        return are + (f": {names[0]} is {what}" if what else "")

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        if message:
            say(
                message.rstrip("\n"),
                sys.stdout if file is None or file is sys.stdout else sys.stderr,
            )


def _listed(words: list[str], last: str) -> str:
    """`a, b or c`."""
    *first, end = words
    return f"{', '.join(first)} {last} {end}" if first else end


def say(message: str, stream: TextIO) -> None:
    """Print lines; on a terminal they are folded at words."""
    if not stream.isatty():
        print(message, file=stream)
        return
    from jvmdebug_cli.printer import Printer  # noqa: PLC0415 - slow to import

    Printer(stream, is_terminal=True).write(message)
