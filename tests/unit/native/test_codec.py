# SPDX-License-Identifier: Apache-2.0
"""What jvmdebug._native does beyond what the fuzz tests compare: refusals, limits, forms."""

from __future__ import annotations

import gc
import importlib
import re
import struct
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import pytest

from jvmdebug._native import HANDSHAKE, Codec, Framer, IdSizes, WireError, pack_command
from jvmdebug.jdwp.command import Command
from jvmdebug.jdwp.generated import (
    array_reference,
    class_type,
    event,
    event_request,
    events,
    object_reference,
    stack_frame,
    thread_reference,
    virtual_machine,
)
from jvmdebug.jdwp.generated.catalog import COMMAND_NAMES, COMMAND_SETS
from jvmdebug.jdwp.generated.constants import (
    ClassStatus,
    EventKind,
    SuspendPolicy,
    Tag,
    ThreadStatus,
    TypeTag,
)
from jvmdebug.jdwp.ids import (
    ArrayId,
    ClassId,
    FieldId,
    FieldValue,
    FrameId,
    Location,
    MethodId,
    ObjectId,
    RawValues,
    ReferenceTypeId,
    ThreadId,
    Value,
)

if TYPE_CHECKING:
    from jvmdebug.jdwp.command import Layout

CODEC = Codec(IdSizes())
FRAMES = thread_reference.Frames(ThreadId(ObjectId(5)), 0, -1)


def test_a_request_is_its_fields_in_order() -> None:
    assert CODEC.encode(FRAMES) == bytes.fromhex("0000000000000005 00000000 ffffffff")
    assert CODEC.decode(thread_reference.Frames, CODEC.encode(FRAMES)) == FRAMES


def test_the_sizes_of_ids_are_those_of_the_vm() -> None:
    codec = Codec(IdSizes(field=2, method=1, object=4, reference_type=8, frame=4))
    assert codec.encode(FRAMES) == bytes.fromhex("00000005 00000000 ffffffff")
    location = Location(TypeTag.CLASS, ReferenceTypeId(ObjectId(7)), MethodId(9), 3)
    assert codec.encode(location) == bytes.fromhex("01 0000000000000007 09 0000000000000003")
    frames = thread_reference.FramesReply(
        (thread_reference.FramesReply.Frame(FrameId(1), location),)
    )
    assert codec.decode(thread_reference.FramesReply, codec.encode(frames)) == frames
    with pytest.raises(WireError, match="3 bytes"):
        IdSizes(field=3)


def test_commands_have_numbers_and_names() -> None:
    for module_name, number in COMMAND_SETS.items():
        module = importlib.import_module(f"jvmdebug.jdwp.generated.{module_name}")
        commands: list[Any] = [
            entry
            for entry in vars(module).values()
            if isinstance(entry, type) and hasattr(entry, "NUMBER") and entry is not Command
        ]
        named = {(entry.COMMAND_SET, entry.NUMBER): entry.NAME for entry in commands}
        assert named == {key: name for key, name in COMMAND_NAMES.items() if key[0] == number}


def test_untagged_values_are_written_without_their_tags() -> None:
    values = (Value(Tag.INT, -1), Value(Tag.OBJECT, 5), Value(Tag.BOOLEAN, value=True))
    payload = CODEC.encode(array_reference.SetValues(ArrayId(ObjectId(1)), 2, values))
    content = bytes.fromhex("ffffffff 0000000000000005 01")
    assert payload == bytes.fromhex("0000000000000001 00000002 00000003") + content
    decoded = CODEC.decode(array_reference.SetValues, payload)
    assert decoded.values == RawValues(3, content)
    assert CODEC.encode(decoded) == payload


def test_fields_are_written_with_their_untagged_values() -> None:
    values = (FieldValue(FieldId(3), Value(Tag.DOUBLE, 1.5)),)
    payload = CODEC.encode(class_type.SetValues(ClassId(ReferenceTypeId(ObjectId(1))), values))
    assert payload == struct.pack(">QiQd", 1, 1, 3, 1.5)


