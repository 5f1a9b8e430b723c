# SPDX-License-Identifier: Apache-2.0
"""How long the model may remember an answer of the VM.

A Memo belongs to a mirror and lives as long as it: facts about types are kept until the type is
unloaded; a thread drops its Memo when it resumes. Concurrent askers of one fact share one request.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Hashable

T = TypeVar("T")


class Memo:
    """Facts by name, each asked for once. A failed or cancelled question is asked anew."""

    __slots__ = ("_facts", "_locks")

    def __init__(self) -> None:
        self._facts: dict[Hashable, object] = {}
        self._locks: dict[Hashable, asyncio.Lock] = {}

    async def get(self, name: Hashable, ask: Callable[[], Awaitable[T]]) -> T:
        """The remembered fact, or what `ask` answers, which is then remembered."""
        if name in self._facts:
            return cast("T", self._facts[name])
        facts, locks = self._facts, self._locks
        async with locks.setdefault(name, asyncio.Lock()):
            if name not in facts:
                # When it is forgotten while we ask, the answer goes into the dropped dict.
                facts[name] = await ask()
                locks.pop(name, None)
        return cast("T", facts[name])

    def put(self, name: Hashable, fact: object) -> None:
        """Remember what came with another answer."""
        self._facts[name] = fact

    def peek(self, name: Hashable) -> object | None:
        """The remembered fact, None when it is not known."""
        return self._facts.get(name)

    def facts(self) -> list[object]:
        """All that is remembered."""
        return list(self._facts.values())

    def drop(self, name: Hashable) -> None:
        """Remember this fact no more."""
        self._facts.pop(name, None)

    def forget(self) -> None:
        """Remember nothing; answers that are on their way are not remembered either."""
        self._facts = {}
        self._locks = {}
