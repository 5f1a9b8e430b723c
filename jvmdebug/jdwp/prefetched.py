# SPDX-License-Identifier: Apache-2.0
"""Prefetched replies: what our agent has answered in bulk, kept for later requests.

Owns the replies of one connection (to Agent.Stack and Agent.Page, and those that Agent.Shown brings
with a stop), as bytes until one is used, and decides how long they are valid: until a command is
sent that may change something in the VM (`changes = true` in native/protocol), or too many have
come. Facts, which no running thread changes, stay until code is redefined. Transparent to callers:
the engine looks here before it makes a request. No I/O.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias

from jvmdebug.jdwp.generated import (
    agent,
    array_reference,
    object_reference,
    string_reference,
    thread_reference,
    virtual_machine,
)
from jvmdebug.jdwp.ids import ArrayRegion

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from jvmdebug._native import Codec
    from jvmdebug.jdwp.command import Command
    from jvmdebug.jdwp.ids import ArrayId, FieldId, ObjectId, ThreadId, Value

    _Frame: TypeAlias = thread_reference.FramesReply.Frame

MAX_BYTES: Final = 32 * 1024 * 1024
_BYTES_OF_ONE: Final = 300
"""What Python takes to keep one, beside its content."""
_MAX_FACT_BYTES: Final = 8 * 1024 * 1024
_ID_BYTES: Final = 8
_EMPTY_LIST_BYTES: Final = 4
_SET_BITS: Final = 0xFF
"""The numbers of our command sets are beyond what a byte of the wire holds with its sign."""
Answer: TypeAlias = tuple[int, bytes]
"""Error code, and content of the reply."""


class BulkAnswer(Protocol):
    """What the agent would answer to a standard command."""

    @property
    def command_set(self) -> int: ...
    @property
    def command(self) -> int: ...
    @property
    def request(self) -> bytes: ...
    @property
    def error(self) -> int: ...
    @property
    def reply(self) -> bytes: ...


class BulkReply(Protocol):
    """The reply to a command that answers in bulk."""

    @property
    def answers(self) -> Sequence[BulkAnswer]: ...


class PrefetchedReplies:
    """The prefetched replies of one connection."""

    def __init__(self) -> None:
        self.generation = 0
        """Grows whenever the replies become invalid."""
        self._bytes = 0
        self._answers: dict[tuple[int, int, bytes], Answer] = {}
        self._whole: dict[tuple[int, int, bytes], BulkAnswer] = {}
        self._fields: dict[ObjectId, dict[FieldId, Value]] = {}
        self._elements: dict[ArrayId, ArrayRegion] = {}
        self._texts: dict[ObjectId, str] = {}
        self._frames: dict[ThreadId, tuple[int, tuple[_Frame, ...]]] = {}
        self._facts: dict[tuple[int, int, bytes], Answer] = {}
        self._fact_bytes = 0
        self._shown: list[bytes] = []
        """Answers that came with a stop and that nobody has asked for yet."""
        self._shown_facts: list[bytes] = []

    def add_shown(self, shown: agent.Shown, *, are_current: bool) -> None:
        """Add what the agent has sent with a stop. `are_current`: False if a command is under way
        that may change what the answers say; the facts hold all the same.
        """
        if are_current:
            self._shown.append(shown.answers)
            _keep_newest(self._shown, MAX_BYTES)
        if len(shown.facts) > _EMPTY_LIST_BYTES:
            self._shown_facts.append(shown.facts)
            _keep_newest(self._shown_facts, _MAX_FACT_BYTES)

    def add(self, answers: Iterable[BulkAnswer]) -> None:
        """Add these. A reply about a whole object, array or string also serves requests for its
        parts.
        """
        if self._bytes > MAX_BYTES:
            self._clear()
        for each in answers:
            key = (each.command_set & _SET_BITS, each.command, each.request)
            self._answers[key] = (each.error, each.reply)
            self._bytes += len(each.request) + len(each.reply) + _BYTES_OF_ONE
            if not each.error and key[:2] in _WHOLE:
                self._whole[(*key[:2], each.request[:_ID_BYTES])] = each

    def part(self, command: Command[Any], codec: Codec) -> object | None:
        """The reply to a request for fields or elements that were prefetched, else None."""
        self._open(codec)
        if not self._whole:
            return None
        match command:
            case thread_reference.Frames(thread, first, length):
                start, frames = self._frames_of(thread, codec) or (0, ())
                if start <= first <= first + length <= start + len(frames):
                    return thread_reference.FramesReply(
                        frames[first - start : first - start + length]
                    )
            case object_reference.GetValues(object_id, fields):
                known = self._fields_of(object_id, codec)
                if known is not None and all(each in known for each in fields):
                    return object_reference.GetValuesReply(tuple(known[each] for each in fields))
            case array_reference.GetValues(array, first, length):
                region = self._elements_of(array, codec)
                if region is not None and 0 <= first <= first + length <= len(region.values):
                    part = ArrayRegion(region.tag, region.values[first : first + length])
                    return array_reference.GetValuesReply(part)
            case agent.StringBeginning(string, most):
                text = self._text_of(string, codec)
                if text is not None and most >= 0:
                    units = text.encode("utf-16-le", "surrogatepass")
                    beginning = units[: 2 * most].decode("utf-16-le", "surrogatepass")
                    return agent.StringBeginningReply(len(units) // 2, beginning)
            case _:
                pass
        return None

    def answer(self, command: Command[Any], codec: Codec) -> Answer | None:
        """The prefetched answer to exactly this command, or None."""
        self._open(codec)
        if not self._answers and not self._facts:
            return None
        key = (command.COMMAND_SET, command.NUMBER, codec.encode(command))
        return self._answers.get(key) or self._facts.get(key)

    def forget(self) -> None:
        """Something may have changed in the VM: drop everything that may change."""
        self.generation += 1
        self._clear()

    def sent(self, command: Command[Any]) -> None:
        """A command is sent: if it may change something in the VM, drop everything."""
        if command.CHANGES:
            self.generation += 1
            self._clear()
            if isinstance(command, virtual_machine.RedefineClasses):
                self._facts.clear()
                self._shown_facts.clear()
                self._fact_bytes = 0

    def _open(self, codec: Codec) -> None:
        """Read what came with stops, now that somebody asks."""
        if self._shown:
            shown, self._shown = self._shown, []
            for each in shown:
                self.add(codec.decode(agent.StackReply, each).answers)
        if self._shown_facts:
            new, self._shown_facts = self._shown_facts, []
            for each in new:
                self._add_facts(codec.decode(agent.StackReply, each).answers)

    def _add_facts(self, facts: Iterable[BulkAnswer]) -> None:
        if self._fact_bytes > _MAX_FACT_BYTES:
            self._facts.clear()
            self._fact_bytes = 0
        for each in facts:
            key = (each.command_set & _SET_BITS, each.command, each.request)
            self._facts[key] = (each.error, each.reply)
            self._fact_bytes += len(each.request) + len(each.reply) + _BYTES_OF_ONE

    def _frames_of(self, thread: ThreadId, codec: Codec) -> tuple[int, tuple[_Frame, ...]] | None:
        """The frames of a thread that are here, and the depth of the first of them."""
        known = self._frames.get(thread)
        if known is None:
            whole = self._about(thread_reference.Frames, thread)
            if whole is None:
                return None
            start = codec.decode(thread_reference.Frames, whole.request).start_frame
            frames = codec.decode(thread_reference.FramesReply, whole.reply).frames
            known = self._frames[thread] = start, tuple(frames)
        return known

    def _fields_of(self, object_id: ObjectId, codec: Codec) -> dict[FieldId, Value] | None:
        known = self._fields.get(object_id)
        if known is None:
            whole = self._about(object_reference.GetValues, object_id)
            if whole is None:
                return None
            asked = codec.decode(object_reference.GetValues, whole.request)
            values = codec.decode(object_reference.GetValuesReply, whole.reply).values
            known = self._fields[object_id] = dict(zip(asked.fields, values, strict=True))
        return known

    def _elements_of(self, array: ArrayId, codec: Codec) -> ArrayRegion | None:
        known = self._elements.get(array)
        if known is None:
            whole = self._about(array_reference.GetValues, array)
            if whole is None:
                return None
            known = codec.decode(array_reference.GetValuesReply, whole.reply).values
            self._elements[array] = known
        return known

    def _text_of(self, string: ObjectId, codec: Codec) -> str | None:
        known = self._texts.get(string)
        if known is None:
            whole = self._about(string_reference.Value, string)
            if whole is None:
                return None
            known = codec.decode(string_reference.ValueReply, whole.reply).text
            self._texts[string] = known
        return known

    def _about(self, command: type[Command[Any]], object_id: int) -> BulkAnswer | None:
        """Our agent's ids have eight bytes."""
        return self._whole.get((*_numbers(command), object_id.to_bytes(_ID_BYTES, "big")))

    def _clear(self) -> None:
        self._bytes = 0
        self._answers.clear()
        self._whole.clear()
        self._fields.clear()
        self._elements.clear()
        self._texts.clear()
        self._frames.clear()
        self._shown.clear()


def _keep_newest(contents: list[bytes], most: int) -> None:
    while len(contents) > 1 and sum(map(len, contents)) > most:
        del contents[0]


def _numbers(command: type[Command[Any]]) -> tuple[int, int]:
    return command.COMMAND_SET, command.NUMBER


_WHOLE: Final = frozenset(
    map(
        _numbers,
        (
            object_reference.GetValues,
            array_reference.GetValues,
            string_reference.Value,
            thread_reference.Frames,
        ),
    )
)
