# SPDX-License-Identifier: Apache-2.0
"""The table of commands and roles, packet by packet: what a role has not does not pass."""

from __future__ import annotations

import contextlib
import itertools
import struct
import sys
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jvmdebug._native import HANDSHAKE, TAKE_OVER, Codec, IdSizes, pack_command
from jvmdebug.jdwp import read_only
from jvmdebug.jdwp.generated import agent, event, events
from jvmdebug.jdwp.generated.catalog import COMMAND_NAMES, COMMAND_ROLES
from jvmdebug.jdwp.generated.constants import EventKind, SuspendPolicy
from jvmdebug.jdwp.ids import ObjectId, ThreadId
from jvmdebug.relay.holding import Holding
from jvmdebug.relay.permits import EVENT_ROLES, NotJdwpError, Permits
from jvmdebug.tls.proofs import ROLES, Role

_MAY: Final[dict[Role, set[str]]] = {
    "debug": {"debug", "observe", "read-only"},
    "observe": {"observe", "read-only"},
    "read-only": {"read-only"},
}
_NUMBERS: Final = {name: numbers for numbers, name in COMMAND_NAMES.items()}
_CODEC: Final = Codec(IdSizes(8, 8, 8, 8, 8))
_DENIED: Final = 111
_THREAD: Final = 7
_HARMFUL: Final = {
    *("VirtualMachine.Exit", "VirtualMachine.RedefineClasses", "VirtualMachine.CreateString"),
    *("ClassType.InvokeMethod", "ClassType.NewInstance", "InterfaceType.InvokeMethod"),
    *("ObjectReference.InvokeMethod", "ObjectReference.SetValues", "ClassType.SetValues"),
    *("ArrayReference.SetValues", "ArrayType.NewInstance", "StackFrame.SetValues"),
    *("StackFrame.PopFrames", "ThreadReference.Stop", "ThreadReference.Interrupt"),
    *("ThreadReference.ForceEarlyReturn", "Probes.Install", "Probes.Change", "Jvmti.Change"),
    "Agent.Jump",
    *("Jvmti.RedirectNative", "VirtualMachine.HoldEvents"),
}
"""Written down once more: the declarations are what is tested."""


def _greeted(role: Role) -> Permits:
    permits = Permits(role)
    assert bytes(permits.from_debugger(HANDSHAKE).on) == HANDSHAKE
    permits.from_agent(HANDSHAKE)
    return permits


def _packet(name: str, content: bytes = b"", number: int = 1) -> bytes:
    return pack_command(number, *_NUMBERS[name], content)


def _reply(number: int, error: int = 0) -> bytes:
    return struct.pack(">IIBH", 11, number, 0x80, error)


def _content(name: str) -> bytes:
    """What a command needs for a look at it."""
    if name == "EventRequest.Set":
        return bytes((EventKind.BREAKPOINT, SuspendPolicy.ALL)) + bytes(4)
    return bytes(16)


@pytest.mark.parametrize("role", ROLES)
def test_each_command_needs_its_role(role: Role) -> None:
    passed = set()
    for number, (numbers, needed) in enumerate(COMMAND_ROLES.items(), start=1):
        name = COMMAND_NAMES[numbers]
        packet = _packet(name, _content(name), number)
        made = _greeted(role).from_debugger(packet)
        if bytes(made.on) == packet:
            assert not made.back
            passed.add(name)
        else:
            assert (bytes(made.on), bytes(made.back)) == (b"", _reply(number, _DENIED))
            assert made.noted == [("refused", name)]
        assert (name in passed) == (needed in _MAY[role]), name
    assert passed.isdisjoint(_HARMFUL) or role == "debug"
    assert len(passed) > 80


def test_what_a_read_only_session_refuses_needs_the_widest_role() -> None:
    refused = {(each.COMMAND_SET, each.NUMBER) for each in read_only._DOES}
    assert {COMMAND_ROLES[each] for each in refused} == {"debug"}
    assert {_NUMBERS[each] for each in _HARMFUL} <= {
        each for each, role in COMMAND_ROLES.items() if role == "debug"
    }


def test_each_command_of_a_debugger_has_a_role() -> None:
    of_agent = {name for numbers, name in COMMAND_NAMES.items() if numbers not in COMMAND_ROLES}
    assert "Event.Composite" in of_agent
    for numbers, name in COMMAND_NAMES.items():
        module = sys.modules.get(f"jvmdebug.jdwp.generated.{name.split('.')[0].lower()}")
        if name in of_agent and module is not None:
            assert not hasattr(getattr(module, name.split(".")[1]), "REPLY"), numbers


