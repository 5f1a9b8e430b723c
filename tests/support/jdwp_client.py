# SPDX-License-Identifier: Apache-2.0
"""A blocking JDWP client: command by command, as dictionaries.

Owns a blocking socket and the events that come in between. Knows the wire only through
`tests.support.wire_reading`, so nothing of what it tests. A test says what it asks by name:

    frames = vm.ask("ThreadReference.Frames", thread=thread, start_frame=0, length=-1)["frames"]
    assert vm.refusal("ThreadReference.Name", thread=0) == "INVALID_THREAD"

`JdwpClient` keeps single events and `EventSetClient` whole event sets; tests/stress has one for
many replies at once, tests/scale one that is fast.
"""

from __future__ import annotations

import contextlib
import socket
import struct
import time
from collections import deque
from typing import TYPE_CHECKING, Any

from tests.support.wire_reading import COMPOSITE, Message, Sizes, WireReading

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.wire_grammar import Grammar, Struct

_HANDSHAKE = b"JDWP-Handshake"
_SHOWN = (128, 101)
_HEADER = struct.Struct(">IIBBB")
_REPLY = 0x80
_TIMEOUT_S = 20.0


class RefusedError(Exception):
    """The agent answered with an error; `.name` is JDWP's word for it."""

    def __init__(self, command: str, name: str) -> None:
        super().__init__(f"{command}: {name}")
        self.name = name


class ConnectionLostError(Exception):
    """The agent has closed the connection, or the VM has died."""


