# SPDX-License-Identifier: Apache-2.0
"""The owner's end of one guest: nobody waits for one that does not read."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import jvmdebug
from jvmdebug.joining import host

if TYPE_CHECKING:
    import pytest


class Transport:
    """Takes what is written, and keeps it."""

    def __init__(self) -> None:
        self.unsent = 0
        self.is_aborted = False

    def get_write_buffer_size(self) -> int:
        return self.unsent

    def abort(self) -> None:
        self.is_aborted = True


class Writer:
    """A stream that nobody reads."""

    def __init__(self) -> None:
        self.transport = Transport()

    def write(self, data: bytes) -> None:
        self.transport.unsent += len(data)

    async def drain(self) -> None:
        await asyncio.Event().wait()


def made() -> tuple[host.Host, Transport]:
    writer = Writer()
    guest = host.Host(
        cast("Any", SimpleNamespace()),
        "prompt (process 1)",
        cast("Any", writer),
        name="script (process 2)",
        kind="script",
        role="debug",
    )
    return guest, writer.transport


async def test_a_guest_that_lets_too_much_wait_is_sent_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(host, "_MOST_UNSENT", 10_000)
    guest, transport = made()
    told = guest._subscriber(1)
    output = jvmdebug.Output("stdout", "x" * 1000)
    for _ in range(9):
        assert told(output) is None
    assert not transport.is_aborted
    told(output)
    assert transport.is_aborted
    sent = transport.unsent
    told(output)
    assert transport.unsent == sent


async def test_lines_of_log_points_wait_for_it_only_so_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(host, "_FLOWS", 100)
    monkeypatch.setattr(host, "_DRAIN_S", 0.01)
    guest, transport = made()
    told = guest._subscriber(1)
    line = jvmdebug.BreakpointLogged(
        cast("Any", None), "x" * 1000, cast("Any", None), "shop/Cart.java", 4
    )
    waiting = cast("Any", told(line))
    await waiting
    assert transport.is_aborted
