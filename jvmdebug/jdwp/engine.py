# SPDX-License-Identifier: Apache-2.0
"""The JDWP conversation without any I/O: bytes in, what arrived out; commands in, bytes out.

Owns the handshake, the numbering of requests, which requests wait for a reply, and the order of
states, which is the table below. It never waits and never touches a socket or an event loop; the
asyncio shell around it is connection.py, and tests drive it directly.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeVar

from jvmdebug._native import (
    BUSY,
    HANDSHAKE,
    TOKEN_NEEDED,
    Codec,
    Framer,
    IdSizes,
    Packet,
    pack_command,
    pack_reply,
)
from jvmdebug._native import WireError as NativeWireError
from jvmdebug.errors import (
    AgentBusy,
    ConnectionLost,
    HandshakeFailed,
    TokenError,
    VmError,
    WireError,
)
from jvmdebug.jdwp.command import Command  # noqa: TC001 - read by dataclasses at run time
from jvmdebug.jdwp.generated.agent import Beat, Ended, Shown
from jvmdebug.jdwp.generated.agent import TakenOver as TakenOverCommand
from jvmdebug.jdwp.generated.catalog import COMMAND_NAMES
from jvmdebug.jdwp.generated.event import Composite
from jvmdebug.jdwp.generated.heap import Collected, Exhausted, Freed, Part
from jvmdebug.jdwp.prefetched import PrefetchedReplies
from jvmdebug.jdwp.snapshot import Snapshot

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jvmdebug.jdwp.command import Struct
    from jvmdebug.jdwp.prefetched import BulkAnswer

StructT = TypeVar("StructT", bound="Struct")

_LAST_ID: Final = 0x7FFFFFFF
_LONGEST_BUSY: Final = 200
"""Bytes of the answer of an agent that serves another debugger."""
_RESUMES: Final = ("VirtualMachine.Resume", "ThreadReference.Resume", "Agent.ResumeWith")
"""They change nothing any more once a thread that they have resumed has stopped again."""
MAX_PACKET_BYTES: Final = 64 * 1024 * 1024
"""What is kept of one packet; the payload of a longer reply is skipped and its request fails."""


class EngineState(enum.Enum):
    """The states of a conversation."""

    HANDSHAKE = "handshake"
    OPEN = "open"
    CLOSING = "closing"
    CLOSED = "closed"


class _Signal(enum.Enum):
    SHAKEN = "the peer has answered the handshake"
    CLOSE = "we close"
    END = "the stream has ended"


_TRANSITIONS: Final = {
    (EngineState.HANDSHAKE, _Signal.SHAKEN): EngineState.OPEN,
    (EngineState.HANDSHAKE, _Signal.CLOSE): EngineState.CLOSING,
    (EngineState.HANDSHAKE, _Signal.END): EngineState.CLOSED,
    (EngineState.OPEN, _Signal.CLOSE): EngineState.CLOSING,
    (EngineState.OPEN, _Signal.END): EngineState.CLOSED,
    (EngineState.CLOSING, _Signal.CLOSE): EngineState.CLOSING,
    (EngineState.CLOSING, _Signal.END): EngineState.CLOSED,
    (EngineState.CLOSED, _Signal.CLOSE): EngineState.CLOSED,
    (EngineState.CLOSED, _Signal.END): EngineState.CLOSED,
}


@dataclass(frozen=True, slots=True)
class HandshakeDone:
    """The handshake is done; commands may be sent."""


@dataclass(frozen=True, slots=True)
class ReplyArrived:
    """A reply to a request: `result` is of the command's REPLY class, None when it is empty, or the
    error. `is_expected` is false when the request was abandoned meanwhile.
    """

    request_id: int
    command: Command[Any] | None
    result: Any
    is_expected: bool = True


@dataclass(frozen=True, slots=True)
class EventsArrived:
    """A set of events that belong together."""

    event_set: Composite


@dataclass(frozen=True, slots=True)
class TakeOverArrived:
    """Our agent says that another debugger takes over: the stream is about to end."""

    by: str


@dataclass(frozen=True, slots=True)
class EndArrived:
    """The relay in front of the agent says why the stream is about to end."""

    reason: str


@dataclass(frozen=True, slots=True)
class ShownArrived:
    """Our agent has sent what showing the stop takes that follows; the engine keeps it."""

    shown: Shown


HeapNotice = Part | Freed | Collected | Exhausted
_NOTICES: Final[dict[tuple[int, int], type[HeapNotice]]] = {
    (each.COMMAND_SET, each.NUMBER): each for each in (Part, Freed, Collected, Exhausted)
}


@dataclass(frozen=True, slots=True)
class NoticeArrived:
    """Our agent sends of the heap what it was asked for."""

    notice: HeapNotice


@dataclass(frozen=True, slots=True)
class BeatArrived:
    """Our agent sends a beat, which `answer` answers; it has received so many commands."""

    received: int
    answer: bytes


@dataclass(frozen=True, slots=True)
class ProtocolBroken:
    """The bytes are not JDWP from here on: the connection must end. Always the last arrival."""

    error: WireError


Arrival = (
    HandshakeDone
    | ReplyArrived
    | EventsArrived
    | ShownArrived
    | TakeOverArrived
    | EndArrived
    | NoticeArrived
    | BeatArrived
    | ProtocolBroken
)


class Engine:
    """One conversation, from the client's side."""

    def __init__(self, greeting: bytes = HANDSHAKE) -> None:
        """`greeting`: TAKE_OVER for our agent, while it serves another debugger."""
        self._greeting = greeting
        self._state = EngineState.HANDSHAKE
        self._framer = Framer(MAX_PACKET_BYTES)
        self._codec: Codec = Codec(IdSizes(8, 8, 8, 8, 8))
        self._sizes_known = False
        self._early_packets: list[Packet] = []
        self._handshake = bytearray()
        self._last_id = 0
        self._waiting: dict[int, Command[Any]] = {}
        self._forgotten: dict[int, Command[Any]] = {}
        self._prefetched = PrefetchedReplies()
        self.packets_received = self.commands_sent = 0
        """Beats and the answers to them not counted."""

    @property
    def state(self) -> EngineState:
        """The state of the conversation."""
        return self._state

    @property
    def in_flight(self) -> tuple[Command[Any], ...]:
        """The commands that wait for a reply, oldest first."""
        return tuple(self._waiting.values())

    def handshake(self) -> bytes:
        """The bytes to send first."""
        return self._greeting

    def request(self, command: Command[Any]) -> tuple[int, bytes]:
        """Number and bytes of a request, which is then pending.

        Raises ConnectionLost when the conversation is over, HandshakeFailed when it has not begun,
        WireError when a value does not fit its field.
        """
        if self._state is EngineState.HANDSHAKE:
            raise HandshakeFailed(f"cannot send {command.NAME} before the handshake is done")
        if self._state is not EngineState.OPEN:
            raise ConnectionLost(f"cannot send {command.NAME}: the connection is closed")
        try:
            payload = self._codec.encode(command)
        except NativeWireError as error:
            raise WireError(f"{describe(command)} cannot be encoded: {error}") from error
        self._prefetched.sent(command)
        request_id = self._next_id()
        self.commands_sent += 1
        self._waiting[request_id] = command
        return request_id, pack_command(request_id, command.COMMAND_SET, command.NUMBER, payload)

    @property
    def prefetch_generation(self) -> int:
        """Grows whenever a command is sent that makes prefetched replies invalid."""
        return self._prefetched.generation

    def add_prefetched(self, answers: Iterable[BulkAnswer]) -> None:
        """Keep these replies for later requests."""
        self._prefetched.add(answers)

    def snapshot(self, answers: Iterable[BulkAnswer]) -> Snapshot:
        """What a bulk reply says of objects, for one reader; facts are kept for all."""
        made = Snapshot(answers, self._codec)
        self._prefetched.add(made.facts)
        return made

    def prefetched(self, command: Command[Any]) -> ReplyArrived | None:
        """The prefetched reply (request id 0); None if there is none."""
        try:
            part = self._prefetched.part(command, self._codec)
            if part is not None:
                return ReplyArrived(0, command, part)
            answer = self._prefetched.answer(command, self._codec)
        except NativeWireError:
            return None  # the request says what is wrong
        if answer is None:
            return None
        return ReplyArrived(0, command, self._decoded(command, *answer))

    def decoded(self, kind: type[StructT], content: bytes) -> StructT:
        """A structure that was sent as bytes in another. WireError if it cannot be read."""
        try:
            return self._codec.decode(kind, content)
        except NativeWireError as error:
            raise WireError(f"a part of a reply of the agent cannot be read: {error}") from error

    def forget(self, request_id: int) -> None:
        """Abandon a request: its reply will be read and dropped."""
        command = self._waiting.pop(request_id, None)
        if command is not None:
            self._forgotten[request_id] = command

    def set_id_sizes(self, sizes: IdSizes) -> list[Arrival]:
        """Set the id sizes of the agent. Returns the events that arrived before."""
        self._codec = Codec(sizes)
        self._sizes_known = True
        early, self._early_packets = self._early_packets, []
        try:
            return [self._events(packet) for packet in early]
        except WireError as error:
            return [ProtocolBroken(error)]

    def receive(self, chunk: bytes | memoryview) -> list[Arrival]:
        """Takes received bytes and returns what they complete, in order.

        After a ProtocolBroken the caller must drop the stream.
        """
        arrivals: list[Arrival] = []
        if self._state is EngineState.CLOSED:
            return arrivals
        try:
            self._read(chunk, arrivals)
        except NativeWireError as error:
            broken = WireError(f"the agent sent what is not a JDWP packet: {error}")
            arrivals.append(ProtocolBroken(broken))
        except WireError as error:
            arrivals.append(ProtocolBroken(error))
        return arrivals

    def begin_stream(self) -> None:
        """The conversation goes on in another stream, which begins with a whole packet. What was
        prefetched is forgotten: the program may have run meanwhile.
        """
        self._framer = Framer(MAX_PACKET_BYTES)
        self._prefetched.forget()

    def close(self) -> None:
        """The stream will be closed: no more requests."""
        self._step(_Signal.CLOSE)

    def end(self) -> tuple[tuple[int, Command[Any]], ...]:
        """The stream has ended. Returns the requests that will get no reply, once."""
        self._step(_Signal.END)
        orphans = tuple(self._waiting.items())
        self._waiting.clear()
        self._forgotten.clear()
        return orphans

    def _step(self, signal: _Signal) -> None:
        self._state = _TRANSITIONS[self._state, signal]

    def _next_id(self) -> int:
        while True:
            self._last_id = 1 if self._last_id >= _LAST_ID else self._last_id + 1
            if self._last_id not in self._waiting and self._last_id not in self._forgotten:
                return self._last_id

    def _read(self, chunk: bytes | memoryview, arrivals: list[Arrival]) -> None:
        if self._state is EngineState.HANDSHAKE:
            rest = self._read_handshake(chunk)
            if rest is None:
                return
            arrivals.append(HandshakeDone())
            chunk = rest
        self._framer.feed(chunk)
        while (packet := self._framer.next()) is not None:
            arrival = self._arrival(packet)
            if arrival is not None:
                arrivals.append(arrival)

    def _read_handshake(self, chunk: bytes | memoryview) -> bytes | None:
        """The bytes after the handshake; None while it is incomplete."""
        self._handshake += chunk
        head = bytes(self._handshake[: len(HANDSHAKE)])
        if self._handshake.startswith(BUSY) or BUSY.startswith(head):
            self._read_busy()
            return None
        if head == TOKEN_NEEDED[: len(HANDSHAKE)]:
            raise TokenError("the agent asks for a token")
        if not HANDSHAKE.startswith(head):
            raise HandshakeFailed(
                f"the peer answered {bytes(self._handshake[:40])!r}, not the JDWP handshake: it"
                " is no JDWP agent"
            )
        if len(head) < len(HANDSHAKE):
            return None
        self._step(_Signal.SHAKEN)
        rest = bytes(self._handshake[len(HANDSHAKE) :])
        self._handshake.clear()
        return rest

    def _read_busy(self) -> None:
        line, end, _ = bytes(self._handshake).partition(b"\n")
        if not end and len(line) < _LONGEST_BUSY:
            return
        said = line[len(BUSY) : _LONGEST_BUSY].decode(errors="replace")
        holder, _, seconds = said.rpartition(" ")
        number = float(seconds) if seconds.isdecimal() else 0.0
        raise AgentBusy("the agent serves another debugger", holder or said, number)

    def _arrival(self, packet: Packet) -> Arrival | None:
        self.packets_received += 1
        if packet.is_reply:
            return self._reply(packet)
        if packet.is_cut:
            raise WireError(f"the agent sent a command of {_megabytes(packet.length)}")
        if (packet.command_set, packet.command) == (Composite.COMMAND_SET, Composite.NUMBER):
            if self._sizes_known:
                return self._events(packet)
            self._early_packets.append(packet)
            return None
        if (packet.command_set, packet.command) == (Shown.COMMAND_SET, Shown.NUMBER):
            return self._shown(packet)
        return self._notice(packet)

    def _notice(self, packet: Packet) -> Arrival:
        """What our agent tells beside events."""
        if (end := self._end_told(packet)) is not None:
            return end
        if (packet.command_set, packet.command) == (Beat.COMMAND_SET, Beat.NUMBER):
            self.packets_received -= 1
            received = self._codec.decode(Beat, packet.payload).received
            count = self.packets_received.to_bytes(8, "big")
            return BeatArrived(received, pack_reply(packet.id, 0, count))
        notice = _NOTICES.get((packet.command_set, packet.command))
        if notice is not None:
            return NoticeArrived(self._codec.decode(notice, packet.payload))
        raise WireError(
            f"the agent sent the command {command_name(packet.command_set, packet.command)}, which"
            " only a debugger may send"
        )

    def _shown(self, packet: Packet) -> ShownArrived:
        shown = self._codec.decode(Shown, packet.payload)
        pending = (*self._waiting.items(), *self._forgotten.items())
        may_change = any(
            command.CHANGES
            and not (command.NAME in _RESUMES and _is_not_after(number, shown.last_command))
            for number, command in pending
        )
        self._prefetched.add_shown(shown, are_current=not may_change)
        return ShownArrived(shown)

    def _end_told(self, packet: Packet) -> TakeOverArrived | EndArrived | None:
        """What says that the stream is about to end."""
        numbers = (packet.command_set, packet.command)
        if numbers == (TakenOverCommand.COMMAND_SET, TakenOverCommand.NUMBER):
            return TakeOverArrived(self._codec.decode(TakenOverCommand, packet.payload).by)
        if numbers == (Ended.COMMAND_SET, Ended.NUMBER):
            return EndArrived(self._codec.decode(Ended, packet.payload).reason)
        return None

    def _reply(self, packet: Packet) -> ReplyArrived:
        command = self._waiting.pop(packet.id, None)
        is_expected = command is not None
        if command is None:
            command = self._forgotten.pop(packet.id, None)
        if command is None:
            raise WireError(f"the agent replied to the request {packet.id}, which was never made")
        content = (
            WireError(
                f"the reply to {describe(command)} has {_megabytes(packet.length)}, and"
                f" {_megabytes(MAX_PACKET_BYTES)} are read: ask for less at a time"
            )
            if packet.is_cut
            else self._decoded(command, packet.error, packet.payload)
        )
        return ReplyArrived(packet.id, command, content, is_expected)

    def _decoded(self, command: Command[Any], error_code: int, payload: bytes) -> object:
        if error_code:
            return VmError.of_code(error_code, describe(command))
        if command.REPLY is None:
            return None
        try:
            return self._codec.decode(command.REPLY, payload)
        except NativeWireError as error:
            return WireError(f"the reply to {describe(command)} cannot be read: {error}")

    def _events(self, packet: Packet) -> EventsArrived:
        try:
            return EventsArrived(self._codec.decode(Composite, packet.payload))
        except NativeWireError as error:
            raise WireError(f"an event set of the agent cannot be read: {error}") from error


def _is_not_after(number: int, other: int) -> bool:
    """Whether a request was made before another one, or is it; numbers begin again at the end."""
    return (other - number) % _LAST_ID < _LAST_ID // 2


def _megabytes(size: int) -> str:
    return f"{size / 1e6:.0f} MB"


def command_name(command_set: int, number: int) -> str:
    """`ThreadReference.Frames`, or the numbers when they are not JDWP's."""
    return COMMAND_NAMES.get((command_set, number), f"{command_set}.{number}")


def describe(command: Command[Any], limit: int = 200) -> str:
    """The command with its arguments for messages: `ThreadReference.Frames(thread=1, …)`."""
    arguments = repr(command).partition("(")[2]
    text = f"{command.NAME}({arguments}"
    return text if len(text) <= limit else text[: limit - 2] + "…)"