class JdwpClient:
    """A connected client that sends one request at a time."""

    GREETING = _HANDSHAKE
    TIMEOUT_S = _TIMEOUT_S
    """For a reply."""

    def __init__(self, port: int) -> None:
        self._socket = self._connect(port)
        self._wire = WireReading()
        self._commands = {
            f"{command.set_name}.{command.name}": number
            for number, command in self._wire.grammar.commands.items()
        }
        self._error_names = {code: name for name, code in self._wire.grammar.errors.items()}
        self._next_id = 1
        self._events: deque[Message] = deque()
        self.shown: list[Message] = []
        """What our agent has sent before events to show them (`Agent.Shown`), in order."""
        try:
            self._begin()
        except BaseException:
            self.close()
            raise

    def _connect(self, port: int) -> socket.socket:
        return socket.create_connection(("127.0.0.1", port), timeout=self.TIMEOUT_S)

    def _begin(self) -> None:
        self._socket.sendall(self.GREETING)
        if self._read(len(_HANDSHAKE)) != _HANDSHAKE:
            raise ConnectionLostError("no handshake")
        sizes = self.ask("VirtualMachine.IDSizes")
        self._wire = self._wire.with_sizes(
            Sizes(
                field=sizes["field_id_size"],
                method=sizes["method_id_size"],
                object=sizes["object_id_size"],
                reference_type=sizes["reference_type_id_size"],
                frame=sizes["frame_id_size"],
            )
        )

    def ask(self, name: str, /, **fields: Any) -> Message:
        """The reply to a command; RefusedError when it is an error."""
        number = self._commands[name]
        code, payload = self.ask_raw(*number, self._wire.encode_request(*number, fields))
        if code:
            raise RefusedError(name, self.error_name(code))
        return self._wire.decode_reply(*number, payload)

    def refusal(self, name: str, **fields: Any) -> str:
        """The name of the error that a command is answered with; NONE when it succeeds."""
        try:
            self.ask(name, **fields)
        except RefusedError as refused:
            return refused.name
        return "NONE"

    def ask_raw(self, command_set: int, number: int, payload: bytes) -> tuple[int, bytes]:
        """Error code and payload of the reply to whatever bytes."""
        request_id = self.send_request((command_set, number), payload)
        deadline = time.monotonic() + self.TIMEOUT_S
        while time.monotonic() < deadline:
            answered, code, content = self._read_packet()
            if answered == request_id:
                return code, content
        raise TimeoutError(f"no reply to {command_set}/{number}")

    def send_request(self, number: tuple[int, int], payload: bytes) -> int:
        """Send a request without waiting for its reply; its id."""
        request_id = self._next_id
        self._next_id += 1
        size = _HEADER.size + len(payload)
        self._socket.sendall(_HEADER.pack(size, request_id, 0, *number) + payload)
        return request_id

    def encode_request(self, number: tuple[int, int], message: Message) -> bytes:
        """The payload of a request, for `ask_raw`."""
        return self._wire.encode_request(*number, message)

    def decode_reply(self, number: tuple[int, int], payload: bytes) -> Message:
        """The fields of what `ask_raw` gave."""
        return self._wire.decode_reply(*number, payload)

    @property
    def grammar(self) -> Grammar:
        """What is declared."""
        return self._wire.grammar

    def number(self, name: str) -> tuple[int, int]:
        """Set and number of a command."""
        return self._commands[name]

    def name(self, command_set: int, number: int) -> str:
        """The name of a command; `unknown` when there is none."""
        numbered = {number: name for name, number in self._commands.items()}
        return numbered.get((command_set, number), "unknown")

    def shapes(self, name: str) -> tuple[Struct, Struct]:
        """Request and reply of a command as they are declared."""
        command = self._wire.command(*self._commands[name])
        return command.request, command.reply

    def error_name(self, code: int) -> str:
        """JDWP's word for an error code, or its digits."""
        return self._error_names.get(code, str(code))

    def event_name(self, kind: int) -> str:
        """The name of the event's structure, such as `BreakpointEvent`."""
        return self._wire.grammar.variants["Event"][kind][0]

    def size_of(self, shape: Struct, message: Message) -> int:
        """The bytes that the first fields of a request take."""
        return len(self._wire.encode(shape, message))

    def wait_event(self, kind: int, *, where: Callable[[Message], bool] | None = None) -> Message:
        """The next event of the kind (EventKind) that fits, known already or still to come."""
        deadline = time.monotonic() + self.TIMEOUT_S
        while time.monotonic() < deadline:
            while self._events:
                event = self._events.popleft()
                if event["kind"] == kind and (where is None or where(event)):
                    return event
            self._read_packet()
        raise TimeoutError(f"no event of kind {kind}")

    def drain(self) -> None:
        """Keep the events that come until the agent hangs up, then hang up too, as debuggers do.

        At its end our agent waits for that, so that nothing which it sent is lost on the way.
        """
        with contextlib.suppress(ConnectionLostError, ConnectionResetError):
            while True:
                self._read_packet()
        self.close()

    def close(self) -> None:
        """Close the connection."""
        self._socket.close()

    def _read_packet(self) -> tuple[int | None, int, bytes]:
        """One packet: (request id, error, payload) of a reply; an event is kept, with id None."""
        size, packet_id, flags, first, second = _HEADER.unpack(self._read(_HEADER.size))
        payload = self._read(size - _HEADER.size)
        if flags & _REPLY:
            return packet_id, first << 8 | second, payload
        if (first, second) == COMPOSITE:
            self._keep(self._wire.decode_event_set(payload))
        elif (first, second) == _SHOWN:
            self.shown.append(self._wire.decode_request(first, second, payload))
        return None, 0, b""

    def _keep(self, event_set: Message) -> None:
        self._events.extend(event_set["events"])

    def _read(self, size: int) -> bytes:
        chunks = bytearray()
        if self._socket.fileno() < 0:
            raise ConnectionLostError("this side has hung up")
        while len(chunks) < size:
            chunk = self._socket.recv(size - len(chunks))
            if not chunk:
                raise ConnectionLostError("the agent hung up")
            chunks += chunk
        return bytes(chunks)


class EventSetClient(JdwpClient):
    """A client that hands out event sets as they came."""

    def __init__(self, port: int) -> None:
        self.sets: list[Message] = []
        super().__init__(port)

    def _keep(self, event_set: Message) -> None:
        self.sets.append(event_set)

    def send(self, name: str, **fields: Any) -> tuple[str, int]:
        """Ask without waiting; what reply_to() takes."""
        number = self.number(name)
        return name, self.send_request(number, self.encode_request(number, fields))

    def send_bytes(self, content: bytes) -> None:
        """Whatever bytes."""
        self._socket.sendall(content)

    def next_packet(self) -> int:
        """Read a packet and forget it; its length."""
        length = int.from_bytes(self._read(4))
        self._read(length - 4)
        return length

    def next_reply(self) -> tuple[int, int]:
        """Request id and error code of the next reply to whatever was sent."""
        while True:
            answered, code, _ = self._read_packet()
            if answered is not None:
                return answered, code

    def reply_to(self, sent: tuple[str, int]) -> Message:
        """The reply to what send() asked."""
        name, request_id = sent
        while True:
            answered, code, payload = self._read_packet()
            if answered == request_id:
                assert code == 0
                return self.decode_reply(self.number(name), payload)

    def next_set(self) -> Message:
        """The next event set, which may have come already."""
        while not self.sets:
            self._read_packet()
        return self.sets.pop(0)
