# SPDX-License-Identifier: Apache-2.0
"""Ways to places that are opened in threads."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING, cast

import pytest

from jvmdebug.session import attach_places

if TYPE_CHECKING:
    from jvmdebug.attaching.pods import WayToPod


class _Way:
    def __init__(self) -> None:
        self.is_closed = threading.Event()

    def close(self) -> None:
        self.is_closed.set()


async def test_a_caller_that_is_cancelled_leaves_no_way_open() -> None:
    way, may_open = _Way(), threading.Event()
    begun = threading.Event()

    def open_way() -> WayToPod:
        begun.set()
        assert may_open.wait(10)
        return cast("WayToPod", way)

    opening = asyncio.create_task(attach_places._opened(open_way))
    assert await asyncio.to_thread(begun.wait, 10)
    opening.cancel()
    with pytest.raises(asyncio.CancelledError):
        await opening
    assert not way.is_closed.is_set()
    may_open.set()
    assert await asyncio.to_thread(way.is_closed.wait, 10)
