# SPDX-License-Identifier: Apache-2.0
"""A JDWP agent without a VM, for tests: scripted replies and events over a loopback connection.

It speaks through `wire_reading`, so it shares nothing with the codec under test. Messages are the
dictionaries described there. It keeps suspend counts by JDWP's rules, so that a test can say that
nothing was left suspended.

    async with FakeVm() as vm:
        vm.on("ThreadReference.Name", {"name": "main"})
        connection = await transport.connect(vm.host, vm.port)
        await vm.send_events(ALL, {"kind": 2, "request_id": 5, "thread": 1, "location": {...}})
"""

from __future__ import annotations

import asyncio
import contextlib
import struct
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeAlias

from tests.support.wire_reading import Message, Sizes, WireReading

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

HANDSHAKE: Final = b"JDWP-Handshake"
HEADER: Final = struct.Struct(">IIBH")
NONE, EVENT_THREAD, ALL = 0, 1, 2
MAIN_THREAD: Final = 1
NOT_IMPLEMENTED: Final = 99
_COMPOSITE_COMMAND: Final = 64 << 8 | 100


@dataclass(frozen=True)
class Refusal:
    """An error code instead of a reply."""

    code: int


Reply: TypeAlias = Message | Refusal
Script: TypeAlias = Reply | Callable[[Message], Reply]


@dataclass
class FakeType:
    """A loaded class: its methods and fields by id."""

    signature: str
    methods: dict[int, tuple[str, str, int]] = field(default_factory=dict)
    """id → (name, descriptor, modifiers)"""
    fields: dict[int, tuple[str, str, int]] = field(default_factory=dict)


