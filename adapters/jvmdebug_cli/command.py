# SPDX-License-Identifier: Apache-2.0
"""The commands of the prompt: their type and their registry.

To add one, write `async def name(shell, argument)` in `commands/` and decorate it with
`@command(...)`; its docstring is its help text.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING, Any, TypeAlias

from jvmdebug_cli.near_names import near
from jvmdebug_cli.other_debuggers import INSTEAD

if TYPE_CHECKING:
    from jvmdebug_cli.shell import Shell

_TOO_SHORT = 2
"""Letters of a word that may be meant as anything."""

Run: TypeAlias = Callable[["Shell", str], Coroutine[Any, Any, None]]


class Completes(Enum):
    """What the argument of a command is, for the completion."""

    NOTHING = auto()
    COMMAND = auto()
    EXPRESSION = auto()
    PLACE = auto()
    """Where a breakpoint may be: a file and its lines, a class and its methods."""
    LOG = auto()
    """The same, and the message of a log point behind it."""
    CLASS = auto()
    FIELD = auto()
    """An expression while the program is stopped, and `shop.Cart.total`."""
    LOCAL = auto()
    BREAKPOINT = auto()
    THREAD = auto()
    FILE = auto()


class UsageError(Exception):
    """A command was used wrongly; the message says how to use it."""


@dataclass(frozen=True, slots=True)
class Command:
    """One command."""

    name: str
    aliases: tuple[str, ...]
    usage: str
    """How to type it: `break SPEC [if CONDITION]`."""
    topic: str
    text: str
    """Its help; the first line is shown in the list of commands."""
    run: Run
    completes: Completes = Completes.NOTHING


COMMANDS: dict[str, Command] = {}
"""By name, in the order of the help."""


def command(
    name: str,
    *aliases: str,
    usage: str | None = None,
    topic: str,
    completes: Completes = Completes.NOTHING,
) -> Callable[[Run], Run]:
    """Register the function as a command."""

    def register(run: Run) -> Run:
        text = inspect.cleandoc(run.__doc__ or "")
        COMMANDS[name] = Command(name, aliases, usage or name, topic, text, run, completes)
        return run

    return register


def count_of(argument: str) -> int:
    """`next 3`: how often; once if nothing is said. Raises UsageError."""
    if not argument:
        return 1
    if not argument.isdecimal() or int(argument) == 0:
        raise UsageError(f"{argument!r} is not a number of times")
    return int(argument)


def find(word: str, argument: str = "") -> Command:
    """The command with that name, alias or unique prefix, if it takes an argument. Raises
    UsageError.
    """
    found = _named(word)
    if argument and found.usage == found.name:
        raise UsageError(f"`{found.name}` takes nothing after it, not {argument!r}")
    return found


def _named(word: str) -> Command:
    for candidate in COMMANDS.values():
        if word == candidate.name or word in candidate.aliases:
            return candidate
    matches = [candidate for candidate in COMMANDS.values() if candidate.name.startswith(word)]
    if len(matches) == 1:
        return matches[0]
    if matches:
        names = ", ".join(match.name for match in matches)
        raise UsageError(f"{word!r} may be any of: {names}")
    instead = INSTEAD.get(word)
    if instead is None:
        known = (name for each in COMMANDS.values() for name in (each.name, *each.aliases))
        found = near(word, known) if len(word) > _TOO_SHORT else None
        instead = f"did you mean `{found}`?" if found else "`help` lists them"
    raise UsageError(f"there is no command {word!r}; {instead}")
