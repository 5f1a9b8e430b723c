# SPDX-License-Identifier: Apache-2.0
"""Serves one guest in the owner's process: calls what it asks for, sends it what comes back.

Owns the requests that the guest waits for, and its callbacks.
A guest has two streams: the first for what is awaited and for callbacks, the second for attributes
and methods that answer at once, so that the guest can wait for those without its event loop.
Called by `sharing`.
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import inspect
import logging
import os
from typing import TYPE_CHECKING, Any, Final

from jvmdebug import acting
from jvmdebug.errors import JvmDebugError, StateError, WireError
from jvmdebug.in_sync import counterpart
from jvmdebug.joining import values
from jvmdebug.joining.objects import Objects, callback_number
from jvmdebug.joining.roles import NEVER, require_allowed, require_settable
from jvmdebug.session.events import BreakpointChanged, BreakpointLogged, Continued

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmdebug.session.events import GuestKind, GuestRole
    from jvmdebug.session.session import Session

_LOG = logging.getLogger(__name__)
_MOST_UNSENT: Final = 64 << 20
"""Bytes; a guest that lets more wait does not read, and is sent away."""
_FLOWS: Final = 1 << 20
"""Bytes that may wait before lines of log points are held up for a guest."""
_DRAIN_S: Final = 5.0
_OF_THE_OWNER: Final = frozenset({"close", "detach", "forbid_changes", "__aenter__", "__aexit__"})
"""Methods of the session that would end it, or change it for all. Those of a guest are its own."""
_BEGUN: Final = (
    *("jvmdebug.observing", "jvmdebug.heap", "jvmdebug.jvmti", "jvmdebug.profiling"),
    "jvmdebug.session.class_transform",
)
_SPECIAL: Final = frozenset({"_repr_html_"})


def _is_of_a_guest(target: object) -> bool:
    """Whether it may be something that a guest has begun, such as a trace, which it may end."""
    return type(target).__module__.startswith(_BEGUN)


class Host:
    """One guest of a session."""

    def __init__(
        self,
        session: Session,
        owner: str,
        writer: asyncio.StreamWriter,
        *,
        name: str,
        kind: GuestKind,
        role: GuestRole,
    ) -> None:
        self.session = session
        self.name = name
        self.kind = kind
        self.role = role
        self.key = os.urandom(16).hex()
        """The second stream of the guest says this."""
        self._owner = owner
        self._writer = writer
        self._objects = Objects(self._call_back)
        self._coder = values.Coder(self._objects)
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._answers: dict[int, asyncio.Future[Any]] = {}
        self._last_call = 0
        self._is_gone = False

    @property
    def _acting(self) -> acting.Acting:
        return acting.Acting(self.name, self.role == "read-only")

    def welcome(self, program: str) -> dict[str, Any]:
        """The answer to a guest that is let in."""
        return {
            "session": self._coder.write(self.session),
            "key": self.key,
            "owner": self._owner,
            "program": program,
            "guest": self.name,
            "role": self.role,
        }

    # What the guest sends

    def take(self, message: dict[str, Any]) -> None:
        """A message of the first stream."""
        with acting.acting(self._acting):
            if "do" in message:
                number = int(message["id"])
                work = self._answer(number, message)
                self._tasks[number] = asyncio.create_task(work, name=f"guest {self.name}")
            elif "cancel" in message:
                if (task := self._tasks.get(message["cancel"])) is not None:
                    task.cancel()
            elif "answer" in message:
                self._take_answer(message)
            else:
                raise WireError("a guest has sent a message that is none")
        self._release(message)

    def at_once(self, message: dict[str, Any]) -> dict[str, Any]:
        """The answer to a message of the second stream."""
        self._release(message)
        with acting.acting(self._acting):
            try:
                return {"value": self._coder.write(self._done(message))}
            except Exception as error:  # noqa: BLE001 - the guest gets what its call has raised
                return {"error": self._coder.write(error)}

    def _release(self, message: dict[str, Any]) -> None:
        for number, count in message.get("free", ()):
            self._objects.release(number, count)

    def _done(self, message: dict[str, Any]) -> Any:  # noqa: ANN401, PLR0911 - what was asked for
        """Does what can be done at once; of something to be awaited, what to await."""
        what = message["do"]
        if what == "lower":
            self.role = "read-only"
            return None
        target: Any = self._coder.read(message["of"])
        name = str(message.get("name", ""))
        if what == "call" and not name:
            return target(*self._given(message))
        is_special = (name.startswith("__") and name.endswith("__")) or name in _SPECIAL
        if (name.startswith("_") and not is_special) or name in NEVER:
            raise StateError(f"{name} is not for those who have joined a session")
        if what == "get":
            return self._got(target, name)
        if what == "set":
            require_settable(is_read_only=self._acting.is_read_only)
            setattr(target, name, self._coder.read(message["value"]))
            return None
        is_owners = target is self.session and name in _OF_THE_OWNER
        if is_owners or (name == "close" and not _is_of_a_guest(target)):
            raise StateError(f"{name} is not for those who have joined a session")
        require_allowed(name, is_read_only=self._acting.is_read_only)
        if what == "wait" and is_special:
            own = getattr(type(target), name)
            waited = counterpart(own) or own
            return waited(target, *self._given(message))
        given = self._given(message)
        named = {key: self._coder.read(each) for key, each in message.get("named", {}).items()}
        if name == "__iter__":
            return list(target)
        if name == "subscribe" and (number := callback_number(given[0])) is not None:
            given = [self._subscriber(number), *given[1:]]
        return getattr(target, name)(*given, **named)

    def _given(self, message: dict[str, Any]) -> list[Any]:
        return [self._coder.read(each) for each in message.get("args", ())]

    def _got(self, target: object, name: str) -> Any:  # noqa: ANN401
        if name.startswith("__"):
            raise StateError(f"{name} is not for those who have joined a session")
        found = getattr(target, name)
        return self._seen(found) if name == "set_by" else found

    def _seen(self, who: str | None) -> str | None:
        """Name somebody as the guest knows him: None is the guest itself."""
        if who is None:
            return self._owner
        return None if who == self.name else who

    async def _answer(self, number: int, message: dict[str, Any]) -> None:
        try:
            found = self._done(message)
            if inspect.isawaitable(found):
                found = await found
            answer = {"id": number, "value": self._coder.write(found)}
        except asyncio.CancelledError:
            answer = {"id": number, "cancelled": True}
        except StopAsyncIteration:
            answer = {"id": number, "end": True}
        except Exception as error:  # noqa: BLE001 - the guest gets what its call has raised
            if not isinstance(error, JvmDebugError | LookupError | TypeError | ValueError):
                _LOG.debug("a call of %s failed", self.name, exc_info=True)
            answer = {"id": number, "error": self._coder.write(error)}
        finally:
            self._tasks.pop(number, None)
        self.send(answer)

    # What the guest gets

    def send(self, message: dict[str, Any]) -> None:
        """Send it a message; one that does not read is sent away."""
        if self._is_gone:
            return
        self._writer.write(values.packed(message))
        if self._writer.transport.get_write_buffer_size() > _MOST_UNSENT:
            self._send_away()

    def _send_away(self) -> None:
        """Nobody waits for a guest that does not read."""
        _LOG.warning("the %s does not read what it is sent, and is sent away", self.name)
        self._is_gone = True
        self._writer.transport.abort()

    def _subscriber(self, callback: int) -> Callable[[Any], object]:
        """Tells the guest of events. Lines of log points are read no faster than it reads them."""

        def told(event: Any) -> object:  # noqa: ANN401 - any event
            if isinstance(event, Continued):
                by = self._seen(event.by) if event.notice is None or event.by else None
                event = dataclasses.replace(event, by=by)
            elif isinstance(event, BreakpointChanged) and event.by is not None:
                event = dataclasses.replace(event, by=self._seen(event.by or None))
            try:
                written = self._coder.write(event)
            except TypeError:
                _LOG.exception("%s cannot be told of an event", self.name)
                return None
            self.send({"callback": callback, "args": [written]})
            waiting = self._writer.transport.get_write_buffer_size()
            is_slow = waiting > _FLOWS and isinstance(event, BreakpointLogged)
            return self._flown() if is_slow else None

        return told

    async def _flown(self) -> None:
        try:
            await asyncio.wait_for(self._writer.drain(), _DRAIN_S)
        except TimeoutError:
            self._send_away()
        except ConnectionError:
            return  # it has just left

    def _call_back(self, callback: int, args: tuple[Any, ...]) -> asyncio.Future[Any]:
        """Call a function of the guest; the future has what it returns."""
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        if self._is_gone:
            future.set_exception(StateError(f"{self.name} has left the session"))
            future.exception()
            return future
        self._last_call += 1
        number = self._last_call
        self._answers[number] = future
        future.add_done_callback(lambda _: self._answers.pop(number, None))
        written = [self._coder.write(each) for each in args]
        self.send({"call": number, "callback": callback, "args": written})
        return future

    def _take_answer(self, message: dict[str, Any]) -> None:
        future = self._answers.get(message["answer"])
        if future is None or future.done():
            return
        if "error" in message:
            future.set_exception(self._coder.read(message["error"]))
            future.exception()  # most callers do not look
        else:
            future.set_result(self._coder.read(message.get("value")))

    async def leave(self) -> None:
        """The guest is gone: what it was waiting for ends, and what it observed."""
        self._is_gone = True
        for future in list(self._answers.values()):
            future.set_exception(StateError(f"{self.name} has left the session"))
            future.exception()
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for each in self._objects.all():
            close = getattr(each, "aclose", None)
            if getattr(each, "is_open", False):
                close = getattr(each, "close", None)
            if callable(close):
                with contextlib.suppress(JvmDebugError, RuntimeError):
                    closing = close()
                    if inspect.isawaitable(closing):
                        await closing
        self._writer.close()
