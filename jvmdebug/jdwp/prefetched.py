# SPDX-License-Identifier: Apache-2.0
"""Prefetched replies: what our agent has answered in bulk (Agent.Stack), kept for later requests.

Owns the replies of one connection, as bytes until one is used, and decides how long they are valid:
until a command is sent that may change something in the VM (`changes = true` in native/protocol).
Transparent to callers: the engine looks here before it makes a request. No I/O.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from jvmdebug.jdwp.generated import (
    agent,
    array_reference,
    object_reference,
    string_reference,
)
from jvmdebug.jdwp.ids import ArrayRegion

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jvmdebug._native import Codec
    from jvmdebug.jdwp.command import Command
    from jvmdebug.jdwp.generated.agent import StackReply
    from jvmdebug.jdwp.ids import ArrayId, FieldId, ObjectId, Value

Answer: TypeAlias = tuple[int, bytes]
"""Error code, and content of the reply."""


class PrefetchedReplies:
    """The prefetched replies of one connection."""

    def __init__(self) -> None:
        self.generation = 0
        """Grows whenever the replies become invalid."""
        self._answers: dict[tuple[int, int, bytes], Answer] = {}
        self._fields: dict[ObjectId, dict[FieldId, Value]] = {}
        self._elements: dict[ArrayId, ArrayRegion] = {}
        self._texts: dict[ObjectId, str] = {}

    def add(self, answers: Iterable[StackReply.Answer], codec: Codec) -> None:
        """Add these. A reply about a whole object, array or string also serves requests for its
        parts.
        """
        for each in answers:
            key = (each.command_set, each.command, each.request)
            self._answers[key] = (each.error, each.reply)
            if each.error:
                continue
            if key[:2] == _numbers(object_reference.GetValues):
                asked = codec.decode(object_reference.GetValues, each.request)
                values = codec.decode(object_reference.GetValuesReply, each.reply).values
                self._fields[asked.object] = dict(zip(asked.fields, values, strict=True))
            elif key[:2] == _numbers(array_reference.GetValues):
                array = codec.decode(array_reference.GetValues, each.request).array
                reply = codec.decode(array_reference.GetValuesReply, each.reply)
                self._elements[array] = reply.values
            elif key[:2] == _numbers(string_reference.Value):
                string = codec.decode(string_reference.Value, each.request).string
                self._texts[string] = codec.decode(string_reference.ValueReply, each.reply).text

    def part(self, command: Command[Any]) -> object | None:
        """The reply to a request for fields or elements that were prefetched, else None."""
        match command:
            case object_reference.GetValues(object_id, fields):
                known = self._fields.get(object_id)
                if known is not None and all(each in known for each in fields):
                    return object_reference.GetValuesReply(tuple(known[each] for each in fields))
            case array_reference.GetValues(array, first, length):
                region = self._elements.get(array)
                if region is not None and 0 <= first <= first + length <= len(region.values):
                    part = ArrayRegion(region.tag, region.values[first : first + length])
                    return array_reference.GetValuesReply(part)
            case agent.StringBeginning(string, most):
                text = self._texts.get(string)
                if text is not None and most >= 0:
                    units = text.encode("utf-16-le", "surrogatepass")
                    beginning = units[: 2 * most].decode("utf-16-le", "surrogatepass")
                    return agent.StringBeginningReply(len(units) // 2, beginning)
            case _:
                pass
        return None

    def answer(self, command: Command[Any], codec: Codec) -> Answer | None:
        """The prefetched answer to exactly this command, or None."""
        if not self._answers:
            return None
        return self._answers.get((command.COMMAND_SET, command.NUMBER, codec.encode(command)))

    def sent(self, command: Command[Any]) -> None:
        """A command is sent: if it may change something in the VM, drop everything."""
        if command.CHANGES:
            self.generation += 1
            self._answers.clear()
            self._fields.clear()
            self._elements.clear()
            self._texts.clear()


def _numbers(command: type[Command[Any]]) -> tuple[int, int]:
    return command.COMMAND_SET, command.NUMBER
