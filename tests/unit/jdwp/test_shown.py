# SPDX-License-Identifier: Apache-2.0
"""What our agent sends with a stop: used if nothing can have changed it, and facts in any case."""

from __future__ import annotations

from typing import Any

import pytest

from jvmdebug._native import HANDSHAKE, Codec, IdSizes, pack_command, pack_reply
from jvmdebug.jdwp.engine import Engine, ReplyArrived, ShownArrived
from jvmdebug.jdwp.generated import (
    agent,
    object_reference,
    reference_type,
    thread_reference,
    virtual_machine,
)
from jvmdebug.jdwp.generated.constants import Tag, TypeTag
from jvmdebug.jdwp.ids import (
    FieldId,
    FieldValue,
    FrameId,
    Location,
    MethodId,
    ObjectId,
    ReferenceTypeId,
    ThreadId,
    Value,
)

CODEC = Codec(IdSizes(8, 8, 8, 8, 8))
THREAD = ThreadId(ObjectId(1))
TYPE = ReferenceTypeId(ObjectId(5))
NAME = thread_reference.Name(THREAD)
SOURCE = reference_type.SourceFile(TYPE)
SET_FIELD = object_reference.SetValues(ObjectId(7), (FieldValue(FieldId(1), Value(Tag.INT, 1)),))


def frame(number: int) -> thread_reference.FramesReply.Frame:
    place = Location(TypeTag.CLASS, TYPE, MethodId(9), number)
    return thread_reference.FramesReply.Frame(FrameId(number), place)


FRAMES = tuple(frame(number) for number in range(4))


def content(*pairs: tuple[Any, Any]) -> bytes:
    answers = tuple(
        agent.StackReply.Answer(
            asked.COMMAND_SET, asked.NUMBER, CODEC.encode(asked), 0, CODEC.encode(reply)
        )
        for asked, reply in pairs
    )
    return CODEC.encode(agent.StackReply(answers))


def packet(last_command: int) -> bytes:
    shown = agent.Shown(
        THREAD,
        last_command,
        content(
            (NAME, thread_reference.NameReply("main")),
            (thread_reference.Frames(THREAD, 0, 4), thread_reference.FramesReply(FRAMES)),
        ),
        content((SOURCE, reference_type.SourceFileReply("Cart.java"))),
    )
    numbers = agent.Shown.COMMAND_SET, agent.Shown.NUMBER
    return bytes(pack_command(0, *numbers, CODEC.encode(shown)))


@pytest.fixture
def engine() -> Engine:
    made = Engine()
    made.receive(HANDSHAKE)
    made.set_id_sizes(IdSizes(8, 8, 8, 8, 8))
    return made


def show(engine: Engine, last_command: int) -> None:
    (arrival,) = engine.receive(packet(last_command))
    assert isinstance(arrival, ShownArrived)


def result(engine: Engine, command: Any) -> Any:
    found = engine.prefetched(command)
    return None if found is None else found.result


def test_it_answers_what_is_asked_next(engine: Engine) -> None:
    show(engine, 0)
    assert result(engine, NAME).name == "main"
    assert result(engine, SOURCE).source_file == "Cart.java"
    assert result(engine, thread_reference.Name(ThreadId(ObjectId(2)))) is None


@pytest.mark.parametrize(
    ("start", "length", "is_known"),
    [(0, 4, True), (1, 2, True), (3, 1, True), (0, 5, False), (4, 1, False), (0, -1, False)],
)
def test_any_part_of_the_frames(engine: Engine, start: int, length: int, *, is_known: bool) -> None:
    show(engine, 0)
    found = result(engine, thread_reference.Frames(THREAD, start, length))
    assert (found is not None) == is_known
    assert found is None or found.frames == FRAMES[start : start + length]


@pytest.mark.parametrize(
    ("command", "has_begun", "is_used"),
    [
        (virtual_machine.Resume(), True, True),
        (virtual_machine.Resume(), False, False),
        (thread_reference.Resume(THREAD), True, True),
        (agent.ResumeWith(THREAD, (), ()), True, True),
        (agent.ResumeWith(THREAD, (), ()), False, False),
        (SET_FIELD, True, False),
        (SET_FIELD, False, False),
        (SOURCE, False, True),
    ],
)
def test_with_a_command_under_way(
    engine: Engine, command: Any, *, has_begun: bool, is_used: bool
) -> None:
    number, _ = engine.request(command)
    show(engine, number if has_begun else number - 1)
    assert (result(engine, NAME) is not None) == is_used
    assert result(engine, SOURCE) is not None


def test_an_abandoned_command_counts_until_its_reply(engine: Engine) -> None:
    number, _ = engine.request(SET_FIELD)
    engine.forget(number)
    show(engine, number)
    assert result(engine, NAME) is None
    (arrival,) = engine.receive(bytes(pack_reply(number, 0, b"")))
    assert isinstance(arrival, ReplyArrived)
    show(engine, number)
    assert result(engine, NAME) is not None


def test_facts_outlive_a_resume_and_no_new_code(engine: Engine) -> None:
    show(engine, 0)
    engine.request(virtual_machine.Resume())
    assert result(engine, NAME) is None
    assert result(engine, SOURCE) is not None
    engine.request(virtual_machine.RedefineClasses(()))
    assert result(engine, SOURCE) is None


def test_what_cannot_be_read_is_asked_for(engine: Engine) -> None:
    shown = agent.Shown(THREAD, 0, b"\0\0\0\x05rubbish", b"")
    numbers = agent.Shown.COMMAND_SET, agent.Shown.NUMBER
    engine.receive(bytes(pack_command(0, *numbers, CODEC.encode(shown))))
    assert engine.prefetched(NAME) is None
    show(engine, 0)
    assert result(engine, NAME).name == "main"
