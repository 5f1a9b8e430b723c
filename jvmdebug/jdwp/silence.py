# SPDX-License-Identifier: Apache-2.0
"""Noticing that a peer owes replies and sends nothing any more.

Owns the clock of one connection: after a moment of silence it tells so, and when the peer has been
silent for the time limit it gives up, unless its process is known to be stopped by a signal. Counts
only requests that have a deadline: a method that runs for the debugger may take as long as it
likes. Used by connection.py.
"""

from __future__ import annotations

import asyncio
import socket
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

_NOTICE_S: Final = 3.0
_KEEP_ALIVE: Final = (
    (socket.SOL_SOCKET, "SO_KEEPALIVE", 1),
    (socket.IPPROTO_TCP, "TCP_KEEPIDLE", 3),
    (socket.IPPROTO_TCP, "TCP_KEEPALIVE", 3),  # macOS' name of it
    (socket.IPPROTO_TCP, "TCP_KEEPINTVL", 3),
    (socket.IPPROTO_TCP, "TCP_KEEPCNT", 3),
    (socket.IPPROTO_TCP, "TCP_USER_TIMEOUT", 25_000),
)
"""A machine that is gone, or a network that is cut, ends the connection after 25 seconds; as far as
a system has these options.
"""
_STOPPED: Final = ("T", "t")
"""The states of /proc/PID/stat: by a signal, by a tracing debugger."""


@dataclass(frozen=True, slots=True)
class Silence:
    """The peer owes replies and has sent nothing for `seconds`."""

    seconds: float
    stopped_process: int | None
    """The id of the VM's process if it runs on this machine and is stopped by a signal."""


class SilenceWatch:
    """The watch over one peer. `limit_s` None: never give up."""

    def __init__(
        self,
        *,
        limit_s: Callable[[], float | None],
        process: Callable[[], int | None],
        is_waiting: Callable[[], bool],
        give_up: Callable[[Silence], None],
    ) -> None:
        self.sink: Callable[[Silence | None], None] | None = None
        """Told of each silence once, and None when the peer sends something again."""
        self._limit_s = limit_s
        self._process = process
        self._is_waiting = is_waiting
        self._give_up = give_up
        self._loop = asyncio.get_running_loop()
        self._since = self._loop.time()
        self._timer: asyncio.TimerHandle | None = None
        self._is_told = False
        self.is_over = False
        """The peer was given up."""

    @property
    def seconds(self) -> float:
        """How long the peer has owed a reply and sent nothing; 0 if it owes none."""
        return self._loop.time() - self._since if self._is_waiting() else 0.0

    def asked(self) -> None:
        """A request is about to go out."""
        if not self._is_waiting():
            self._since = self._loop.time()
        if self._timer is None:
            self._timer = self._loop.call_later(self._notice_s, self._check)

    def heard(self) -> None:
        """The peer has sent something."""
        self._since = self._loop.time()
        if self._is_told:
            self._tell(None)

    def close(self) -> None:
        """The connection has ended."""
        if self._timer is not None:
            self._timer.cancel()
        self.sink = None

    @property
    def _notice_s(self) -> float:
        limit = self._limit_s()
        return _NOTICE_S if limit is None else min(_NOTICE_S, limit / 3)

    def _check(self) -> None:
        self._timer = None
        if not self._is_waiting():
            return
        notice_s, limit_s = self._notice_s, self._limit_s()
        if self.seconds >= notice_s:
            pid = self._process()
            is_stopped = pid is not None and is_stopped_by_signal(pid)
            silence = Silence(self.seconds, pid if is_stopped else None)
            # A little later than the requests, which say first that they got no reply.
            late_s = None if limit_s is None else limit_s + notice_s
            if late_s is not None and silence.seconds >= late_s and not is_stopped:
                self.is_over = True
                self._give_up(silence)
                return
            if not self._is_told:
                self._tell(silence)
        pause = max(notice_s - self.seconds, notice_s / 3)
        self._timer = self._loop.call_later(pause, self._check)

    def _tell(self, silence: Silence | None) -> None:
        self._is_told = silence is not None
        if self.sink is not None:
            self.sink(silence)


def keep_alive(connected: socket.socket) -> None:
    """Have the system notice that the other machine or the network is gone."""
    if connected.family in (socket.AF_INET, socket.AF_INET6):
        for level, name, value in _KEEP_ALIVE:
            option = getattr(socket, name, None)
            if option is not None:
                connected.setsockopt(level, option, value)


def is_stopped_by_signal(pid: int) -> bool:
    """Whether it is a process of this machine that is stopped, and does not answer therefore."""
    return _state_of(pid) in _STOPPED


def _state_of(pid: int) -> str | None:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")
    except OSError:
        return None
    return stat.rpartition(")")[2].split()[0]
