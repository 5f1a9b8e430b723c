# SPDX-License-Identifier: Apache-2.0
"""The asyncio shell around the engine: one JDWP connection with many requests in flight.

Owns the stream, the futures that wait for replies, timeouts, and the delivery of event sets to one
sink, in the order of arrival. It interprets no content. Made by transport.py, used by the model and
the event router. All of it belongs to one event loop.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

from jvmdebug._native import HANDSHAKE, IdSizes
from jvmdebug._native import WireError as NativeWireError
from jvmdebug.errors import (
    ConnectionLost,
    HandshakeFailed,
    JvmDebugError,
    ProgramEnded,
    RequestTimeout,
    TakenOver,
    WireError,
)
from jvmdebug.jdwp.deadlines import DEFAULT_TIMEOUT, Deadlines, Default
from jvmdebug.jdwp.engine import (
    Arrival,
    BeatArrived,
    EndArrived,
    Engine,
    EngineState,
    EventsArrived,
    HandshakeDone,
    HeapNotice,
    NoticeArrived,
    ProtocolBroken,
    ReplyArrived,
    ShownArrived,
    TakeOverArrived,
    describe,
)
from jvmdebug.jdwp.generated.constants import EventKind
from jvmdebug.jdwp.generated.event_request import Set
from jvmdebug.jdwp.generated.jvmti import Change
from jvmdebug.jdwp.generated.stack_frame import SetValues
from jvmdebug.jdwp.generated.virtual_machine import CapabilitiesNew, IDSizes, Version
from jvmdebug.jdwp.handshake_errors import failed, no_answer, why_closed
from jvmdebug.jdwp.only_prefetched import require_sending
from jvmdebug.jdwp.peer import ends, process_of, unread
from jvmdebug.jdwp.postponed import Postponed
from jvmdebug.jdwp.read_only import ReadOnly, require_reading, require_role
from jvmdebug.jdwp.silence import Silence, SilenceWatch, keep_alive
from jvmdebug.printable import one_line

if TYPE_CHECKING:
    import socket
    from collections.abc import Awaitable, Callable, Sequence

    from jvmdebug.jdwp.command import Command, Struct
    from jvmdebug.jdwp.deadlines import Timeout
    from jvmdebug.jdwp.generated.event import Composite
    from jvmdebug.jdwp.ids import ThreadId, Value
    from jvmdebug.jdwp.link import Link, LinkTerms
    from jvmdebug.jdwp.prefetched import BulkReply
    from jvmdebug.jdwp.snapshot import Snapshot
    from jvmdebug.jdwp.trace import Trace
    from jvmdebug.tls.proofs import Role

R = TypeVar("R")
BulkT = TypeVar("BulkT", bound="BulkReply")
StructT = TypeVar("StructT", bound="Struct")


_CLOSE_WAIT_S: Final = 2.0
_EXIT_WAIT_S: Final = 0.5
_PIECE_SIZE: Final = 1 << 16
_AFTER_LINK_S: Final = 5.0
"""How long a request waits at least once the link is back."""
_LAST_COMMANDS: Final = ("VirtualMachine.Dispose", "VirtualMachine.Exit")


class Connection(asyncio.BufferedProtocol):
    """A conversation with one agent. `transport.connect` and `transport.listen` open it."""

    is_read_only = ReadOnly()
    """Whether what runs code of the program or changes it is refused: always, or to the guest of a
    session that acts now.
    """
    is_recording = False
    """Whether the other end is a recording and not a VM."""
    why_read_only = "this session is read-only"
    """What a refusal says."""
    why_unchanged = why_read_only
    """What the refusal of an assignment says."""

    def value_before(self, thread: ThreadId, slot: int, signature: str) -> Value | None:  # noqa: ARG002 - a recording's
        """The value that a local variable had before the write at which a thread of a recording is;
        None if it had none, and of a VM.
        """
        return None

    def computed(
        self, target: Value | str, name: str, arguments: Sequence[Value | str]
    ) -> Value | str:
        """Compute what a method of the JDK gives for an object or a text of a recording, without
        running it. Raises JvmDebugError if that does not follow from what was recorded.
        """
        raise NotImplementedError(f"{target}.{name} of {len(arguments)}")

    def __init__(
        self,
        peer: str,
        *,
        timeout_s: float | None = 30.0,
        trace: Trace | None = None,
        greeting: bytes = HANDSHAKE,
    ) -> None:
        """`peer` is for messages, `timeout_s` of each request; `greeting` may be TAKE_OVER."""
        self.peer = peer
        self.timeout_s = timeout_s
        self.role: Role = "debug"
        """What the relay in front of the agent lets this connection do."""
        self.round_trips = 0
        """Replies received."""
        self.bytes_sent = self.bytes_received = self.events_received = 0
        self.variable_changes = 0
        """Commands sent that may change a variable of a frame that stays."""
        self.late_replies = 0  # to requests that had timed out or were cancelled
        self.notice_sinks: dict[type[HeapNotice], Callable[[Any], None]] = {}  # of our agent's
        self.postponed = Postponed()
        self._trace = trace
        self._engine = Engine(greeting)
        self._transport: asyncio.Transport | None = None
        self._futures: dict[int, asyncio.Future[Any]] = {}
        self._overdue: set[int] = set()
        """Requests that have timed out and got no late reply yet."""
        self._buffer = memoryview(bytearray(_PIECE_SIZE))
        self._unsent = bytearray()
        """Requests that are sent together, before the loop waits for anything."""
        self._loop = loop = asyncio.get_running_loop()
        self._deadlines = Deadlines(loop, self._expired)
        self._handshake_done: asyncio.Future[None] = loop.create_future()
        self._ended: asyncio.Future[JvmDebugError | None] = loop.create_future()
        self._writable = asyncio.Event()
        self._writable.set()
        self._sink: Callable[[Composite], None] | None = None
        self._asked_ahead: dict[str, tuple[int, asyncio.Future[Any]]] = {}
        self._unclaimed: list[Composite] = []
        self._failure: JvmDebugError | None = None
        self.silence = SilenceWatch(
            limit_s=lambda: None if self.link and self.link.is_beating else self.timeout_s,
            process=lambda: self.peer_process,
            is_waiting=lambda: bool(self._deadlines or self._overdue) and not self.is_link_down,
            give_up=self._give_up,
        )
        self.link: Link | None = None
        """Watches the link, and finds it again, once `watch_link` was called."""
        self._vm_has_died = False
        """The agent has said so: what waits for a reply waits in vain."""
        self.process: int | None = None
        """The process of the VM, once it was asked for: its end explains that of the connection."""
        self._ending: asyncio.Task[None] | None = None

    @property
    def is_open(self) -> bool:
        """Whether requests can be sent."""
        closing = self._transport is not None and self._transport.is_closing()
        return self._engine.state is EngineState.OPEN and not closing

    @property
    def peer_process(self) -> int | None:
        """The process id of the VM, if it runs on this machine and that can be found out."""
        if self._transport is not None and not _is_behind_tls(self._transport):
            self.process = process_of(self._transport.get_extra_info("socket")) or self.process
        return self.process

    @property
    def is_link_down(self) -> bool:
        """Whether the link is lost, and it is tried to reach the program again."""
        return self.link is not None and self.link.is_down

    @property
    def in_flight(self) -> int:
        """How many requests wait for a reply."""
        return len(self._futures)

    def set_event_sink(self, sink: Callable[[Composite], None] | None) -> None:
        """`sink` gets each event set from now on as it arrives; earlier ones at once.

        It is called from the event loop and must not block or raise.
        """
        self._sink = sink
        if sink is not None:
            unclaimed, self._unclaimed = self._unclaimed, []
            for event_set in unclaimed:
                sink(event_set)

    async def open(self, timeout_s: float | None) -> None:
        """Waits for the handshake and requests the sizes of ids. Called by transport.py."""
        try:
            async with asyncio.timeout(timeout_s):
                await self._handshake_done
                asking = self.request(IDSizes(), timeout_s=None)
                # In one piece with what every session asks first: it depends on no size of an id.
                self._loop.call_soon(self._ask_ahead)
                reply = await asking
        except TimeoutError:
            self._drop()
            done = self._handshake_done.done() and not self._handshake_done.cancelled()
            raise no_answer(self.peer, timeout_s, has_greeted=done) from None
        except (HandshakeFailed, ConnectionLost) as error:
            raise failed(self.peer, error) from error
        try:
            sizes = IdSizes(
                field=reply.field_id_size,
                method=reply.method_id_size,
                object=reply.object_id_size,
                reference_type=reply.reference_type_id_size,
                frame=reply.frame_id_size,
            )
        except NativeWireError as error:
            self._drop()
            raise WireError(f"{self.peer} has ids that cannot be read: {error}") from error
        self._take(self._engine.set_id_sizes(sizes))

    def _ask_ahead(self) -> None:
        for command in (Version(), CapabilitiesNew()):
            with contextlib.suppress(JvmDebugError):
                asked = self._asked_ahead[command.NAME] = self._send(command)
                asked[1].add_done_callback(_retrieve)

    async def request(self, command: Command[R], *, timeout_s: Timeout = DEFAULT_TIMEOUT) -> R:
        """Sends a command and waits for its reply; others may be in flight at the same time.

        Raises the VmError of the agent's error code, ConnectionLost, WireError for a malformed
        reply, RequestTimeout when time is over (the late reply is dropped), ReadOnlyError.
        """
        prefetched = self._engine.prefetched(command)
        if prefetched is not None:
            if self._trace is not None:
                self._trace.note(f"prefetched: {describe(command)}")
            if isinstance(prefetched.result, Exception):
                raise prefetched.result
            return cast("R", prefetched.result)
        require_sending(command.NAME)
        future: asyncio.Future[R]
        if command.NAME in self._asked_ahead:
            request_id, future = self._asked_ahead.pop(command.NAME)
        else:
            request_id, future = await self._sent(command)
        seconds = self.timeout_s if isinstance(timeout_s, Default) else timeout_s
        if seconds is not None:
            self.silence.asked()
            self._deadlines.set(request_id, seconds)
        try:
            return await future
        except TimeoutError:
            raise RequestTimeout(
                f"{self.peer} did not reply to {describe(command)} within {seconds} s"
            ) from None
        finally:
            self._deadlines.drop(request_id)
            if self._futures.pop(request_id, None) is not None:
                self._engine.forget(request_id)

    async def _sent(self, command: Command[R]) -> tuple[int, asyncio.Future[R]]:
        """Send a command when the peer keeps up, behind those that were postponed until it."""
        if not self._writable.is_set():
            await self._writable.wait()
        if command.CHANGES or command.COMMAND_SET == Set.COMMAND_SET:
            for each in self.postponed.take_all():
                self._send(each)[1].add_done_callback(_retrieve)
        return self._send(command)

    def _send(self, command: Command[R]) -> tuple[int, asyncio.Future[R]]:
        self.variable_changes += isinstance(command, SetValues | Change)
        request_id, packet = self._begin(command)
        if self.link is not None:
            if command.NAME in _LAST_COMMANDS:
                self.link.is_leaving()
            self.link.made(packet)
        future: asyncio.Future[R] = self._loop.create_future()
        self._futures[request_id] = future
        self._write(packet)
        if self._trace is not None:
            self._trace.sent(request_id, command)
        return request_id, future

    async def prefetch(self, command: Command[BulkT]) -> BulkT:
        """Prefetch from our agent what showing a part of a stack, or a collection, will request.

        Later requests are answered from there until a command is sent that may change the VM.
        """
        generation = self._engine.prefetch_generation
        reply = await self.request(command)
        if generation == self._engine.prefetch_generation:
            self._engine.add_prefetched(reply.answers)
        return reply

    async def snapshot(self, command: Command[BulkT]) -> Snapshot:
        """What a bulk reply says of objects that may change at any time, for one reader."""
        return self._engine.snapshot((await self.request(command)).answers)

    def decoded(self, kind: type[StructT], content: bytes) -> StructT:
        """A structure that was sent as the content of a reply. WireError if it cannot be read."""
        return self._engine.decoded(kind, content)

    def has_prefetched(self, command: Command[Any]) -> bool:
        """Whether the reply to this command is here already."""
        return self._engine.prefetched(command) is not None

    async def close(self) -> None:
        """Ends the connection; pending requests fail with ConnectionLost. May be called again."""
        self._engine.close()
        self._flush()
        if self.link is not None:
            self.link.close()
            if self.link.is_down and not self._ended.done():
                self._end(None)
        if self._transport is not None and not self._ended.done():
            self._transport.close()
            try:
                async with asyncio.timeout(_CLOSE_WAIT_S):
                    await asyncio.shield(self._ended)
            except TimeoutError:  # the peer does not read what we still have to write
                self._transport.abort()
                await asyncio.shield(self._ended)

    async def wait_closed(self) -> JvmDebugError | None:
        """Waits for the end of the connection; the reason, None when we closed it."""
        return await asyncio.shield(self._ended)

    # asyncio.BufferedProtocol

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Called by asyncio."""
        self._transport = cast("asyncio.Transport", transport)
        keep_alive(self._transport.get_extra_info("socket"))
        if self.link is None:
            self._write(self._engine.handshake())
        else:
            self._unsent.clear()
            self._transport.write(self.link.unreceived())

    def get_buffer(self, _sizehint: int) -> memoryview:
        """Called by asyncio. One buffer for all reads: allocating one each time takes longer than
        the read.
        """
        return self._buffer

    def buffer_updated(self, nbytes: int) -> None:
        """Called by asyncio."""
        self.bytes_received += nbytes
        arrivals = self._engine.receive(self._buffer[:nbytes])
        if len(arrivals) != 1 or type(arrivals[0]) is not BeatArrived:
            self.silence.heard()  # a beat is no answer
        self._take(arrivals)

    def connection_lost(self, exc: Exception | None) -> None:
        """Called by asyncio when the stream has ended, by either side."""
        is_open = self._transport is not None and self._engine.state is EngineState.OPEN
        if self._transport is not None and is_open and not _is_behind_tls(self._transport):
            for rest in unread(self._transport.get_extra_info("socket")):
                self._take(self._engine.receive(rest))
        is_explained = self._failure is not None or self._vm_has_died
        if self.link is not None and not is_explained and self.link.lost(exc):
            self._unsent.clear()
            self._transport = None
            self._writable.set()
        elif self.process is None or is_explained or self._engine.state is not EngineState.OPEN:
            self._end(exc)
        else:
            self._ending = self._loop.create_task(self._end_after(self.process, exc))

    async def _end_after(self, process: int, exc: Exception | None) -> None:
        """What the agent has said last is lost if it closes with unread input: TCP resets."""
        try:
            self._vm_has_died = await ends(process, _EXIT_WAIT_S)
        finally:
            self._end(exc)

    def _end(self, exc: Exception | None) -> None:
        closed_by_us = self._engine.state is EngineState.CLOSING and self._failure is None
        if not closed_by_us and self._failure is None and self._vm_has_died:
            self._failure = ProgramEnded(f"the program at {self.peer} has ended")
        elif not closed_by_us and self._failure is None:
            self._failure = ConnectionLost(
                why_closed(self.peer, exc) if self.link is None else self.link.why_closed(exc)
            )
        if self._trace is not None:
            self._trace.note(str(self._failure or "connection closed"))
        for request_id, command in self._engine.end():
            future = self._futures.pop(request_id, None)
            if future is not None and not future.done():
                future.set_exception(self._lost(command))
        self._writable.set()
        self.silence.close()
        self._deadlines.close()
        if not self._handshake_done.done():
            self._handshake_done.set_exception(
                self._failure or ConnectionLost("the connection was closed")
            )
            self._handshake_done.exception()  # retrieved: `open` may have timed out
        if not self._ended.done():
            self._ended.set_result(self._failure)

    def watch_link(self, reach: Callable[[], Awaitable[socket.socket]], terms: LinkTerms) -> Link:
        """Watch the link from now on; `reach` connects to the agent once more."""
        from jvmdebug.jdwp.link import Link, LinkEnds  # noqa: PLC0415 - not for what was launched

        def connected() -> socket.socket | None:
            return None if self._transport is None else self._transport.get_extra_info("socket")

        link_ends = LinkEnds(
            peer=self.peer,
            engine=self._engine,
            protocol=self,
            socket=connected,
            bytes_received=lambda: self.bytes_received,
            process=lambda: self.peer_process,
            request=self.request,
            drop=lambda: None if self._transport is None else self._transport.abort(),
            end=self._link_ended,
        )
        self.link = Link(link_ends, reach, terms)
        return self.link

    def _link_ended(self, failure: JvmDebugError | None) -> None:
        self._vm_has_died |= failure is None
        self._failure = self._failure or failure
        self._end(None)

    def pause_writing(self) -> None:
        """Called by asyncio: the peer does not keep up."""
        self._writable.clear()

    def resume_writing(self) -> None:
        """Called by asyncio."""
        self._writable.set()

    def _take(self, arrivals: list[Arrival]) -> None:
        for arrival in arrivals:
            match arrival:
                case ReplyArrived():
                    self._take_reply(arrival)
                case EventsArrived(event_set):
                    self._take_events(event_set)
                case ShownArrived(shown) if self._trace is not None:
                    size = len(shown.answers) + len(shown.facts)
                    self._trace.note(f"shown with the stop of {shown.thread}: {size} bytes")
                case HandshakeDone() if not self._handshake_done.done():
                    self._handshake_done.set_result(None)
                case NoticeArrived(notice) if type(notice) in self.notice_sinks:
                    self.notice_sinks[type(notice)](notice)
                case BeatArrived(received, answer) if self.link is not None:
                    self._write(answer)
                    self.link.beat(received)
                case TakeOverArrived() | EndArrived():
                    self._failure = _end_told(self.peer, arrival)
                case ProtocolBroken(error):
                    self._failure = error
                    self._drop()

    def _take_events(self, event_set: Composite) -> None:
        self._vm_has_died |= any(each.KIND == EventKind.VM_DEATH for each in event_set.events)
        self.events_received += len(event_set.events)
        if self._trace is not None:
            self._trace.event_set(event_set)
        if self._sink is None:
            self._unclaimed.append(event_set)
        else:
            self._sink(event_set)

    def _begin(self, command: Command[Any]) -> tuple[int, bytes]:
        if self.is_read_only:
            require_reading(command)
        if self.role != "debug":
            require_role(command, self.role)
        if self._transport is not None and self._transport.is_closing() and self._ending is None:
            raise self._lost(command)  # a write has failed; `connection_lost` follows
        try:
            return self._engine.request(command)
        except ConnectionLost:
            raise self._lost(command) from self._failure

    def _take_reply(self, reply: ReplyArrived) -> None:
        self.round_trips += 1
        if self._trace is not None:
            self._trace.replied(reply.request_id, reply.result)
        self._overdue.discard(reply.request_id)
        future = self._futures.pop(reply.request_id, None)
        if future is None or future.done():
            self.late_replies += 1
        elif isinstance(reply.result, Exception):
            future.set_exception(reply.result)
        else:
            future.set_result(reply.result)

    def _write(self, packet: bytes) -> None:
        """Requests that are made at the same time go in one piece: a system call for each takes
        longer than encoding it.
        """
        self.bytes_sent += len(packet)
        if not self._unsent:
            self._loop.call_soon(self._flush)
        self._unsent += packet
        if len(self._unsent) >= _PIECE_SIZE:
            self._flush()

    def _flush(self) -> None:
        if self._unsent and self._transport is not None and self._ending is None:
            self._transport.write(bytes(self._unsent))
        self._unsent.clear()

    def _drop(self) -> None:
        self._engine.close()
        if self._transport is not None:
            self._transport.abort()

    def _lost(self, command: Command[Any]) -> ConnectionLost:
        if self._vm_has_died:
            ended = ProgramEnded("the program has ended, before it answered")
            ended.add_note(f"the request: {describe(command)}")
            return ended
        reason = str(self._failure) if self._failure else f"the connection to {self.peer} is closed"
        kind = TakenOver if isinstance(self._failure, TakenOver) else ConnectionLost
        return kind(f"{describe(command)} got no reply: {reason}")

    def _give_up(self, silence: Silence) -> None:
        how_long = f"has not answered for {silence.seconds:.3g} s"
        self._failure = ConnectionLost(f"the debuggee at {self.peer} {how_long}")
        self._drop()

    def _expired(self, request_id: int) -> None:
        if self.is_link_down:  # the answer cannot come yet
            self._deadlines.set(request_id, _AFTER_LINK_S)
            return
        self._overdue.add(request_id)
        future = self._futures.get(request_id)
        if future is not None and not future.done():
            future.set_exception(TimeoutError())

    def __str__(self) -> str:
        return self.peer


def _retrieve(reply: asyncio.Future[Any]) -> None:
    """Nobody waits for it."""
    if not reply.cancelled():
        reply.exception()


def _end_told(peer: str, arrival: TakeOverArrived | EndArrived) -> ConnectionLost:
    if isinstance(arrival, EndArrived):
        return ConnectionLost(f"{peer}: {one_line(arrival.reason)}")
    return TakenOver(f"{one_line(arrival.by)} has taken over the program at {peer}")


def _is_behind_tls(transport: asyncio.Transport) -> bool:
    """Whether the peer of the socket is a relay: nothing there can be read but by TLS."""
    return transport.get_extra_info("ssl_object") is not None
