# SPDX-License-Identifier: Apache-2.0
"""Caches for the VM's answers, each with a lifetime.

A Memo belongs to a mirror and has its lifetime: answers about a type are kept until it is
unloaded; a thread clears its Memo when it resumes. Concurrent callers share one request.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Hashable

T = TypeVar("T")


class Memo:
    """Answers by name, each requested once. Failed and cancelled requests are not cached."""

    __slots__ = ("_facts", "_locks")

    def __init__(self) -> None:
        self._facts: dict[Hashable, object] = {}
        self._locks: dict[Hashable, asyncio.Lock] = {}

    async def get(self, name: Hashable, fetch: Callable[[], Awaitable[T]]) -> T:
        """The cached answer, else that of `fetch`, which is then cached."""
        if name in self._facts:
            return cast("T", self._facts[name])
        facts, locks = self._facts, self._locks
        async with locks.setdefault(name, asyncio.Lock()):
            if name not in facts:
                # When it is cleared meanwhile, the answer goes into the dropped dict.
                facts[name] = await fetch()
                locks.pop(name, None)
        return cast("T", facts[name])

    def put(self, name: Hashable, fact: object) -> None:
        """Cache what came with another answer."""
        self._facts[name] = fact

    def peek(self, name: Hashable) -> object | None:
        """The cached answer; None when there is none."""
        return self._facts.get(name)

    def drop(self, name: Hashable) -> None:
        """Drop one answer."""
        self._facts.pop(name, None)

    def forget(self) -> None:
        """Drop all answers; those of requests in flight are not cached either."""
        self._facts = {}
        self._locks = {}
