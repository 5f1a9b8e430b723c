# SPDX-License-Identifier: Apache-2.0
"""Waits for what no event tells."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


async def until(holds: Callable[[], object], what: str = "", timeout_s: float = 30.0) -> None:
    """Return when it holds. AssertionError with `what` if that takes longer."""
    try:
        async with asyncio.timeout(timeout_s):
            while not holds():  # noqa: ASYNC110 - that is what this is for
                await asyncio.sleep(0.02)
    except TimeoutError:
        raise AssertionError(what or "it does not come to hold") from None
