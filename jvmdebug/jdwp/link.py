# SPDX-License-Identifier: Apache-2.0
"""The link of one connection to our agent: watched by beats, and found again when it was lost.

The agent sends beats (`Agent.Beat`), which are answered at once. When neither beats nor anything
else has come for a while, the link is lost, unless this process was busy or asleep itself, or the
program is known to be stopped. Then the agent is reached again, at the same address or name: it has
kept the session, each side sends what the other has not received, and requests that wait go on to
wait. Owns the clock, what was sent and may have to be sent again, and the tries. Another agent
sends no beats: then only the system can tell that its machine does not answer.

Used by connection.py; `Link.begin` and `Link.watch_only` are called by the session.
"""

from __future__ import annotations

import asyncio
import contextlib
import enum
import socket
import struct
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jvmdebug._native import HANDSHAKE, NOT_REJOINED, REJOIN
from jvmdebug.errors import ConnectionLost, JvmDebugError, TokenError
from jvmdebug.jdwp.engine import Engine, EngineState
from jvmdebug.jdwp.generated import agent
from jvmdebug.jdwp.handshake_errors import why_closed
from jvmdebug.jdwp.peer import ends
from jvmdebug.jdwp.silence import is_stopped_by_signal
from jvmdebug.platform.system import is_linux
from jvmdebug.printable import host_and_port, one_line

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine


INTERVAL_S: Final = 2.0
PATIENCE_S: Final = 7.0
"""Time after which a silent agent is lost; it is told at most one interval later."""
AGENT_PATIENCE_S: Final = 10.0
"""The same for the agent, after which the program goes on; more, so that who comes back finds it
as it was."""
RECONNECT_S: Final = 60.0

_TRY_S: Final = 5.0
_EXIT_WAIT_S: Final = 0.5
_FIRST_PAUSE_S: Final = 0.05
_LONGEST_PAUSE_S: Final = 2.0
_MOMENT_S: Final = 0.5
_MOST_KEPT: Final = 16 * 1024 * 1024
"""Bytes of what was sent and not received yet."""
_AT_ONCE: Final = struct.pack("ii", 1, 0)
"""For SO_LINGER."""
_RETURNED: Final = struct.Struct(">BQ")
_LAST_ACK_AT: Final = 8 + 4 * 12
"""Where tcpi_last_ack_recv is in struct tcp_info of Linux, in milliseconds."""


@dataclass(frozen=True, slots=True)
class LinkTerms:
    """What is done about a lost link."""

    reconnect_s: float
    """For how long the program is tried to be reached again; 0: not at all."""
    holds: bool
    """Whether the program stays stopped meanwhile, if it is."""
    interval_s: float
    """Between two beats."""
    patience_s: float
    agent_patience_s: float


def terms(reconnect_s: float, *, holds: bool) -> LinkTerms:
    """Terms with the usual intervals."""
    return LinkTerms(reconnect_s, holds, INTERVAL_S, PATIENCE_S, AGENT_PATIENCE_S)


class LinkState(enum.Enum):
    """What has happened to the link."""

    SILENT = "the other machine does not answer"
    LOST = "lost, and tried again"
    BACK = "found again, or no longer silent"


@dataclass(frozen=True, slots=True)
class LinkChange:
    """A change of the link. `went_on`: what was stopped runs again since the link was lost."""

    state: LinkState
    why: str = ""
    went_on: bool = False


@dataclass(frozen=True, slots=True)
class LinkEnds:
    """What a link uses of its connection."""

    peer: str
    engine: Engine
    protocol: asyncio.BufferedProtocol
    """Takes over each new stream."""
    socket: Callable[[], socket.socket | None]
    bytes_received: Callable[[], int]
    process: Callable[[], int | None]
    """See Connection.peer_process."""
    request: Callable[[agent.Link], Awaitable[agent.LinkReply]]
    drop: Callable[[], None]
    """Ends the stream, as if the peer had."""
    end: Callable[[JvmDebugError | None], None]
    """The link will not come back. None: the program has ended."""


