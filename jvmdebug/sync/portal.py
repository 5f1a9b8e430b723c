# SPDX-License-Identifier: Apache-2.0
"""The thread with the event loop that synchronous callers wait for.

Owns that thread, one for all sessions, and a second one that calls the callbacks of users, which
may therefore use the synchronous API themselves. Both end with the last session. Called by
`proxies`.
"""

from __future__ import annotations

import asyncio
import atexit
import concurrent.futures
import contextlib
import inspect
import logging
import queue
import threading
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeVar

from jvmdebug.errors import StateError
from jvmdebug.warning import context_of_caller

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

T = TypeVar("T")

LOGGER = logging.getLogger("jvmdebug.sync")

_CANCEL_S: Final = 10.0
"""How long an operation may take to end that Ctrl-C has interrupted."""
_SIGNALS_SEEN_S: Final = 0.5
"""How late Ctrl-C is seen at most that comes just before this thread begins to wait: it ends a wait
that has begun, and nothing else does before the operation has ended."""
_INSIDE: Final = (
    "this is the thread of jvmdebug's own event loop, which cannot wait for itself: use the "
    "asynchronous API here, or call from a thread of yours"
)
_CLOSED: Final = "the session is closed: nothing can be asked of its program any more"


class LoopThread:
    """An event loop in a thread of its own, and the thread for callbacks."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self._callbacks: queue.SimpleQueue[Callable[[], object] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="jvmdebug", daemon=True)
        self._caller = threading.Thread(target=self._call, name="jvmdebug callbacks", daemon=True)
        self._thread.start()
        self._caller.start()

    @property
    def is_here(self) -> bool:
        """Whether the calling thread is that of the loop."""
        return threading.current_thread() is self._thread

    def call_back(self, callback: Callable[[], object]) -> None:
        """Call it in the thread for callbacks, after those before it."""
        self._callbacks.put(callback)

    def drain(self) -> None:
        """Wait until the callbacks so far were called."""
        if threading.current_thread() is not self._caller:
            done = threading.Event()
            self._callbacks.put(done.set)
            done.wait()

    def close(self) -> None:
        """End both threads."""
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join()
        self._callbacks.put(None)
        if threading.current_thread() is not self._caller:
            self._caller.join()

    def _run(self) -> None:
        asyncio.set_event_loop(self.loop)
        try:
            self.loop.run_forever()
        finally:
            self.loop.run_until_complete(self.loop.shutdown_asyncgens())
            self.loop.run_until_complete(self.loop.shutdown_default_executor())
            asyncio.set_event_loop(None)
            self.loop.close()

    def _call(self) -> None:
        while (callback := self._callbacks.get()) is not None:
            try:
                callback()
            except Exception:
                LOGGER.exception("a callback failed")


class Portal:
    """What one session needs of the loop; `close` when it is over."""

    _lock: ClassVar = threading.Lock()
    _shared: ClassVar[LoopThread | None] = None
    open_ones: ClassVar[set[Portal]] = set()
    """Those that are not closed."""

    def __init__(self) -> None:
        with Portal._lock:
            if Portal._shared is None:
                Portal._shared = LoopThread()
            self._thread: LoopThread = Portal._shared
            Portal.open_ones.add(self)
        self.is_closed = False
        self.on_exit: Callable[[], object] | None = None
        """Called when the interpreter ends before `close`."""

    def call(self, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - of any type
        """Call it in the loop's thread, and wait for what it returns if that is a coroutine."""

        async def called() -> Any:  # noqa: ANN401
            result = function(*args, **kwargs)
            return await result if inspect.iscoroutine(result) else result

        return self.run(called())

    def run(
        self,
        work: Coroutine[Any, Any, T],
        undo: Callable[[T], Coroutine[Any, Any, object]] | None = None,
    ) -> T:
        """Wait for it. Ctrl-C cancels it, and is raised once it has ended.

        `undo` is for a result that came too late for that: a session that is open by then.
        """
        loop = self._thread.loop
        if self.is_closed or self._thread.is_here:
            work.close()
            raise StateError(_CLOSED if self.is_closed else _INSIDE)
        outcome: concurrent.futures.Future[T] = concurrent.futures.Future()
        tasks: list[asyncio.Task[T]] = []

        def begin() -> None:
            task = loop.create_task(work)
            tasks.append(task)
            task.add_done_callback(lambda done: _copy(done, outcome))

        def cancel() -> None:
            for task in tasks:
                task.cancel()

        try:  # Ctrl-C may come as soon as the work has begun
            loop.call_soon_threadsafe(begin, context=context_of_caller())
            while not outcome.done():
                concurrent.futures.wait([outcome], _SIGNALS_SEEN_S)
            return outcome.result()
        except BaseException:
            if not outcome.done():
                loop.call_soon_threadsafe(cancel)
                concurrent.futures.wait([outcome], _CANCEL_S)
                if undo is not None and outcome.done() and outcome.exception() is None:
                    self.run(undo(outcome.result()))
            raise

    def call_back(self, callback: Callable[..., object], *args: object) -> asyncio.Future[object]:
        """Call it in the thread for callbacks; the future, of the loop, has the result."""
        loop = self._thread.loop
        future: asyncio.Future[object] = loop.create_future()

        def settle(result: object, error: Exception | None) -> None:
            if future.done():
                return
            if error is None:
                future.set_result(result)
            else:
                future.set_exception(error)
                future.exception()  # most callers do not look

        def called() -> None:
            result: object = None
            error: Exception | None = None
            try:
                result = callback(*args)
            except Exception as failure:
                LOGGER.exception("a callback failed")
                error = failure
            with contextlib.suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(settle, result, error)

        self._thread.call_back(called)
        return future

    def close(self) -> None:
        """The session is over; with the last one the threads end."""
        if self.is_closed:
            return
        self.is_closed = True
        self._thread.drain()
        with Portal._lock:
            Portal.open_ones.discard(self)
            is_last = not Portal.open_ones
            if is_last:
                Portal._shared = None
        if is_last:
            self._thread.close()


def _copy(done: asyncio.Task[T], outcome: concurrent.futures.Future[T]) -> None:
    if done.cancelled():
        outcome.set_exception(asyncio.CancelledError())
        return
    error = done.exception()
    if error is None:
        outcome.set_result(done.result())
    else:
        outcome.set_exception(error)


@atexit.register
def _close_all() -> None:
    """A prompt may end with sessions open: their programs end too."""
    for each in list(Portal.open_ones):
        if each.on_exit is not None:
            with contextlib.suppress(Exception):
                each.on_exit()
