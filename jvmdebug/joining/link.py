# SPDX-License-Identifier: Apache-2.0
"""The guest's end of the connection to the owner of a session.

Owns the two streams: the first for what is awaited and for callbacks, the second for what is
answered at once. The calling thread waits for the second, which takes a tenth of a millisecond.
Made by `guest`, used by the objects that `remote` makes.
"""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import itertools
import logging
import threading
from typing import TYPE_CHECKING, Any

from jvmdebug.errors import ConnectionLost, WireError
from jvmdebug.joining import values
from jvmdebug.joining.remote import Exhausted

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable

    from jvmdebug.joining.known import Known

_LOG = logging.getLogger(__name__)


class Link:
    """A connection to the owner; `close` leaves the session."""

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        at_once: socket.socket,
        known: Known,
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._at_once = at_once
        self._lock = threading.Lock()
        self._loop = asyncio.get_running_loop()
        self._known = known
        self._coder = values.Coder(known)
        self._numbers = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._calls: set[asyncio.Task[None]] = set()
        self.end: str | None = None
        """Why the session is over for us, in one sentence; None while it is not."""
        self.owner_is_gone = ""
        """The sentence for an owner that has gone without one."""
        self.on_end: Callable[[str], None] = lambda _: None
        self._reading = asyncio.create_task(self._read(), name="joined session")

    def found(self, written: Any) -> Any:  # noqa: ANN401 - any value
        """A value that the owner has sent."""
        return self._coder.read(written)

    # Asking

    async def ask(self, do: str, target: object, name: str, *args: Any, **named: Any) -> Any:  # noqa: ANN401
        """What a method of the owner's object returns, once it has."""
        message = self._message(do, target, name, args, named)
        number = next(self._numbers)
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting[number] = future
        self._writer.write(values.packed(message | {"id": number}))
        try:
            return await future
        except asyncio.CancelledError:
            if self.end is None and number in self._waiting:  # else the owner has answered
                self._writer.write(values.packed({"cancel": number}))
            raise
        finally:
            self._waiting.pop(number, None)

    def ask_at_once(self, do: str, target: object, name: str, *args: Any, **named: Any) -> Any:  # noqa: ANN401
        """What an attribute of the owner's object is, or a method that does not wait returns."""
        return self._exchange(self._message(do, target, name, args, named))

    def set(self, target: object, name: str, value: Any) -> None:  # noqa: ANN401
        """Set an attribute of the owner's object."""
        message = self._message("set", target, name, (), {})
        self._exchange(message | {"value": self._coder.write(value)})

    def lower(self) -> None:
        """Have the owner allow us to read only, from now on."""
        self._exchange({"do": "lower"})

    def _message(
        self, do: str, target: object, name: str, args: tuple[Any, ...], named: dict[str, Any]
    ) -> dict[str, Any]:
        self.require_open()
        message: dict[str, Any] = {"do": do, "of": self._coder.write(target), "name": name}
        if args:
            message["args"] = [self._coder.write(each) for each in args]
        if named:
            message["named"] = {key: self._coder.write(each) for key, each in named.items()}
        if freed := self._known.take_freed():
            message["free"] = freed
        return message

    def require_open(self) -> None:
        """Raise ConnectionLost once the session is over."""
        if self.end is not None:
            raise ConnectionLost(self.end)

    def _exchange(self, message: dict[str, Any]) -> Any:  # noqa: ANN401
        try:
            with self._lock:
                self._at_once.sendall(values.packed(message))
                head = self._received(values.LENGTH.size)
                answer = values.unpacked(self._received(values.length(head)))
        except OSError as error:
            why = self.owner_is_gone
            if isinstance(error, TimeoutError):
                why = f"{why.removesuffix(' is gone')} does not answer"
            self._loop.call_soon_threadsafe(self._ended, why)
            raise ConnectionLost(self.end or why) from error
        if "error" in answer:
            raise self._coder.read(answer["error"])
        return self._coder.read(answer["value"])

    def _received(self, count: int) -> bytes:
        data = bytearray()
        while len(data) < count:
            piece = self._at_once.recv(count - len(data))
            if not piece:
                raise ConnectionResetError
            data += piece
        return bytes(data)

    # What the owner sends

    async def _read(self) -> None:
        why = self.owner_is_gone
        try:
            while True:
                message = await values.read(self._reader)
                if "bye" in message:
                    why = str(message["bye"])
                    break
                self._take(message)
        except (OSError, EOFError):
            why = self.owner_is_gone
        except WireError as error:
            why = str(error)
        except asyncio.CancelledError:
            return
        self._ended(why)

    def _take(self, message: dict[str, Any]) -> None:
        if "id" in message:
            self._take_answer(message)
        elif "callback" in message:
            self._call(message)

    def _take_answer(self, message: dict[str, Any]) -> None:
        future = self._waiting.pop(message["id"], None)
        if "error" in message:
            error = self._coder.read(message["error"])
            if future is not None and not future.done():
                future.set_exception(error)
        elif "end" in message:
            if future is not None and not future.done():
                future.set_exception(Exhausted())
        elif "cancelled" in message:
            if future is not None and not future.done():
                future.cancel()
        else:
            value = self._coder.read(message["value"])
            if future is not None and not future.done():
                future.set_result(value)

    def _call(self, message: dict[str, Any]) -> None:
        """Call a function of ours; the owner waits for what it returns, if it says so."""
        function = self._known.callback(message["callback"])
        args = [self._coder.read(each) for each in message["args"]]
        if "call" not in message:
            try:
                answered = function(*args)
            except Exception:  # noqa: BLE001 - as a callback of a session fails
                _LOG.exception("a callback failed")
                return
            if inspect.iscoroutine(answered):
                self._beside(self._awaited(answered))
            return
        self._beside(self._answer(message["call"], function, args))

    async def _awaited(self, answered: Any) -> None:  # noqa: ANN401 - an awaitable
        await answered

    async def _answer(self, number: int, function: Callable[..., Any], args: list[Any]) -> None:
        try:
            answered = function(*args)
            if inspect.isawaitable(answered):
                answered = await answered
            answer = {"answer": number, "value": self._coder.write(answered)}
        except Exception as error:  # noqa: BLE001 - the owner raises it
            answer = {"answer": number, "error": self._coder.write(error)}
        if self.end is None:
            self._writer.write(values.packed(answer))

    def _beside(self, work: Any) -> None:  # noqa: ANN401 - a coroutine
        task = asyncio.create_task(work, name="callback of a joined session")
        self._calls.add(task)
        task.add_done_callback(self._calls.discard)

    # The end

    def _ended(self, why: str) -> None:
        if self.end is not None:
            return
        self.end = why
        for future in self._waiting.values():
            if not future.done():
                future.set_exception(ConnectionLost(why))
        self._at_once.close()
        self._writer.close()
        self.on_end(why)

    async def close(self) -> None:
        """Leave the session."""
        if self.end is None:
            self.end = "this session was left"
            for future in self._waiting.values():
                if not future.done():
                    future.set_exception(ConnectionLost(self.end))
        self._reading.cancel()
        self._writer.close()
        self._at_once.close()
        with contextlib.suppress(OSError):
            await self._writer.wait_closed()
