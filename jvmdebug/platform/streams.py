# SPDX-License-Identifier: Apache-2.0
"""Pipes and consoles as streams of the event loop.

Where the loop takes them, it reads and writes. Windows' loop takes neither the pipes of a child nor
a console: a thread for each pumps there, with the same flow control (a full reader stops the
thread, a full queue makes `drain` wait).
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import queue
import threading
from typing import IO, TYPE_CHECKING, Any, Final

from jvmdebug.platform import system

if TYPE_CHECKING:
    from collections.abc import Callable

_CHUNK_BYTES: Final = 1 << 16
_LIMIT_BYTES: Final = 1 << 16
_MOST_QUEUED: Final = 1 << 20


async def reader_of(
    pipe: IO[Any], limit: int = _LIMIT_BYTES
) -> tuple[asyncio.StreamReader, Callable[[], None]]:
    """A stream that reads a pipe or a console, and what closes it."""
    reader = asyncio.StreamReader(limit=limit)
    if system.is_windows():
        pump = _Reading(reader, pipe)
        return reader, pump.close
    loop = asyncio.get_running_loop()
    protocol = asyncio.StreamReaderProtocol(reader)
    transport, _ = await loop.connect_read_pipe(lambda: protocol, pipe)
    return reader, transport.close


async def writer_of(pipe: IO[bytes]) -> asyncio.StreamWriter:
    """A stream that writes to a pipe or a console."""
    loop = asyncio.get_running_loop()
    protocol = asyncio.StreamReaderProtocol(asyncio.StreamReader(), loop=loop)
    if system.is_windows():
        return asyncio.StreamWriter(_Writing(pipe, protocol), protocol, None, loop)
    transport, _ = await loop.connect_write_pipe(lambda: protocol, pipe)
    return asyncio.StreamWriter(transport, protocol, None, loop)


class _Reading(asyncio.ReadTransport):
    """Pumps a pipe into a reader, in a thread that ends with the pipe or this process."""

    def __init__(self, reader: asyncio.StreamReader, pipe: IO[Any]) -> None:
        super().__init__()
        self._reader = reader
        self._pipe = pipe
        self._loop = asyncio.get_running_loop()
        self._may_read = threading.Event()
        self._may_read.set()
        self._is_closed = False
        reader.set_transport(self)
        threading.Thread(target=self._pump, name="pipe reader", daemon=True).start()

    def pause_reading(self) -> None:
        self._may_read.clear()

    def resume_reading(self) -> None:
        self._may_read.set()

    def is_closing(self) -> bool:
        return self._is_closed

    def close(self) -> None:
        """Give nothing any more. The thread may be reading: the pipe is closed by it."""
        self._is_closed = True
        self._may_read.set()

    def _pump(self) -> None:
        try:
            descriptor = self._pipe.fileno()
            while self._may_read.wait() and not self._is_closed:
                read = os.read(descriptor, _CHUNK_BYTES)
                self._loop.call_soon_threadsafe(self._feed, read)
                if not read:
                    break
        except (OSError, ValueError):
            with contextlib.suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._feed, b"")
        except RuntimeError:
            return  # the loop is closed
        finally:
            with contextlib.suppress(OSError):
                self._pipe.close()

    def _feed(self, read: bytes) -> None:
        if self._is_closed:
            return
        if read:
            self._reader.feed_data(read)
        else:
            self._reader.feed_eof()


class _Writing(asyncio.WriteTransport):
    """Writes what is queued, in a thread that ends when this is closed, or with this process."""

    def __init__(self, pipe: IO[bytes], protocol: asyncio.StreamReaderProtocol) -> None:
        super().__init__()
        self._pipe = pipe
        self._protocol = protocol
        self._loop = asyncio.get_running_loop()
        self._queue: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._queued = 0
        self._is_closing = False
        self._is_paused = False
        protocol.connection_made(self)
        threading.Thread(target=self._pump, name="pipe writer", daemon=True).start()

    def write(self, data: bytes | bytearray | memoryview) -> None:
        if self._is_closing:
            return
        self._queued += len(data)
        self._queue.put(bytes(data))
        if self._queued > _MOST_QUEUED and not self._is_paused:
            self._is_paused = True
            self._protocol.pause_writing()

    def can_write_eof(self) -> bool:
        return True

    def write_eof(self) -> None:
        self.close()

    def is_closing(self) -> bool:
        return self._is_closing

    def close(self) -> None:
        """Write what is queued, then close the pipe."""
        if not self._is_closing:
            self._is_closing = True
            self._queue.put(None)

    def abort(self) -> None:
        self.close()

    def get_extra_info(self, _name: str, default: Any = None) -> Any:  # noqa: ANN401 - asyncio's
        return default

    def _pump(self) -> None:
        failure: Exception | None = None
        try:
            while (data := self._queue.get()) is not None:
                self._pipe.write(data)
                self._pipe.flush()
                self._loop.call_soon_threadsafe(self._written, len(data))
        except (OSError, ValueError, RuntimeError) as error:
            failure = error
        with contextlib.suppress(OSError, ValueError):
            self._pipe.close()
        with contextlib.suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(self._lost, failure)

    def _written(self, count: int) -> None:
        self._queued -= count
        if self._is_paused and self._queued <= _MOST_QUEUED // 2:
            self._is_paused = False
            self._protocol.resume_writing()

    def _lost(self, failure: Exception | None) -> None:
        self._is_closing = True
        error = None if failure is None else BrokenPipeError(str(failure))
        self._protocol.connection_lost(error)
