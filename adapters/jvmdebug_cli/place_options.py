# SPDX-License-Identifier: Apache-2.0
"""What stands behind the place of a breakpoint: `thread 3`, `instance cart`, `if total > 9`.

Owns the notation, and where the message of a log point begins. Used by all commands that set
breakpoints, and by the completion.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jvmdebug_cli.command import UsageError

if TYPE_CHECKING:
    from jvmdebug import ThreadHandle, Variable
    from jvmdebug_cli.shell import Shell

USAGE: Final = "[thread NUMBER|NAME] [instance EXPRESSION] [if CONDITION]"
_FILTER: Final = re.compile(r"\s(thread|instance)(?=\s|\Z)")
_IF: Final = " if "
_LOGGED: Final = re.compile(r"(?P<spec>[^\s(]+\([^)]*\)|\S+)(?P<rest>\s.*)?", re.DOTALL)
_OPTION: Final = re.compile(r"\s*(?:thread|instance|if|--)(?:\s|\Z)")
_DASHES: Final = re.compile(r"\s--(?:\s|\Z)")
_EXAMPLES: Final = {
    "thread": "which thread? `thread 3`, `thread worker-1`; `threads` lists them",
    "instance": "which object? `instance cart`, any expression of the selected frame",
}


@dataclass(frozen=True, slots=True)
class PlaceOptions:
    """A place, and which hits of it count."""

    spec: str
    thread: str | None
    """The number of the thread, or its name."""
    instance: str | None
    """An expression of the selected frame."""
    condition: str | None

    async def only(self, shell: Shell) -> tuple[ThreadHandle | None, Variable | None]:
        """The thread and the object. Raises UsageError for a thread that is none, EvaluationError
        for an expression that is none.
        """
        thread = None if self.thread is None else await _thread(shell, self.thread)
        if self.instance is None:
            return thread, None
        return thread, await shell.frame.evaluate(self.instance)


def place_options(argument: str) -> PlaceOptions:
    """What was typed. Raises UsageError for a word that nothing follows, or that comes twice."""
    head, _, condition = argument.partition(_IF)
    spec, *typed = _FILTER.split(head)
    filters: dict[str, str] = {}
    for word, value in zip(typed[::2], typed[1::2], strict=True):
        if word in filters or not value.strip():
            raise UsageError(_EXAMPLES[word])
        filters[word] = value.strip()
    return PlaceOptions(
        spec.strip(), filters.get("thread"), filters.get("instance"), condition.strip() or None
    )


def log_options(argument: str) -> tuple[PlaceOptions, str]:
    """The same of a log point, and its message. Raises UsageError, also if there is none.

    Two dashes end the options; a message that does not begin like one needs none before it.
    """
    spec, options, message = _log_parts(argument)
    if message is None:
        raise UsageError(
            "where does the message begin? Behind two dashes:"
            " `log shop.Cart:42 thread 3 -- total is {total}`"
        )
    if not message.strip():
        raise UsageError("log what where? `log shop.Cart:42 total is {total}`")
    return place_options(spec + (options or "")), message.strip()


def typed_message(argument: str) -> str | None:
    """What is typed until now of the message of a log point; None before that."""
    _, options, message = _log_parts(argument)
    return message or None if options is None else message


def _log_parts(argument: str) -> tuple[str, str | None, str | None]:
    """Place, options and message of a log point: no options, or no dashes behind them yet."""
    found = _LOGGED.fullmatch(argument)
    spec, rest = ("", "") if found is None else (found["spec"], found["rest"] or "")
    if _OPTION.match(rest) is None:
        return spec, None, rest
    dashes = _DASHES.search(rest)
    if dashes is None:
        return spec, rest, None
    return spec, rest[: dashes.start()], rest[dashes.end() :]


def last_option(argument: str) -> tuple[str, str] | None:
    """`if`, `thread` or `instance`, and what is typed behind it until now; None before that."""
    head, is_condition, condition = argument.partition(_IF)
    if is_condition:
        return "if", condition
    *_, word, value = ["", "", *_FILTER.split(head)[1:]]
    return (word, value.lstrip()) if word and value else None


async def _thread(shell: Shell, text: str) -> ThreadHandle:
    every = await shell.session.threads()
    found = [each for each in every if str(each.id) == text]
    found = found or [each for each in every if each.name == text]
    if not found:
        raise UsageError(f"there is no thread {text}; `threads` lists them")
    if len(found) > 1:
        raise UsageError(
            f"{len(found)} threads have the name {text}: `threads` shows their numbers"
        )
    return found[0]
