# SPDX-License-Identifier: Apache-2.0
"""How long an evaluation may take. Called by `expression`; runs ask it."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Final, Self

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType

_INTERRUPT_GRACE_S: Final = 0.2
"""How much later than the last invocation the evaluation itself is given up."""


class Deadline:
    """The deadline of what is done inside `async with`, in seconds from now; None: no limit.

    TimeoutError when it is over.
    """

    def __init__(self, seconds: float | None) -> None:
        self._until = None if seconds is None else self._now() + seconds
        self._stopped: float | None = None
        self._limit = asyncio.timeout_at(self._latest())

    def remaining_s(self) -> float | None:
        """The time that is left, in seconds: more than 0."""
        if self._until is None:
            return None
        now = self._now() if self._stopped is None else self._stopped
        return max(self._until - now, 0.001)

    @contextlib.contextmanager
    def stopped(self) -> Iterator[None]:
        """What is done in here does not count: it has a limit of its own."""
        if self._until is None or self._stopped is not None:
            yield
            return
        self._stopped = self._now()
        self._limit.reschedule(None)
        try:
            yield
        finally:
            self._until += self._now() - self._stopped
            self._stopped = None
            if not self._limit.expired():
                self._limit.reschedule(self._latest())

    async def __aenter__(self) -> Self:
        await self._limit.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._limit.__aexit__(kind, error, trace)

    def _latest(self) -> float | None:
        return None if self._until is None else self._until + _INTERRUPT_GRACE_S

    @staticmethod
    def _now() -> float:
        return asyncio.get_running_loop().time()
