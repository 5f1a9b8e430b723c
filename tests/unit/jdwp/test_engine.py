# SPDX-License-Identifier: Apache-2.0
"""The protocol engine without I/O: its states, and what it makes of received bytes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jvmdebug._native import HANDSHAKE, IdSizes, pack_command, pack_reply
from jvmdebug.errors import (
    AgentBusy,
    ConnectionLost,
    HandshakeFailed,
    InvalidThreadError,
    WireError,
)
from jvmdebug.jdwp.engine import (
    MAX_PACKET_BYTES,
    Arrival,
    EndArrived,
    Engine,
    EngineState,
    EventsArrived,
    HandshakeDone,
    ProtocolBroken,
    ReplyArrived,
    TakeOverArrived,
    command_name,
    describe,
)
from jvmdebug.jdwp.generated import thread_reference, virtual_machine
from jvmdebug.jdwp.generated.events import BreakpointEvent
from jvmdebug.jdwp.ids import ObjectId, ThreadId
from tests.support.fake_vm import EVENT_THREAD, FakeVm, location
from tests.support.wire_reading import Sizes, WireReading

NAME = thread_reference.Name(ThreadId(ObjectId(7)))


@pytest.fixture
def engine() -> Engine:
    opened = Engine()
    assert opened.receive(HANDSHAKE) == [HandshakeDone()]
    opened.set_id_sizes(IdSizes())
    return opened


def name_reply(request_id: int, name: str) -> bytes:
    return pack_reply(request_id, 0, WireReading().encode_reply(11, 1, {"name": name}))


def test_opens_when_the_handshake_is_answered() -> None:
    engine = Engine()
    assert engine.handshake() == HANDSHAKE
    states = [engine.state]
    assert engine.receive(HANDSHAKE[:5]) == []
    states.append(engine.state)
    assert engine.receive(HANDSHAKE[5:]) == [HandshakeDone()]
    states.append(engine.state)
    assert states == [EngineState.HANDSHAKE, EngineState.HANDSHAKE, EngineState.OPEN]


@pytest.mark.parametrize("garbage", [b"HTTP/1.1 400 Bad Request", b"\0", b"JDWP-handshake"])
def test_another_handshake_breaks_the_connection(garbage: bytes) -> None:
    (broken,) = Engine().receive(garbage)
    assert isinstance(broken, ProtocolBroken)
    assert isinstance(broken.error, HandshakeFailed)
    assert "no JDWP agent" in str(broken.error)


def test_an_agent_that_is_busy_says_with_whom() -> None:
    engine = Engine()
    assert engine.receive(b"JDWP-Busy: 10.0.0.7:40") == []
    (broken,) = engine.receive(b"000 12\n")
    assert isinstance(broken, ProtocolBroken)
    assert isinstance(broken.error, AgentBusy)
    assert (broken.error.holder, broken.error.seconds) == ("10.0.0.7:40000", 12)


@pytest.mark.parametrize(
    "said", [b"JDWP-Busy: \n", b"JDWP-Busy: x", b"JDWP-Busy: \xff\x1b[2J -1\n"]
)
def test_any_words_of_a_busy_agent_are_taken(said: bytes) -> None:
    engine = Engine()
    arrivals = engine.receive(b"JDWP-Busy: " + said) + engine.receive(b"?" * 1000)
    assert isinstance(arrivals[0], ProtocolBroken)
    assert isinstance(arrivals[0].error, AgentBusy)
    assert len(arrivals[0].error.holder) <= 200


def test_no_request_before_the_handshake() -> None:
    with pytest.raises(HandshakeFailed, match=r"ThreadReference\.Name"):
        Engine().request(NAME)


def test_replies_in_any_order_go_to_their_requests(engine: Engine) -> None:
    first, _ = engine.request(NAME)
    second, _ = engine.request(NAME)
    assert engine.in_flight == (NAME, NAME)
    arrivals = engine.receive(name_reply(second, "two") + name_reply(first, "one"))
    assert [
        (each.request_id, each.result.name) for each in arrivals if isinstance(each, ReplyArrived)
    ] == [
        (second, "two"),
        (first, "one"),
    ]
    assert not engine.in_flight


def test_an_error_code_becomes_its_exception_with_the_command(engine: Engine) -> None:
    request_id, _ = engine.request(NAME)
    (reply,) = engine.receive(pack_reply(request_id, 10))
    assert isinstance(reply, ReplyArrived)
    assert isinstance(reply.result, InvalidThreadError)
    assert "ThreadReference.Name(thread=7)" in str(reply.result)


def test_a_malformed_reply_is_an_error_of_its_request_alone(engine: Engine) -> None:
    first, _ = engine.request(NAME)
    second, _ = engine.request(NAME)
    arrivals = engine.receive(pack_reply(first, 0, b"\0") + name_reply(second, "two"))
    assert isinstance(arrivals[0], ReplyArrived)
    assert isinstance(arrivals[0].result, WireError)
    assert "ThreadReference.Name" in str(arrivals[0].result)
    assert isinstance(arrivals[1], ReplyArrived)
    assert arrivals[1].result.name == "two"
    assert engine.state is EngineState.OPEN


def test_a_packet_with_an_impossible_length_breaks_after_what_was_whole(engine: Engine) -> None:
    request_id, _ = engine.request(NAME)
    arrivals = engine.receive(name_reply(request_id, "main") + b"\0\0\0\3garbage-garbage")
    assert isinstance(arrivals[0], ReplyArrived)
    assert isinstance(arrivals[1], ProtocolBroken)


def test_an_unrequested_reply_breaks_the_connection(engine: Engine) -> None:
    (broken,) = engine.receive(name_reply(99, "who"))
    assert isinstance(broken, ProtocolBroken)
    assert "99" in str(broken.error)


def test_a_command_of_the_agent_other_than_events_breaks(engine: Engine) -> None:
    (broken,) = engine.receive(pack_command(1, 1, 1))
    assert isinstance(broken, ProtocolBroken)
    assert "VirtualMachine.Version" in str(broken.error)


def test_another_debugger_takes_over(engine: Engine) -> None:
    packet = pack_command(1, 128, 100, b"\0\0\0\x08somebody")
    assert engine.receive(packet) == [TakeOverArrived("somebody")]


def test_a_relay_says_why_it_ends(engine: Engine) -> None:
    packet = pack_command(1, 128, 110, b"\0\0\0\x04late")
    assert engine.receive(packet) == [EndArrived("late")]


def test_a_forgotten_request_may_still_be_answered_and_is_not_expected(engine: Engine) -> None:
    request_id, _ = engine.request(NAME)
    engine.forget(request_id)
    assert engine.in_flight == ()
    (reply,) = engine.receive(name_reply(request_id, "late"))
    assert isinstance(reply, ReplyArrived)
    assert not reply.is_expected


def test_events_wait_until_the_sizes_of_ids_are_known() -> None:
    sizes = Sizes(field=4, method=4, object=4, reference_type=4, frame=4)
    fake = FakeVm(sizes=sizes)
    event = {"kind": 2, "request_id": 5, "thread": 7, "location": location(10, 100, 3)}
    packet = fake.event_packet(EVENT_THREAD, event)
    engine = Engine()
    assert engine.receive(HANDSHAKE + packet) == [HandshakeDone()]
    (arrived,) = engine.set_id_sizes(IdSizes(4, 4, 4, 4, 4))
    assert isinstance(arrived, EventsArrived)
    (event_read,) = arrived.event_set.events
    assert isinstance(event_read, BreakpointEvent)
    assert (event_read.thread, event_read.location.method_id) == (7, 100)


def test_the_end_gives_the_requests_that_are_lost_once(engine: Engine) -> None:
    request_id, _ = engine.request(NAME)
    assert engine.end() == ((request_id, NAME),)
    assert engine.end() == ()
    assert engine.state is EngineState.CLOSED
    assert engine.receive(b"anything") == []
    with pytest.raises(ConnectionLost):
        engine.request(NAME)


def test_no_requests_while_closing_but_replies_still_arrive(engine: Engine) -> None:
    request_id, _ = engine.request(NAME)
    engine.close()
    assert engine.state is EngineState.CLOSING
    with pytest.raises(ConnectionLost):
        engine.request(NAME)
    (reply,) = engine.receive(name_reply(request_id, "main"))
    assert isinstance(reply, ReplyArrived)


def test_a_value_that_does_not_fit_is_refused_before_it_is_sent(engine: Engine) -> None:
    with pytest.raises(WireError, match=r"VirtualMachine\.Exit"):
        engine.request(virtual_machine.Exit(2**40))
    assert engine.in_flight == ()


def test_descriptions_name_the_command_and_are_cut() -> None:
    assert describe(NAME) == "ThreadReference.Name(thread=7)"
    long = describe(virtual_machine.CreateString("x" * 1000))
    assert len(long) == 200
    assert long.endswith("…)")
    assert command_name(200, 1) == "200.1"


def opened_with_requests(count: int) -> Engine:
    engine = Engine()
    engine.receive(HANDSHAKE)
    engine.set_id_sizes(IdSizes())
    for _ in range(count):
        engine.request(NAME)
    return engine


PACKETS = st.one_of(
    st.builds(name_reply, st.integers(1, 6), st.text(max_size=5)),
    st.builds(pack_reply, st.integers(1, 6), st.integers(0, 600), st.binary(max_size=12)),
    st.builds(pack_command, st.integers(1, 6), st.just(64), st.just(100), st.binary(max_size=40)),
    st.binary(max_size=20),
)


def summary(arrivals: list[Arrival]) -> list[str]:
    return [repr(each) for each in arrivals]


@given(st.lists(PACKETS, max_size=8), st.data())
def test_any_input_in_any_pieces_gives_the_same_arrivals(
    packets: list[bytes], data: st.DataObject
) -> None:
    stream = b"".join(packets)
    whole = opened_with_requests(4).receive(stream)
    assert all(not isinstance(each, ProtocolBroken) for each in whole[:-1])
    engine = opened_with_requests(4)
    rest, in_pieces = stream, list[Arrival]()
    while rest and not (in_pieces and isinstance(in_pieces[-1], ProtocolBroken)):
        size = data.draw(st.integers(1, len(rest)))
        in_pieces += engine.receive(rest[:size])
        rest = rest[size:]
    assert summary(in_pieces) == summary(whole)


def test_a_reply_that_is_too_long_fails_alone_and_is_not_kept(engine: Engine) -> None:
    """What of it arrives is skipped; what follows is read."""
    first, _ = engine.request(NAME)
    second, _ = engine.request(NAME)
    payload = 5 * MAX_PACKET_BYTES
    header = (payload + 11).to_bytes(4) + first.to_bytes(4) + b"\x80\0\0"
    chunk = bytes(1 << 20)
    (arrival,) = engine.receive(header + chunk)
    assert isinstance(arrival, ReplyArrived)
    assert arrival.request_id == first
    assert isinstance(arrival.result, WireError)
    assert "has 336 MB, and 67 MB are read: ask for less at a time" in str(arrival.result)
    for _ in range(payload // len(chunk) - 1):
        assert engine.receive(chunk) == []
    (answered,) = engine.receive(name_reply(second, "main"))
    assert isinstance(answered, ReplyArrived)
    assert answered.request_id == second
    assert engine.in_flight == ()


def test_a_command_that_is_too_long_ends_the_connection(engine: Engine) -> None:
    header = (MAX_PACKET_BYTES + 1).to_bytes(4) + b"\0\0\0\1\0\x40\x64"
    (broken,) = engine.receive(header)
    assert isinstance(broken, ProtocolBroken)


def test_odd_flags_end_the_connection(engine: Engine) -> None:
    (broken,) = engine.receive(b"\0\0\0\x0b\0\0\0\1\x01\x40\x64")
    assert isinstance(broken, ProtocolBroken)
    assert "flags" in str(broken.error)