@pytest.mark.parametrize("role", ["observe", "read-only"])
def test_what_is_unknown_does_not_pass(role: Role) -> None:
    for numbers in ((1, 99), (99, 1), (255, 255), *(_NUMBERS[each] for each in _OF_AGENT)):
        made = _greeted(role).from_debugger(pack_command(5, *numbers, b""))
        assert (bytes(made.on), bytes(made.back)) == (b"", _reply(5, _DENIED))
    assert _greeted("debug").from_debugger(pack_command(5, 255, 255, b"")).on


_OF_AGENT: Final = ("Event.Composite", "Agent.TakenOver", "Heap.Part")


@pytest.mark.parametrize("role", ROLES)
def test_each_kind_of_event_needs_its_role(role: Role) -> None:
    assert set(EVENT_ROLES) == set(EventKind)
    for kind, name in itertools.product(EventKind, ("EventRequest.Set", "Agent.ResumeWith")):
        content = bytes((kind, 0)) + bytes(4)
        if name == "Agent.ResumeWith":
            wanted = agent.ResumeWith.Wanted(kind, SuspendPolicy.NONE, (), is_optional=False)
            content = _CODEC.encode(agent.ResumeWith(ThreadId(ObjectId(0)), (), (wanted,)))
        passes = bool(_greeted(role).from_debugger(_packet(name, content)).on)
        assert passes == (EVENT_ROLES[kind] in _MAY[role]), (kind, name)


@pytest.mark.parametrize("content", [b"", b"\xff\0\0\0\0\0", b"\1"])
def test_a_request_that_cannot_be_read_does_not_pass(content: bytes) -> None:
    for name in ("EventRequest.Set", "Agent.ResumeWith"):
        made = _greeted("observe").from_debugger(_packet(name, content[:1] + b"\xff" * 20))
        assert not made.on or (content[:1] == b"\1" and name == "EventRequest.Set")


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("size", [1, 7, 1000])
def test_pieces_are_put_together(role: Role, size: int) -> None:
    """Nothing of a packet reaches the agent before it has been looked at whole."""
    stream = HANDSHAKE + _packet("VirtualMachine.Exit", bytes(4), 1)
    stream += _packet("VirtualMachine.Version", b"", 2)
    permits = Permits(role)
    on = back = b""
    for at in range(0, len(stream), size):
        made = permits.from_debugger(stream[at : at + size])
        on, back = on + bytes(made.on), back + bytes(made.back)
    if role == "debug":
        assert (on, back) == (stream, b"")
    else:
        assert on == HANDSHAKE + _packet("VirtualMachine.Version", b"", 2)
        assert back == _reply(1, _DENIED)


@pytest.mark.parametrize(
    "sent",
    [
        struct.pack(">IIBBB", 10, 1, 0, 1, 1),
        struct.pack(">IIBBB", 0xFFFFFFFF, 1, 0, 1, 1),
        struct.pack(">IIBBB", 11, 1, 0x80, 1, 1),
        struct.pack(">IIBBB", 11, 1, 0x01, 1, 1),
    ],
    ids=["short", "endless", "a reply", "other flags"],
)
def test_what_is_no_command_ends_the_connection(sent: bytes) -> None:
    for role in ROLES[1:]:
        with pytest.raises(NotJdwpError):
            _greeted(role).from_debugger(sent)


def test_who_may_do_everything_may_answer_the_agent() -> None:
    answer = _reply(7)
    assert _greeted("debug").from_debugger(answer).on == answer


def test_who_may_take_over() -> None:
    assert Permits("debug").from_debugger(TAKE_OVER).on == TAKE_OVER
    for role in ("observe", "read-only"):
        with pytest.raises(NotJdwpError, match="cannot end the session of another"):
            Permits(role).from_debugger(TAKE_OVER)
    with pytest.raises(NotJdwpError, match="handshake"):
        Permits("debug").from_debugger(b"GET / HTTP/1.1\r\n\r\n")


def _composite(policy: SuspendPolicy) -> bytes:
    started = events.ThreadStartEvent(1, ThreadId(ObjectId(_THREAD)))
    return _packet("Event.Composite", _CODEC.encode(event.Composite(policy, (started,))), 9)