def test_lone_surrogates_and_nul_survive() -> None:
    text = "a\ud83d\0\udc00é😀"
    payload = CODEC.encode(thread_reference.NameReply(text))
    assert payload[4:] == text.encode("utf-8", "surrogatepass")
    assert CODEC.decode(thread_reference.NameReply, payload).name == text


@pytest.mark.parametrize("content", [b"\xff", b"\xc3", b"\xc0\x80", b"\xf5\x80\x80\x80"])
def test_a_string_that_is_not_utf8_is_an_error(content: bytes) -> None:
    with pytest.raises(WireError, match=r"NameReply\.name: the string is not UTF-8"):
        CODEC.decode(thread_reference.NameReply, struct.pack(">i", len(content)) + content)


@pytest.mark.parametrize("count", [2**31 - 1, -1, -(2**31), 2])
def test_a_count_that_the_packet_cannot_hold_is_an_error(count: int) -> None:
    before = _peak_bytes()
    for message_class, payload, place in (
        (thread_reference.FramesReply, struct.pack(">i", count) + bytes(33), "FramesReply.frames"),
        (thread_reference.NameReply, struct.pack(">i", count) + b"a", "NameReply.name"),
        (
            array_reference.GetValuesReply,
            struct.pack(">Bi", Tag.LONG, count) + bytes(8),
            "ArrayRegion.values",
        ),
        (
            array_reference.SetValues,
            struct.pack(">Qii", 1, 0, count) + bytes(1),
            "SetValues.values",
        ),
    ):
        with pytest.raises(WireError, match=re.escape(place)):
            CODEC.decode(message_class, payload)
    assert _peak_bytes() - before < 64 * 1024 * 1024


def _peak_bytes() -> int:
    """The most memory that this process has had."""
    with open("/proc/self/status", encoding="ascii") as status:  # noqa: PTH123
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmHWM"))


def test_numbers_without_a_name_are_errors_but_flags_are_not() -> None:
    with pytest.raises(WireError, match=r"StatusReply\.thread_status: 9 is no ThreadStatus"):
        CODEC.decode(thread_reference.StatusReply, struct.pack(">ii", 9, 0))
    reply = virtual_machine.ClassesBySignatureReply(
        (
            virtual_machine.ClassesBySignatureReply.Class(
                TypeTag.CLASS, ReferenceTypeId(ObjectId(1)), ClassStatus(0x8000_0007)
            ),
        )
    )
    assert CODEC.decode(virtual_machine.ClassesBySignatureReply, CODEC.encode(reply)) == reply
    decoded = CODEC.decode(thread_reference.StatusReply, struct.pack(">ii", 1, 0))
    assert decoded.thread_status is ThreadStatus.RUNNING


def test_unknown_tags_are_errors() -> None:
    with pytest.raises(WireError, match=r"Value\.tag: 1 is no Tag"):
        CODEC.decode(stack_frame.GetValuesReply, struct.pack(">iB", 1, 1))
    with pytest.raises(WireError, match="no case 99"):
        CODEC.decode(event_request.Set, struct.pack(">BBiB", 2, 2, 1, 99))
    with pytest.raises(WireError, match=r"Composite\.suspend_policy"):
        CODEC.decode(event.Composite, struct.pack(">Bi", 7, 0))


def test_a_location_of_zeros_is_no_location() -> None:
    payload = CODEC.encode(events.VmDeathEvent(3))
    assert payload == struct.pack(">i", 3)
    location = CODEC.decode(Location, bytes(25))
    assert (location.type_id, location.method_id, location.index) == (0, 0, 0)


def test_bytes_that_belong_to_nothing_are_an_error() -> None:
    with pytest.raises(WireError, match="2 bytes follow"):
        CODEC.decode(thread_reference.Frames, CODEC.encode(FRAMES) + b"ab")