class Link:
    """The link of one connection."""

    def __init__(
        self,
        ends_: LinkEnds,
        reach: Callable[[], Awaitable[socket.socket]],
        terms: LinkTerms,
    ) -> None:
        """`reach` connects once more, and proves the token: a socket that does not block."""
        self.terms = terms
        self.sink: Callable[[LinkChange], None] | None = None
        self.is_down = False
        """The link is lost, and it is tried to reach the agent again."""
        self._ends = ends_
        self._is_dropped = False
        self._reach = reach
        self._loop = asyncio.get_running_loop()
        self._keeps = False
        self._kept: deque[bytes] = deque()
        self._kept_bytes = 0
        self._session = b""
        self._agent_end = ""
        self.program = ""
        """What the VM runs, as our agent says it: main class or jar, and arguments."""
        self.program_process: int | None = None
        """The id of its process on its own machine."""
        self._has_beats = False
        self._is_silent = False
        self._heard = self._heard_at = self._last_check = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_over = False

    # What the connection tells

    def made(self, packet: bytes) -> None:
        """A command was made, which is written unless the link is down."""
        if self._keeps:
            self._kept.append(packet)
            self._kept_bytes += len(packet)
            while self._kept_bytes > _MOST_KEPT:
                self._kept_bytes -= len(self._kept.popleft())

    def beat(self, received: int) -> None:
        """The agent has sent a beat, and received so many commands."""
        while self._kept and self._ends.engine.commands_sent - len(self._kept) < received:
            self._kept_bytes -= len(self._kept.popleft())

    @property
    def is_beating(self) -> bool:
        """Whether the agent's process is known to run."""
        return self._has_beats and self._loop.time() - self._heard_at < self.terms.patience_s

    def unreceived(self) -> bytes:
        """What the agent has not received, for the new stream."""
        return b"".join(self._kept)

    def why_closed(self, error: Exception | None) -> str:
        """Why a stream has ended, in words."""
        if self._is_dropped:
            return f"nothing has come from {self._ends.peer} for {self.terms.patience_s:g} s"
        return why_closed(self._ends.peer, error)

    def is_leaving(self) -> None:
        """The connection ends soon, as was asked for."""
        self._is_over = True

    def lost(self, error: Exception | None) -> bool:
        """The stream has ended. Whether it is tried to replace it."""
        is_open = self._ends.engine.state is EngineState.OPEN
        if not self._session or self._is_over or not is_open:
            return False
        self.is_down = True
        self._stop_timer()
        self._spawn(self._come_back(self.why_closed(error)), "coming back")
        return True

    def close(self) -> None:
        """Nothing is watched any more."""
        self._is_over = True
        self.sink = None
        self._stop_timer()
        for task in self._tasks:
            if task is not asyncio.current_task():
                task.cancel()

    # Watching

    def begin(self) -> asyncio.Task[None]:
        """Ask our agent for beats; its answer need not be awaited."""
        self._keeps = self.terms.reconnect_s > 0
        return self._spawn(self._negotiate(), "negotiation of the link")

    async def is_negotiated(self) -> None:
        """Wait until our agent has answered."""
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def watch_only(self) -> None:
        """Watch what the system knows of the link to another agent."""
        self._restart_clock()

    async def _negotiate(self) -> None:
        terms = self.terms
        connected = self._ends.socket()
        with contextlib.suppress(JvmDebugError):  # it has ended meanwhile
            reply = await self._ends.request(
                agent.Link(
                    interval_ms=round(terms.interval_s * 1000),
                    patience_ms=round(terms.agent_patience_s * 1000),
                    own_end="" if connected is None else _name(connected.getsockname()),
                    keep_ms=round(terms.reconnect_s * 1000),
                    holds=terms.holds,
                )
            )
            self._session = bytes(reply.session)
            self._keeps = bool(self._session)
            self._agent_end = reply.own_end
            self.program, self.program_process = reply.program, reply.process
            self._has_beats = True
            self._restart_clock()

    def _restart_clock(self) -> None:
        self._stop_timer()
        self._heard = self._ends.bytes_received()
        self._heard_at = self._last_check = self._loop.time()
        if not self._is_over:
            self._timer = self._loop.call_later(self.terms.interval_s, self._check)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _check(self) -> None:
        now = self._loop.time()
        # This process was busy, stopped or asleep: what has come meanwhile is not read yet.
        is_late = now - self._last_check > 2 * self.terms.interval_s + _MOMENT_S
        self._last_check = now
        self._timer = self._loop.call_later(self.terms.interval_s, self._check)
        if self._heard != self._ends.bytes_received() or is_late:
            self._heard, self._heard_at = self._ends.bytes_received(), now
        is_lost = now - self._heard_at >= self.terms.patience_s
        if is_lost and self._lives():  # it has its time again once it goes on
            self._heard_at, is_lost = now, False
        if is_lost and self._has_beats:
            self._is_dropped = True
            if (connected := self._ends.socket()) is not None:
                _end_without_a_word(connected)
            self._ends.drop()
        elif is_lost != self._is_silent:
            self._is_silent = is_lost
            why = f"nothing has come from {self._ends.peer} for {now - self._heard_at:.0f} s"
            self._tell(LinkChange(LinkState.SILENT if is_lost else LinkState.BACK, why))

    def _lives(self) -> bool:
        """Whether an agent that is silent is not lost all the same."""
        process, connected = self._ends.process(), self._ends.socket()
        if process is not None and is_stopped_by_signal(process):
            return True
        if connected is None:
            return False
        with contextlib.suppress(OSError):
            if not self._has_beats or self._agent_end == _name(connected.getpeername()):
                return _acknowledged_s(connected) < self.terms.patience_s
        return False

    # Coming back

    async def _come_back(self, why: str) -> None:
        process = self._ends.process()
        if process is not None and await ends(process, _EXIT_WAIT_S):
            self._ends.end(None)
            return
        self._tell(LinkChange(LinkState.LOST, why))
        deadline = self._loop.time() + self.terms.reconnect_s
        pause_s, last = _FIRST_PAUSE_S, ""
        while self._loop.time() < deadline:
            try:
                async with asyncio.timeout(min(_TRY_S, deadline - self._loop.time() + _MOMENT_S)):
                    connected = await self._reach()
                    returned = await self._rejoined(connected)
            except (OSError, TimeoutError, ValueError, TokenError) as error:
                last = one_line(str(error)) or "no answer"
            else:
                if returned is None:
                    self._give_up(why, "what answers there does not know this session any more")
                    return
                went_on, received = returned
                self.beat(received)
                if self._ends.engine.commands_sent - len(self._kept) != received:
                    connected.close()
                    self._give_up(why, "too much was on its way")
                    return
                self.is_down = False
                self._is_dropped = False
                self._ends.engine.begin_stream()
                await self._loop.create_connection(lambda: self._ends.protocol, sock=connected)
                self._tell(LinkChange(LinkState.BACK, went_on=went_on))
                await self._negotiate()
                return
            await asyncio.sleep(min(pause_s, max(deadline - self._loop.time(), 0)))
            pause_s = min(pause_s * 2, _LONGEST_PAUSE_S)
        tried = f"it was not reached again within {self.terms.reconnect_s:g} s"
        self._give_up(why, f"{tried}: {last}" if last else tried)

    def _give_up(self, why: str, then: str) -> None:
        self._ends.end(ConnectionLost(f"{why}; {then}"))

    async def _rejoined(self, connected: socket.socket) -> tuple[bool, int] | None:
        """Whether the program went on, and how many commands it has received; None if the agent
        has not this session. OSError if nothing answers as our agent does.
        """
        try:
            greeting = REJOIN + self._session
            greeting += self._ends.engine.packets_received.to_bytes(8, "big")
            await self._loop.sock_sendall(connected, greeting)
            answer = await self._read(connected, len(HANDSHAKE))
            if answer == HANDSHAKE:
                went_on, received = _RETURNED.unpack(await self._read(connected, _RETURNED.size))
                return bool(went_on), received
        except BaseException:
            connected.close()
            raise
        connected.close()
        if answer != NOT_REJOINED:
            raise ConnectionError("what answers there is no agent of jvmdebug")
        return None

    async def _read(self, connected: socket.socket, size: int) -> bytes:
        found = b""
        while len(found) < size:
            piece = await self._loop.sock_recv(connected, size - len(found))
            if not piece:
                raise ConnectionError("it closes the connection")
            found += piece
        return found

    def _tell(self, change: LinkChange) -> None:
        if self.sink is not None:
            self.sink(change)

    def _spawn(self, work: Coroutine[object, object, None], name: str) -> asyncio.Task[None]:
        task = asyncio.create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


def _name(address: tuple[str, int] | str | object) -> str:
    """An address as the agent writes it; empty for a socket that is not of TCP."""
    match address:
        case (str(host), int(port), *_):
            return host_and_port(host, port)
    return ""


def _end_without_a_word(connected: socket.socket) -> None:
    """Have the system reset a connection whose link is lost. Its end would arrive once the link is
    back, and the agent would take it for ours: that this debugger has left.
    """
    with contextlib.suppress(OSError):
        connected.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _AT_ONCE)


def _acknowledged_s(connected: socket.socket) -> float:
    """How long ago the other system has acknowledged something; 0 if that is not known."""
    if not is_linux() or connected.family == socket.AF_UNIX:
        return 0.0
    size = 256
    known = connected.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, size)
    return float(struct.unpack_from("=I", known, _LAST_ACK_AT)[0]) / 1000.0
