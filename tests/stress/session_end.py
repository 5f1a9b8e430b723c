# SPDX-License-Identifier: Apache-2.0
"""The end of a program that was launched, whatever had stopped just before."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import jvmdebug


async def exit_code(session: jvmdebug.Session) -> int | None:
    """What was hit before the breakpoints were removed goes on."""
    waiting = asyncio.create_task(session.wait())
    try:
        while not waiting.done():
            await asyncio.wait((waiting,), timeout=0.2)
            if session.current_stops:
                await session.resume()
        return waiting.result()
    finally:
        waiting.cancel()
