# SPDX-License-Identifier: Apache-2.0
"""Decides about each packet of a debugger by its role: it passes, or is answered with an error.

The role that a command needs is in its declaration (`role` in native/protocol); requests for events
need one by their kind, in the table here. Does no I/O. Used by the server.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from jvmdebug._native import HANDSHAKE, TAKE_OVER, Codec, IdSizes
from jvmdebug._native import WireError as NativeWireError
from jvmdebug.jdwp.generated import agent, event
from jvmdebug.jdwp.generated.catalog import COMMAND_NAMES, COMMAND_ROLES
from jvmdebug.jdwp.generated.constants import ErrorCode, EventKind, SuspendPolicy
from jvmdebug.relay.holding import Holding
from jvmdebug.tls.proofs import ROLES, Role

if TYPE_CHECKING:
    from collections.abc import Mapping


EVENT_ROLES: Final[Mapping[EventKind, Role]] = {
    EventKind.SINGLE_STEP: "read-only",
    EventKind.BREAKPOINT: "read-only",
    EventKind.FRAME_POP: "read-only",
    EventKind.EXCEPTION: "read-only",
    EventKind.USER_DEFINED: "read-only",
    EventKind.THREAD_START: "read-only",
    EventKind.THREAD_DEATH: "read-only",
    EventKind.CLASS_PREPARE: "read-only",
    EventKind.CLASS_UNLOAD: "read-only",
    EventKind.CLASS_LOAD: "read-only",
    EventKind.FIELD_ACCESS: "observe",
    EventKind.FIELD_MODIFICATION: "observe",
    EventKind.EXCEPTION_CATCH: "read-only",
    EventKind.METHOD_ENTRY: "observe",
    EventKind.METHOD_EXIT: "observe",
    EventKind.METHOD_EXIT_WITH_RETURN_VALUE: "observe",
    EventKind.MONITOR_CONTENDED_ENTER: "observe",
    EventKind.MONITOR_CONTENDED_ENTERED: "observe",
    EventKind.MONITOR_WAIT: "observe",
    EventKind.MONITOR_WAITED: "observe",
    EventKind.VM_START: "read-only",
    EventKind.VM_DEATH: "read-only",
    EventKind.VM_DISCONNECTED: "read-only",
    EventKind.NEAR_FRAME_EXHAUSTED: "read-only",
}
"""The least role that may ask for events of a kind. What slows all code down needs `observe`."""

_HEADER: Final = struct.Struct(">IIBBB")
_REPLY_HEADER: Final = struct.Struct(">IIBH")
_LENGTH: Final = struct.Struct(">I")
_IS_REPLY: Final = 0x80
_SMALLEST: Final = 11
MOST_BYTES: Final = 64 * 1024 * 1024
"""Of one packet of a debugger."""
_CODEC: Final = Codec(IdSizes(8, 8, 8, 8, 8))
"""HotSpot's agents, the JDK's and ours, have ids of 8 bytes."""


_BY_NAME: Final = {name: numbers for numbers, name in COMMAND_NAMES.items()}
_SET: Final = _BY_NAME["EventRequest.Set"]
_RESUME_WITH: Final = _BY_NAME["Agent.ResumeWith"]
_SUSPEND_ALL: Final = _BY_NAME["VirtualMachine.Suspend"]
_RESUME_ALL: Final = _BY_NAME["VirtualMachine.Resume"]
_SUSPEND: Final = _BY_NAME["ThreadReference.Suspend"]
_RESUME: Final = _BY_NAME["ThreadReference.Resume"]
_COMPOSITE: Final = _BY_NAME["Event.Composite"]


class NotJdwpError(Exception):
    """What a side has sent is no JDWP, or not what may be sent; the connection has to end."""


@dataclass(slots=True)
class Passed:
    """What becomes of the bytes of a debugger."""

    on: bytearray = field(default_factory=bytearray)
    """For the agent."""
    back: bytearray = field(default_factory=bytearray)
    """For the debugger: answers to what was refused."""
    noted: list[tuple[str, str]] = field(default_factory=list)
    """Event and command, for the audit log: `command` one that changes the program, `refused`."""


def may(role: Role, needed: str) -> bool:
    """Whether a role includes what is needed; of an unknown need only `debug` does."""
    return role == "debug" or (needed in ROLES and ROLES.index(role) <= _rank(needed))


def _rank(role: str) -> int:
    return [str(each) for each in ROLES].index(role)


class _Packets:
    """Cuts a stream into packets; the first 14 bytes are the greeting."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._buffer = bytearray()
        self.greeting = b""

    def take(self, chunk: bytes) -> list[bytes]:
        """The whole packets, and before them the greeting when it is whole."""
        self._buffer += chunk
        found: list[bytes] = []
        start = 0
        if not self.greeting:
            if len(self._buffer) < len(HANDSHAKE):
                return found
            self.greeting = bytes(self._buffer[: len(HANDSHAKE)])
            found.append(self.greeting)
            start = len(HANDSHAKE)
        while len(self._buffer) - start >= _SMALLEST:
            (length,) = _LENGTH.unpack_from(self._buffer, start)
            if not _SMALLEST <= length <= self._most:
                raise NotJdwpError(f"it sent a packet of {length} bytes")
            if len(self._buffer) - start < length:
                break
            found.append(bytes(self._buffer[start : start + length]))
            start += length
        del self._buffer[:start]
        return found


