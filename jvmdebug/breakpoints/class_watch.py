# SPDX-License-Identifier: Apache-2.0
"""Class prepare events, shared: one request for each filter, however many breakpoints wait for it.

Owns these requests. Passes each prepared type to all sinks before any code of the type runs. Called
by `breakpoint_table`.
"""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from jvmdebug.events import RESUME, ClassPrepareOccurrence, Verdict
from jvmdebug.jdwp.generated.constants import EventKind, SuspendPolicy
from jvmdebug.together import together

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
    from contextlib import AbstractAsyncContextManager

    from jvmdebug.events import Occurrence, RequestHandle, Router
    from jvmdebug.jdwp.generated.events import Modifier
    from jvmdebug.model.reference_type import ReferenceType

PrepareFilter: TypeAlias = "tuple[Modifier, ...]"
"""The types that a class prepare request is for: those that pass all of these modifiers."""

TypeSink: TypeAlias = "Callable[[ReferenceType], Coroutine[Any, Any, None]]"


@dataclass(slots=True)
class _Watched:
    """One class prepare request and its sinks."""

    request: RequestHandle | None = None
    sinks: dict[object, TypeSink] = field(default_factory=dict)
    showing: list[ReferenceType] = field(default_factory=list)
    """The types whose events are being processed now."""
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


class ClassWatch:
    """The class prepare requests of one session."""

    def __init__(
        self, router: Router, around: Callable[[], AbstractAsyncContextManager[None]]
    ) -> None:
        """`around`: a context that is held while a type is passed to its sinks."""
        self._router = router
        self._around = around
        self._watched: dict[PrepareFilter, _Watched] = {}
        self._last: tuple[ReferenceType | None, set[TypeSink]] = (None, set())
        """The type that came last, and the sinks to which it was passed: a type may pass several
        filters of one breakpoint.
        """

    async def add(self, filter_: PrepareFilter, waiter: object, sink: TypeSink) -> None:
        """Pass each type that passes `filter_` to `sink` from now on, for `waiter`."""
        watched = self._watched.setdefault(filter_, _Watched())
        watched.sinks[waiter] = sink
        async with watched.lock:
            if watched.request is None:
                watched.request = await self._arm(filter_, watched)
        for type_ in list(watched.showing):  # their events began before this one was added
            await sink(type_)

    async def remove(self, filter_: PrepareFilter, waiter: object) -> None:
        """Undo `add`; the request goes with its last waiter."""
        watched = self._watched.get(filter_)
        if watched is None:
            return
        watched.sinks.pop(waiter, None)
        async with watched.lock:
            if watched.sinks or watched.request is None:
                return
            request, watched.request = watched.request, None
            await request.clear()

    @contextlib.asynccontextmanager
    async def paused(self) -> AsyncIterator[None]:
        """A context in which the requests are paused. No class of the program is missed, because
        its threads are suspended. The JDK's agent would wait for ever if its own thread had to
        report a class, for instance that of an error with which the VM refuses new code.
        """
        async with contextlib.AsyncExitStack() as held:
            paused = {}
            for filter_, watched in list(self._watched.items()):
                await held.enter_async_context(watched.lock)
                if watched.request is not None:
                    paused[filter_] = watched
                    request, watched.request = watched.request, None
                    await request.clear()
            try:
                yield
            finally:
                for filter_, watched in paused.items():
                    if watched.sinks:
                        watched.request = await self._arm(filter_, watched)

    async def disarm_all(self) -> None:
        """Clear all requests; no sink is called any more."""
        requests = [each.request for each in self._watched.values() if each.request is not None]
        self._watched.clear()
        await asyncio.gather(*(request.clear() for request in requests))

    async def _pass_on(self, type_: ReferenceType, sinks: Sequence[TypeSink]) -> None:
        last, passed = self._last
        new = sinks if last is not type_ else [each for each in sinks if each not in passed]
        if not new:
            return
        async with self._around():
            if len(new) == 1:  # as mostly: without a task
                await new[0](type_)
            else:
                await together([sink(type_) for sink in new])
        last, passed = self._last
        self._last = (type_, passed.union(new) if last is type_ else set(new))

    async def _arm(self, filter_: PrepareFilter, watched: _Watched) -> RequestHandle:
        async def on_prepare(occurrence: Occurrence) -> Verdict:
            if isinstance(occurrence, ClassPrepareOccurrence):
                type_ = occurrence.type
                watched.showing.append(type_)
                try:
                    await self._pass_on(type_, list(dict.fromkeys(watched.sinks.values())))
                finally:
                    watched.showing.remove(type_)
            return RESUME

        return await self._router.arm(
            EventKind.CLASS_PREPARE, filter_, SuspendPolicy.EVENT_THREAD, on_prepare
        )
