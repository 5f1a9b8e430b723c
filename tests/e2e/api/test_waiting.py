# SPDX-License-Identifier: Apache-2.0
"""Whoever waits for a program that is held is told so, at his own line, and waits on."""

from __future__ import annotations

import asyncio
import threading
import warnings
from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

import jvmdebug
import jvmdebug.sync
from tests.support import process
from tests.support.sessions import compiled

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jvmdebug.patience.PATIENCE_S", 0.05)
    monkeypatch.setattr("jvmdebug.session.profiling.PATIENCE_S", 0.05)


@pytest.fixture
def program(jdk: Jdk, agent_kind: AgentKind) -> dict[str, Any]:
    built = compiled("observed", "Observed", jdk)
    return {
        "main_class": "Observed",
        "class_path": built.class_path,
        "java": jdk.home,
        "args": ["fields"],
        **process.launch_options(agent_kind),
    }


@asynccontextmanager
async def warned(
    work: Callable[[], Awaitable[object]], monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[str]:
    """What is told while it waits; it has to be over when the context is left."""
    told: list[tuple[str, str]] = []
    has_told = asyncio.Event()

    def hear(message: object, _category: object, file: str, *_: object, **_more: object) -> None:
        told.append((str(message), file))
        has_told.set()

    async def waits() -> None:
        await work()

    monkeypatch.setattr(warnings, "showwarning", hear)
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        waiting = asyncio.ensure_future(waits())
        await asyncio.wait_for(has_told.wait(), 20)
        yield told[0][0]
        await asyncio.wait_for(waiting, 20)
    assert [file for _, file in told] == [__file__]


async def test_a_program_that_has_not_begun(
    program: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    async with jvmdebug.launch(**program) as session:
        async with warned(session.wait, monkeypatch) as message:
            assert "held before its first instruction" in message
            await session.restart()  # it is held again, and is waited for on
            await session.start()
        assert session.exit_code == 0
        await session.restart()

        async def read() -> None:
            assert [piece.text async for piece in session.output] == ["done\n"]

        async with warned(read, monkeypatch) as message:
            assert "held before its first instruction" in message
            await session.start()


async def test_a_program_that_is_stopped(
    program: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    async with jvmdebug.launch(**program) as session:
        await session.break_at("Observed#clear")
        stop = await session.next_stop()
        assert stop is not None
        async with (
            session.who_sets("Observed.counter") as writes,
            warned(writes.next, monkeypatch) as message,
        ):
            assert "nothing of Observed.counter comes while" in message
            await stop.resume()
        await session.restart()
        stop = await session.next_stop()
        assert stop is not None
        async with warned(session.wait, monkeypatch) as message:
            assert "does not end while it is stopped: resume it" in message
            await stop.resume()


async def test_what_needs_a_program_that_runs(
    program: dict[str, Any], agent_kind: AgentKind, monkeypatch: pytest.MonkeyPatch
) -> None:
    if agent_kind == "stock":
        pytest.skip("only our agent samples, and tells which method is entered next")
    async with jvmdebug.launch(**program) as session:
        async with asyncio.timeout(20):  # refused at once: there is no thread
            with pytest.raises(jvmdebug.EvaluationError, match="nothing of the program runs"):
                await session.evaluate("System.nanoTime()", timeout_s=600)
        for profile in (session.profile, session.profile_allocations, session.profile_locks):
            async with warned(partial(profile, 0.1), monkeypatch) as message:
                assert "nothing of the program runs while it is profiled" in message
        assert session.state is jvmdebug.SessionState.HELD, "no profile starts it"


def test_a_script(program: dict[str, Any]) -> None:
    """The warning is at the line that waits, though another thread does."""
    with (
        jvmdebug.sync.launch(**program) as session,
        warnings.catch_warnings(record=True) as told,
    ):
        warnings.simplefilter("always")
        later = threading.Timer(0.5, session.start)
        later.start()
        assert session.wait() == 0
        later.join(20)
        assert [each.filename for each in told] == [__file__]
