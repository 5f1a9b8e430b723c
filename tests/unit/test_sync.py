# SPDX-License-Identifier: Apache-2.0
"""The synchronous API without a VM: its classes, the loop's thread, Ctrl-C, callbacks."""

from __future__ import annotations

import asyncio
import importlib
import inspect
import signal
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

import jvmdebug
import jvmdebug.sync
from jvmdebug import warning
from jvmdebug.sync import proxies
from jvmdebug.sync.generated.members import FUNCTIONS, MEMBERS
from jvmdebug.sync.portal import Portal

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator


@pytest.fixture
def portal() -> Iterator[Portal]:
    before = threading.active_count()
    made = Portal()
    yield made
    made.close()
    assert threading.active_count() == before


@pytest.mark.parametrize("full", MEMBERS)
def test_each_class_has_the_members_of_the_asynchronous_one(full: str) -> None:
    module, _, name = full.partition(":")
    original = getattr(importlib.import_module(module), name)
    made = getattr(jvmdebug.sync, name)
    assert made is proxies.proxy_class(full)
    assert made.__doc__ == original.__doc__
    with pytest.raises(TypeError, match="sessions give it"):
        made()
    for member in MEMBERS[full]:
        found = getattr(made, proxies._NAMES.get(member, member))
        assert not inspect.iscoroutinefunction(found)


def test_nothing_but_the_core_s_own_is_left_out() -> None:
    """What mentions a class that is not public has no counterpart, and nobody would notice."""
    left_out = set()
    for full in MEMBERS:
        module, _, name = full.partition(":")
        original = getattr(importlib.import_module(module), name)
        if not module.startswith("jvmdebug.model."):
            made = getattr(jvmdebug.sync, name)
            left_out |= {f"{name}.{each}" for each in set(dir(original)) - set(dir(made))}
    assert {each for each in left_out if "._" not in each} == {
        *("Breakpoint.begin", "ClassListing.of", "FrameHandle.make", "FrameHandle.make_all"),
        *("Observation.observations", "Samples.reached", "Stop.libraries", "ThreadHandle.lock"),
        *("FieldWrites.reached", "Trace.reached", "WatchedChange.make", "Recorder.reader"),
        *("Exceptions.reached", "FieldReads.reached", "HitObservation.reached"),
        *(
            f"{name}.observations"
            for name in (
                *("Contention", "Exceptions", "FieldReads", "FieldWrites", "GcEvents"),
                *("HitObservation", "JvmtiEvents", "Samples", "SingleSteps", "Trace"),
            )
        ),
    }


def test_the_names_of_the_module() -> None:
    assert {"launch", "attach", "listen", "open", "open_attach", "Session", "Stop"} <= set(
        dir(jvmdebug.sync)
    )
    assert FUNCTIONS["open"] == "open_launch"
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        jvmdebug.sync.nothing  # type: ignore[attr-defined]  # noqa: B018
    assert issubclass(jvmdebug.sync.SessionBreakpoints, Sequence)
    assert issubclass(jvmdebug.sync.Trace, jvmdebug.sync.Observation)


def test_results_and_errors_come_out(portal: Portal) -> None:
    async def fail() -> None:
        raise jvmdebug.StateError("not now")

    assert portal.call(lambda: threading.current_thread().name) == "jvmdebug"
    assert portal.call(asyncio.sleep, 0, 3) == 3
    with pytest.raises(jvmdebug.StateError, match="not now"):
        portal.call(fail)


def test_the_loop_cannot_wait_for_itself_nor_a_closed_session_for_it() -> None:
    made = Portal()
    with pytest.raises(jvmdebug.StateError, match="own event loop"):
        made.call(lambda: made.call(time.time))
    made.close()
    made.close()
    with pytest.raises(jvmdebug.StateError, match="the session is closed"):
        made.call(time.time)


def test_one_thread_for_all_sessions(portal: Portal) -> None:
    other = Portal()
    thread = other.call(threading.current_thread)
    assert thread is portal.call(threading.current_thread)
    other.close()
    assert portal.call(threading.current_thread) is thread


