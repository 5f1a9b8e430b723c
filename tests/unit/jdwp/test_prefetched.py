# SPDX-License-Identifier: Apache-2.0
"""Prefetched replies: they answer exactly their requests, until a command changes something."""

from __future__ import annotations

from typing import Any

import pytest

from jvmdebug._native import Codec, IdSizes
from jvmdebug.jdwp.generated import (
    agent,
    array_reference,
    event_request,
    object_reference,
    reference_type,
    string_reference,
    thread_reference,
    virtual_machine,
)
from jvmdebug.jdwp.generated.agent import StackReply
from jvmdebug.jdwp.generated.constants import EventKind, Tag
from jvmdebug.jdwp.ids import (
    ArrayId,
    ArrayRegion,
    FieldId,
    FieldValue,
    ObjectId,
    ReferenceTypeId,
    RequestId,
    ThreadId,
    Value,
)
from jvmdebug.jdwp.prefetched import MAX_BYTES, PrefetchedReplies

CODEC = Codec(IdSizes())
TEXT = "s\U0001f415 is"
NAME = thread_reference.Name(ThreadId(ObjectId(1)))


def answer(command: Any, reply: Any = None, error: int = 0) -> StackReply.Answer:
    content = b"" if reply is None else CODEC.encode(reply)
    numbers = (command.COMMAND_SET, command.NUMBER)
    return StackReply.Answer(*numbers, CODEC.encode(command), error, content)


@pytest.fixture
def prefetched() -> PrefetchedReplies:
    found = PrefetchedReplies()
    object_id, array = ObjectId(7), ArrayId(ObjectId(8))
    fields = (FieldId(1), FieldId(2))
    values = (Value(Tag.INT, 10), Value(Tag.LONG, 20))
    region = ArrayRegion(Tag.INT, (1, 2, 3))
    found.add(
        [
            answer(NAME, thread_reference.NameReply("main")),
            answer(reference_type.SourceFile(ReferenceTypeId(object_id)), error=101),
            answer(
                object_reference.GetValues(object_id, fields),
                object_reference.GetValuesReply(values),
            ),
            answer(string_reference.Value(ObjectId(6)), string_reference.ValueReply(TEXT)),
            answer(array_reference.GetValues(array, 0, 3), array_reference.GetValuesReply(region)),
        ],
    )
    return found


def test_only_the_command_that_was_prefetched(prefetched: PrefetchedReplies) -> None:
    assert prefetched.answer(NAME, CODEC) == (0, b"\0\0\0\x04main")
    assert prefetched.answer(thread_reference.Name(ThreadId(ObjectId(2))), CODEC) is None
    assert prefetched.answer(thread_reference.Status(ThreadId(ObjectId(1))), CODEC) is None


def test_an_error_is_an_answer(prefetched: PrefetchedReplies) -> None:
    source = reference_type.SourceFile(ReferenceTypeId(ObjectId(7)))
    assert prefetched.answer(source, CODEC) == (101, b"")


def test_fields_in_any_choice(prefetched: PrefetchedReplies) -> None:
    asked = object_reference.GetValues(ObjectId(7), (FieldId(2),))
    expected = object_reference.GetValuesReply((Value(Tag.LONG, 20),))
    assert prefetched.part(asked, CODEC) == expected
    more = object_reference.GetValues(ObjectId(7), (FieldId(2), FieldId(3)))
    assert prefetched.part(more, CODEC) is None
    assert prefetched.part(object_reference.GetValues(ObjectId(9), (FieldId(2),)), CODEC) is None


@pytest.mark.parametrize(
    ("first", "length", "expected"),
    [(0, 3, (1, 2, 3)), (1, 1, (2,)), (0, 4, None), (2, 2, None), (-1, 2, None), (0, -1, None)],
)
def test_elements_in_any_range(
    prefetched: PrefetchedReplies, first: int, length: int, expected: tuple[int, ...] | None
) -> None:
    found = prefetched.part(array_reference.GetValues(ArrayId(ObjectId(8)), first, length), CODEC)
    if expected is None:
        assert found is None
    else:
        assert found == array_reference.GetValuesReply(ArrayRegion(Tag.INT, expected))


@pytest.mark.parametrize(("most", "text"), [(0, ""), (2, "s\ud83d"), (3, "s\U0001f415"), (9, TEXT)])
def test_the_beginning_of_a_string(prefetched: PrefetchedReplies, most: int, text: str) -> None:
    found = prefetched.part(agent.StringBeginning(ObjectId(6), most), CODEC)
    assert found == agent.StringBeginningReply(6, text)
    assert prefetched.part(agent.StringBeginning(ObjectId(5), most), CODEC) is None


@pytest.mark.parametrize(
    "command",
    [
        virtual_machine.Resume(),
        thread_reference.Resume(ThreadId(ObjectId(1))),
        object_reference.SetValues(ObjectId(7), (FieldValue(FieldId(1), Value(Tag.INT, 1)),)),
        virtual_machine.RedefineClasses(()),
    ],
)
def test_commands_that_may_change_state_discard_the_replies(
    prefetched: PrefetchedReplies, command: Any
) -> None:
    before = prefetched.generation
    prefetched.sent(command)
    assert prefetched.generation > before
    assert prefetched.answer(NAME, CODEC) is None
    assert prefetched.part(object_reference.GetValues(ObjectId(7), (FieldId(2),)), CODEC) is None


def test_commands_that_only_read_keep_the_replies(prefetched: PrefetchedReplies) -> None:
    for command in (
        event_request.Clear(EventKind.BREAKPOINT, RequestId(1)),
        string_reference.Value(ObjectId(5)),
        virtual_machine.AllThreads(),
    ):
        prefetched.sent(command)
    assert prefetched.generation == 0
    assert prefetched.answer(NAME, CODEC) is not None


def test_no_more_are_kept_than_fit() -> None:
    found = PrefetchedReplies()
    string = string_reference.Value(ObjectId(1))
    content = "x" * (MAX_BYTES // 2 + 1)
    for number in (1, 2, 3):
        name = answer(thread_reference.Name(ThreadId(ObjectId(number))))
        found.add([name, answer(string, string_reference.ValueReply(content))])
    assert found.answer(thread_reference.Name(ThreadId(ObjectId(1))), CODEC) is None
    assert found.answer(thread_reference.Name(ThreadId(ObjectId(3))), CODEC) is not None
