# SPDX-License-Identifier: Apache-2.0
"""Waiting for a program that may be held: whoever waits for ever for what cannot come is told so.

Owns after which time that is said. A warning and no error: another task may resume the program.
Called by whatever waits without a time limit.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Final

from jvmdebug import warning

if TYPE_CHECKING:
    from collections.abc import Callable

PATIENCE_S: Final = 2.0
"""A program is looked at after so long, and must be held the next time, too."""


async def changed_or_warned(event: asyncio.Event, why_stuck: Callable[[], str | None]) -> bool:
    """Wait for the event; whether its caller was warned meanwhile, which is done once.

    `why_stuck` is what the warning says, None while the event may well come.
    """
    was_stuck = False
    while True:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE_S):
                await event.wait()
            return False
        why = why_stuck()
        if why is not None and was_stuck:
            warning.warn(why)
            await event.wait()
            return True
        was_stuck = why is not None