_SUSPENDS: Final[dict[str, tuple[str | bytes, bytes]]] = {
    "all": ("VirtualMachine.Suspend", b""),
    "one": ("ThreadReference.Suspend", _THREAD.to_bytes(8)),
    "all by an event": (_composite(SuspendPolicy.ALL), b""),
    "one by an event": (_composite(SuspendPolicy.EVENT_THREAD), b""),
}


@pytest.mark.parametrize("how", _SUSPENDS)
def test_what_is_held_is_known(how: str) -> None:
    permits = _greeted("read-only")
    what, content = _SUSPENDS[how]
    if isinstance(what, bytes):
        permits.from_agent(what)
    else:
        permits.from_debugger(_packet(what, content))
        permits.from_agent(_reply(1))
    assert permits.holding.holds
    permits.from_debugger(_packet("VirtualMachine.Resume", b"", 2))
    assert permits.holding.holds, "it is not done yet"
    permits.from_agent(_reply(2))
    assert not permits.holding.holds


def test_a_resume_that_fails_resumes_nothing() -> None:
    permits = _greeted("observe")
    permits.from_debugger(_packet("VirtualMachine.Suspend", b"", 1))
    permits.from_agent(_reply(1))
    with_wrong = _CODEC.encode(agent.ResumeWith(ThreadId(ObjectId(0)), (), ()))
    permits.from_debugger(_packet("Agent.ResumeWith", with_wrong, 2))
    permits.from_agent(_reply(2, error=103))
    assert permits.holding.holds
    permits.from_debugger(_packet("ThreadReference.Resume", (5).to_bytes(8), 3))
    permits.from_agent(_reply(3))
    assert permits.holding.holds, "the other threads"


def test_the_answer_of_another_command_is_no_resume() -> None:
    """A client that numbers two commands alike could pretend that a failed resume has worked."""
    permits = _greeted("read-only")
    permits.from_debugger(_packet("VirtualMachine.Version", b"", 4))
    with pytest.raises(NotJdwpError, match="no answer yet"):
        permits.from_debugger(_packet("VirtualMachine.Resume", b"", 4))


def test_counts_are_those_of_the_agent() -> None:
    holding = Holding()
    holding.suspended(None)
    holding.suspended(None)
    holding.suspended(3)
    holding.resumed(None)
    holding.resumed(3)
    holding.resumed(3)
    holding.resumed(3)  # it runs already
    assert holding.holds, "the others have one suspend left"
    holding.resumed(None)
    assert not holding.holds


def test_a_resume_of_what_runs_is_kept_by_nobody() -> None:
    holding = Holding()
    holding.resumed(None)
    holding.resumed(3)
    holding.suspended(3)
    assert holding.holds


def test_an_agent_that_is_busy_is_no_packet() -> None:
    permits = Permits("read-only")
    permits.from_debugger(HANDSHAKE)
    permits.from_agent(b"JDWP-Busy 127.0.0.1:4000 12\n" + b"\xff" * 40)


@given(
    role=st.sampled_from(ROLES),
    packets=st.lists(
        st.tuples(st.integers(0, 255), st.integers(0, 255), st.binary(max_size=40)), max_size=8
    ),
    cuts=st.lists(st.integers(0, 400), max_size=6),
)
def test_whatever_is_sent_only_what_the_role_may_passes(
    role: Role, packets: list[tuple[int, int, bytes]], cuts: list[int]
) -> None:
    made = [
        pack_command(number, *each[:2], each[2]) for number, each in enumerate(packets, start=1)
    ]
    stream = b"".join(made)
    permits = _greeted(role)
    on = back = b""
    edges = [0, *sorted(each for each in cuts if each < len(stream)), len(stream)]
    for start, end in itertools.pairwise(edges):
        passed = permits.from_debugger(stream[start:end])
        on, back = on + bytes(passed.on), back + bytes(passed.back)
    may = [
        packet
        for packet, each in zip(made, packets, strict=True)
        if COMMAND_ROLES.get(each[:2], "debug") in _MAY[role]
    ]
    if not any(each[:2] in _BY_CONTENT for each in packets):
        assert on == b"".join(may)
        assert len(back) == 11 * (len(made) - len(may))


@given(st.lists(st.binary(max_size=60), max_size=6))
def test_noise_of_an_agent_ends_the_link_or_is_passed(chunks: list[bytes]) -> None:
    permits = _greeted("observe")
    with contextlib.suppress(NotJdwpError):
        for each in chunks:
            permits.from_agent(each)


_BY_CONTENT: Final = {_NUMBERS["EventRequest.Set"], _NUMBERS["Agent.ResumeWith"]}
