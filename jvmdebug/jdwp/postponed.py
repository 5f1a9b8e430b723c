# SPDX-License-Identifier: Apache-2.0
"""Commands that can wait until another one is sent, so that they take no round trip of their own.

Owned by connection.py, which sends them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from jvmdebug.jdwp.command import Command

CommandT = TypeVar("CommandT", bound="Command[Any]")


class Postponed:
    """The commands of one connection that wait."""

    def __init__(self) -> None:
        self._commands: list[Command[Any]] = []

    def add(self, command: Command[Any]) -> None:
        """Send a command before the next one that makes an event request, clears one, or may change
        something in the VM, unless somebody takes it. Nobody waits for its reply.
        """
        self._commands.append(command)

    def take(self, kind: type[CommandT]) -> list[CommandT]:
        """The commands of this class, which are not sent any more."""
        taken = [each for each in self._commands if isinstance(each, kind)]
        self._commands = [each for each in self._commands if not isinstance(each, kind)]
        return taken

    def take_all(self) -> list[Command[Any]]:
        """All commands, in the order in which they were added."""
        taken, self._commands = self._commands, []
        return taken
