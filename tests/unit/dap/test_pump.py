# SPDX-License-Identifier: Apache-2.0
"""What the adapter tells of threads that end before their start was sent."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import jvmdebug
from jvmdebug_dap.pump import EventPump


async def test_a_thread_that_has_ended_before_is_not_told() -> None:
    sent: list[tuple[str, int]] = []

    async def drain() -> None:
        pass

    session = SimpleNamespace(
        threads=SimpleNamespace(number=lambda thread: thread, forget=lambda _: None),
        channel=SimpleNamespace(
            send_event=lambda _, body: sent.append((body.reason, body.thread_id)), drain=drain
        ),
    )
    pump = EventPump(cast("Any", session))
    started, ended = cast("Any", jvmdebug.ThreadStarted), cast("Any", jvmdebug.ThreadEnded)
    for number in range(1_000):
        pump.take(started(number))
        if number != 7:
            pump.take(ended(number))
    running = asyncio.create_task(pump.run())
    await pump.drained()
    assert sent == [("started", 7)]
    pump.take(ended(7))
    await pump.drained()
    assert sent == [("started", 7), ("exited", 7)]
    running.cancel()
