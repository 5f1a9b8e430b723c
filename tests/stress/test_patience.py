# SPDX-License-Identifier: Apache-2.0
"""Waiting by processor time."""

from __future__ import annotations

import asyncio
import os

import pytest

from tests.stress import patience
from tests.stress.patience import patiently


async def _busy() -> None:
    while True:
        sum(range(10_000))
        await asyncio.sleep(0)


async def test_what_works_for_too_long_is_given_up() -> None:
    with pytest.raises(TimeoutError, match="of processor time"):
        await patiently(_busy(), os.getpid(), 0.3)


async def test_what_does_not_work_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "_IDLE_S", 0.3)
    with pytest.raises(TimeoutError, match="idle"):
        await patiently(asyncio.Event().wait(), os.getpid(), 100)


async def test_the_result_comes_as_soon_as_it_is_there() -> None:
    assert await patiently(asyncio.sleep(0.01, "done"), os.getpid(), 100) == "done"