def test_ctrl_c_cancels_what_is_waited_for(portal: Portal) -> None:
    ended: list[str] = []

    async def wait() -> None:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        try:
            await asyncio.sleep(60)
        finally:
            ended.append("cancelled")

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    timer = signal.getitimer(signal.ITIMER_REAL)
    try:
        with pytest.raises(KeyboardInterrupt):
            portal.call(wait)
    finally:
        signal.signal(signal.SIGALRM, before)
        signal.setitimer(signal.ITIMER_REAL, timer[0])
    assert ended == ["cancelled"]
    assert portal.call(asyncio.sleep, 0, "again") == "again"


@pytest.fixture
def sigint_interrupts() -> Iterator[None]:
    """SIGINT raises KeyboardInterrupt: a shell starts what runs in the background ignoring it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("sigint_interrupts")
@pytest.mark.parametrize("is_waiting", [True, False], ids=["waiting", "about to wait"])
def test_what_came_too_late_is_undone(portal: Portal, *, is_waiting: bool) -> None:
    undone: list[str] = []
    main = threading.main_thread().ident
    assert main is not None

    async def open_anyway() -> str:
        # A signal that another thread gets does not end what this one waits for, as one that comes
        # just before it begins to wait.
        signal.pthread_kill(main if is_waiting else threading.get_ident(), signal.SIGINT)
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            return "open"
        return "never"

    async def undo(opened: str) -> None:
        undone.append(opened)

    with pytest.raises(KeyboardInterrupt):
        portal.run(open_anyway(), undo)
    assert undone == ["open"]


@pytest.mark.logs_errors
def test_a_callback_may_use_the_api_and_its_failure_is_logged(
    portal: Portal, caplog: pytest.LogCaptureFixture
) -> None:
    seen: list[object] = []

    def callback(text: str) -> str:
        seen.append((text, portal.call(asyncio.sleep, 0, "asked")))
        if text == "bad":
            raise ValueError(text)
        return text.upper()

    async def call(function: object) -> object:
        return [await function("good"), function("bad")]  # type: ignore[operator]

    given = proxies._in(callback, portal)
    assert portal.call(call, given)[0] == "GOOD"
    portal._thread.drain()
    assert seen == [("good", "asked"), ("bad", "asked")]
    assert "a callback failed" in caplog.text


class Pair(NamedTuple):
    """Two values."""

    first: object
    second: object


def test_values_are_wrapped_wherever_they_are(portal: Portal) -> None:
    found = jvmdebug.Definition(jvmdebug.SourceFile(Path(__file__)), 1)
    (text, inside), pair, by_name = proxies.out(
        (["x", found], Pair(found, 1), {"at": found}), portal
    )
    assert text == "x"
    assert isinstance(inside, jvmdebug.sync.Definition)
    assert inside == pair.first == by_name["at"]
    assert isinstance(pair, Pair)
    assert inside.line == 1
    assert proxies._in([(inside,), {"at": inside}], portal) == [(found,), {"at": found}]


async def numbers() -> AsyncIterator[int]:
    yield 1
    yield 2


def test_a_warning_is_at_the_line_that_called(portal: Portal) -> None:
    """It is not at one of the loop's thread, nor at that of a call before."""

    async def work() -> None:
        await asyncio.sleep(0)
        warning.warn("nothing comes")

    lines = []
    for _ in range(2):
        with pytest.warns(RuntimeWarning, match="nothing comes") as told:
            portal.run(work())
        lines += [(each.filename, each.lineno) for each in told]
    source = Path(__file__).read_text().splitlines()
    assert [(file, source[line - 1].strip()) for file, line in lines] == [
        (__file__, "portal.run(work())"),
        (__file__, "portal.run(work())"),
    ]


def test_iterators(portal: Portal) -> None:
    assert list(proxies.out(numbers(), portal)) == [1, 2]
    for number in proxies.out(numbers(), portal):
        assert number == 1
        break
