# SPDX-License-Identifier: Apache-2.0
"""A test that takes too long ends, also where what runs then takes the exception.

What is fetched or compiled once for all tests is not counted: the test that needs it first may wait
a minute for it.

pytest-timeout raises it once, wherever the test is at that moment. A callback of the event loop
only logs what is raised in it: then the test would wait for ever. So it is raised again and again.
"""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

import pytest

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator


class Settings(Protocol):
    """What pytest-timeout knows of a test."""

    method: str
    timeout: float


_UNCOUNTED_S = 600.0
AGAIN_S = 20.0
"""Between two times; the end of a test that was too long has that time too."""


@pytest.hookimpl(hookwrapper=True)
def pytest_timeout_set_timer(settings: Settings) -> Generator[None]:
    """Repeat the alarm of pytest-timeout, which ends it with the test."""
    yield
    if settings.method == "signal":
        signal.setitimer(signal.ITIMER_REAL, settings.timeout, AGAIN_S)


@contextmanager
def uncounted() -> Iterator[None]:
    """Stop the clock of the running test for what runs inside, which may take ten minutes."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    left, again = signal.getitimer(signal.ITIMER_REAL)
    if not left:
        yield
        return
    signal.setitimer(signal.ITIMER_REAL, _UNCOUNTED_S, again)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, left, again)
