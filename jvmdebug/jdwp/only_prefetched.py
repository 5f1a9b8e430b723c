# SPDX-License-Identifier: Apache-2.0
"""Work that may use what the agent has prefetched, and may send nothing.

For what is worth showing if it costs no round trip, and is left for later if it does.
"""

from __future__ import annotations

import asyncio
import contextvars
from contextvars import ContextVar
from typing import TYPE_CHECKING, TypeVar

from jvmdebug.errors import JvmDebugError

if TYPE_CHECKING:
    from collections.abc import Coroutine

T = TypeVar("T")

_IS_ON: ContextVar[bool] = ContextVar("only prefetched", default=False)


class NotPrefetchedError(JvmDebugError):
    """A reply was not prefetched, and no request may be made."""


async def only_prefetched(work: Coroutine[object, object, T]) -> T:
    """What `work` gives; every request that it would send raises NotPrefetchedError."""
    # In a task: a coroutine may be begun in the context of one that runs beside it.
    context = contextvars.copy_context()
    context.run(_switch_on)
    return await asyncio.create_task(work, context=context)


def _switch_on() -> None:
    _IS_ON.set(True)


def is_only_prefetched() -> bool:
    """Whether the work that asks may send nothing."""
    return _IS_ON.get()