@pytest.mark.parametrize(
    ("message", "error", "text"),
    [
        (thread_reference.Frames("5", 0, 1), TypeError, "thread: expected int, not str"),  # type: ignore[arg-type]
        (
            thread_reference.Frames(ThreadId(ObjectId(-1)), 0, 1),
            WireError,
            "thread: -1 does not fit",
        ),
        (thread_reference.Frames(ThreadId(ObjectId(2**64)), 0, 1), WireError, "does not fit"),
        (thread_reference.Frames(ThreadId(ObjectId(1)), 2**31, 1), WireError, "start_frame"),
        (thread_reference.NameReply(b"x"), TypeError, "name: expected str, not bytes"),  # type: ignore[arg-type]
        (thread_reference.IsVirtualReply(1), TypeError, "is_virtual: expected bool"),  # type: ignore[arg-type]
        (thread_reference.OwnedMonitorsReply([]), TypeError, "owned: expected tuple"),  # type: ignore[arg-type]
        (thread_reference.FramesReply((FRAMES,)), TypeError, "expected FramesReply.Frame, not"),  # type: ignore[arg-type]
        (stack_frame.GetValuesReply((Value(Tag.CHAR, 65536),)), WireError, "65536 does not fit"),
        (stack_frame.GetValuesReply((Value(Tag.FLOAT, 1e300),)), WireError, "does not fit a float"),
        (stack_frame.GetValuesReply((Value(Tag.VOID, 1),)), TypeError, "expected None, not int"),
        (stack_frame.GetValuesReply((Value(Tag.INT, None),)), TypeError, "expected int"),
        (
            event_request.Set(EventKind.BREAKPOINT, SuspendPolicy.ALL, (FRAMES,)),  # type: ignore[arg-type]
            TypeError,
            "modifiers: expected one of the cases, not Frames",
        ),
        (3, TypeError, "has no LAYOUT"),
    ],
)
def test_values_out_of_range_are_refused(
    message: object, error: type[Exception], text: str
) -> None:
    with pytest.raises(error, match=text):
        CODEC.encode(message)


@dataclass(frozen=True)
class _WithoutSlots:
    text: str
    LAYOUT: ClassVar[Layout] = (("text", "string"),)


@dataclass(frozen=True, slots=True)
class _WithWrongLayout:
    text: str
    LAYOUT: ClassVar[Layout] = (("text", "rope"),)


@dataclass(frozen=True, slots=True)
class _WithoutField:
    text: str
    LAYOUT: ClassVar[Layout] = (("words", "string"),)


@pytest.mark.parametrize("wrong", [_WithoutSlots, _WithWrongLayout, _WithoutField, int])
def test_an_undeclared_class_is_refused(wrong: type) -> None:
    for _ in range(2):  # the second time too: nothing half made is kept
        with pytest.raises(TypeError):
            CODEC.decode(wrong, b"\0\0\0\0")


def test_decoding_and_failing_leak_nothing() -> None:
    values = tuple(Value(Tag.STRING, number) for number in range(2**40, 2**40 + 50))
    payload = CODEC.encode(object_reference.GetValuesReply(values))

    def rounds(count: int) -> int:
        for _ in range(count):
            CODEC.decode(object_reference.GetValuesReply, payload)
            for wrong in (payload[:-1], payload + b"x"):
                with pytest.raises(WireError):
                    CODEC.decode(object_reference.GetValuesReply, wrong)
        gc.collect()
        return sys.getallocatedblocks()

    rounds(5)
    before = rounds(5)
    assert rounds(50) - before < 500


def test_the_framer_takes_any_buffer_and_keeps_what_is_unfinished() -> None:
    packet = pack_command(1, 2, 3, b"abc")
    framer = Framer()
    framer.feed(bytearray(packet[:5]))
    assert list(framer.packets()) == []
    assert framer.pending == 5
    framer.feed(memoryview(packet[5:]))
    (received,) = framer.packets()
    assert (received.id, received.command_set, received.command) == (1, 2, 3)
    assert (received.payload, received.is_reply, received.flags) == (b"abc", False, 0)
    assert HANDSHAKE == b"JDWP-Handshake"