class Permits:
    """What one debugger may do, and what it has suspended."""

    def __init__(self, role: Role) -> None:
        self.role = role
        self.holding = Holding()
        self._commands = _Packets(MOST_BYTES)
        self._replies = _Packets(0xFFFFFFFF)
        self._unanswered: dict[int, tuple[bool, int | None]] = {}
        """Of a command whose reply counts: whether it resumes, and which thread."""
        self._agent_speaks_jdwp = True

    def from_debugger(self, chunk: bytes) -> Passed:
        """Raises NotJdwpError."""
        passed = Passed()
        for packet in self._commands.take(chunk):
            if packet is self._commands.greeting:
                self._greeted(packet)
                passed.on += packet
            else:
                self._command(packet, passed)
        return passed

    def from_agent(self, chunk: bytes) -> None:
        """Look at what the agent sends, all of which passes. Raises NotJdwpError."""
        if self.role == "debug" or not self._agent_speaks_jdwp:
            return
        for packet in self._replies.take(chunk):
            if packet is self._replies.greeting:
                self._agent_speaks_jdwp = packet == HANDSHAKE
                if not self._agent_speaks_jdwp:
                    return  # it says that another debugger is connected, and ends the connection
            else:
                self._answer(packet)

    def _greeted(self, greeting: bytes) -> None:
        if greeting == TAKE_OVER and self.role != "debug":
            raise NotJdwpError(f"the role {self.role} cannot end the session of another debugger")
        if greeting not in (HANDSHAKE, TAKE_OVER):
            raise NotJdwpError("it did not begin with the handshake of JDWP")

    def _command(self, packet: bytes, passed: Passed) -> None:
        _, number, flags, command_set, command = _HEADER.unpack_from(packet)
        if flags == _IS_REPLY and self.role == "debug":  # to a beat of the agent
            passed.on += packet
            return
        if flags != 0:
            raise NotJdwpError("it sent what is no command")
        numbers = (command_set, command)
        name = COMMAND_NAMES.get(numbers, f"({command_set}, {command})")
        needed = self._needed(numbers, packet)
        if not may(self.role, needed):
            passed.back += _REPLY_HEADER.pack(
                _SMALLEST, number, _IS_REPLY, int(ErrorCode.ACCESS_DENIED)
            )
            passed.noted.append(("refused", name))
            return
        if needed == "debug":
            passed.noted.append(("command", name))
        if self.role != "debug":
            self._note(number, numbers, packet)
        passed.on += packet

    def _needed(self, numbers: tuple[int, int], packet: bytes) -> str:
        """The least role that may send this; `debug` for what is unknown or cannot be read."""
        needed = COMMAND_ROLES.get(numbers, "debug")
        if self.role == "debug" or numbers not in (_SET, _RESUME_WITH):
            return needed
        try:
            kinds = _kinds(numbers, packet[_SMALLEST:])
            return min((needed, *(EVENT_ROLES[each] for each in kinds)), key=_rank)
        except (NativeWireError, KeyError, ValueError):
            return "debug"

    def _note(self, number: int, numbers: tuple[int, int], packet: bytes) -> None:
        """Count what a command suspends; what it resumes counts when it was answered."""
        if number in self._unanswered:
            raise NotJdwpError("it used the number of a command that has no answer yet")
        thread = int.from_bytes(packet[_SMALLEST : _SMALLEST + 8])
        resumes = numbers in (_RESUME, _RESUME_ALL, _RESUME_WITH)
        is_of_thread = numbers == _RESUME or (numbers == _RESUME_WITH and thread != 0)
        self._unanswered[number] = (resumes, thread if is_of_thread else None)
        if numbers == _SUSPEND_ALL:
            self.holding.suspended(None)
        elif numbers == _SUSPEND:
            self.holding.suspended(thread)

    def _answer(self, packet: bytes) -> None:
        _, number, flags, command_set, command = _HEADER.unpack_from(packet)
        if flags & _IS_REPLY:
            resumes, thread = self._unanswered.pop(number, (False, None))
            if resumes and (command_set, command) == (0, 0):  # the error code
                self.holding.resumed(thread)
        elif (command_set, command) == _COMPOSITE:
            self._events(packet[_SMALLEST:])

    def _events(self, content: bytes) -> None:
        policy = content[0] if content else int(SuspendPolicy.NONE)
        if policy == SuspendPolicy.NONE:
            return
        thread: int | None = None
        if policy == SuspendPolicy.EVENT_THREAD:
            try:
                first = _CODEC.decode(event.Composite, content).events[0]
                thread = int(getattr(first, "thread", 0)) or None
            except (NativeWireError, IndexError):
                thread = None  # as if all were suspended
        self.holding.suspended(thread)


def _kinds(numbers: tuple[int, int], content: bytes) -> list[EventKind]:
    """The kinds of the events that a command asks for. Raises NativeWireError, ValueError."""
    if numbers == _SET:
        return [EventKind(content[0])] if content else []
    return [EventKind(each.event_kind) for each in _CODEC.decode(agent.ResumeWith, content).wanted]