class FakeVm:
    """One agent that takes one connection at a time."""

    def __init__(self, *, sizes: Sizes | None = None, handshake: bytes = HANDSHAKE) -> None:
        self.sizes = sizes or Sizes()
        self.wire = WireReading(sizes=self.sizes)
        self.handshake = handshake
        self.received: list[tuple[str, Message]] = []
        self.threads: Counter[int] = Counter({MAIN_THREAD: 0})
        """Suspend count of each thread that exists."""
        self.types: dict[int, FakeType] = {}
        self.early: list[bytes] = []
        """Sent right after the handshake."""
        self._names = {
            key: f"{command.set_name}.{command.name}"
            for key, command in self.wire.grammar.commands.items()
        }
        self._scripts: dict[str, Script] = _standard_replies(self)
        self._held: dict[str, list[Callable[[], None]]] = {}
        self._changed = asyncio.Condition()
        self._server: asyncio.Server | None = None
        self._writer: asyncio.StreamWriter | None = None
        self._last_id = 0
        self._pending: set[asyncio.Task[None]] = set()

    # What the agent does

    def on(self, name: str, script: Script) -> None:
        """Answers this command so from now on: a reply, a Refusal, or a function of the request."""
        self._scripts[name] = script

    def answered(self, name: str, request: Message) -> Message:
        """The answer to a command as one of those that our agent gives unasked."""
        numbers = {command_name: key for key, command_name in self._names.items()}[name]
        reply = self._reply(name, request)
        answer: Message = {
            "command_set": numbers[0],
            "command": numbers[1],
            "request": self.wire.encode_request(*numbers, request),
            "error": 0,
            "reply": b"",
        }
        if isinstance(reply, Refusal):
            return answer | {"error": reply.code}
        return answer | {"reply": self.wire.encode_reply(*numbers, reply)}

    def hold(self, name: str) -> None:
        """Receives this command and does not answer it until `release`."""
        self._held[name] = []

    def release(self, name: str) -> None:
        """Answers what was held, in order, and holds no more."""
        for answer in self._held.pop(name):
            answer()

    async def send_events(self, policy: int, *events: Message) -> None:
        """Sends one event set, after suspending what the policy says."""
        threads = [event["thread"] for event in events if "thread" in event]
        self._suspend(policy, threads[0] if threads else None)
        self._send_event_payload(self.wire.encode_event_set(policy, events))
        await self._drain()

    def event_packet(self, policy: int, *events: Message) -> bytes:
        """The packet of an event set, for `early` or `send_bytes`; suspends nothing."""
        return self._event_packet(self.wire.encode_event_set(policy, events))

    async def send_bytes(self, content: bytes) -> None:
        """Sends what no agent would."""
        self._write(content)
        await self._drain()

    async def drop(self) -> None:
        """Ends the connection without a word."""
        if self._writer is not None:
            self._writer.transport.abort()

    # What a test asks

    @property
    def host(self) -> str:
        """The address at which it listens."""
        return "127.0.0.1"

    @property
    def port(self) -> int:
        """The address at which it listens."""
        if self._server is None:
            raise RuntimeError("the fake VM is not started")
        return int(self._server.sockets[0].getsockname()[1])

    def commands(self, *names: str) -> list[Message]:
        """The requests of these commands that have come, in order."""
        return [message for name, message in self.received if name in names]

    def names(self) -> list[str]:
        """The names of all commands that have come, in order."""
        return [name for name, _ in self.received]

    @property
    def is_suspended(self) -> bool:
        """Whether any thread is."""
        return any(count > 0 for count in self.threads.values())

    async def wait_for(self, name: str, count: int = 1, timeout_s: float = 5.0) -> Message:
        """Waits until this command has come `count` times; the last of them."""
        await self.wait_until(lambda: len(self.commands(name)) >= count, timeout_s)
        return self.commands(name)[count - 1]

    async def wait_until(self, condition: Callable[[], bool], timeout_s: float = 5.0) -> None:
        """Waits until the condition holds; it is looked at after every command."""
        async with asyncio.timeout(timeout_s), self._changed:
            await self._changed.wait_for(condition)

    # Life

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._serve, self.host, 0)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._server is not None:
            self._server.close()
        await self.drop()
        for task in list(self._pending):
            task.cancel()
        await asyncio.gather(*self._pending, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writer = writer
        task = asyncio.current_task()
        if task is not None:
            self._pending.add(task)
            task.add_done_callback(self._pending.discard)
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            await reader.readexactly(len(HANDSHAKE))
            writer.write(self.handshake)
            for packet in self.early:
                writer.write(packet)
            while True:
                await self._take_command(reader)
        writer.close()

    async def _take_command(self, reader: asyncio.StreamReader) -> None:
        length, request_id, _, command = HEADER.unpack(await reader.readexactly(HEADER.size))
        payload = await reader.readexactly(length - HEADER.size)
        key = command >> 8, command & 0xFF
        name = self._names.get(key, f"{key[0]}.{key[1]}")
        request = self.wire.decode_request(*key, payload)
        self._account(name, request)

        def answer() -> None:
            reply = self._reply(name, request)
            if isinstance(reply, Refusal):
                self._write(self._packet(request_id, 0x80, reply.code, b""))
            else:
                content = self.wire.encode_reply(*key, reply)
                self._write(self._packet(request_id, 0x80, 0, content))

        if name in self._held:
            self._held[name].append(answer)
        else:
            answer()
        async with self._changed:
            self.received.append((name, request))
            self._changed.notify_all()

    def _reply(self, name: str, request: Message) -> Reply:
        script = self._scripts.get(name, Refusal(NOT_IMPLEMENTED))
        return script(request) if callable(script) else script

    def _account(self, name: str, request: Message) -> None:
        match name:
            case "VirtualMachine.Suspend":
                self._suspend(ALL, None)
            case "VirtualMachine.Resume" | "VirtualMachine.Dispose":
                for thread in self.threads:
                    self.threads[thread] = max(0, self.threads[thread] - 1)
            case "ThreadReference.Suspend":
                self.threads[request["thread"]] += 1
            case "Agent.ResumeWith" if request["thread"] == 0:
                self._account("VirtualMachine.Resume", request)
            case "ThreadReference.Resume" | "Agent.ResumeWith":
                thread = request["thread"]
                self.threads[thread] = max(0, self.threads[thread] - 1)

    def _suspend(self, policy: int, event_thread: int | None) -> None:
        if policy == ALL:
            for thread in self.threads:
                self.threads[thread] += 1
        elif policy == EVENT_THREAD and event_thread is not None:
            self.threads[event_thread] += 1

    def _send_event_payload(self, payload: bytes) -> None:
        self._write(self._event_packet(payload))

    def _event_packet(self, payload: bytes) -> bytes:
        self._last_id += 1
        return self._packet(self._last_id, 0, _COMPOSITE_COMMAND, payload)

    def _packet(self, packet_id: int, flags: int, code: int, payload: bytes) -> bytes:
        return HEADER.pack(HEADER.size + len(payload), packet_id, flags, code) + payload

    def _write(self, packet: bytes) -> None:
        if self._writer is not None:
            self._writer.write(packet)

    async def _drain(self) -> None:
        if self._writer is not None:
            await self._writer.drain()


def location(type_id: int, method_id: int, index: int) -> Message:
    """A location in a class."""
    return {"tag": 1, "type_id": type_id, "method_id": method_id, "index": index}


def _standard_replies(vm: FakeVm) -> dict[str, Script]:
    """What every test needs and none is about."""
    numbers = iter(range(1, 1_000_000))

    def declared(request: Message) -> FakeType:
        return vm.types[request["type_id"]]

    def members(found: dict[int, tuple[str, str, int]], id_name: str) -> list[Message]:
        return [
            {
                id_name: member,
                "name": name,
                "signature": signature,
                "generic_signature": "",
                "modifiers": modifiers,
            }
            for member, (name, signature, modifiers) in found.items()
        ]

    capabilities = vm.wire.command(1, 17).reply.fields
    return {
        "VirtualMachine.Version": {
            "description": "a fake",
            "jdwp_major": 17,
            "jdwp_minor": 0,
            "vm_version": "17.0.1",
            "vm_name": "Fake VM",
        },
        "VirtualMachine.IDSizes": {
            "field_id_size": vm.sizes.field,
            "method_id_size": vm.sizes.method,
            "object_id_size": vm.sizes.object,
            "reference_type_id_size": vm.sizes.reference_type,
            "frame_id_size": vm.sizes.frame,
        },
        "VirtualMachine.CapabilitiesNew": {name: True for name, _ in capabilities},
        "VirtualMachine.Suspend": {},
        "VirtualMachine.Resume": {},
        "VirtualMachine.Dispose": {},
        "VirtualMachine.ReleaseEvents": {},
        "ThreadReference.Suspend": {},
        "ThreadReference.Resume": {},
        "EventRequest.Set": lambda _: {"request_id": next(numbers)},
        "EventRequest.Clear": {},
        "ReferenceType.SignatureWithGeneric": lambda request: {
            "signature": declared(request).signature,
            "generic_signature": "",
        },
        "ReferenceType.MethodsWithGeneric": lambda request: {
            "methods": members(declared(request).methods, "method_id")
        },
        "ReferenceType.FieldsWithGeneric": lambda request: {
            "fields": members(declared(request).fields, "field_id")
        },
    }
